package dev.parley.fakes.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.fakes.slack.Workspace.Channel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Slack on loopback, with the part of the Web API and of Socket Mode that apps use: conversations of every kind, threads, histories with
 * pages, events that are offered again until they are acknowledged and given up after the third time, tickets that open one connection,
 * files that are given to tokens alone. Limits and errors are answered as the real one does. The people's side writes, edits, presses
 * buttons, gives slash commands and sees. What it holds outlives {@link #stop} and {@link #start}. Time is the given clock's. Safe for
 * concurrent use.
 */
public final class FakeSlack implements AutoCloseable {
    /** The app's bot, as a user. */
    public static final String BOT_USER = Workspace.BOT_USER;

    /** The workspace. */
    public static final String TEAM = Workspace.TEAM;

    private static final String FORM = "application/x-www-form-urlencoded";

    private final Workspace workspace;
    private final EventStream events;
    private final String botToken;
    private final String appToken;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "fake-slack");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Call> calls = new ArrayList<>();
    private final Map<String, Deque<SlackFault>> planned = new HashMap<>();
    private final Map<String, Stored> files = new LinkedHashMap<>();
    private Optional<CompletionStage<Boolean>> last = Optional.empty();
    private int socketPort;
    private boolean revoked;
    private @Nullable HttpServer http;
    private int port;
    private long generation;

    /** A file; its content comes after it was announced. */
    private static final class Stored {
        final ObjectNode json;
        byte[] content = {};

        Stored(ObjectNode json) {
            this.json = json;
        }
    }

    /**
     * A call that was made.
     *
     * @param method the method
     * @param arguments what was handed in, without a token
     */
    public record Call(String method, JsonNode arguments) {}

    /**
     * A workspace that answers on free ports.
     *
     * @param botToken the app's bot token
     * @param appToken the app's token for connections
     * @param clock time
     */
    public FakeSlack(String botToken, String appToken, InstantSource clock) {
        this.workspace = new Workspace(clock);
        this.events = new EventStream(clock);
        this.botToken = botToken;
        this.appToken = appToken;
        this.socketPort = events.port();
        start();
    }

    // the service's side

    /** Returns the Web API's address. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port + "/api/");
    }

    /** Returns the port that connections are made to. */
    public int socketPort() {
        return events.port();
    }

    /** Has apps told another port for their connections, such as that of a proxy. */
    public synchronized void tellSocketPort(int other) {
        socketPort = other;
    }

    /** Begins to answer, on the same ports as before; does nothing where it answers already. */
    public void start() {
        synchronized (this) {
            if (http != null) {
                return;
            }
            try {
                HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
                made.setExecutor(threads);
                made.createContext("/", this::answer);
                made.start();
                http = made;
                port = made.getAddress().getPort();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        events.start();
    }

    /** Breaks off all connections and answers nobody until {@link #start}; keeps everything. */
    public void stop() {
        HttpServer stopped;
        synchronized (this) {
            stopped = http;
            http = null;
            generation++;
        }
        if (stopped != null) {
            stopped.stop(0);
        }
        events.stop();
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }

    /** Lets the next call of a method fail with 429 and this time to wait. */
    public synchronized void limit(String method, Duration retryAfter) {
        plan(method, new SlackFault(429, "ratelimited", Optional.of(retryAfter)));
    }

    /** Lets the next call of a method fail with an error of Slack's, such as {@code is_archived}. */
    public synchronized void fail(String method, String error) {
        plan(method, new SlackFault(error));
    }

    /** Lets the next call of a method fail with a status, as a proxy before Slack fails. */
    public synchronized void fail(String method, int status) {
        plan(method, new SlackFault(status, "", Optional.empty()));
    }

    private void plan(String method, SlackFault fault) {
        planned.computeIfAbsent(method, m -> new ArrayDeque<>()).add(fault);
    }

    /** Takes the app's tokens away. */
    public synchronized void revoke() {
        revoked = true;
    }

    /** Returns the calls made so far. */
    public synchronized List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Returns the calls of one method made so far. */
    public synchronized List<Call> calls(String method) {
        return calls.stream().filter(call -> call.method().equals(method)).toList();
    }

    /** Returns how many connections are open. */
    public int connections() {
        return events.connections();
    }

    /** Returns how many connections were opened so far. */
    public long connectionsOpened() {
        return events.opened();
    }

    /** Asks for new connections in place of those that are open, as Slack does every few hours. */
    public void refresh() {
        ObjectNode frame = Workspace.JSON.createObjectNode().put("type", "disconnect");
        frame.put("reason", "refresh_requested").putObject("debug_info").put("host", "fake");
        events.tellAll(frame);
    }

    /** Breaks off the connections of Socket Mode; new ones are taken. */
    public void dropConnections() {
        events.drop();
    }

    /** Ends so many of the next connections as soon as they are open. */
    public void endAtOnce(int connections) {
        events.endAtOnce(connections);
    }

    /** Returns how much of what people did is still offered to the app. */
    public int unread() {
        return events.unread();
    }

    /** Gives up what is offered, as after the last try: from now on only the histories tell of it. */
    public void giveUp() {
        events.giveUp();
    }

    /**
     * Returns what becomes of what a person did last: true once the app acknowledges it, false once it is offered a second time or given
     * up.
     */
    public synchronized CompletionStage<Boolean> lastOffered() {
        return last.orElseThrow(() -> new IllegalStateException("Nobody did anything."));
    }

    // the people's side

    /** Makes a person; returns their id. */
    public synchronized String person(String name) {
        return workspace.person(name);
    }

    /** Begins a person's direct chat with the app; returns it. */
    public synchronized String directChat(String person) {
        return workspace.channel("im", "", person, BOT_USER);
    }

    /** Makes a channel that the app and these people are in; returns it. */
    public synchronized String channel(String name, String... people) {
        return workspace.channel("channel", name, withBot(people));
    }

    /** Makes a private channel that the app and these people are in; returns it. */
    public synchronized String privateChannel(String name, String... people) {
        return workspace.channel("group", name, withBot(people));
    }

    /** Makes a group of these people and the app; returns it. */
    public synchronized String group(String... people) {
        return workspace.channel("mpim", "mpdm-some-people-1", withBot(people));
    }

    private static String[] withBot(String... people) {
        List<String> all = new ArrayList<>(List.of(people));
        all.add(BOT_USER);
        return all.toArray(String[]::new);
    }

    /** Lets a person join a channel. */
    public synchronized void join(String channel, String person) {
        workspace.known(channel).members.add(person);
    }

    /** Takes the app out of a conversation. */
    public synchronized void remove(String channel) {
        workspace.known(channel).members.remove(BOT_USER);
    }

    /** Archives a conversation. */
    public synchronized void archive(String channel) {
        workspace.known(channel).json.put("is_archived", true);
    }

    /** Lets a person write; returns the message's timestamp. */
    public String write(String channel, String person, String text) {
        return write(channel, person, text, Optional.empty());
    }

    /** Lets a person write in a thread; returns the message's timestamp. */
    public String reply(String channel, String person, String text, String thread) {
        return write(channel, person, text, Optional.of(thread));
    }

    private String write(String channel, String person, String text, Optional<String> thread) {
        ObjectNode message = Workspace.JSON.createObjectNode().put("text", text);
        thread.ifPresent(root -> message.put("thread_ts", root));
        return write(channel, person, message);
    }

    /** Lets a person write whatever a message may be; returns its timestamp. */
    public synchronized String write(String where, String person, ObjectNode message) {
        Channel channel = workspace.known(where);
        ObjectNode said = message.deepCopy();
        said.put("user", person).put("team", TEAM);
        said.put("client_msg_id", "c-" + channel.messages.size());
        workspace.add(channel, said);
        String root = said.path("thread_ts").asText();
        if (!root.isEmpty()) {
            workspace.message(channel, root).ifPresent(first -> said.set("parent_user_id", first.path("user")));
        }
        tell(channel, said, true);
        return said.path("ts").asText();
    }

    /** Offers the app a message once more that it may have acknowledged, as Slack does where it is not sure. */
    public synchronized void offerAgain(String where, String ts) {
        Channel channel = workspace.known(where);
        tell(channel, found(channel, ts), true);
    }

    /** Lets a person change what they wrote. */
    public synchronized void edit(String where, String ts, String text) {
        Channel channel = workspace.known(where);
        ObjectNode message = found(channel, ts);
        ObjectNode before = message.deepCopy();
        message.put("text", text)
                .putObject("edited")
                .put("user", message.path("user").asText());
        changed(channel, message, before, true);
    }

    /** Lets a person delete what they wrote. */
    public synchronized void delete(String where, String ts) {
        Channel channel = workspace.known(where);
        gone(channel, found(channel, ts), true);
    }

    private void gone(Channel channel, ObjectNode message, boolean counted) {
        channel.messages.remove(message);
        ObjectNode event = Workspace.JSON
                .createObjectNode()
                .put("subtype", "message_deleted")
                .put("hidden", true)
                .put("deleted_ts", message.path("ts").asText())
                .put("type", "message")
                .put("ts", workspace.timestamp());
        event.set("previous_message", message);
        tell(channel, event, counted);
    }

    /** Lets a person react to a message. */
    public synchronized void react(String where, String person, String ts, String emoji) {
        ObjectNode event = Workspace.JSON
                .createObjectNode()
                .put("type", "reaction_added")
                .put("user", person)
                .put("reaction", emoji)
                .put("event_ts", workspace.timestamp());
        event.putObject("item").put("type", "message").put("channel", where).put("ts", ts);
        event(event, true);
    }

    /** Lets a person press a button below a message, by its value. */
    public synchronized void press(String where, String person, String ts, String value) {
        Channel channel = workspace.known(where);
        ObjectNode message = found(channel, ts);
        JsonNode button = buttons(message).stream()
                .filter(each -> each.path("value").asText().equals(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no button " + value + "."));
        ObjectNode payload = Workspace.JSON.createObjectNode().put("type", "block_actions");
        payload.putObject("user").put("id", person).put("team_id", TEAM);
        payload.putObject("team").put("id", TEAM);
        payload.putObject("channel").put("id", where);
        payload.putObject("container")
                .put("type", "message")
                .put("message_ts", ts)
                .put("channel_id", where);
        payload.set("message", message);
        ObjectNode action = button.deepCopy();
        payload.putArray("actions").add(action.put("action_ts", workspace.timestamp()));
        offer("interactive", payload, false);
    }

    /** Lets a person give a slash command. */
    public synchronized void command(String where, String person, String command, String text) {
        ObjectNode payload = Workspace.JSON
                .createObjectNode()
                .put("command", command)
                .put("text", text)
                .put("team_id", TEAM)
                .put("channel_id", where)
                .put("channel_name", workspace.known(where).kind.equals("im") ? "directmessage" : "any")
                .put("user_id", person)
                .put("user_name", "any")
                .put("trigger_id", workspace.timestamp() + ".abc");
        offer("slash_commands", payload, false);
    }

    /** Sends the app an event of any kind, as malformed as wanted. */
    public synchronized void event(ObjectNode event) {
        event(event, true);
    }

    /** Keeps a file that a message may carry; returns it as messages show it. */
    public synchronized ObjectNode file(String name, String type, byte[] content) {
        Stored stored = announced(name, type);
        stored.content = content.clone();
        return stored.json.deepCopy();
    }

    private Stored announced(String name, String type) {
        String id = "F" + (files.size() + 1);
        ObjectNode json = Workspace.JSON
                .createObjectNode()
                .put("id", id)
                .put("name", name)
                .put("title", name)
                .put("mimetype", type)
                .put("url_private", "http://127.0.0.1:" + port + "/files/" + id)
                .put("url_private_download", "http://127.0.0.1:" + port + "/files/" + id);
        Stored stored = new Stored(json);
        files.put(id, stored);
        return stored;
    }

    /** Returns what a kept file holds. */
    public synchronized byte[] fileContent(String id) {
        return Optional.ofNullable(files.get(id))
                .orElseThrow(() -> new IllegalArgumentException("There is no file " + id + "."))
                .content
                .clone();
    }

    /** Returns what the app has shown in a conversation, threads included, as it reads now. */
    public synchronized List<Shown> shown(String where) {
        return workspace.known(where).messages.stream()
                .filter(each -> each.path("user").asText().equals(BOT_USER))
                .map(FakeSlack::shown)
                .toList();
    }

    private static Shown shown(ObjectNode message) {
        List<String> names = new ArrayList<>();
        message.path("files").forEach(file -> names.add(file.path("name").asText()));
        String thread = message.path("thread_ts").asText();
        return new Shown(
                message.path("ts").asText(),
                message.path("text").asText(),
                Optional.of(thread).filter(root -> !root.isEmpty()),
                buttons(message).stream()
                        .map(each -> each.path("value").asText())
                        .toList(),
                names,
                message.has("edited"),
                message.deepCopy());
    }

    private static List<JsonNode> buttons(JsonNode message) {
        List<JsonNode> buttons = new ArrayList<>();
        message.path("blocks")
                .forEach(block -> block.path("elements").forEach(each -> {
                    if (each.path("type").asText().equals("button")) {
                        buttons.add(each);
                    }
                }));
        return buttons;
    }

    private static ObjectNode found(Workspace.Channel channel, String ts) {
        return channel.messages.stream()
                .filter(each -> each.path("ts").asText().equals(ts))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no message " + ts + "."));
    }

    // events

    /** Tells the app of a message; of one that names it in a channel twice, as Slack does. */
    private void tell(Channel channel, ObjectNode message, boolean counted) {
        if (!channel.members.contains(BOT_USER)) {
            return;
        }
        ObjectNode event = message.deepCopy();
        event.remove("metadata");
        event.put("type", "message")
                .put("channel", channel.id)
                .put("channel_type", channel.kind)
                .put("event_ts", message.path("ts").asText());
        boolean names = message.path("text").asText().contains("<@" + BOT_USER + ">");
        if (names && !channel.kind.equals("im") && !message.has("subtype")) {
            ObjectNode mention = event.deepCopy().put("type", "app_mention");
            mention.remove("channel_type");
            event(mention, counted);
        }
        event(event, counted);
    }

    private void changed(Channel channel, ObjectNode message, ObjectNode before, boolean counted) {
        ObjectNode event = Workspace.JSON
                .createObjectNode()
                .put("subtype", "message_changed")
                .put("hidden", true)
                .put("ts", workspace.timestamp());
        event.set("message", message.deepCopy());
        event.set("previous_message", before);
        tell(channel, event, counted);
    }

    private void event(ObjectNode event, boolean counted) {
        ObjectNode payload = Workspace.JSON
                .createObjectNode()
                .put("team_id", TEAM)
                .put("api_app_id", "A0PARLEY")
                .put("type", "event_callback")
                .put("event_id", "Ev" + workspace.timestamp().replace(".", ""))
                .put("event_time", 0);
        payload.set("event", event);
        CompletionStage<Boolean> fate = events.offer("events_api", payload, counted, true);
        if (counted) {
            last = Optional.of(fate);
        }
    }

    private void offer(String type, ObjectNode payload, boolean again) {
        last = Optional.of(events.offer(type, payload, true, again));
    }

    // the Web API

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            long begun;
            synchronized (this) {
                begun = generation;
            }
            if (path.startsWith("/files/") || path.startsWith("/upload/")) {
                lying(exchange, path, body);
                return;
            }
            ObjectNode answer;
            int status = 200;
            try {
                answer = asked(exchange, path.replaceFirst("^/api/", ""), body);
            } catch (SlackFault e) {
                status = e.status();
                answer = Workspace.JSON.createObjectNode().put("ok", false).put("error", e.error());
                e.retryAfter()
                        .ifPresent(time ->
                                exchange.getResponseHeaders().add("Retry-After", String.valueOf(time.toSeconds())));
                if (e.error().isEmpty()) {
                    respond(exchange, status, "text/html", "<html>no</html>".getBytes(StandardCharsets.UTF_8));
                    return;
                }
            }
            synchronized (this) {
                if (begun != generation) {
                    return;
                }
            }
            respond(exchange, status, "application/json; charset=utf-8", Workspace.JSON.writeValueAsBytes(answer));
        }
    }

    private static void respond(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private synchronized ObjectNode asked(HttpExchange exchange, String method, byte[] body) throws SlackFault {
        ObjectNode arguments = arguments(exchange, body);
        String bearer = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .filter(header -> header.startsWith("Bearer "))
                .map(header -> header.substring("Bearer ".length()))
                .orElse(arguments.path("token").asText());
        arguments.remove("token");
        calls.add(new Call(method, arguments.deepCopy()));
        Deque<SlackFault> faults = planned.getOrDefault(method, new ArrayDeque<>());
        if (!faults.isEmpty()) {
            throw faults.poll();
        }
        if (bearer.isEmpty()) {
            throw new SlackFault("not_authed");
        }
        if (revoked || !(bearer.equals(botToken) || bearer.equals(appToken))) {
            throw new SlackFault("invalid_auth");
        }
        if (bearer.equals(appToken) != method.equals("apps.connections.open")) {
            throw new SlackFault("not_allowed_token_type");
        }
        return call(method, arguments);
    }

    private static ObjectNode arguments(HttpExchange exchange, byte[] body) throws SlackFault {
        String type = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
                .orElse("");
        String text = new String(body, StandardCharsets.UTF_8);
        ObjectNode arguments = Workspace.JSON.createObjectNode();
        try {
            if (type.startsWith("application/json")) {
                JsonNode read = Workspace.JSON.readTree(text);
                if (read instanceof ObjectNode object) {
                    return object;
                }
                throw new SlackFault("invalid_json");
            }
            String query =
                    Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
            for (String field : (query + "&" + (type.startsWith(FORM) ? text : "")).split("&", -1)) {
                int at = field.indexOf('=');
                if (at > 0) {
                    String name = decoded(field.substring(0, at));
                    String value = decoded(field.substring(at + 1));
                    boolean tree = value.startsWith("{") || value.startsWith("[");
                    if (tree) {
                        arguments.set(name, Workspace.JSON.readTree(value));
                    } else {
                        arguments.put(name, value);
                    }
                }
            }
            return arguments;
        } catch (JsonProcessingException e) {
            throw new SlackFault("invalid_json");
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private ObjectNode call(String method, ObjectNode arguments) throws SlackFault {
        Map<String, String> fields = new HashMap<>();
        arguments
                .properties()
                .forEach(each -> fields.put(each.getKey(), each.getValue().asText()));
        ObjectNode ok = Workspace.JSON.createObjectNode().put("ok", true);
        String where = fields.getOrDefault("channel", "");
        switch (method) {
            case "auth.test" -> {
                return ok.put("team_id", TEAM)
                        .put("team", "Parley")
                        .put("user_id", BOT_USER)
                        .put("user", "parley")
                        .put("bot_id", Workspace.BOT);
            }
            case "apps.connections.open" -> {
                return ok.put(
                        "url",
                        "ws://127.0.0.1:" + socketPort + "/link/?ticket=" + events.ticket() + "&app_id=A0PARLEY");
            }
            case "conversations.history" -> {
                return workspace.history(fields);
            }
            case "conversations.replies" -> {
                return workspace.replies(fields);
            }
            case "conversations.info" -> {
                ok.set("channel", workspace.found(where).json);
                return ok;
            }
            case "users.conversations" -> {
                return workspace.conversations(fields);
            }
            case "users.info" -> {
                ok.set("user", workspace.user(fields.getOrDefault("user", "")));
                return ok;
            }
            case "chat.postMessage" -> {
                Channel channel = workspace.found(where);
                return posted(channel, workspace.post(channel, arguments));
            }
            case "chat.update" -> {
                return updated(workspace.found(where), arguments);
            }
            case "chat.delete" -> {
                return deleted(workspace.found(where), fields.getOrDefault("ts", ""));
            }
            case "reactions.add", "reactions.remove" -> {
                return reacted(workspace.found(where), method.equals("reactions.add"), fields);
            }
            case "files.getUploadURLExternal" -> {
                Stored stored = announced(fields.getOrDefault("filename", ""), "");
                String id = stored.json.path("id").asText();
                return ok.put("file_id", id).put("upload_url", "http://127.0.0.1:" + port + "/upload/" + id);
            }
            case "files.completeUploadExternal" -> {
                return shared(arguments);
            }
            case "files.info" -> {
                Stored stored = files.get(fields.getOrDefault("file", ""));
                if (stored == null) {
                    throw new SlackFault("file_not_found");
                }
                ok.set("file", stored.json);
                return ok;
            }
            default -> throw new SlackFault("unknown_method");
        }
    }

    private ObjectNode posted(Channel channel, ObjectNode message) {
        tell(channel, message, false);
        ObjectNode answer = Workspace.JSON
                .createObjectNode()
                .put("ok", true)
                .put("channel", channel.id)
                .put("ts", message.path("ts").asText());
        answer.set("message", message);
        return answer;
    }

    private ObjectNode updated(Channel channel, ObjectNode arguments) throws SlackFault {
        ObjectNode message = workspace
                .message(channel, arguments.path("ts").asText())
                .orElseThrow(() -> new SlackFault("message_not_found"));
        if (!message.path("user").asText().equals(BOT_USER)) {
            throw new SlackFault("cant_update_message");
        }
        if (arguments.path("text").asText().length() > 4_000) {
            throw new SlackFault("msg_too_long");
        }
        ObjectNode before = message.deepCopy();
        message.put("text", arguments.path("text").asText());
        if (arguments.has("blocks")) {
            message.set("blocks", arguments.get("blocks"));
        }
        if (arguments.has("metadata")) {
            message.set("metadata", arguments.get("metadata"));
        }
        message.putObject("edited").put("user", BOT_USER);
        changed(channel, message, before, false);
        return Workspace.JSON
                .createObjectNode()
                .put("ok", true)
                .put("channel", channel.id)
                .put("ts", message.path("ts").asText())
                .put("text", message.path("text").asText());
    }

    private ObjectNode deleted(Channel channel, String ts) throws SlackFault {
        ObjectNode message = workspace.message(channel, ts).orElseThrow(() -> new SlackFault("message_not_found"));
        if (!message.path("user").asText().equals(BOT_USER)) {
            throw new SlackFault("cant_delete_message");
        }
        gone(channel, message, false);
        return Workspace.JSON
                .createObjectNode()
                .put("ok", true)
                .put("channel", channel.id)
                .put("ts", ts);
    }

    private ObjectNode reacted(Channel channel, boolean on, Map<String, String> fields) throws SlackFault {
        ObjectNode message = workspace
                .message(channel, fields.getOrDefault("timestamp", ""))
                .orElseThrow(() -> new SlackFault("message_not_found"));
        String emoji = fields.getOrDefault("name", "");
        ObjectNode ours =
                message.has("reactions") ? (ObjectNode) message.path("reactions") : message.putObject("reactions");
        if (ours.has(emoji) == on) {
            throw new SlackFault(on ? "already_reacted" : "no_reaction");
        }
        if (on) {
            ours.put(emoji, BOT_USER);
        } else {
            ours.remove(emoji);
        }
        return Workspace.JSON.createObjectNode().put("ok", true);
    }

    /** Returns the emojis that the app has put on a message. */
    public synchronized List<String> reactions(String where, String ts) {
        List<String> names = new ArrayList<>();
        found(workspace.known(where), ts).path("reactions").fieldNames().forEachRemaining(names::add);
        return names;
    }

    private ObjectNode shared(ObjectNode arguments) throws SlackFault {
        ObjectNode wish = Workspace.JSON.createObjectNode();
        wish.put("text", arguments.path("initial_comment").asText());
        if (arguments.has("thread_ts")) {
            wish.set("thread_ts", arguments.get("thread_ts"));
        }
        for (JsonNode each : arguments.path("files")) {
            Stored stored = files.get(each.path("id").asText());
            if (stored == null || stored.content.length == 0) {
                throw new SlackFault("file_not_found");
            }
            wish.withArray("files").add(stored.json);
        }
        Channel channel = workspace.found(arguments.path("channel_id").asText());
        tell(channel, workspace.post(channel, wish), false);
        ObjectNode answer = Workspace.JSON.createObjectNode().put("ok", true);
        answer.set("files", wish.path("files"));
        return answer;
    }

    private void lying(HttpExchange exchange, String path, byte[] body) throws IOException {
        Stored stored;
        synchronized (this) {
            stored = files.get(path.substring(path.lastIndexOf('/') + 1));
        }
        if (stored == null) {
            respond(exchange, 404, "text/html", new byte[0]);
        } else if (path.startsWith("/upload/")) {
            synchronized (this) {
                stored.content = body;
            }
            respond(exchange, 200, "text/plain", ("OK - " + body.length).getBytes(StandardCharsets.UTF_8));
        } else if (!("Bearer " + botToken).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            // The real one shows a page to log in, with a status of success.
            respond(exchange, 200, "text/html; charset=utf-8", "<html>log in</html>".getBytes(StandardCharsets.UTF_8));
        } else {
            respond(exchange, 200, stored.json.path("mimetype").asText(), stored.content);
        }
    }
}
