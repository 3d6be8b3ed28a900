package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.view.Rows;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.source.Platform;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What can be asked over HTTP. */
final class Endpoints {
    private static final String CALLER = "caller";
    private static final String HEALTH = "/healthz";
    /** The states in which no message is taken. */
    private static final Set<String> NOT_TAKING = Set.of("draining", "starting", "refusing");

    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    static final String RETRY_SECONDS = "5";
    private static final String KEPT = "The message is kept and will be answered; ask GET /v1/messages for the answer.";
    private static final String BROKEN = "Something went wrong in the gateway; its log tells more.";
    static final String STOPPING =
            "The gateway is stopping, and whether it has taken a message is not known; hand it in again with the same"
                    + " 'message_id' once the gateway is back.";

    private final ProviderSettings settings;
    private final HttpSettings http;
    private final Guard guard;
    private final Mailbox mailbox;
    private final InboundListener listener;
    private final Map<EventStream, Chat> streams = new ConcurrentHashMap<>();
    private final Map<Long, CompletableFuture<Receipt>> receipts = new ConcurrentHashMap<>();
    private final AtomicLong handedIn = new AtomicLong();
    private final Set<WaitingAnswer> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    private record Chat(Platform platform, String chatId) {}

    Endpoints(ProviderSettings settings, HttpSettings http, Guard guard, Mailbox mailbox, InboundListener listener) {
        this.settings = settings;
        this.http = http;
        this.guard = guard;
        this.mailbox = mailbox;
        this.listener = listener;
    }

    void addTo(RoutesConfig routes) {
        routes.before(this::admit);
        routes.post("/v1/messages", this::message);
        routes.get("/v1/messages", this::messages);
        routes.get("/v1/lanes", this::lanes);
        routes.get("/v1/lanes/history", this::history);
        routes.post("/v1/lanes/reset", ctx -> change(ctx, "reset", inspection()::resetLane));
        routes.post("/v1/lanes/suspend", ctx -> change(ctx, "suspended", inspection()::suspendLane));
        routes.post("/v1/lanes/interrupt", ctx -> change(ctx, "interrupted", inspection()::interruptLane));
        routes.get("/v1/sessions", this::sessions);
        routes.get("/v1/sessions/{id}/messages", this::transcript);
        routes.get("/v1/search", this::search);
        routes.get(HEALTH, this::health);

        routes.exception(Rejected.class, (e, ctx) -> error(ctx, e.status(), e.message()));
        routes.exception(HttpResponseException.class, this::refuse);
        routes.exception(Exception.class, this::broken);
    }

    /** Tells those who wait on a connection that no more will come on it; returns whether there are any. */
    boolean stop() {
        stopping = true;
        boolean any = !receipts.isEmpty() || !waiting.isEmpty() || !streams.isEmpty();
        receipts.values().forEach(receipt -> receipt.complete(new Receipt.Unavailable(STOPPING)));
        waiting.forEach(answer -> answer.giveUp("The gateway is stopping. " + KEPT));
        streams.keySet().forEach(stream -> stream.fail("The gateway is stopping. " + KEPT));
        return any;
    }

    /** Tells a message to those who wait for an answer in its chat; the answer of a turn itself they are told otherwise. */
    void tell(Outgoing message) {
        if (message.turn().isPresent() && message.kind() == Outgoing.Kind.REPLY) {
            return;
        }
        Chat chat = new Chat(message.platform(), message.chatId());
        streams.forEach((stream, of) -> {
            if (of.equals(chat)) {
                stream.tell(message);
            }
        });
    }

    private GatewayInspection inspection() {
        return settings.inspection();
    }

    /** Returns whether no more requests are answered. */
    boolean isStopping() {
        return stopping;
    }

    private void admit(Context ctx) {
        guard.checkHost(ctx.req().getHeader("Host"));
        Optional<Guard.Caller> caller = guard.caller(ctx.req().getHeader("Authorization"));
        caller.ifPresent(who -> ctx.attribute(CALLER, who));
        if (caller.isEmpty() && !ctx.path().equals(HEALTH)) {
            ctx.header("WWW-Authenticate", "Bearer");
            throw new Rejected(
                    401,
                    "Show the token that is in the file http-token of the home, as 'Authorization: Bearer TOKEN'.");
        }
        boolean messages = ctx.path().equals("/v1/messages") || ctx.path().equals(HEALTH);
        if (caller.isPresent() && !caller.get().operator() && !messages) {
            throw new Rejected(403, "This token is for messages of its platform only.");
        }
    }

    private Guard.Caller caller(Context ctx) {
        Guard.Caller caller = ctx.attribute(CALLER);
        if (caller == null) {
            throw new IllegalStateException("Nobody is admitted without a token: " + ctx.path());
        }
        return caller;
    }

    // ---- messages

    private void message(Context ctx) throws IOException {
        MessageRequest request =
                MessageRequest.read(Json.object(body(ctx)), caller(ctx).platforms());
        String accept = Optional.ofNullable(ctx.req().getHeader("Accept")).orElse("");
        if (accept.toLowerCase(Locale.ROOT).contains("text/event-stream")) {
            stream(ctx, request);
        } else if (request.waits() && !prefersAsync(ctx)) {
            answer(ctx, request);
        } else {
            accept(ctx, request);
        }
    }

    private static boolean prefersAsync(Context ctx) {
        return Optional.ofNullable(ctx.req().getHeader("Prefer"))
                .orElse("")
                .toLowerCase(Locale.ROOT)
                .contains("respond-async");
    }

    private byte[] body(Context ctx) throws IOException {
        int limit = http.bodyLimit();
        if (ctx.req().getContentLengthLong() > limit) {
            throw tooLarge(limit);
        }
        InputStream in = ctx.req().getInputStream();
        byte[] body = in.readNBytes(limit + 1);
        if (body.length > limit) {
            throw tooLarge(limit);
        }
        return body;
    }

    private static Rejected tooLarge(int limit) {
        return new Rejected(413, "The body is larger than the " + limit + " bytes that 'max_body_bytes' allows.");
    }

    /** Hands a message in. A stop that overtakes the receipt is told instead of it. */
    private CompletableFuture<Receipt> receipt(MessageRequest request, AnswerListener answer) {
        CompletableFuture<Receipt> receipt = listener.receive(request.received(), answer)
                .toCompletableFuture()
                .copy();
        long number = handedIn.incrementAndGet();
        receipts.put(number, receipt);
        var unused = receipt.whenComplete((done, failure) -> receipts.remove(number));
        if (stopping) {
            stop();
        }
        return receipt;
    }

    private void accept(Context ctx, MessageRequest request) {
        respond(
                ctx,
                receipt(request, AnswerListener.NONE)
                        .thenAcceptAsync(
                                receipt -> {
                                    if (!refused(ctx, receipt)) {
                                        boolean duplicate = receipt instanceof Receipt.Duplicate;
                                        json(
                                                ctx,
                                                duplicate ? 200 : 202,
                                                taken(receipt).put("status", "accepted"));
                                    }
                                },
                                settings.executor()));
    }

    private void answer(Context ctx, MessageRequest request) {
        WaitingAnswer answer = new WaitingAnswer();
        respond(
                ctx,
                receipt(request, answer)
                        .thenComposeAsync(receipt -> answered(ctx, receipt, answer), settings.executor()));
    }

    private CompletableFuture<@Nullable Void> answered(Context ctx, Receipt receipt, WaitingAnswer answer) {
        if (refused(ctx, receipt)) {
            return CompletableFuture.completedFuture(null);
        }
        if (receipt instanceof Receipt.Duplicate) {
            json(ctx, 200, taken(receipt).put("status", "accepted"));
            return CompletableFuture.completedFuture(null);
        }
        waiting.add(answer);
        Timers.Timer limit = settings.timers()
                .after(
                        http.answerLimit(),
                        () -> answer.giveUp(
                                "No answer within " + http.answerLimit().toSeconds() + " seconds. " + KEPT));
        if (stopping) {
            stop();
        }
        return answer.outcome()
                .thenAcceptAsync(
                        outcome -> {
                            waiting.remove(answer);
                            limit.cancel();
                            boolean gaveUp = outcome.path("status").asText().equals("waiting");
                            json(ctx, gaveUp ? 202 : 200, taken(receipt).setAll(outcome));
                        },
                        settings.executor());
    }

    private void stream(Context ctx, MessageRequest request) {
        EventStream stream = new EventStream(settings.executor());
        respond(
                ctx,
                receipt(request, stream)
                        .thenComposeAsync(receipt -> streamed(ctx, request, receipt, stream), settings.executor()));
    }

    private CompletableFuture<@Nullable Void> streamed(
            Context ctx, MessageRequest request, Receipt receipt, EventStream stream) {
        if (refused(ctx, receipt)) {
            return CompletableFuture.completedFuture(null);
        }
        ctx.res().setStatus(200);
        ctx.res().setContentType("text/event-stream");
        ctx.res().setCharacterEncoding("UTF-8");
        ctx.res().setHeader("Cache-Control", "no-cache");
        ctx.res().setHeader("X-Accel-Buffering", "no");
        OutputStream out;
        try {
            out = ctx.res().getOutputStream();
        } catch (IOException callerIsGone) {
            return CompletableFuture.completedFuture(null);
        }
        streams.put(
                stream,
                new Chat(
                        request.received().source().platform(),
                        request.received().source().chatId()));
        stream.open(out, "admitted", taken(receipt));
        if (receipt instanceof Receipt.Duplicate) {
            stream.end();
        }
        if (stopping) {
            stop();
        }
        beat(stream);
        return stream.ended().thenRun(() -> streams.remove(stream));
    }

    private void beat(EventStream stream) {
        Timers.Timer next = settings.timers().after(HEARTBEAT, () -> {
            if (!stream.ended().isDone()) {
                stream.heartbeat();
                beat(stream);
            }
        });
        var unused = stream.ended().thenRun(next::cancel);
    }

    /** Answers a request when {@code done}; what it fails with is answered like any other failure. */
    private void respond(Context ctx, CompletableFuture<@Nullable Void> done) {
        ctx.future(() -> done.exceptionally(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
            broken(cause == null ? failure : cause, ctx);
            return null;
        }));
    }

    private static ObjectNode taken(Receipt receipt) {
        if (receipt instanceof Receipt.Admitted admitted) {
            return taken(admitted.id(), admitted.lane(), false);
        }
        if (receipt instanceof Receipt.Duplicate duplicate) {
            return taken(duplicate.id(), duplicate.lane(), true);
        }
        throw new IllegalStateException("Not taken: " + receipt);
    }

    private static ObjectNode taken(InboundId id, SessionKey lane, boolean duplicate) {
        return Json.object().put("id", id.value()).put("lane", lane.value()).put("duplicate", duplicate);
    }

    /** Answers where the message was not taken; returns whether it was not. */
    private static boolean refused(Context ctx, Receipt receipt) {
        if (receipt instanceof Receipt.Refused refused) {
            error(ctx, 403, refused.why());
            return true;
        }
        if (receipt instanceof Receipt.Unavailable unavailable) {
            error(ctx, 503, unavailable.why());
            return true;
        }
        return false;
    }

    private void messages(Context ctx) {
        Set<Platform> allowed = caller(ctx).platforms();
        Platform platform = text(ctx, "platform")
                .map(Platform::of)
                .orElse(
                        allowed.contains(Platform.WEBHOOK)
                                ? Platform.WEBHOOK
                                : allowed.iterator().next());
        if (!allowed.contains(platform)) {
            throw new Rejected(403, "This token may not read messages of the platform '" + platform + "'.");
        }
        String chat =
                text(ctx, "chat_id").orElseThrow(() -> new Rejected(400, "'chat_id' is missing: whose messages?"));
        Mailbox.Page page = mailbox.read(
                platform,
                chat,
                text(ctx, "after").map(OutgoingId::new),
                number(ctx, "limit", 100, 1),
                inspection().queue(),
                settings.clock().instant());
        ObjectNode body = Json.object();
        ArrayNode rows = body.putArray("messages");
        page.messages().forEach(message -> rows.add(LiveRows.outgoing(message)));
        json(ctx, 200, body.put("gap", page.gap()));
    }

    // ---- lanes

    private void lanes(Context ctx) {
        ArrayNode rows = Json.object().putArray("lanes");
        inspection().lanes().forEach(state -> rows.add(LiveRows.lane(state)));
        json(ctx, 200, rows);
    }

    private void history(Context ctx) {
        SessionKey key = key(ctx);
        ArrayNode rows = Json.object().putArray("history");
        inspection().history(key, number(ctx, "limit", 50, 1)).forEach(event -> rows.add(Json.tree(Rows.event(event))));
        if (rows.isEmpty() && inspection().lane(key).isEmpty()) {
            throw noLane(key);
        }
        json(ctx, 200, rows);
    }

    /** Something an operator does to a lane. */
    private interface LaneChange {
        boolean apply(SessionKey key);
    }

    private void change(Context ctx, String done, LaneChange change) {
        SessionKey key = key(ctx);
        boolean changed = change.apply(key);
        if (!changed && inspection().lane(key).isEmpty()) {
            throw noLane(key);
        }
        json(ctx, 200, Json.object().put("session_key", key.value()).put(done, changed));
    }

    private static Rejected noLane(SessionKey key) {
        return new Rejected(404, "There is no lane " + OneLine.quoted(key.value()) + "; see GET /v1/lanes.");
    }

    private static SessionKey key(Context ctx) {
        String key = text(ctx, "key").orElseThrow(() -> new Rejected(400, "'key' is missing: which lane?"));
        try {
            return SessionKey.of(key);
        } catch (IllegalArgumentException e) {
            throw new Rejected(400, String.valueOf(e.getMessage()));
        }
    }

    // ---- sessions

    private void sessions(Context ctx) {
        ArrayNode rows = Json.object().putArray("sessions");
        SessionQuery query = SessionQuery.usual()
                .window(number(ctx, "limit", 20, -1), number(ctx, "offset", 0, 0))
                .sources(text(ctx, "source"), Set.copyOf(list(ctx, "exclude")))
                .shape(flag(ctx, "children"), !flag(ctx, "raw"));
        inspection().sessions().list(query).forEach(listing -> rows.add(Json.tree(Rows.listing(listing))));
        json(ctx, 200, rows);
    }

    private void transcript(Context ctx) {
        SessionId id;
        try {
            id = SessionId.of(ctx.pathParam("id"));
        } catch (IllegalArgumentException e) {
            throw new Rejected(400, String.valueOf(e.getMessage()));
        }
        if (inspection().sessions().find(id).isEmpty()) {
            throw new Rejected(404, "There is no session " + OneLine.quoted(id.value()) + "; see GET /v1/sessions.");
        }
        int limit = number(ctx, "limit", -1, -1);
        List<StoredMessage> messages = limit < 0
                ? inspection().transcripts().load(id)
                : inspection().transcripts().tail(id, limit);
        ArrayNode rows = Json.object().putArray("messages");
        messages.forEach(message -> rows.add(Json.tree(Rows.message(message))));
        json(ctx, 200, rows);
    }

    private void search(Context ctx) {
        String query = Optional.ofNullable(ctx.queryParam("q"))
                .orElseThrow(() -> new Rejected(400, "'q' is missing: what to search for?"));
        Optional<SearchQuery.Sort> sort = text(ctx, "sort").map(Endpoints::sort);
        ArrayNode rows = Json.object().putArray("hits");
        inspection()
                .search()
                .search(new SearchQuery(
                        query,
                        Optional.of(list(ctx, "source")).filter(sources -> !sources.isEmpty()),
                        list(ctx, "exclude"),
                        list(ctx, "role"),
                        number(ctx, "limit", 20, -1),
                        number(ctx, "offset", 0, 0),
                        sort,
                        Viewer.operator()))
                .forEach(hit -> rows.add(Json.tree(Rows.hit(hit))));
        json(ctx, 200, rows);
    }

    private static SearchQuery.Sort sort(String word) {
        return switch (word) {
            case "newest" -> SearchQuery.Sort.NEWEST;
            case "oldest" -> SearchQuery.Sort.OLDEST;
            default -> throw new Rejected(400, "'sort' must be newest or oldest, not " + OneLine.quoted(word) + ".");
        };
    }

    // ---- health

    /** Without a token only the word is told: what goes wrong inside is the operator's business. */
    private void health(Context ctx) {
        Map<String, String> health = inspection().health();
        String status = health.getOrDefault("status", "ok");
        ObjectNode body = Json.object().put("status", status);
        Guard.Caller caller = ctx.attribute(CALLER);
        if (caller != null && caller.operator()) {
            health.forEach(body::put);
        }
        json(ctx, NOT_TAKING.contains(status) ? 503 : 200, body);
    }

    // ---- requests and responses

    private static Optional<String> text(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name)).filter(text -> !text.isEmpty());
    }

    private static List<String> list(Context ctx, String name) {
        return text(ctx, name).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static boolean flag(Context ctx, String name) {
        String text = ctx.queryParam(name);
        if (text == null) {
            return false;
        }
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "", "true", "1", "yes" -> true;
            case "false", "0", "no" -> false;
            default ->
                throw new Rejected(400, "'" + name + "' must be true or false, not " + OneLine.quoted(text) + ".");
        };
    }

    private static int number(Context ctx, String name, int usual, int least) {
        Optional<String> text = text(ctx, name);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with numbers out of range.
        }
        throw new Rejected(
                400,
                "'" + name + "' must be a whole number from " + least + " on, not " + OneLine.quoted(text.get()) + ".");
    }

    private static void json(Context ctx, int status, JsonNode body) {
        ctx.status(status).contentType("application/json").result(Json.bytes(body));
    }

    private static void error(Context ctx, int status, String message) {
        if (status == 413) {
            ctx.header("Connection", "close");
        } else if (status == 503) {
            ctx.header("Retry-After", RETRY_SECONDS);
        }
        json(ctx, status, Json.error(message));
    }

    private void refuse(HttpResponseException refusal, Context ctx) {
        if (refusal.getStatus() >= 500) {
            broken(refusal, ctx);
        } else {
            error(ctx, refusal.getStatus(), known(refusal.getStatus()));
        }
    }

    private void broken(Throwable failure, Context ctx) {
        if (failure instanceof StorageUnavailable) {
            error(ctx, 503, String.valueOf(failure.getMessage()));
        } else if (failure instanceof StorageCorrupt) {
            error(ctx, 500, String.valueOf(failure.getMessage()));
        } else if (stopping) {
            error(ctx, 503, STOPPING);
        } else {
            settings.warnings().accept("HTTP " + ctx.method() + " " + ctx.path() + " failed: " + failure);
            error(ctx, 500, BROKEN);
        }
    }

    private static String known(int status) {
        return switch (status) {
            case 404 -> "There is nothing here; see /v1/lanes, /v1/sessions, /v1/search, /v1/messages and /healthz.";
            case 405 -> "This address does not take that method.";
            case 413 -> "The body is too large.";
            default -> "The request cannot be answered (" + status + ").";
        };
    }
}
