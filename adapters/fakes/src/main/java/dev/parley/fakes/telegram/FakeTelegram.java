package dev.parley.fakes.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.parley.domain.text.Unicode;
import dev.parley.fakes.loopback.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Telegram's Bot API for one bot on loopback: updates are kept for 24 hours until a later offset confirms them, only one poller is
 * served, limits and errors are answered with the codes and words of the real one. The person's side writes, edits, presses and sees.
 * What it holds outlives {@link #stop} and {@link #start}, as it does a failure of the real service. Time is the given clock's, but for
 * a long poll, which ends with the next update or after its time-out on the wall. Safe for concurrent use.
 */
public final class FakeTelegram implements AutoCloseable {
    private static final String PAGE = "<html><body>Not here</body></html>";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration KEPT = Duration.ofHours(24);
    private static final int LONGEST_TEXT = 4096;
    private static final int LONGEST_CAPTION = 1024;
    private static final int MOST_UPDATES = 100;
    private static final Set<String> ENTITIES = Set.of(
            "mention",
            "hashtag",
            "cashtag",
            "bot_command",
            "url",
            "email",
            "phone_number",
            "bold",
            "italic",
            "underline",
            "strikethrough",
            "spoiler",
            "blockquote",
            "expandable_blockquote",
            "code",
            "pre",
            "text_link",
            "text_mention",
            "custom_emoji");

    private final String token;
    private final InstantSource clock;
    private final long botId;
    private final String botName;
    private final LoopbackServer server;
    private final Map<Long, ObjectNode> chats = new LinkedHashMap<>();
    private final Map<Long, Long> messageIds = new HashMap<>();
    private final Map<Long, Map<Long, ObjectNode>> history = new HashMap<>();
    private final Map<Long, Map<Long, String>> topics = new HashMap<>();
    private final Map<Long, Long> migrated = new HashMap<>();
    private final Map<Long, String> forbidden = new HashMap<>();
    private final TreeMap<Long, Update> updates = new TreeMap<>();
    private final List<Shown> shown = new ArrayList<>();
    private final Map<String, byte[]> enclosed = new HashMap<>();
    private final Map<String, byte[]> files = new HashMap<>();
    private final Set<String> lost = new HashSet<>();
    private final List<Call> calls = new ArrayList<>();
    private final Map<String, Deque<BotApiError>> planned = new HashMap<>();
    private final Map<String, Deque<Instant>> sent = new HashMap<>();
    private List<String> commands = List.of();
    private long nextUpdate = 700_000;
    private long nextFile = 1;
    private long poller;
    private boolean webhook;
    private boolean limits;

    private static final class Update {
        final Instant at;
        final ObjectNode content;
        final CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
        boolean given;

        Update(Instant at, ObjectNode content) {
            this.at = at;
            this.content = content;
        }
    }

    /**
     * A call that was made.
     *
     * @param method its name
     * @param parameters its parameters as text
     */
    public record Call(String method, Map<String, String> parameters) {}

    /**
     * A fake that answers on a free port.
     *
     * @param token the bot's token, such as {@code 123:abc}; what stands before the colon is the bot's id
     * @param botName the bot's user name
     * @param clock time
     */
    public FakeTelegram(String token, String botName, InstantSource clock) {
        this.token = token;
        this.botId = Long.parseLong(token.substring(0, token.indexOf(':')));
        this.botName = botName;
        this.clock = clock;
        this.server = new LoopbackServer("fake-telegram", Map.of("/", this::answer));
        start();
    }

    // the service's side

    /** Returns the base address, as {@code https://api.telegram.org} is the real one's. */
    public URI address() {
        return server.address();
    }

    /** Begins to answer, on the same port as before; does nothing where it answers already. */
    public void start() {
        server.start();
    }

    /** Breaks off all connections and answers nobody until {@link #start}; keeps everything. */
    public synchronized void stop() {
        poller++;
        notifyAll();
        server.stop();
    }

    @Override
    public void close() {
        stop();
        server.close();
    }

    /** Lets the next call of a method fail with 429 and this time-out. */
    public synchronized void limit(String method, Duration retryAfter) {
        long seconds = Math.max(1, retryAfter.toSeconds());
        plan(method, new BotApiError(429, "Too Many Requests: retry after " + seconds, Map.of("retry_after", seconds)));
    }

    /** Lets the next call of a method fail with this code and description. */
    public synchronized void fail(String method, int code, String description) {
        plan(method, new BotApiError(code, description, Map.of()));
    }

    /** Lets something before the Bot API refuse the next call of a method: it answers with this status and a page. */
    public synchronized void refuse(String method, int status) {
        plan(method, new BotApiError(status, PAGE, Map.of()));
    }

    private void plan(String method, BotApiError error) {
        planned.computeIfAbsent(method, m -> new ArrayDeque<>()).add(error);
    }

    /** Keeps the real limits from now on, by the clock: one message a second to a chat, 20 a minute to a group, 30 a second in all. */
    public synchronized void keepLimits() {
        limits = true;
    }

    /** Returns the calls made so far. */
    public synchronized List<Call> calls() {
        return List.copyOf(calls);
    }

    /**
     * Returns what becomes of the update that was offered last: true once a later offset confirms it, false once it is asked for a
     * second time before.
     */
    public synchronized CompletionStage<Boolean> lastConfirmed() {
        return updates.lastEntry().getValue().confirmed;
    }

    /** Returns whether a person's message was confirmed, or forgotten after a day. */
    public synchronized boolean isConfirmed(long chat, long messageId) {
        return updates.values().stream()
                .map(update -> update.content.path("message"))
                .noneMatch(message -> message.path("message_id").asLong() == messageId
                        && message.path("chat").path("id").asLong() == chat);
    }

    /** Returns how often updates were asked for. */
    public synchronized long polls() {
        return poller;
    }

    /** Returns how many updates no poll has confirmed. */
    public synchronized int unconfirmed() {
        forgetOld();
        return updates.size();
    }

    /** Returns the bot's menu of commands. */
    public synchronized List<String> commands() {
        return commands;
    }

    // the person's side

    /** Makes a private chat with a person whose id it has. */
    public synchronized void privateChat(long id, String firstName) {
        chats.put(
                id, JSON.createObjectNode().put("id", id).put("type", "private").put("first_name", firstName));
    }

    /** Makes a group; {@code -100…} is a supergroup. */
    public synchronized void group(long id, String title) {
        String type = String.valueOf(id).startsWith("-100") ? "supergroup" : "group";
        chats.put(id, JSON.createObjectNode().put("id", id).put("type", type).put("title", title));
    }

    /** Makes a topic in a supergroup, which becomes a forum. */
    public synchronized void topic(long chat, long thread, String name) {
        chat(chat).put("is_forum", true);
        topics.computeIfAbsent(chat, c -> new HashMap<>()).put(thread, name);
    }

    /** Makes the bot unwelcome in a chat: each message to it fails with 403 and these words. */
    public synchronized void forbid(long chat, String description) {
        forbidden.put(chat, description);
    }

    /** Makes the bot welcome again. */
    public synchronized void allow(long chat) {
        forbidden.remove(chat);
    }

    /** Turns a group into a supergroup: its chat id changes, and the old one answers with the new one. */
    public synchronized void migrate(long group, long supergroup) {
        String title = chat(group).path("title").asText();
        ObjectNode to = service(group);
        to.put("migrate_to_chat_id", supergroup);
        offer("message", to);
        group(supergroup, title);
        migrated.put(group, supergroup);
        ObjectNode from = service(supergroup);
        from.put("migrate_from_chat_id", group);
        offer("message", from);
    }

    /** Lets a person write a text; returns the message's id. */
    public synchronized long write(long chat, long person, String text) {
        return write(chat, person, text, message -> {});
    }

    /** Lets a person write a text with whatever else {@code more} puts into the message; returns the message's id. */
    public synchronized long write(long chat, long person, String text, Consumer<? super ObjectNode> more) {
        ObjectNode message = service(chat);
        message.set("from", person(person));
        message.put("text", text);
        commandEntity(message, text);
        more.accept(message);
        offer("message", message);
        return message.get("message_id").asLong();
    }

    /** Lets a person change what was written before. */
    public synchronized void edit(long chat, long messageId, String text) {
        ObjectNode message = known(chat, messageId).deepCopy();
        message.put("text", text).put("edit_date", clock.instant().getEpochSecond());
        historyOf(chat).put(messageId, message);
        offer("edited_message", message);
    }

    /** Lets a person press a button of a message of the bot. */
    public synchronized String press(long chat, long messageId, long person, String data) {
        ObjectNode query = JSON.createObjectNode();
        String id = "q" + nextUpdate;
        query.put("id", id).put("data", data).put("chat_instance", "1");
        query.set("from", person(person));
        query.set("message", known(chat, messageId));
        offer("callback_query", query);
        return id;
    }

    /** Puts any update into the stream, as malformed as wanted; returns its id. */
    public synchronized long offer(String kind, JsonNode content) {
        ObjectNode update = JSON.createObjectNode().put("update_id", nextUpdate);
        update.set(kind, content);
        updates.put(nextUpdate, new Update(clock.instant(), update));
        notifyAll();
        return nextUpdate++;
    }

    /** Keeps a file that can be fetched; returns its id. */
    public synchronized String file(byte[] content) {
        String id = "file" + nextFile++;
        files.put(id, content.clone());
        return id;
    }

    /** Loses what a file holds: {@code getFile} still says where it is, and it is not there. */
    public synchronized void lose(String file) {
        lost.add(file);
    }

    /** Returns what the file of one of the bot's messages holds. */
    public synchronized byte[] fileContent(long chat, long messageId) {
        return Optional.ofNullable(enclosed.get(chat + " " + messageId))
                .orElseThrow(() -> new IllegalArgumentException("The message " + messageId + " has no file."))
                .clone();
    }

    /** Returns what the bot has shown in a chat, as it reads now. */
    public synchronized List<Shown> shown(long chat) {
        return shown.stream().filter(s -> s.chat() == chat).toList();
    }

    /** Waits until as many messages as given stand in a chat and returns them; gives up after a time on the wall. */
    public synchronized List<Shown> awaitShown(long chat, int many, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (shown(chat).size() < many) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        return shown(chat);
    }

    // answers

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith("/file/bot" + token + "/")) {
                content(exchange, path.substring(("/file/bot" + token + "/").length()));
                return;
            }
            ObjectNode reply = JSON.createObjectNode();
            int status = 200;
            try {
                if (!path.startsWith("/bot" + token + "/")) {
                    throw new BotApiError(401, "Unauthorized", Map.of());
                }
                String method = path.substring(("/bot" + token + "/").length());
                Parameters parameters = Parameters.of(exchange);
                JsonNode result = call(method.toLowerCase(Locale.ROOT), method, parameters);
                reply.put("ok", true).set("result", result);
            } catch (BotApiError e) {
                status = e.code;
                reply.put("ok", false).put("error_code", e.code).put("description", e.getMessage());
                if (!e.parameters.isEmpty()) {
                    e.parameters.forEach(reply.putObject("parameters")::put);
                }
            }
            boolean page = reply.path("description").asText().equals(PAGE);
            byte[] body = (page ? PAGE : reply.toString()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", page ? "text/html" : "application/json");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private void content(HttpExchange exchange, String path) throws IOException {
        byte[] found;
        synchronized (this) {
            String id = path.replace("files/", "");
            found = lost.contains(id) ? null : files.get(id);
        }
        if (found == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        exchange.sendResponseHeaders(200, found.length);
        exchange.getResponseBody().write(found);
    }

    private synchronized JsonNode call(String method, String spelled, Parameters parameters) throws BotApiError {
        if (!method.equals("getupdates")) {
            calls.add(new Call(spelled, Map.copyOf(parameters.texts())));
        }
        Deque<BotApiError> errors = planned.get(spelled);
        if (errors != null && !errors.isEmpty()) {
            throw errors.poll();
        }
        return switch (method) {
            case "getme" -> me();
            case "getupdates" -> getUpdates(parameters);
            case "setwebhook" -> {
                webhook = !parameters.text("url").orElse("").isEmpty();
                yield JSON.getNodeFactory().booleanNode(true);
            }
            case "deletewebhook" -> {
                webhook = false;
                if (parameters.flag("drop_pending_updates")) {
                    updates.clear();
                }
                yield JSON.getNodeFactory().booleanNode(true);
            }
            case "getwebhookinfo" ->
                JSON.createObjectNode()
                        .put("url", webhook ? "https://example.org/" : "")
                        .put("has_custom_certificate", false)
                        .put("pending_update_count", updates.size());
            case "sendmessage" -> sendMessage(parameters);
            case "senddocument", "sendphoto", "sendvoice", "sendaudio", "sendvideo", "sendanimation" ->
                sendFile(method.substring(4), parameters);
            case "editmessagetext" -> editMessageText(parameters);
            case "deletemessage" -> deleteMessage(parameters);
            case "sendchataction", "setmessagereaction", "answercallbackquery" -> {
                if (!method.equals("answercallbackquery")) {
                    target(parameters);
                }
                yield JSON.getNodeFactory().booleanNode(true);
            }
            case "setmycommands" -> {
                List<String> names = new ArrayList<>();
                parameters
                        .tree("commands")
                        .forEach(c -> names.add(c.path("command").asText()));
                commands = List.copyOf(names);
                yield JSON.getNodeFactory().booleanNode(true);
            }
            case "getfile" -> getFile(parameters);
            case "getchat" -> target(parameters);
            default -> throw new BotApiError(404, "Not Found", Map.of());
        };
    }

    private ObjectNode me() {
        return JSON.createObjectNode()
                .put("id", botId)
                .put("is_bot", true)
                .put("first_name", botName)
                .put("username", botName)
                .put("can_join_groups", true)
                .put("can_read_all_group_messages", false)
                .put("supports_inline_queries", false);
    }

    private JsonNode getUpdates(Parameters parameters) throws BotApiError {
        if (webhook) {
            throw new BotApiError(
                    409,
                    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
                    Map.of());
        }
        long offset = parameters.number("offset", 0);
        forgetOld();
        if (offset > 0) {
            Collection<Update> passed = updates.headMap(offset).values();
            passed.forEach(u -> u.confirmed.complete(true));
            passed.clear();
        } else if (offset < 0) {
            while (updates.size() > -offset) {
                updates.pollFirstEntry();
            }
        }
        long mine = ++poller;
        notifyAll();
        long end = System.nanoTime() + Math.min(50, parameters.number("timeout", 0)) * 1_000_000_000L;
        while (updates.isEmpty()) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                break;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
            if (mine != poller) {
                throw new BotApiError(
                        409,
                        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
                        Map.of());
            }
        }
        ArrayNode result = JSON.createArrayNode();
        long limit = Math.max(1, Math.min(MOST_UPDATES, parameters.number("limit", MOST_UPDATES)));
        updates.values().stream().limit(limit).forEach(u -> {
            if (u.given) {
                u.confirmed.complete(false);
            }
            u.given = true;
            result.add(u.content);
        });
        return result;
    }

    private void forgetOld() {
        Instant limit = clock.instant().minus(KEPT);
        updates.values().removeIf(u -> u.at.isBefore(limit));
    }

    private JsonNode sendMessage(Parameters parameters) throws BotApiError {
        ObjectNode chat = target(parameters);
        String text = parameters.text("text").orElse("");
        if (text.isBlank()) {
            throw BotApiError.badRequest("message text is empty");
        }
        if (text.length() > LONGEST_TEXT) {
            throw BotApiError.badRequest("message is too long");
        }
        checkEntities(parameters, "entities", text);
        return show(chat, parameters, text, parameters.tree("entities"), Optional.empty());
    }

    private JsonNode sendFile(String field, Parameters parameters) throws BotApiError {
        ObjectNode chat = target(parameters);
        Parameters.Upload upload = parameters.files().get(field);
        if (upload == null && parameters.text(field).isEmpty()) {
            throw BotApiError.badRequest("there is no " + field + " in the request");
        }
        String caption = parameters.text("caption").orElse("");
        if (caption.length() > LONGEST_CAPTION) {
            throw BotApiError.badRequest("message caption is too long");
        }
        checkEntities(parameters, "caption_entities", caption);
        String name = upload == null ? parameters.text(field).orElse("") : upload.name;
        ObjectNode message = show(chat, parameters, caption, parameters.tree("caption_entities"), Optional.of(name));
        if (upload != null) {
            enclosed.put(
                    chat.get("id").asLong() + " " + message.path("message_id").asLong(), upload.content);
            ObjectNode file = JSON.createObjectNode()
                    .put("file_id", file(upload.content))
                    .put("file_unique_id", "u" + nextFile)
                    .put("file_size", upload.content.length);
            if (field.equals("photo")) {
                message.putArray("photo").add(file.put("width", 1).put("height", 1));
            } else {
                boolean lasts = !field.equals("document");
                message.set(field, lasts ? file.put("duration", 1) : file.put("file_name", name));
            }
        }
        return message;
    }

    private ObjectNode show(
            ObjectNode chat, Parameters parameters, String text, JsonNode entities, Optional<String> fileName)
            throws BotApiError {
        long id = chat.get("id").asLong();
        Optional<Long> thread = parameters.text("message_thread_id").map(Long::parseLong);
        if (thread.isPresent() && !topics.getOrDefault(id, Map.of()).containsKey(thread.get())) {
            throw BotApiError.badRequest("message thread not found");
        }
        Optional<Long> replyTo = replyTo(parameters, id);
        pace(chat);
        ObjectNode message = service(id);
        message.set("from", me());
        message.put("text", text);
        if (entities.isArray() && !entities.isEmpty()) {
            message.set("entities", entities);
        }
        thread.ifPresent(t -> message.put("message_thread_id", t).put("is_topic_message", true));
        replyTo.ifPresent(r -> message.set("reply_to_message", known(id, r)));
        long messageId = message.get("message_id").asLong();
        shown.add(new Shown(id, messageId, thread, replyTo, text, entities, buttons(parameters), fileName, 0));
        notifyAll();
        return message;
    }

    private Optional<Long> replyTo(Parameters parameters, long chat) throws BotApiError {
        JsonNode reply = parameters.tree("reply_parameters");
        long wanted = reply.path("message_id").asLong(parameters.number("reply_to_message_id", 0));
        if (wanted == 0) {
            return Optional.empty();
        }
        if (history.getOrDefault(chat, Map.of()).containsKey(wanted)) {
            return Optional.of(wanted);
        }
        if (!reply.path("allow_sending_without_reply").asBoolean()) {
            throw BotApiError.badRequest("message to be replied not found");
        }
        return Optional.empty();
    }

    private JsonNode editMessageText(Parameters parameters) throws BotApiError {
        long chat = target(parameters).get("id").asLong();
        long id = parameters.number("message_id", 0);
        String text = parameters.text("text").orElse("");
        checkEntities(parameters, "entities", text);
        if (text.length() > LONGEST_TEXT) {
            throw BotApiError.badRequest("message is too long");
        }
        for (int i = 0; i < shown.size(); i++) {
            Shown before = shown.get(i);
            if (before.chat() == chat && before.id() == id) {
                List<String> buttons = buttons(parameters);
                if (before.text().equals(text)
                        && before.buttons().equals(buttons)
                        && before.entities().equals(parameters.tree("entities"))) {
                    throw BotApiError.badRequest(
                            "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message");
                }
                shown.set(i, before.edited(text, parameters.tree("entities"), buttons));
                known(chat, id).put("text", text);
                notifyAll();
                return known(chat, id);
            }
        }
        throw BotApiError.badRequest("message to edit not found");
    }

    private JsonNode deleteMessage(Parameters parameters) throws BotApiError {
        long chat = target(parameters).get("id").asLong();
        long id = parameters.number("message_id", 0);
        if (!shown.removeIf(s -> s.chat() == chat && s.id() == id)) {
            throw BotApiError.badRequest("message to delete not found");
        }
        return JSON.getNodeFactory().booleanNode(true);
    }

    private JsonNode getFile(Parameters parameters) throws BotApiError {
        String id = parameters.text("file_id").orElse("");
        byte[] content = files.get(id);
        if (content == null) {
            throw BotApiError.badRequest("invalid file_id");
        }
        return JSON.createObjectNode()
                .put("file_id", id)
                .put("file_unique_id", id)
                .put("file_size", content.length)
                .put("file_path", "files/" + id);
    }

    private ObjectNode target(Parameters parameters) throws BotApiError {
        long id = parameters.number("chat_id", 0);
        if (migrated.containsKey(id)) {
            throw new BotApiError(
                    400,
                    "Bad Request: group chat was upgraded to a supergroup chat",
                    Map.of("migrate_to_chat_id", migrated.get(id)));
        }
        if (!chats.containsKey(id)) {
            throw BotApiError.badRequest("chat not found");
        }
        if (forbidden.containsKey(id)) {
            throw new BotApiError(403, "Forbidden: " + forbidden.get(id), Map.of());
        }
        return chat(id);
    }

    /** Keeps the limits where that is wanted: refuses with the whole seconds until the oldest counted message leaves its window. */
    private void pace(ObjectNode chat) throws BotApiError {
        if (!limits) {
            return;
        }
        Instant now = clock.instant();
        String id = chat.get("id").asText();
        boolean group = !chat.get("type").asText().equals("private");
        long wait = Math.max(
                group
                        ? window("group " + id, 20, Duration.ofMinutes(1), now)
                        : window("chat " + id, 1, Duration.ofSeconds(1), now),
                window("all", 30, Duration.ofSeconds(1), now));
        if (wait > 0) {
            throw new BotApiError(429, "Too Many Requests: retry after " + wait, Map.of("retry_after", wait));
        }
        times((group ? "group " : "chat ") + id).add(now);
        times("all").add(now);
    }

    private long window(String name, int most, Duration length, Instant now) {
        Deque<Instant> times = times(name);
        while (!times.isEmpty() && !times.peek().plus(length).isAfter(now)) {
            times.poll();
        }
        if (times.size() < most) {
            return 0;
        }
        Duration left = Duration.between(now, times.peek().plus(length));
        return left.toSeconds() + (left.toNanosPart() > 0 ? 1 : 0);
    }

    private static void checkEntities(Parameters parameters, String name, String text) throws BotApiError {
        if (!Unicode.isWellFormed(text)) {
            throw BotApiError.badRequest("strings must be encoded in UTF-8");
        }
        if (parameters.text("parse_mode").filter(mode -> !mode.isEmpty()).isPresent()) {
            throw BotApiError.badRequest("unsupported parse_mode");
        }
        for (JsonNode entity : parameters.tree(name)) {
            int offset = entity.path("offset").asInt(-1);
            int length = entity.path("length").asInt(-1);
            if (!ENTITIES.contains(entity.path("type").asText())) {
                throw BotApiError.badRequest("can't parse entities: unknown entity type");
            }
            if (offset < 0 || length < 1 || offset + length > text.length()) {
                throw BotApiError.badRequest("entity beyond the text's end at " + offset);
            }
            boolean inPair = isInPair(text, offset) || isInPair(text, offset + length);
            if (inPair) {
                throw BotApiError.badRequest("entity begins or ends within a surrogate pair at " + offset);
            }
        }
    }

    private static boolean isInPair(String text, int at) {
        return at > 0
                && at < text.length()
                && Character.isLowSurrogate(text.charAt(at))
                && Character.isHighSurrogate(text.charAt(at - 1));
    }

    private static List<String> buttons(Parameters parameters) throws BotApiError {
        List<String> data = new ArrayList<>();
        for (JsonNode row : parameters.tree("reply_markup").path("inline_keyboard")) {
            for (JsonNode button : row) {
                String value = button.path("callback_data").asText();
                if (value.getBytes(StandardCharsets.UTF_8).length > 64) {
                    throw BotApiError.badRequest("BUTTON_DATA_INVALID");
                }
                data.add(value);
            }
        }
        return data;
    }

    // pieces

    private Map<Long, ObjectNode> historyOf(long chat) {
        return history.computeIfAbsent(chat, c -> new HashMap<>());
    }

    private Deque<Instant> times(String name) {
        return sent.computeIfAbsent(name, n -> new ArrayDeque<>());
    }

    private ObjectNode chat(long id) {
        return Optional.ofNullable(chats.get(id))
                .orElseThrow(() -> new IllegalArgumentException("No chat " + id + " was made."));
    }

    private ObjectNode known(long chat, long messageId) {
        return Optional.ofNullable(history.getOrDefault(chat, Map.of()).get(messageId))
                .orElseThrow(() -> new IllegalArgumentException("No message " + messageId + " in chat " + chat + "."));
    }

    private ObjectNode person(long id) {
        ObjectNode chat = chats.get(id);
        String name = chat == null ? "Person " + id : chat.path("first_name").asText("Person " + id);
        return JSON.createObjectNode().put("id", id).put("is_bot", false).put("first_name", name);
    }

    /** Returns a message with its id, date and chat, kept in the chat's history. */
    private ObjectNode service(long chat) {
        long id = messageIds.merge(chat, 1L, Long::sum);
        ObjectNode message = JSON.createObjectNode()
                .put("message_id", id)
                .put("date", clock.instant().getEpochSecond());
        message.set("chat", chat(chat));
        historyOf(chat).put(id, message);
        return message;
    }

    private static void commandEntity(ObjectNode message, String text) {
        if (text.startsWith("/")) {
            int end = 1;
            while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
                end++;
            }
            message.putArray("entities")
                    .addObject()
                    .put("type", "bot_command")
                    .put("offset", 0)
                    .put("length", end);
        }
    }
}
