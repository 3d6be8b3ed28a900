package dev.parley.fakes.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Meta's Cloud API for one WhatsApp number on loopback: the Graph API, and posts to the number's webhook that are signed, are repeated for
 * seven days until they are answered with 200, and keep no order among each other. Limits, the window of 24 hours and errors are those of
 * the real one. The people's side writes, presses and sees. What it holds outlives {@link #stop} and {@link #start}. Time is the given
 * clock's. Safe for concurrent use.
 */
public final class FakeWhatsApp implements AutoCloseable {
    private static final String PEOPLE = "person ";
    private static final String BUSINESS = "15550001111";

    private final String number;
    private final InstantSource clock;
    private final Posted posted;
    private final Poster poster;
    private final GraphServer server;
    private final Map<String, Person> people = new LinkedHashMap<>();
    private final Map<String, String> writers = new HashMap<>();
    private final List<ObjectNode> together = new ArrayList<>();
    private boolean gathering;
    private long count;

    /** Somebody with WhatsApp. Guarded by the fake. */
    static final class Person {
        final String name;
        final List<Shown> shown = new ArrayList<>();
        final Map<String, String> reactions = new LinkedHashMap<>();
        Instant wroteLast;
        String read = "";
        boolean typing;

        Person(String name, Instant now) {
            this.name = name;
            this.wroteLast = now;
        }
    }

    /**
     * A call that was made.
     *
     * @param name {@code phone_number}, {@code messages}, {@code read}, {@code media} or {@code file}
     * @param body its JSON; a missing node where it had none
     */
    public record Call(String name, JsonNode body) {}

    /**
     * A fake that answers on a free port.
     *
     * @param accessToken the token that calls show
     * @param appSecret what posts are signed with
     * @param number the number's id at Meta
     * @param clock time
     */
    public FakeWhatsApp(String accessToken, String appSecret, String number, InstantSource clock) {
        this.number = number;
        this.clock = clock;
        this.posted = new Posted("102290129340398", number, BUSINESS);
        this.poster = new Poster(appSecret, clock);
        this.server = new GraphServer(this, accessToken, number, clock);
    }

    // the service's side

    /** Returns the base address, as {@code https://graph.facebook.com} is the real one's. */
    public URI address() {
        return server.address();
    }

    /** Begins to answer and to post, on the same port as before; does nothing where it does already. */
    public void start() {
        server.start();
        poster.silent(false);
    }

    /** Breaks off all calls, answers nobody and posts nothing until {@link #start}; keeps everything. */
    public void stop() {
        poster.silent(true);
        server.stop();
    }

    @Override
    public void close() {
        poster.close();
        server.close();
    }

    /** Posts to this address from now on. */
    public void webhook(URI address) {
        poster.webhook(address);
    }

    /** Sets how long a post waits for its answer, on the wall; 10 seconds unless set. */
    public void postPatience(Duration time) {
        poster.patience(time);
    }

    /** Posts what a person wrote only once what they wrote before is settled, which the real one does not promise. */
    public void postInOrder() {
        poster.oneAtATime();
    }

    /** Posts at once what waits to be posted again. */
    public void repeat() {
        poster.repeat();
    }

    /** Sets the webhook up as Meta does; returns what it answers to the query, absent where it refuses. */
    public Optional<String> verify(String query) {
        return poster.verify(query);
    }

    /** Posts any bytes once, with any signature; returns the answer's status, 0 where there is none. */
    public int post(byte[] body, Optional<String> signature) {
        return poster.send(body, signature);
    }

    /** Returns the right signature of some bytes. */
    public String signature(byte[] body) {
        return poster.signature(body);
    }

    /** Lets the next call of this name fail with an error of the Graph API. */
    public void fail(String call, int status, int code, String message) {
        server.plan(call, GraphFault.of(status, code, message));
    }

    /** Lets the next call of this name fail with an error that has a subcode too. */
    public void fail(String call, int status, int code, int subcode, String message) {
        server.plan(call, new GraphFault(status, code, subcode, message, Optional.empty()));
    }

    /** Lets the next message be refused, and asks for a pause. */
    public void limit(Duration pause) {
        server.plan("messages", new GraphFault(429, 130429, 0, "(#130429) Rate limit hit", Optional.of(pause)));
    }

    /** Keeps the real limits from now on, by the clock: 45 messages at once to a person and then one in six seconds, 80 a second in all. */
    public void keepLimits() {
        server.keepLimits();
    }

    /** Tells from now on of each message that it was sent and delivered. */
    public void tellStatuses() {
        server.tellStatuses();
    }

    /** Returns the calls made so far. */
    public List<Call> calls() {
        return server.calls();
    }

    /** Returns the calls of this name. */
    public List<Call> calls(String name) {
        return calls().stream().filter(call -> call.name().equals(name)).toList();
    }

    /** Returns how often something was posted so far, repetitions counted. */
    public long posts() {
        return poster.posts();
    }

    /** Returns how many posts with what people did are not settled. */
    public int unsettled() {
        return poster.unsettled(PEOPLE);
    }

    /** Returns how many posts of any kind are not settled. */
    public int open() {
        return poster.unsettled("");
    }

    // the people's side

    /** Makes a person; the number may write to them for 24 hours. */
    public synchronized void person(String phone, String name) {
        people.put(phone, new Person(name, clock.instant()));
    }

    /** Lets a person write a text; returns the message's id. */
    public String write(String phone, String text) {
        return write(phone, text, message -> {});
    }

    /** Lets a person write a text with whatever else {@code more} puts into the message; returns the message's id. */
    public String write(String phone, String text, Consumer<? super ObjectNode> more) {
        return did(phone, "text", message -> {
            message.putObject("text").put("body", text);
            more.accept(message);
        });
    }

    /** Lets a person write a text; returns whether the webhook's first answer is 200. */
    public CompletionStage<Boolean> offer(String phone, String text) {
        synchronized (this) {
            ObjectNode message = message(phone, "text");
            message.putObject("text").put("body", text);
            return posted(phone, message);
        }
    }

    /** Lets a person send a file; {@code type} is {@code image}, {@code audio}, …. Returns the message's id. */
    public String send(String phone, String type, byte[] content, String mediaType, Consumer<? super ObjectNode> more) {
        String file = server.keep(new StoredFile(content, mediaType));
        return did(phone, type, message -> {
            ObjectNode told = message.putObject(type)
                    .put("id", file)
                    .put("mime_type", mediaType)
                    .put("sha256", server.file(file).sha256());
            more.accept(told);
        });
    }

    /** Lets a person press a button, or choose a row, of a message that is shown to them; returns the id of the press. */
    public String press(String phone, String messageId, String choice) {
        Shown question = shown(phone).stream()
                .filter(each -> each.id().equals(messageId))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No message " + messageId + " is shown."));
        JsonNode interactive = question.message().path("interactive");
        String kind = interactive.path("type").asText().equals("list") ? "list_reply" : "button_reply";
        JsonNode chosen = SentMessage.choices(interactive).stream()
                .filter(each -> each.path("id").asText().equals(choice))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No choice " + choice + " is shown."));
        return did(phone, "interactive", message -> {
            message.putObject("context").put("from", BUSINESS).put("id", messageId);
            message.putObject("interactive")
                    .put("type", kind)
                    .putObject(kind)
                    .put("id", choice)
                    .put("title", chosen.path("title").asText());
        });
    }

    /** Lets a person do something that {@code more} describes, as a message of this type; returns its id. */
    public synchronized String did(String phone, String type, Consumer<? super ObjectNode> more) {
        ObjectNode message = message(phone, type);
        more.accept(message);
        var unused = posted(phone, message);
        return message.path("id").asText();
    }

    /** Posts as one everything that people do while {@code what} runs. */
    public synchronized void together(Runnable what) {
        gathering = true;
        what.run();
        gathering = false;
        var unused = poster.post(PEOPLE + "all", posted.post(together));
        together.clear();
    }

    /** Posts any value of a change, as malformed as wanted. */
    public void offer(JsonNode value) {
        var unused = poster.post(PEOPLE + "any", posted.post(List.of(value)));
    }

    /** Posts any bytes, signed, until they are settled. */
    public void offer(byte[] body) {
        var unused = poster.post(PEOPLE + "any", body);
    }

    private ObjectNode message(String phone, String type) {
        String id = Posted.id(phone, ++count);
        writers.put(id, phone);
        return Posted.JSON
                .createObjectNode()
                .put("from", phone)
                .put("id", id)
                .put("timestamp", String.valueOf(clock.instant().getEpochSecond()))
                .put("type", type);
    }

    private CompletableFuture<Boolean> posted(String phone, ObjectNode message) {
        Person person = known(phone);
        person.wroteLast = clock.instant();
        ObjectNode value = posted.written(phone, person.name, message);
        if (gathering) {
            together.add(value);
            return CompletableFuture.completedFuture(true);
        }
        return poster.post(PEOPLE + phone, posted.post(List.of(value)));
    }

    /** Returns what the number has shown to a person. */
    public synchronized List<Shown> shown(String phone) {
        return List.copyOf(known(phone).shown);
    }

    /** Returns the emoji that the number has put on messages of a person, by their ids. */
    public synchronized Map<String, String> reactions(String phone) {
        return Map.copyOf(known(phone).reactions);
    }

    /** Returns the message that was read last, of which the person sees that somebody writes; absent where nobody does. */
    public synchronized Optional<String> typing(String phone) {
        Person person = known(phone);
        return Optional.of(person.read).filter(id -> person.typing);
    }

    private Person known(String phone) {
        return Optional.ofNullable(people.get(phone))
                .orElseThrow(() -> new IllegalArgumentException("Nobody has the number " + phone + "."));
    }

    // what the number does

    /** Takes what is handed in; returns the message's id. */
    synchronized String take(JsonNode message) {
        String phone = message.path("to").asText().replace("+", "");
        String id = Posted.id(phone, ++count);
        Person person = people.get(phone);
        Optional<String> opaque =
                Optional.of(message.path("biz_opaque_callback_data").asText()).filter(text -> !text.isEmpty());
        if (person == null) {
            tell(id, phone, "failed", opaque, Optional.of(GraphFault.of(400, 131026, "Message undeliverable")));
        } else if (!clock.instant().isBefore(person.wroteLast.plus(Duration.ofHours(24)))) {
            tell(id, phone, "failed", opaque, Optional.of(GraphFault.of(400, 131047, "Re-engagement message")));
        } else {
            show(person, id, message);
            if (server.tellsStatuses()) {
                tell(id, phone, "sent", opaque, Optional.empty());
                tell(id, phone, "delivered", opaque, Optional.empty());
            }
        }
        return id;
    }

    private void tell(String id, String phone, String status, Optional<String> opaque, Optional<GraphFault> why) {
        var unused = poster.post(
                "status", posted.post(List.of(posted.status(id, phone, status, clock.instant(), opaque, why))));
    }

    private void show(Person person, String id, JsonNode message) {
        String type = message.path("type").asText("text");
        if (type.equals("reaction")) {
            JsonNode reaction = message.path("reaction");
            String on = reaction.path("message_id").asText();
            person.reactions.remove(on);
            if (!reaction.path("emoji").asText().isEmpty()) {
                person.reactions.put(on, reaction.path("emoji").asText());
            }
            return;
        }
        JsonNode content = message.path(type);
        String text = type.equals("text")
                ? content.path("body").asText()
                : type.equals("interactive")
                        ? content.path("body").path("text").asText()
                        : content.path("caption").asText();
        person.typing = false;
        person.shown.add(new Shown(
                id,
                type,
                text,
                Optional.of(message.path("context").path("message_id").asText()).filter(to -> !to.isEmpty()),
                SentMessage.choices(content).stream()
                        .map(each -> each.path("id").asText())
                        .toList(),
                Optional.of(content.path("id").asText())
                        .filter(file -> !file.isEmpty())
                        .map(file -> server.file(file).content()),
                message));
    }

    /** Notes that a message was read, and that somebody writes where that is told too. */
    synchronized void read(JsonNode told) throws GraphFault {
        String id = told.path("message_id").asText();
        String phone = writers.get(id);
        if (phone == null) {
            throw GraphFault.parameter("message_id");
        }
        Person person = known(phone);
        person.read = id;
        person.typing = told.has("typing_indicator");
    }

    /** Returns the number as the Graph API tells it. */
    ObjectNode itself() {
        return Posted.JSON
                .createObjectNode()
                .put("verified_name", "Parley")
                .put("display_phone_number", "+1 555-000-1111")
                .put("quality_rating", "GREEN")
                .put("id", number);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
