package dev.parley.fakes.discord;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.fakes.discord.World.Channel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
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
 * Discord on loopback, with the part of its API and of its gateway that bots use: guilds, channels, threads, forums and direct chats,
 * histories with pages, sessions that are resumed from any event and end after three minutes, nonces that fold what is sent twice,
 * interactions, files, limits and errors as the real one answers them. The people's side writes, edits, presses buttons, gives slash
 * commands and sees. What it holds outlives {@link #stop} and {@link #start}. Time is the given clock's. Safe for concurrent use.
 */
public final class FakeDiscord implements AutoCloseable {
    /** The bot, as a user. */
    public static final String BOT = World.BOT;

    private static final String API = "/api/v10/";
    private static final Duration WINDOW = Duration.ofSeconds(5);
    private static final int MOST_IN_WINDOW = 5;
    private static final int LOADING = 1 << 7;

    private final World world;
    private final GatewayStream gateway;
    private final String token;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "fake-discord");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Call> calls = new ArrayList<>();
    private final Map<String, Deque<DiscordFault>> planned = new HashMap<>();
    private final Map<String, Deque<Instant>> sentIn = new HashMap<>();
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private final Map<String, Interaction> interactions = new HashMap<>();
    private ArrayNode commands = World.JSON.createArrayNode();
    private Optional<CompletionStage<Boolean>> last = Optional.empty();
    private boolean limited;
    private boolean revoked;
    private @Nullable HttpServer http;
    private int port;
    private long generation;

    /** Something that a person did and that the bot is to answer at once. */
    private static final class Interaction {
        final String id;
        final String person;
        final Channel channel;
        final Instant at;
        boolean answered;
        Optional<ObjectNode> response = Optional.empty();

        Interaction(String id, String person, Channel channel, Instant at) {
            this.id = id;
            this.person = person;
            this.channel = channel;
            this.at = at;
        }
    }

    /**
     * A call that was made.
     *
     * @param route the method and the path, with {@code {id}} for each id, such as {@code POST /channels/{id}/messages}
     * @param path the path below the API's address
     * @param body what was handed in
     */
    public record Call(String route, String path, JsonNode body) {}

    /**
     * Discord that answers on free ports.
     *
     * @param token the bot's token
     * @param clock time
     */
    public FakeDiscord(String token, InstantSource clock) {
        this.world = new World(clock);
        this.gateway = new GatewayStream(world, token, threads);
        this.token = token;
        start();
    }

    // the service's side

    /** Returns the API's address. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port + "/api/v10");
    }

    /** Returns the gateway's address, as bots are told it. */
    public String gatewayAddress() {
        synchronized (world) {
            return gateway.address();
        }
    }

    /** Returns the port of the gateway. */
    public int gatewayPort() {
        return gateway.port();
    }

    /** Has bots told another port for the gateway, such as that of a proxy. */
    public void tellGatewayPort(int other) {
        synchronized (world) {
            gateway.tellPort(other);
        }
    }

    /** Begins to answer, on the same ports as before; does nothing where it answers already. */
    public void start() {
        synchronized (world) {
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
        gateway.start();
    }

    /** Breaks off all connections and answers nobody until {@link #start}; keeps everything. */
    public void stop() {
        HttpServer stopped;
        synchronized (world) {
            stopped = http;
            http = null;
            generation++;
        }
        if (stopped != null) {
            stopped.stop(0);
        }
        gateway.stop();
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }

    /** Lets the next call of a route, such as {@code POST /channels/{id}/messages}, fail with 429 and this time to wait. */
    public void limit(String route, Duration retryAfter) {
        plan(route, DiscordFault.limit(retryAfter, false));
    }

    /** Lets the next call of a route fail with 429 for everything that the bot does. */
    public void limitAll(String route, Duration retryAfter) {
        plan(route, DiscordFault.limit(retryAfter, true));
    }

    /** Lets the next call of a route fail with an error of Discord's, such as 403 and 50013. */
    public void fail(String route, int status, int code) {
        plan(route, new DiscordFault(status, code, "An error of Discord's"));
    }

    /** Lets the next call of a route fail with a status, as a proxy before Discord fails. */
    public void fail(String route, int status) {
        plan(route, DiscordFault.ofProxy(status));
    }

    private void plan(String route, DiscordFault fault) {
        synchronized (world) {
            planned.computeIfAbsent(route, r -> new ArrayDeque<>()).add(fault);
        }
    }

    /** Takes five messages in five seconds for each channel, and says so in each answer; otherwise as many as come. */
    public void keepLimits() {
        synchronized (world) {
            limited = true;
        }
    }

    /** Takes the bot's token away. */
    public void revoke() {
        synchronized (world) {
            revoked = true;
            gateway.revoke();
        }
    }

    /** Refuses sessions that ask for one of these intents, as where a switch of the portal is off. */
    public void refuseIntents(int intents) {
        synchronized (world) {
            gateway.refuse(intents);
        }
    }

    /** Has bots told to send a heartbeat so often; usually every 41.25 seconds. */
    public void heartbeats(Duration every) {
        synchronized (world) {
            gateway.interval(every);
        }
    }

    /** Answers no heartbeats while on, as a connection that is dead and does not know it. */
    public void silent(boolean on) {
        synchronized (world) {
            gateway.silent(on);
        }
    }

    /** Returns the calls made so far. */
    public List<Call> calls() {
        synchronized (world) {
            return List.copyOf(calls);
        }
    }

    /** Returns the calls of one route made so far. */
    public List<Call> calls(String route) {
        return calls().stream().filter(call -> call.route().equals(route)).toList();
    }

    /** Returns how many connections of the gateway have a session. */
    public int connections() {
        synchronized (world) {
            return gateway.connections();
        }
    }

    /** Returns how often a bot has begun a session. */
    public long identified() {
        synchronized (world) {
            return gateway.identified();
        }
    }

    /** Returns how often a bot has resumed a session. */
    public long resumed() {
        synchronized (world) {
            return gateway.resumed();
        }
    }

    /** Asks bots to connect anew, as Discord does every few hours. */
    public void askToReconnect() {
        synchronized (world) {
            gateway.askToReconnect();
        }
    }

    /** Tells bots that their session is invalid, and whether it may be resumed all the same. */
    public void invalidate(boolean resumable) {
        synchronized (world) {
            gateway.invalidate(resumable);
        }
    }

    /** Breaks off the connections of the gateway; their sessions may be resumed. */
    public void dropConnections() {
        synchronized (world) {
            gateway.drop();
        }
    }

    /** Closes the connections of the gateway with a code, such as 4004. */
    public void closeConnections(int code) {
        synchronized (world) {
            gateway.close(code);
        }
    }

    /** Ends all sessions, as after an absence of minutes: from now on only the histories tell of what happened. */
    public void endSessions() {
        synchronized (world) {
            gateway.endSessions();
        }
    }

    /** Returns how much of what people did no bot has acknowledged by a heartbeat, or read in a history where no session tells of it. */
    public int unread() {
        synchronized (world) {
            return gateway.unread();
        }
    }

    /** Returns what becomes of what a person did last: true once a bot's heartbeat covers it, false once it is told a second time. */
    public CompletionStage<Boolean> lastOffered() {
        synchronized (world) {
            return last.orElseThrow(() -> new IllegalStateException("Nobody did anything."));
        }
    }

    // the people's side

    /** Makes a person; returns their id. */
    public String person(String name) {
        synchronized (world) {
            return world.person(name, false);
        }
    }

    /** Makes another bot; returns its id. */
    public String otherBot(String name) {
        synchronized (world) {
            return world.person(name, true);
        }
    }

    /** Begins a person's direct chat with the bot; returns its channel. */
    public String directChat(String person) {
        synchronized (world) {
            return world.direct(person).id;
        }
    }

    /** Makes a guild that the bot is in; returns it. */
    public String guild(String name) {
        synchronized (world) {
            World.Guild guild = world.guild(name);
            gateway.dispatch("GUILD_CREATE", world.told(guild), false, "");
            return guild.id;
        }
    }

    /** Makes a text channel; returns it. */
    public String channel(String guild, String name) {
        return channel(guild, name, World.TEXT);
    }

    /** Makes a forum; returns its channel. */
    public String forum(String guild, String name) {
        return channel(guild, name, World.FORUM);
    }

    private String channel(String guild, String name, int type) {
        synchronized (world) {
            Channel channel = world.channel(guild, name, type);
            gateway.dispatch("CHANNEL_CREATE", channel.json.deepCopy(), false, "");
            return channel.id;
        }
    }

    /** Begins a thread that no message begins; returns its channel. */
    public String thread(String channel, String person, String name) {
        return thread(channel, person, name, Optional.empty());
    }

    /** Begins a thread with a message of the channel; returns its channel, which has the message's id. */
    public String threadFrom(String channel, String person, String name, String message) {
        return thread(channel, person, name, Optional.of(message));
    }

    private String thread(String channel, String person, String name, Optional<String> message) {
        synchronized (world) {
            Channel thread = world.thread(world.known(channel), name, person, message);
            gateway.dispatch("THREAD_CREATE", thread.json.deepCopy().put("newly_created", true), false, "");
            return thread.id;
        }
    }

    /** Lets a person begin a post of a forum; returns its channel, which has the first message's id. */
    public String post(String forum, String person, String title, String text) {
        synchronized (world) {
            Channel parent = world.known(forum);
            Channel post = world.thread(parent, title, person, Optional.empty());
            gateway.dispatch("THREAD_CREATE", post.json.deepCopy().put("newly_created", true), false, "");
            ObjectNode message =
                    added(post, person, World.JSON.createObjectNode().put("content", text));
            message.put("id", post.id);
            post.json.put("last_message_id", post.id);
            tell(post, message, true);
            return post.id;
        }
    }

    /** Takes the bot's access to a channel away. */
    public void hide(String channel) {
        synchronized (world) {
            world.known(channel).closed = true;
        }
    }

    /** Lets a person write; returns the message's id. */
    public String write(String channel, String person, String text) {
        return write(channel, person, World.JSON.createObjectNode().put("content", text));
    }

    /** Lets a person reply to a message; returns the new message's id. */
    public String reply(String channel, String person, String text, String to) {
        ObjectNode wish = World.JSON.createObjectNode().put("content", text);
        wish.putObject("message_reference").put("message_id", to);
        return write(channel, person, wish);
    }

    /** Lets a person write whatever a message may be; returns its id. */
    public String write(String where, String person, ObjectNode wish) {
        synchronized (world) {
            Channel channel = world.known(where);
            ObjectNode message = added(channel, person, wish);
            tell(channel, message, true);
            return message.path("id").asText();
        }
    }

    private ObjectNode added(Channel channel, String person, ObjectNode wish) {
        try {
            return world.add(channel, person, wish);
        } catch (DiscordFault e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Lets a person change what they wrote. */
    public void edit(String where, String id, String text) {
        synchronized (world) {
            Channel channel = world.known(where);
            ObjectNode message = found(channel, id);
            message.put("content", text).put("edited_timestamp", world.now().toString());
            world.mentions(message);
            last = Optional.of(gateway.dispatch("MESSAGE_UPDATE", told(channel, message), true, ""));
        }
    }

    /** Lets a person delete what they wrote. */
    public void delete(String where, String id) {
        synchronized (world) {
            Channel channel = world.known(where);
            channel.messages.remove(found(channel, id));
            last = Optional.of(gateway.dispatch("MESSAGE_DELETE", deleted(channel, id), true, ""));
        }
    }

    private static ObjectNode deleted(Channel channel, String id) {
        ObjectNode event = World.JSON.createObjectNode().put("id", id).put("channel_id", channel.id);
        channel.guild().ifPresent(guild -> event.put("guild_id", guild));
        return event;
    }

    /** Lets a person react to a message. */
    public void react(String where, String person, String id, String emoji) {
        synchronized (world) {
            Channel channel = world.known(where);
            ObjectNode event = World.JSON
                    .createObjectNode()
                    .put("user_id", person)
                    .put("channel_id", where)
                    .put("message_id", id)
                    .put("burst", false)
                    .put("type", 0);
            event.putObject("emoji").putNull("id").put("name", emoji);
            channel.guild().ifPresent(guild -> {
                event.put("guild_id", guild);
                event.set("member", world.member(person));
            });
            last = Optional.of(gateway.dispatch("MESSAGE_REACTION_ADD", event, true, ""));
        }
    }

    /** Lets a person press a button below a message, by what it sends. */
    public void press(String where, String person, String id, String customId) {
        synchronized (world) {
            Channel channel = world.known(where);
            ObjectNode message = found(channel, id);
            if (!buttons(message).contains(customId)) {
                throw new IllegalArgumentException("There is no button " + customId + ".");
            }
            ObjectNode interaction = interaction(channel, person, 3);
            interaction.set("message", told(channel, message));
            interaction.putObject("data").put("component_type", 2).put("custom_id", customId);
            last = Optional.of(gateway.dispatch("INTERACTION_CREATE", interaction, true, ""));
        }
    }

    /** Lets a person give a slash command, with a text or with an empty one. */
    public String command(String where, String person, String name, String text) {
        synchronized (world) {
            ObjectNode interaction = interaction(world.known(where), person, 2);
            ObjectNode data = interaction.putObject("data");
            data.put("id", world.snowflake()).put("name", name).put("type", 1);
            ArrayNode options = data.putArray("options");
            if (!text.isEmpty()) {
                options.addObject().put("name", "text").put("type", 3).put("value", text);
            }
            last = Optional.of(gateway.dispatch("INTERACTION_CREATE", interaction, true, ""));
            return interaction.path("id").asText();
        }
    }

    private ObjectNode interaction(Channel channel, String person, int type) {
        String id = world.snowflake();
        String secret = "interaction-token-" + id;
        interactions.put(secret, new Interaction(id, person, channel, world.now()));
        ObjectNode interaction = World.JSON
                .createObjectNode()
                .put("id", id)
                .put("application_id", World.APPLICATION)
                .put("type", type)
                .put("token", secret)
                .put("version", 1)
                .put("channel_id", channel.id)
                .put("locale", "en-US")
                .put("app_permissions", "8")
                .put("attachment_size_limit", 10 << 20);
        interaction.putArray("entitlements");
        interaction.putObject("authorizing_integration_owners");
        interaction.set("channel", channel.json.deepCopy());
        if (channel.guild().isPresent()) {
            interaction.put("guild_id", channel.guild().get()).put("context", 0).put("guild_locale", "en-US");
            interaction
                    .putObject("guild")
                    .put("id", channel.guild().get())
                    .put("locale", "en-US")
                    .putArray("features");
            interaction.set("member", world.member(person).put("permissions", "8"));
        } else {
            interaction.put("context", 1);
            interaction.set("user", world.user(person));
        }
        return interaction;
    }

    /** Returns whether something that a person did by a command or a button was answered within its three seconds. */
    public boolean isAnswered(String interaction) {
        synchronized (world) {
            return interactions.values().stream().anyMatch(each -> each.id.equals(interaction) && each.answered);
        }
    }

    /** Returns the commands that the bot has put into the menu. */
    public JsonNode commands() {
        synchronized (world) {
            return commands.deepCopy();
        }
    }

    /** Sends bots an event of any kind, as malformed as wanted. */
    public void event(String type, ObjectNode payload) {
        synchronized (world) {
            last = Optional.of(gateway.dispatch(type, payload, true, ""));
        }
    }

    /** Keeps a file that a message may carry; returns it as messages show it. */
    public ObjectNode file(String name, String type, byte[] content) {
        synchronized (world) {
            String id = world.snowflake();
            files.put(id, content.clone());
            String url = "http://127.0.0.1:" + port + "/attachments/" + id + "/" + name;
            return World.JSON
                    .createObjectNode()
                    .put("id", id)
                    .put("filename", name)
                    .put("content_type", type)
                    .put("size", content.length)
                    .put("url", url)
                    .put("proxy_url", url);
        }
    }

    /** Returns what a kept file holds. */
    public byte[] fileContent(String id) {
        synchronized (world) {
            return Optional.ofNullable(files.get(id))
                    .orElseThrow(() -> new IllegalArgumentException("There is no file " + id + "."))
                    .clone();
        }
    }

    /** Returns what the bot shows in a channel, as it reads now; what only says that an answer comes is left out. */
    public List<Shown> shown(String where) {
        synchronized (world) {
            return world.known(where).messages.stream()
                    .filter(each -> each.path("author").path("id").asText().equals(BOT))
                    .filter(each -> (each.path("flags").asInt() & LOADING) == 0)
                    .map(FakeDiscord::shown)
                    .toList();
        }
    }

    private static Shown shown(ObjectNode message) {
        List<String> names = new ArrayList<>();
        message.path("attachments")
                .forEach(file -> names.add(file.path("filename").asText()));
        return new Shown(
                message.path("id").asText(),
                message.path("content").asText(),
                Optional.of(message.path("message_reference").path("message_id").asText())
                        .filter(id -> !id.isEmpty()),
                buttons(message),
                names,
                message.path("edited_timestamp").isTextual(),
                message.deepCopy());
    }

    private static List<String> buttons(JsonNode message) {
        List<String> buttons = new ArrayList<>();
        message.path("components")
                .forEach(row -> row.path("components")
                        .forEach(each -> buttons.add(each.path("custom_id").asText())));
        return buttons;
    }

    /** Returns the emojis that the bot has put on a message. */
    public List<String> reactions(String where, String id) {
        synchronized (world) {
            List<String> names = new ArrayList<>();
            found(world.known(where), id)
                    .path("reactions")
                    .forEach(each -> names.add(each.path("emoji").path("name").asText()));
            return names;
        }
    }

    private static ObjectNode found(Channel channel, String id) {
        return channel.messages.stream()
                .filter(each -> each.path("id").asText().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no message " + id + "."));
    }

    // events

    private void tell(Channel channel, ObjectNode message, boolean counted) {
        if (channel.closed) {
            return;
        }
        CompletionStage<Boolean> fate = gateway.dispatch(
                "MESSAGE_CREATE",
                told(channel, message),
                counted,
                message.path("id").asText());
        if (counted) {
            last = Optional.of(fate);
        }
    }

    private ObjectNode told(Channel channel, ObjectNode message) {
        ObjectNode event = message.deepCopy();
        channel.guild().ifPresent(guild -> {
            event.put("guild_id", guild);
            ObjectNode member = world.member(message.path("author").path("id").asText());
            member.remove("user");
            event.set("member", member);
        });
        return event;
    }

    // the API

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getRawPath();
            long begun;
            synchronized (world) {
                begun = generation;
            }
            if (path.startsWith("/attachments/")) {
                lying(exchange, path);
                return;
            }
            JsonNode answer;
            int status = 200;
            try {
                synchronized (world) {
                    answer = asked(exchange, path.replaceFirst("^" + API, "/"), body);
                }
                status = answer.isMissingNode() ? 204 : 200;
            } catch (DiscordFault e) {
                status = e.status();
                ObjectNode words = World.JSON.createObjectNode().put("message", String.valueOf(e.getMessage()));
                if (e.retryAfter().isPresent()) {
                    double seconds = e.retryAfter().get().toMillis() / 1000.0;
                    words.put("retry_after", seconds).put("global", e.isGlobal());
                    exchange.getResponseHeaders().add("Retry-After", String.valueOf((long) Math.ceil(seconds)));
                    exchange.getResponseHeaders().add("X-RateLimit-Scope", e.isGlobal() ? "global" : "user");
                    if (e.isGlobal()) {
                        exchange.getResponseHeaders().add("X-RateLimit-Global", "true");
                    }
                } else {
                    words.put("code", e.code());
                }
                if (!e.isSpoken()) {
                    respond(exchange, status, "text/html", "<html>no</html>".getBytes(StandardCharsets.UTF_8));
                    return;
                }
                answer = words;
            }
            synchronized (world) {
                if (begun != generation) {
                    return;
                }
            }
            byte[] bytes = answer.isMissingNode() ? new byte[0] : World.JSON.writeValueAsBytes(answer);
            respond(exchange, status, "application/json", bytes);
        }
    }

    private static void respond(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.getResponseHeaders().add("Via", "1.1 google");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private JsonNode asked(HttpExchange exchange, String path, byte[] bytes) throws DiscordFault {
        String verb = exchange.getRequestMethod();
        String route = verb + " "
                + path.replaceAll("(?<=/(interactions|webhooks)/[0-9]{1,20})/[^/]+", "/{token}")
                        .replaceAll("/[0-9]+", "/{id}")
                        .replaceAll("(?<=/reactions)/[^/]+", "/{emoji}");
        Map<String, byte[]> uploads = new LinkedHashMap<>();
        JsonNode body = body(exchange, bytes, uploads);
        calls.add(new Call(route, path, body));
        Deque<DiscordFault> faults = planned.getOrDefault(route, new ArrayDeque<>());
        if (!faults.isEmpty()) {
            throw faults.poll();
        }
        String given = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        boolean byToken = path.startsWith("/interactions/") || path.startsWith("/webhooks/");
        if (!byToken && (revoked || !given.equals("Bot " + token))) {
            throw new DiscordFault(401, 0, "401: Unauthorized");
        }
        return call(exchange, route, path.substring(1).split("/", -1), body, uploads);
    }

    private static JsonNode body(HttpExchange exchange, byte[] bytes, Map<String, byte[]> uploads) throws DiscordFault {
        String type = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
                .orElse("");
        try {
            if (type.startsWith("multipart/form-data")) {
                Multipart form = Multipart.of(type, bytes);
                uploads.putAll(form.files());
                return World.JSON.readTree(form.field("payload_json"));
            }
            return bytes.length == 0
                    ? World.JSON.createObjectNode()
                    : World.JSON.readTree(new String(bytes, StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new DiscordFault(400, 50_109, "The request body contains invalid JSON.");
        }
    }

    private JsonNode call(
            HttpExchange exchange, String route, String[] path, JsonNode body, Map<String, byte[]> uploads)
            throws DiscordFault {
        switch (route) {
            case "GET /users/@me" -> {
                return world.user(BOT).put("verified", true).put("mfa_enabled", false);
            }
            case "GET /applications/@me", "GET /oauth2/applications/@me" -> {
                return World.JSON
                        .createObjectNode()
                        .put("id", World.APPLICATION)
                        .put("name", "parley")
                        .put("flags", 1 << 19);
            }
            case "GET /gateway", "GET /gateway/bot" -> {
                ObjectNode answer = World.JSON
                        .createObjectNode()
                        .put("url", gateway.address())
                        .put("shards", 1);
                answer.putObject("session_start_limit")
                        .put("total", 1_000)
                        .put("remaining", 999)
                        .put("reset_after", 0)
                        .put("max_concurrency", 1);
                return answer;
            }
            case "GET /users/@me/channels" -> {
                return World.JSON.createArrayNode();
            }
            case "POST /users/@me/channels" -> {
                return world.direct(body.path("recipient_id").asText()).json.deepCopy();
            }
            case "GET /channels/{id}" -> {
                return world.found(path[1]).json.deepCopy();
            }
            case "GET /channels/{id}/messages" -> {
                ArrayNode page = World.JSON.createArrayNode();
                Channel channel = world.found(path[1]);
                Map<String, String> query = query(exchange);
                // Who asks for what is behind a message has seen everything up to it.
                Optional.ofNullable(query.get("after"))
                        .ifPresent(after -> channel.messages.stream()
                                .map(each -> each.path("id").asText())
                                .filter(id -> !World.isBehind(id, after))
                                .forEach(gateway::read));
                for (ObjectNode each : world.page(channel, query)) {
                    page.add(each.deepCopy());
                    gateway.read(each.path("id").asText());
                }
                return page;
            }
            case "GET /channels/{id}/messages/{id}" -> {
                return world.message(world.found(path[1]), path[3])
                        .orElseThrow(() -> new DiscordFault(404, 10_008, "Unknown Message"))
                        .deepCopy();
            }
            case "POST /channels/{id}/messages" -> {
                Channel channel = world.found(path[1]);
                pace(exchange, channel);
                return posted(channel, body, uploads);
            }
            case "PATCH /channels/{id}/messages/{id}" -> {
                Channel channel = world.found(path[1]);
                return changed(channel, world.own(channel, path[3]), body);
            }
            case "DELETE /channels/{id}/messages/{id}" -> {
                Channel channel = world.found(path[1]);
                channel.messages.remove(world.own(channel, path[3]));
                gateway.dispatch("MESSAGE_DELETE", deleted(channel, path[3]), false, "");
                return World.JSON.missingNode();
            }
            case "PUT /channels/{id}/messages/{id}/reactions/{emoji}/@me",
                    "DELETE /channels/{id}/messages/{id}/reactions/{emoji}/@me" -> {
                return reacted(world.found(path[1]), path[3], path[5], route.startsWith("PUT"));
            }
            case "POST /channels/{id}/typing" -> {
                world.found(path[1]);
                return World.JSON.missingNode();
            }
            case "POST /channels/{id}/threads" -> {
                return begun(world.found(path[1]), body, Optional.empty());
            }
            case "POST /channels/{id}/messages/{id}/threads" -> {
                return begun(world.found(path[1]), body, Optional.of(path[3]));
            }
            case "GET /guilds/{id}/members/{id}" -> {
                return world.member(path[3]);
            }
            case "PUT /applications/{id}/commands" -> {
                commands = body.deepCopy();
                commands.forEach(each -> ((ObjectNode) each)
                        .put("id", world.snowflake())
                        .put("application_id", World.APPLICATION)
                        .put("version", world.snowflake()));
                return commands.deepCopy();
            }
            case "GET /applications/{id}/commands" -> {
                return commands.deepCopy();
            }
            case "POST /interactions/{id}/{token}/callback" -> {
                return answered(interaction(path[2]), body);
            }
            case "PATCH /webhooks/{id}/{token}/messages/@original" -> {
                Interaction to = interaction(path[2]);
                ObjectNode message = to.response.orElseThrow(() -> new DiscordFault(404, 10_015, "Unknown Webhook"));
                message.put("flags", message.path("flags").asInt() & ~LOADING);
                return changed(to.channel, message, body);
            }
            case "DELETE /webhooks/{id}/{token}/messages/@original" -> {
                Interaction to = interaction(path[2]);
                to.response.ifPresent(to.channel.messages::remove);
                return World.JSON.missingNode();
            }
            default -> throw new DiscordFault(404, 0, "404: Not Found");
        }
    }

    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String raw = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
        for (String each : raw.split("&", -1)) {
            int at = each.indexOf('=');
            if (at > 0) {
                query.put(each.substring(0, at), URLDecoder.decode(each.substring(at + 1), StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    private void pace(HttpExchange exchange, Channel channel) throws DiscordFault {
        if (!limited) {
            return;
        }
        Instant now = world.now();
        Deque<Instant> sent = sentIn.computeIfAbsent(channel.id, id -> new ArrayDeque<>());
        while (!sent.isEmpty() && !sent.peek().plus(WINDOW).isAfter(now)) {
            sent.poll();
        }
        Duration reset = Duration.between(
                now, Optional.ofNullable(sent.peek()).orElse(now).plus(WINDOW));
        if (sent.size() >= MOST_IN_WINDOW) {
            throw DiscordFault.limit(reset, false);
        }
        sent.add(now);
        exchange.getResponseHeaders().add("X-RateLimit-Limit", String.valueOf(MOST_IN_WINDOW));
        exchange.getResponseHeaders().add("X-RateLimit-Remaining", String.valueOf(MOST_IN_WINDOW - sent.size()));
        exchange.getResponseHeaders().add("X-RateLimit-Reset-After", String.valueOf(reset.toMillis() / 1000.0));
        exchange.getResponseHeaders()
                .add("X-RateLimit-Reset", String.valueOf(now.plus(reset).toEpochMilli() / 1000.0));
        exchange.getResponseHeaders().add("X-RateLimit-Bucket", "messages");
    }

    private JsonNode posted(Channel channel, JsonNode body, Map<String, byte[]> uploads) throws DiscordFault {
        if (channel.type() == World.FORUM) {
            throw new DiscordFault(400, 50_008, "Cannot send messages in a non-text channel");
        }
        ObjectNode wish = body.deepCopy();
        ArrayNode kept = World.JSON.createArrayNode();
        uploads.forEach((name, content) -> kept.add(file(name, "application/octet-stream", content)));
        wish.set("attachments", kept);
        int before = channel.messages.size();
        ObjectNode message = world.post(channel, wish);
        if (channel.messages.size() > before) {
            tell(channel, message, false);
        }
        ObjectNode answer = message.deepCopy();
        if (body.has("nonce")) {
            answer.set("nonce", body.get("nonce"));
        }
        return answer;
    }

    private JsonNode changed(Channel channel, ObjectNode message, JsonNode body) throws DiscordFault {
        if (body.path("content").asText("").length() > 2_000) {
            throw new DiscordFault(400, 50_035, "Invalid Form Body");
        }
        for (String each : List.of("content", "components", "flags")) {
            if (body.has(each)) {
                message.set(each, body.get(each));
            }
        }
        message.put("edited_timestamp", world.now().toString());
        world.mentions(message);
        gateway.dispatch("MESSAGE_UPDATE", told(channel, message), false, "");
        return message.deepCopy();
    }

    private JsonNode reacted(Channel channel, String id, String emoji, boolean on) throws DiscordFault {
        ObjectNode message =
                world.message(channel, id).orElseThrow(() -> new DiscordFault(404, 10_008, "Unknown Message"));
        String name = URLDecoder.decode(emoji, StandardCharsets.UTF_8);
        ArrayNode others = World.JSON.createArrayNode();
        message.path("reactions").forEach(each -> {
            if (!each.path("emoji").path("name").asText().equals(name)) {
                others.add(each);
            }
        });
        if (on) {
            ObjectNode mine = others.addObject().put("count", 1).put("me", true);
            mine.putObject("emoji").putNull("id").put("name", name);
        }
        message.set("reactions", others);
        return World.JSON.missingNode();
    }

    private JsonNode begun(Channel parent, JsonNode body, Optional<String> message) throws DiscordFault {
        Channel thread = world.thread(parent, body.path("name").asText(), BOT, message);
        gateway.dispatch("THREAD_CREATE", thread.json.deepCopy().put("newly_created", true), false, "");
        if (body.has("message")) {
            tell(thread, world.add(thread, BOT, body.get("message")), false);
        }
        return thread.json.deepCopy();
    }

    private Interaction interaction(String secret) throws DiscordFault {
        Interaction interaction = interactions.get(secret);
        if (interaction == null || world.now().isAfter(interaction.at.plus(Duration.ofMinutes(15)))) {
            throw new DiscordFault(404, 10_062, "Unknown interaction");
        }
        return interaction;
    }

    private JsonNode answered(Interaction to, JsonNode body) throws DiscordFault {
        if (to.answered) {
            throw new DiscordFault(400, 40_060, "Interaction has already been acknowledged.");
        }
        if (world.now().isAfter(to.at.plusSeconds(3))) {
            throw new DiscordFault(404, 10_062, "Unknown interaction");
        }
        to.answered = true;
        int type = body.path("type").asInt();
        if (type == 4 || type == 5) {
            ObjectNode wish = World.JSON.createObjectNode();
            wish.setAll((ObjectNode) (body.has("data") ? body.get("data") : World.JSON.createObjectNode()));
            ObjectNode message = world.add(to.channel, BOT, wish);
            message.put("type", 20).put("flags", type == 5 ? LOADING : 0);
            ObjectNode about =
                    message.putObject("interaction_metadata").put("id", to.id).put("type", 2);
            about.set("user", world.user(to.person));
            about.putObject("authorizing_integration_owners");
            to.response = Optional.of(message);
            tell(to.channel, message, false);
        }
        return World.JSON.missingNode();
    }

    private void lying(HttpExchange exchange, String path) throws IOException {
        Optional<byte[]> content;
        synchronized (world) {
            content = Optional.ofNullable(files.get(path.split("/", -1)[2]));
        }
        // Files lie with another service, which is never shown the token.
        boolean told = exchange.getRequestHeaders().containsKey("Authorization");
        respond(
                exchange,
                content.isPresent() && !told ? 200 : 404,
                "application/octet-stream",
                told ? new byte[0] : content.orElse(new byte[0]));
    }
}
