package dev.parley.fakes.signal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.parley.fakes.loopback.LoopbackServer;
import dev.parley.fakes.network.Fault;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A signal-cli daemon for one account on loopback, started with {@code --http --receive-mode=on-connection}: what people write waits
 * until somebody listens, and is forgotten once it was handed over, whatever becomes of it. Who has stopped to listen is noticed only
 * when their connection takes nothing more, which is the second time that something is written to it; so it is with the real one. Answers, errors and the framing of events are
 * those of the real one. Where several listen, the one that came last is served, unlike with the real one, which serves all. The person's
 * side writes, edits, deletes, reacts and sees. What it holds outlives {@link #stop} and {@link #start}. Time is the
 * given clock's, but for the sign of life of a stream, which passes on the wall. Safe for concurrent use.
 */
public final class FakeSignal implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);

    private final String account;
    private final InstantSource clock;
    private final Duration signOfLife;
    private final Rpc rpc;
    private final LoopbackServer server;
    private final Envelopes envelopes = new Envelopes();
    private final Deque<String> waiting = new ArrayDeque<>();
    private final List<String> handedOver = new ArrayList<>();
    private final List<Shown> shown = new ArrayList<>();
    private final Map<String, byte[]> files = new HashMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final Map<String, Deque<JsonNode>> planned = new HashMap<>();
    private final AtomicLong connections = new AtomicLong();
    private volatile LongFunction<Fault> plan = number -> new Fault.None();
    private volatile UnaryOperator<String> wording = answer -> answer;
    private volatile boolean single;
    private long run;
    private long lastTimestamp;
    private long newest;
    private int listening;
    private boolean nothingIsLost;
    private boolean readToItsEnd;

    /**
     * A call that was made.
     *
     * @param method its name
     * @param parameters its parameters
     */
    public record Call(String method, JsonNode parameters) {}

    /** A daemon that answers on a free port, for an account by its number. */
    public FakeSignal(String account, InstantSource clock) {
        this(account, clock, SIGN_OF_LIFE);
    }

    /** A daemon whose streams give a sign of life more often than the real one's, for tests in which time passes faster. */
    public FakeSignal(String account, InstantSource clock, Duration signOfLife) {
        this.account = account;
        this.clock = clock;
        this.signOfLife = signOfLife;
        this.rpc = new Rpc(account, new Methods());
        this.server = new LoopbackServer(
                "fake-signal",
                Map.of(
                        "/api/v1/rpc",
                        exchange -> Answers.guarded(exchange, this::rpc),
                        "/api/v1/events",
                        exchange -> Answers.guarded(exchange, this::events),
                        "/api/v1/check",
                        exchange -> Answers.guarded(exchange, Answers::check)));
        start();
    }

    // the service's side

    /** Returns the daemon's address. */
    public URI address() {
        return server.address();
    }

    /** Begins to answer, on the same port as before; does nothing where it answers already. */
    public void start() {
        server.start();
    }

    /** Breaks off all connections and answers nobody until {@link #start}; keeps everything. */
    public synchronized void stop() {
        run++;
        notifyAll();
        server.stop();
    }

    @Override
    public void close() {
        stop();
        server.close();
    }

    /** Serves the account alone from now on, as {@code -a} does: no account is asked for, and none is listed. */
    public void serveOneAccount() {
        single = true;
    }

    /**
     * The machine loses power and comes back: connections break, and what was handed over to who listened last is still in the daemon's
     * cache, which deletes without syncing. It is handed over again, before what is new.
     */
    public void losePower() {
        synchronized (this) {
            handAgain();
        }
        stop();
        start();
    }

    /**
     * From now on what a stream that its reader has left took with it is handed over again to the next reader, which no real daemon
     * does: for tests of all the rest.
     */
    public synchronized void loseNothing() {
        nothingIsLost = true;
    }

    /**
     * Plans what happens to each connection from now on, by its number. A call breaks off before it is carried out, or after it while it
     * is answered. A stream breaks off between two events: what a cut within one takes with it, {@link #breakWithinEvent} shows.
     */
    public void plan(LongFunction<Fault> faults) {
        plan = faults;
    }

    /** Lets the next call of a method fail with a pause that Signal asks for. */
    public void limit(String method, Duration pause) {
        failRecipients(
                method,
                Rpc.RATE_LIMIT,
                "Failed to send message due to rate limiting",
                result -> result.put("type", "RATE_LIMIT_FAILURE")
                        .put("retryAfterSeconds", Math.max(1, pause.toSeconds())));
    }

    /** Lets the next call of a method fail for its only recipient: with this code, these words and what is put into its result. */
    public synchronized void failRecipients(
            String method, int code, String message, Consumer<? super ObjectNode> result) {
        ObjectNode error = Rpc.error(code, message);
        ObjectNode response = error.putObject("data").putObject("response");
        response.put("timestamp", clock.instant().toEpochMilli());
        result.accept(response.putArray("results").addObject());
        planned.computeIfAbsent(method, m -> new ArrayDeque<>()).add(error);
    }

    /** Lets the next call of a method fail with this code and these words. */
    public synchronized void fail(String method, int code, String message) {
        planned.computeIfAbsent(method, m -> new ArrayDeque<>()).add(Rpc.error(code, message));
    }

    /** Changes the text of every answer from now on; what was asked for is done all the same. */
    public void reword(UnaryOperator<String> answer) {
        wording = answer;
    }

    /** Returns the calls made so far. */
    public synchronized List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Returns how many streams of events are open. */
    public synchronized int listening() {
        return listening;
    }

    /** Returns how many events nobody was handed yet. */
    public synchronized int waiting() {
        return waiting.size();
    }

    // people's side

    /** Makes a person known, by their number, their uuid, or both; the other may be empty. */
    public synchronized void person(String number, String uuid, String name) {
        envelopes.person(number, uuid, name);
    }

    /** Makes a group. */
    public synchronized void group(String groupId, String name) {
        envelopes.group(groupId, name);
    }

    /** Lets a person write to the account; returns the message's timestamp. */
    public long write(String person, @Nullable String text) {
        return write(person, text, message -> {});
    }

    /** Lets a person write to the account, with whatever else {@code more} puts into the message; returns its timestamp. */
    public synchronized long write(String person, @Nullable String text, Consumer<? super ObjectNode> more) {
        long timestamp = timestamp();
        ObjectNode envelope = envelopes.from(person, timestamp);
        more.accept(Envelopes.message(envelope.putObject("dataMessage"), timestamp, text));
        offer(envelope);
        return timestamp;
    }

    /** Lets a person write in a group. */
    public long writeInGroup(String groupId, String person, @Nullable String text) {
        return writeInGroup(groupId, person, text, message -> {});
    }

    /** Lets a person write in a group, with whatever else {@code more} puts into the message; returns its timestamp. */
    public synchronized long writeInGroup(
            String groupId, String person, @Nullable String text, Consumer<? super ObjectNode> more) {
        return write(person, text, message -> {
            envelopes.inGroup(message, groupId);
            more.accept(message);
        });
    }

    /** Lets a person change what they wrote to the account. */
    public long edit(String person, long target, String text) {
        return edit(person, target, text, message -> {});
    }

    /** Lets a person change what they wrote in a group. */
    public synchronized long editInGroup(String groupId, String person, long target, String text) {
        return edit(person, target, text, message -> envelopes.inGroup(message, groupId));
    }

    private synchronized long edit(String person, long target, String text, Consumer<? super ObjectNode> more) {
        long timestamp = timestamp();
        ObjectNode envelope = envelopes.from(person, timestamp);
        ObjectNode edit = envelope.putObject("editMessage").put("targetSentTimestamp", target);
        more.accept(Envelopes.message(edit.putObject("dataMessage"), timestamp, text));
        offer(envelope);
        return timestamp;
    }

    /** Lets a person delete what they wrote to the account, for everybody. */
    public synchronized long delete(String person, long target) {
        return write(person, null, message -> message.putObject("remoteDelete").put("timestamp", target));
    }

    /** Lets a person react to what somebody wrote. */
    public synchronized long react(String person, String author, long target, String emoji) {
        return write(person, null, message -> {
            ObjectNode to = envelopes.from(author, target);
            message.putObject("reaction")
                    .put("emoji", emoji)
                    .put("targetAuthor", author)
                    .put("targetAuthorNumber", to.path("sourceNumber").textValue())
                    .put("targetAuthorUuid", to.path("sourceUuid").textValue())
                    .put("targetSentTimestamp", target)
                    .put("isRemove", false);
        });
    }

    /** Lets the account's owner write to somebody from another device; to the account itself it is a note to self. */
    public synchronized long writeElsewhere(String to, String text) {
        long timestamp = timestamp();
        ObjectNode envelope = envelopes.from(account, timestamp);
        ObjectNode sent = envelope.putObject("syncMessage").putObject("sentMessage");
        sent.put("destination", to).put("destinationNumber", to);
        Envelopes.message(sent, timestamp, text);
        offer(envelope);
        return timestamp;
    }

    /** Hands over any envelope, as malformed as wanted. */
    public synchronized void offer(JsonNode envelope) {
        ObjectNode event = JSON.createObjectNode();
        event.set("envelope", envelope);
        event.put("account", account);
        offerRaw(event.toString());
    }

    /** Hands over an event with any data. */
    public synchronized void offerRaw(String data) {
        waiting.add(data);
        notifyAll();
    }

    /** Hands over half of an event to who listens next, and breaks the stream off: the rest is gone, as with the real daemon. */
    public synchronized void breakWithinEvent(String person, String text) {
        write(person, text);
        waiting.add(Stream.BREAK + waiting.removeLast());
    }

    /** Keeps a file that came with a message, under an id. */
    public synchronized void file(String id, byte[] content) {
        files.put(id, content.clone());
    }

    /** Returns what the account has shown in a chat: a person by number or uuid, or {@code group:} with a group's id. */
    public synchronized List<Shown> shown(String chat) {
        return shown.stream().filter(each -> each.chat().equals(chat)).toList();
    }

    private synchronized long timestamp() {
        lastTimestamp = Math.max(lastTimestamp + 1, clock.instant().toEpochMilli());
        return lastTimestamp;
    }

    // answers

    private void rpc(HttpExchange exchange) throws IOException {
        if (Answers.allowed(exchange, "POST") != 200) {
            Answers.status(exchange, 405);
            return;
        }
        Fault fault = plan.apply(connections.incrementAndGet());
        byte[] request = exchange.getRequestBody().readAllBytes();
        if (fault instanceof Fault.Refused || fault instanceof Fault.CutRequest) {
            return;
        }
        Optional<JsonNode> answer = rpc.answer(request, single);
        byte[] body = answer.map(JsonNode::toString).map(wording).orElse("").getBytes(StandardCharsets.UTF_8);
        if (fault instanceof Fault.CutAnswer cut && cut.bytes() < Answers.HEAD + body.length) {
            Answers.part(exchange, body, cut.bytes());
            return;
        }
        if (fault instanceof Fault.HalfOpen silence && silence.bytes() < Answers.HEAD + body.length) {
            Answers.part(exchange, body, silence.bytes());
            awaitEnd(exchange);
            return;
        }
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(answer.isPresent() ? 200 : 201, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    /** A connection stays open and silent until the daemon stops. */
    private synchronized void awaitEnd(HttpExchange exchange) {
        long mine = run;
        try {
            while (run == mine && server.isServing(exchange)) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void events(HttpExchange exchange) throws IOException {
        int status =
                exchange.getRequestURI().getPath().equals("/api/v1/events") ? Answers.allowed(exchange, "GET") : 404;
        if (status == 200 && !single && !knows(exchange.getRequestURI().getRawQuery())) {
            status = 400;
        }
        if (status != 200) {
            Answers.status(exchange, status);
            return;
        }
        Fault fault = plan.apply(connections.incrementAndGet());
        if (fault instanceof Fault.Refused || fault instanceof Fault.CutRequest) {
            return;
        }
        long mine;
        synchronized (this) {
            if (!server.isServing(exchange)) {
                return;
            }
            if (nothingIsLost && !readToItsEnd) {
                handAgain();
            }
            handedOver.clear();
            readToItsEnd = false;
            mine = ++newest;
            listening++;
        }
        try {
            stream(exchange, new Stream(exchange, fault), mine);
            ended(mine);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (this) {
                listening--;
            }
        }
    }

    /** Who opens another stream has read one that ended from this side to its end. */
    private synchronized void ended(long stream) {
        if (stream == newest) {
            readToItsEnd = true;
        }
    }

    private void handAgain() {
        for (int i = handedOver.size() - 1; i >= 0; i--) {
            waiting.addFirst(handedOver.get(i));
        }
        handedOver.clear();
    }

    private boolean knows(@Nullable String query) {
        return query == null
                || !query.startsWith("account=")
                || URLDecoder.decode(query.substring("account=".length()), StandardCharsets.UTF_8)
                        .equals(account);
    }

    private void stream(HttpExchange exchange, Stream stream, long mine) throws IOException, InterruptedException {
        long begun;
        synchronized (this) {
            begun = run;
        }
        while (true) {
            Optional<String> next = Optional.empty();
            synchronized (this) {
                if (run == begun && (waiting.isEmpty() || mine != newest)) {
                    wait(Math.max(1, signOfLife.toMillis()));
                }
                if (run != begun) {
                    return;
                }
                if (mine == newest) {
                    next = Optional.ofNullable(waiting.peek());
                }
                if (next.isPresent() && stream.takes(next.get())) {
                    // The daemon's cache forgets it, whatever becomes of it on its way.
                    waiting.remove();
                    handedOver.add(next.get());
                } else if (next.isPresent() && !stream.isSilent()) {
                    return;
                }
            }
            if (stream.isSilent()) {
                awaitEnd(exchange);
                return;
            }
            if (!stream.send(next)) {
                return;
            }
        }
    }

    /** The methods of the daemon that a platform calls. */
    private final class Methods implements Rpc.Methods {
        @Override
        public Optional<JsonNode> planned(String method, JsonNode parameters) {
            synchronized (FakeSignal.this) {
                calls.add(new Call(method, parameters));
                return Optional.ofNullable(planned.get(method)).map(Deque::poll);
            }
        }

        @Override
        public JsonNode send(JsonNode parameters) {
            synchronized (FakeSignal.this) {
                long timestamp = timestamp();
                String group = parameters.path("groupId").asText("");
                List<String> chats = new ArrayList<>();
                if (!group.isEmpty()) {
                    chats.add("group:" + group);
                }
                Rpc.texts(parameters, "recipient").forEach(chats::add);
                ObjectNode result = JSON.createObjectNode();
                for (String chat : chats) {
                    shown.add(new Shown(
                            chat,
                            timestamp,
                            parameters.path("message").asText(""),
                            Rpc.texts(parameters, "textStyle"),
                            Optional.of(parameters.path("quoteTimestamp").asLong())
                                    .filter(time -> time > 0),
                            Rpc.texts(parameters, "attachment")));
                    ObjectNode each = result.withArray("results").addObject();
                    each.putObject("recipientAddress").put("number", chat);
                    each.put("type", "SUCCESS");
                }
                FakeSignal.this.notifyAll();
                return result.put("timestamp", timestamp);
            }
        }

        @Override
        public Optional<byte[]> file(String id) {
            synchronized (FakeSignal.this) {
                return Optional.ofNullable(files.get(id));
            }
        }

        @Override
        public boolean hasGroup(String id) {
            synchronized (FakeSignal.this) {
                return envelopes.hasGroup(id);
            }
        }
    }
}
