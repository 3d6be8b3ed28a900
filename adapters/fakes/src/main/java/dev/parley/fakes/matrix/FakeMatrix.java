package dev.parley.fakes.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.fakes.matrix.Room.Event;
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
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A Matrix homeserver on loopback, with the part of the client-server API that bots use: syncs with gaps, the histories of rooms, names
 * of sent events by which a second sending is recognised, invitations, threads, replies, edits, upgrades of rooms, files that are given
 * to accounts alone. Limits and errors are answered with the codes of the real one. The people's side writes, edits, invites and sees.
 * What it holds outlives {@link #stop} and {@link #start}. Time is the given clock's, but for a sync that waits, which ends with the
 * next event or after its time-out on the wall. Safe for concurrent use.
 */
public final class FakeMatrix implements AutoCloseable {
    private static final com.fasterxml.jackson.databind.json.JsonMapper JSON = Homeserver.JSON;
    private static final int LARGEST_FILE = 50 << 20;

    private final Homeserver server;
    private final InstantSource clock;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "fake-matrix");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<String, Device> devices = new HashMap<>();
    private final Map<String, String> passwords = new HashMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final Map<String, Deque<MatrixError>> planned = new HashMap<>();
    private final Map<String, Stored> files = new LinkedHashMap<>();
    private final Map<String, Long> read = new HashMap<>();
    private final Map<String, Long> given = new HashMap<>();
    private final Map<Long, CompletableFuture<Boolean>> watched = new HashMap<>();
    private final Map<String, Boolean> typing = new HashMap<>();
    private final Map<String, String> receipts = new HashMap<>();
    private @Nullable HttpServer http;
    private int port;
    private long generation;
    private long nextToken = 1;
    private long syncs;

    private record Device(String user, String id) {}

    private record Stored(String name, String type, Bytes content) {}

    /** What was handed in, byte by byte. */
    private static final class Bytes {
        private final byte[] all;

        Bytes(byte[] all) {
            this.all = all.clone();
        }
    }

    /**
     * A call that was made.
     *
     * @param name what was called, such as {@code send} or {@code join}
     * @param arguments what its path names, such as the room
     * @param body what was handed in
     */
    public record Call(String name, List<String> arguments, JsonNode body) {}

    /**
     * A homeserver that answers on a free port.
     *
     * @param name its name, which stands in all ids, such as {@code parley.test}
     * @param clock time
     */
    public FakeMatrix(String name, InstantSource clock) {
        this.server = new Homeserver(name, clock);
        this.clock = clock;
        start();
    }

    // the service's side

    /** Returns the homeserver's address. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Begins to answer, on the same port as before; does nothing where it answers already. */
    public synchronized void start() {
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

    /** Breaks off all connections and answers nobody until {@link #start}; keeps everything. */
    public void stop() {
        HttpServer stopped;
        synchronized (this) {
            stopped = http;
            http = null;
            generation++;
            notifyAll();
        }
        if (stopped != null) {
            stopped.stop(0);
        }
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }

    /** Lets the next call of this name fail with 429 and this time to wait, as homeservers of today say it. */
    public synchronized void limit(String call, Duration retryAfter) {
        plan(
                call,
                new MatrixError(429, "M_LIMIT_EXCEEDED", "Too Many Requests", OptionalLong.of(retryAfter.toMillis())));
    }

    /** Lets the next call of this name fail with this status, code and words; without a code as a proxy fails. */
    public synchronized void fail(String call, int status, String code, String words) {
        plan(call, new MatrixError(status, code, words));
    }

    private void plan(String call, MatrixError error) {
        planned.computeIfAbsent(call, c -> new ArrayDeque<>()).add(error);
    }

    /** Returns the calls made so far, but for syncs. */
    public synchronized List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Returns the calls of one name made so far. */
    public synchronized List<Call> calls(String name) {
        return calls.stream().filter(call -> call.name().equals(name)).toList();
    }

    /** Returns how often somebody synced. */
    public synchronized long syncs() {
        return syncs;
    }

    /** Returns how many messages others have written that an account has not read past: its syncs go on from before them. */
    public synchronized int unread(String user) {
        long past = read.getOrDefault(user, -1L);
        int unread = 0;
        for (Room room : server.rooms()) {
            if (!room.membership(user).equals("leave")) {
                unread += (int) room.events.stream()
                        .filter(e -> e.position() > past
                                && !e.sender().equals(user)
                                && (e.type().equals("m.room.message")
                                        || !e.json().has("state_key")))
                        .count();
            }
        }
        return unread;
    }

    /**
     * Returns what becomes of the event that was written last: true once an account's sync goes on from behind it, false once it is told
     * a second time before.
     */
    public synchronized CompletionStage<Boolean> lastRead() {
        return watched.computeIfAbsent(server.position(), p -> new CompletableFuture<>());
    }

    /** Takes an account's tokens away. */
    public synchronized void revoke(String user) {
        devices.values().removeIf(device -> device.user().equals(user));
    }

    // the people's side

    /** Makes an account with an access token; returns its id. */
    public synchronized String bot(String localpart, String token) {
        String user = person(localpart);
        devices.put(token, new Device(user, "DEVICE" + nextToken++));
        return user;
    }

    /** Makes a person; returns their id. */
    public synchronized String person(String localpart) {
        String user = "@" + localpart + ":" + server.name;
        server.register(user, Character.toUpperCase(localpart.charAt(0)) + localpart.substring(1));
        return user;
    }

    /** Lets an account log in with a password, which makes a token and a device. */
    public synchronized void password(String user, String password) {
        passwords.put(user, password);
    }

    /** Lets a person begin a direct chat with an account, which is invited; returns the room. */
    public synchronized String directChat(String person, String with) {
        ObjectNode wish = JSON.createObjectNode().put("is_direct", true);
        wish.putArray("invite").add(with);
        return changed(server.createRoom(person, wish));
    }

    /** Lets a person make a room and invite accounts; returns the room. */
    public synchronized String room(String person, String name, String... invited) {
        ObjectNode wish = JSON.createObjectNode().put("name", name);
        List.of(invited).forEach(wish.putArray("invite")::add);
        return changed(server.createRoom(person, wish));
    }

    /** Lets somebody who is invited join. */
    public synchronized void join(String room, String user) {
        try {
            server.join(room, user);
            notifyAll();
        } catch (MatrixError e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Takes somebody out of a room. */
    public synchronized void remove(String room, String by, String user) {
        try {
            server.leave(room, by, user);
            notifyAll();
        } catch (MatrixError e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Lets a person write a text; returns the event. */
    public synchronized String write(String room, String person, String text) {
        return write(room, person, message(text));
    }

    /** Lets a person write whatever a message may be; returns the event. */
    public synchronized String write(String room, String person, JsonNode content) {
        return send(room, person, "m.room.message", content);
    }

    /** Lets a person send an event of any type; returns the event. */
    public synchronized String send(String room, String person, String type, JsonNode content) {
        try {
            return changed(server.send(room, person, "people", type, "p" + server.position(), content));
        } catch (MatrixError e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Lets a person change the state of a room; returns the event. */
    public synchronized String state(String room, String person, String type, ObjectNode content) {
        return changed(server.state(server.known(room), person, type, "", content));
    }

    /** Lets a person take an event back. */
    public synchronized String redact(String room, String person, String event) {
        try {
            return changed(server.redact(room, person, "people", event, "p" + server.position()));
        } catch (MatrixError e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Turns a room into a new one, which is open to all; returns the new one. */
    public synchronized String upgrade(String room, String person) {
        return changed(server.upgrade(room, person));
    }

    /** Puts any event into a room, as malformed as wanted. */
    public synchronized void offer(String room, ObjectNode event) {
        server.offer(room, event);
        notifyAll();
    }

    /** Keeps a file; returns its address. */
    public synchronized String file(String name, String type, byte[] content) {
        String id = "file" + (files.size() + 1);
        files.put(id, new Stored(name, type, new Bytes(content)));
        return "mxc://" + server.name + "/" + id;
    }

    /** Returns a kept file. */
    public synchronized byte[] file(String address) {
        return Optional.ofNullable(files.get(address.substring(address.lastIndexOf('/') + 1)))
                .orElseThrow(() -> new IllegalArgumentException("There is no file " + address + "."))
                .content()
                .all
                .clone();
    }

    /** Returns a text message. */
    public static ObjectNode message(String text) {
        return JSON.createObjectNode().put("msgtype", "m.text").put("body", text);
    }

    /** Returns what an account has shown in a room, as it reads now. */
    public synchronized List<Shown> shown(String room, String sender) {
        Map<String, Shown> shown = new LinkedHashMap<>();
        for (Event event : server.known(room).events) {
            if (!event.type().equals("m.room.message") || !event.sender().equals(sender)) {
                continue;
            }
            JsonNode content = event.content();
            JsonNode relation = content.path("m.relates_to");
            if (relation.path("rel_type").asText().equals("m.replace")) {
                String target = relation.path("event_id").asText();
                shown.computeIfPresent(target, (id, before) -> edited(before, content.path("m.new_content")));
            } else if (content.has("body")) {
                shown.put(event.id(), shown(room, event));
            }
        }
        return List.copyOf(shown.values());
    }

    private static Shown shown(String room, Event event) {
        JsonNode relation = event.content().path("m.relates_to");
        boolean threaded = relation.path("rel_type").asText().equals("m.thread");
        boolean replies = relation.has("m.in_reply_to")
                && !relation.path("is_falling_back").asBoolean(false);
        return new Shown(
                room,
                event.id(),
                event.sender(),
                threaded ? Optional.of(relation.path("event_id").asText()) : Optional.empty(),
                replies
                        ? Optional.of(
                                relation.path("m.in_reply_to").path("event_id").asText())
                        : Optional.empty(),
                event.content().path("body").asText(),
                event.content(),
                0);
    }

    private static Shown edited(Shown before, JsonNode content) {
        return new Shown(
                before.room(),
                before.id(),
                before.sender(),
                before.thread(),
                before.replyTo(),
                content.path("body").asText(),
                content,
                before.edits() + 1);
    }

    /** Returns somebody's membership of a room: {@code join}, {@code invite} or {@code leave}. */
    public synchronized String membership(String room, String user) {
        return server.known(room).membership(user);
    }

    /** Returns what an account keeps with the homeserver; absent where it keeps nothing of that type. */
    public synchronized Optional<JsonNode> accountData(String user, String type) {
        try {
            return Optional.of(server.accountData(user, type));
        } catch (MatrixError e) {
            return Optional.empty();
        }
    }

    /** Returns whether somebody is shown to write in a room. */
    public synchronized boolean isTyping(String room, String user) {
        return typing.getOrDefault(room + user, false);
    }

    /** Returns up to which event somebody has read a room. */
    public synchronized Optional<String> receipt(String room, String user) {
        return Optional.ofNullable(receipts.get(room + user));
    }

    private synchronized String changed(String id) {
        notifyAll();
        return id;
    }

    // answers

    /** A call as it came. */
    private record Request(
            String verb,
            List<String> path,
            Map<String, String> query,
            Optional<Device> device,
            Bytes raw,
            String type) {
        JsonNode body() throws MatrixError {
            if (raw.all.length == 0) {
                return JSON.createObjectNode();
            }
            try {
                return JSON.readTree(raw.all);
            } catch (IOException e) {
                throw MatrixError.badRequest("M_NOT_JSON", "Content not JSON.");
            }
        }

        String user() {
            return device.orElseThrow().user();
        }

        String deviceId() {
            return device.orElseThrow().id();
        }

        /** Returns what stands at the stars of a pattern; absent where the path is another. */
        Optional<List<String>> match(String wantedVerb, String pattern) {
            String[] wanted = pattern.split("/", -1);
            if (!verb.equals(wantedVerb) || wanted.length != path.size()) {
                return Optional.empty();
            }
            List<String> values = new ArrayList<>();
            for (int i = 0; i < wanted.length; i++) {
                if (wanted[i].equals("*")) {
                    values.add(path.get(i));
                } else if (!wanted[i].equals(path.get(i))) {
                    return Optional.empty();
                }
            }
            return Optional.of(values);
        }
    }

    private interface Handler {
        JsonNode answer(Request request, List<String> values) throws MatrixError;
    }

    private record Route(String verb, String pattern, String name, Handler handler) {}

    private final List<Route> routes = List.of(
            new Route(
                    "GET",
                    "client/v3/account/whoami",
                    "whoami",
                    (r, v) -> JSON.createObjectNode()
                            .put("user_id", r.user())
                            .put("device_id", r.deviceId())
                            .put("is_guest", false)),
            new Route("GET", "client/v3/sync", "sync", (r, v) -> sync(r)),
            new Route(
                    "GET",
                    "client/v3/rooms/*/messages",
                    "messages",
                    (r, v) -> server().messages(v.get(0), r.user(), r.deviceId(), r.query())),
            new Route("GET", "client/v3/rooms/*/event/*", "event", (r, v) -> event(r, v.get(0), v.get(1))),
            new Route("GET", "client/v3/rooms/*/state/*/*", "state", (r, v) -> state(r, v)),
            new Route("GET", "client/v3/rooms/*/state/*", "state", (r, v) -> state(r, v)),
            new Route("PUT", "client/v3/rooms/*/state/*/*", "put_state", (r, v) -> putState(r, v)),
            new Route(
                    "PUT",
                    "client/v3/rooms/*/send/*/*",
                    "send",
                    (r, v) -> id(server().send(v.get(0), r.user(), r.deviceId(), v.get(1), v.get(2), r.body()))),
            new Route(
                    "PUT",
                    "client/v3/rooms/*/redact/*/*",
                    "redact",
                    (r, v) -> id(server().redact(v.get(0), r.user(), r.deviceId(), v.get(1), v.get(2)))),
            new Route(
                    "POST",
                    "client/v3/createRoom",
                    "create",
                    (r, v) -> JSON.createObjectNode().put("room_id", server().createRoom(r.user(), r.body()))),
            new Route("POST", "client/v3/rooms/*/join", "join", (r, v) -> joining(r, v.get(0))),
            new Route("POST", "client/v3/join/*", "join", (r, v) -> joining(r, v.get(0))),
            new Route("POST", "client/v3/rooms/*/leave", "leave", (r, v) -> {
                server().leave(v.get(0), r.user(), r.user());
                return JSON.createObjectNode();
            }),
            new Route("POST", "client/v3/rooms/*/invite", "invite", (r, v) -> {
                server().invite(v.get(0), r.user(), r.body().path("user_id").asText());
                return JSON.createObjectNode();
            }),
            new Route("GET", "client/v3/user/*/account_data/*", "account_data", (r, v) -> {
                own(r, v.get(0));
                return server().accountData(v.get(0), v.get(1));
            }),
            new Route("PUT", "client/v3/user/*/account_data/*", "put_account_data", (r, v) -> {
                own(r, v.get(0));
                server().putAccountData(v.get(0), v.get(1), r.body());
                return JSON.createObjectNode();
            }),
            new Route("PUT", "client/v3/rooms/*/typing/*", "typing", (r, v) -> typing(r, v.get(0), v.get(1))),
            new Route("POST", "client/v3/rooms/*/receipt/*/*", "receipt", (r, v) -> receipt(r, v)),
            new Route("GET", "client/v3/profile/*", "profile", (r, v) -> profile(v.get(0))),
            new Route("GET", "client/v3/profile/*/displayname", "profile", (r, v) -> profile(v.get(0))),
            new Route(
                    "GET",
                    "client/v1/media/config",
                    "media_config",
                    (r, v) -> JSON.createObjectNode().put("m.upload.size", LARGEST_FILE)),
            new Route("POST", "media/v3/upload", "upload", (r, v) -> upload(r)));

    /** Routes are made before the constructor's body runs. */
    private Homeserver server() {
        return server;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] raw = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getRawPath();
            int status = 200;
            JsonNode reply;
            try {
                if (path.equals("/.well-known/matrix/client")) {
                    ObjectNode known = JSON.createObjectNode();
                    known.putObject("m.homeserver").put("base_url", address().toString());
                    reply = known;
                } else if (!path.startsWith("/_matrix/")) {
                    throw new MatrixError(404, "M_UNRECOGNIZED", "Unrecognized request");
                } else {
                    Request request = request(exchange, path.substring("/_matrix/".length()), raw);
                    Optional<List<String>> wanted = request.match("GET", "client/v1/media/download/*/*");
                    if (wanted.isPresent()) {
                        content(exchange, request, wanted.get());
                        return;
                    }
                    reply = call(request);
                }
            } catch (MatrixError e) {
                status = e.status;
                reply = MissingNode.getInstance();
                if (!e.code.isEmpty()) {
                    ObjectNode error =
                            JSON.createObjectNode().put("errcode", e.code).put("error", e.getMessage());
                    e.retryAfterMillis.ifPresent(millis -> error.put("retry_after_ms", millis));
                    if (e.status == 401) {
                        error.put("soft_logout", false);
                    }
                    reply = error;
                }
                if (e.retryAfterMillis.isPresent()) {
                    long seconds = (e.retryAfterMillis.getAsLong() + 999) / 1000;
                    exchange.getResponseHeaders().add("Retry-After", String.valueOf(seconds));
                }
            }
            byte[] body = reply.isMissingNode()
                    ? "<html>no homeserver</html>".getBytes(StandardCharsets.UTF_8)
                    : reply.toString().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", reply.isMissingNode() ? "text/html" : "application/json");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Request request(HttpExchange exchange, String path, byte[] raw) {
        List<String> segments = new ArrayList<>();
        for (String segment : path.split("/", -1)) {
            segments.add(URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8));
        }
        Map<String, String> query = new HashMap<>();
        String asked =
                Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
        for (String pair : asked.split("&", -1)) {
            int sign = pair.indexOf('=');
            if (sign > 0) {
                query.put(pair.substring(0, sign), URLDecoder.decode(pair.substring(sign + 1), StandardCharsets.UTF_8));
            }
        }
        String authorization = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        String type = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
                .orElse("application/octet-stream");
        Optional<Device> device;
        synchronized (this) {
            device = Optional.ofNullable(devices.get(authorization.replaceFirst("^Bearer ", "")));
        }
        return new Request(exchange.getRequestMethod(), segments, query, device, new Bytes(raw), type);
    }

    private synchronized JsonNode call(Request request) throws MatrixError {
        if (request.match("GET", "client/versions").isPresent()) {
            ObjectNode versions = JSON.createObjectNode();
            versions.putArray("versions").add("v1.10").add("v1.11");
            return versions;
        }
        if (request.match("POST", "client/v3/login").isPresent()) {
            return login(request.body());
        }
        for (Route route : routes) {
            Optional<List<String>> values = request.match(route.verb(), route.pattern());
            if (values.isPresent()) {
                authenticate(request);
                if (route.name().equals("sync")) {
                    syncs++;
                } else {
                    calls.add(new Call(
                            route.name(),
                            values.get(),
                            route.name().equals("upload") ? MissingNode.getInstance() : request.body()));
                }
                failAsPlanned(route.name());
                JsonNode answer = route.handler().answer(request, values.get());
                if (!request.verb().equals("GET")) {
                    notifyAll();
                }
                return answer;
            }
        }
        throw new MatrixError(404, "M_UNRECOGNIZED", "Unrecognized request");
    }

    private static void authenticate(Request request) throws MatrixError {
        if (request.device().isEmpty()) {
            throw new MatrixError(401, "M_UNKNOWN_TOKEN", "Invalid access token passed.");
        }
    }

    private void failAsPlanned(String name) throws MatrixError {
        Deque<MatrixError> errors = planned.get(name);
        if (errors != null && !errors.isEmpty()) {
            throw errors.poll();
        }
    }

    private JsonNode login(JsonNode wish) throws MatrixError {
        String named =
                wish.path("identifier").path("user").asText(wish.path("user").asText());
        String user = named.startsWith("@") ? named : "@" + named + ":" + server.name;
        boolean right = wish.path("type").asText().equals("m.login.password")
                && wish.path("password").asText().equals(passwords.get(user));
        if (!right) {
            throw MatrixError.forbidden("Invalid username or password");
        }
        String token = "token" + nextToken;
        Device device = new Device(user, "DEVICE" + nextToken++);
        devices.put(token, device);
        return JSON.createObjectNode()
                .put("user_id", user)
                .put("access_token", token)
                .put("home_server", server.name)
                .put("device_id", device.id());
    }

    private static JsonNode id(String event) {
        return JSON.createObjectNode().put("event_id", event);
    }

    private static void own(Request request, String user) throws MatrixError {
        if (!request.user().equals(user)) {
            throw MatrixError.forbidden("Cannot get account data for other users.");
        }
    }

    private JsonNode joining(Request request, String room) throws MatrixError {
        server.join(room, request.user());
        return JSON.createObjectNode().put("room_id", room);
    }

    private JsonNode event(Request request, String roomId, String id) throws MatrixError {
        Room room = server.joined(roomId, request.user());
        Event event = room.byId.get(id);
        if (event == null) {
            throw MatrixError.notFound("Event not found.");
        }
        return server.withThread(room, event, request.user(), request.deviceId());
    }

    private JsonNode state(Request request, List<String> values) throws MatrixError {
        Room room = server.room(values.get(0));
        if (room.memberSince(request.user()) == 0) {
            throw MatrixError.forbidden("You aren't a member of the room.");
        }
        return room.state(values.get(1), values.size() > 2 ? values.get(2) : "")
                .orElseThrow(() -> MatrixError.notFound("Event not found."))
                .content();
    }

    private JsonNode putState(Request request, List<String> values) throws MatrixError {
        Room room = server.joined(values.get(0), request.user());
        JsonNode content = request.body();
        if (!(content instanceof ObjectNode object)) {
            throw MatrixError.badRequest("M_BAD_JSON", "Content must be a JSON object.");
        }
        return id(server.state(room, request.user(), values.get(1), values.get(2), object));
    }

    private JsonNode typing(Request request, String room, String user) throws MatrixError {
        server.joined(room, request.user());
        own(request, user);
        typing.put(room + user, request.body().path("typing").asBoolean(false));
        return JSON.createObjectNode();
    }

    private JsonNode receipt(Request request, List<String> values) throws MatrixError {
        Room room = server.joined(values.get(0), request.user());
        Event event = room.byId.get(values.get(2));
        JsonNode relation =
                event == null ? MissingNode.getInstance() : event.content().path("m.relates_to");
        String root = relation.path("rel_type").asText().equals("m.thread")
                ? relation.path("event_id").asText()
                : "main";
        String thread = request.body().path("thread_id").asText();
        if (!thread.isEmpty() && event != null && !thread.equals(root) && !thread.equals(event.id())) {
            throw MatrixError.badRequest("M_INVALID_PARAM", "event_id is not related to thread_id");
        }
        receipts.put(room.id + request.user(), values.get(2));
        return JSON.createObjectNode();
    }

    private JsonNode profile(String user) throws MatrixError {
        if (!server.isRegistered(user)) {
            throw MatrixError.notFound("Profile was not found");
        }
        return JSON.createObjectNode().put("displayname", server.displayName(user));
    }

    private JsonNode upload(Request request) throws MatrixError {
        if (request.raw().all.length > LARGEST_FILE) {
            throw new MatrixError(413, "M_TOO_LARGE", "Upload request body is too large");
        }
        String address = file(request.query().getOrDefault("filename", ""), request.type(), request.raw().all);
        return JSON.createObjectNode().put("content_uri", address);
    }

    private void content(HttpExchange exchange, Request request, List<String> values) throws IOException, MatrixError {
        Stored found;
        synchronized (this) {
            calls.add(new Call("download", values, MissingNode.getInstance()));
            authenticate(request);
            failAsPlanned("download");
            found = values.get(0).equals(server.name) ? files.get(values.get(1)) : null;
        }
        if (found == null) {
            throw MatrixError.notFound("Not found");
        }
        exchange.getResponseHeaders().add("Content-Type", found.type());
        exchange.sendResponseHeaders(200, found.content().all.length == 0 ? -1 : found.content().all.length);
        exchange.getResponseBody().write(found.content().all);
    }

    // syncs

    private JsonNode sync(Request request) throws MatrixError {
        String token = request.query().getOrDefault("since", "");
        long since = token.isEmpty() ? -1 : (long) Math.floor(Homeserver.boundary(token));
        boolean fullState = request.query().getOrDefault("full_state", "false").equals("true");
        Homeserver.Filter filter = Homeserver.Filter.of(request.query().getOrDefault("filter", ""));
        String user = request.user();
        readUpTo(user, since);
        boolean waits = since >= 0 && !fullState;
        long end = System.nanoTime() + Homeserver.number(request.query(), "timeout", 0) * 1_000_000L;
        long mine = generation;
        while (waits && mine == generation && !server.hasNews(user, since)) {
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
        }
        JsonNode answer = server.sync(user, request.deviceId(), since, fullState, filter);
        given.merge(user, server.position(), Math::max);
        return answer;
    }

    /** Notes that an account goes on from a place: everything before it is read, and what was told behind it is told again. */
    private void readUpTo(String user, long since) {
        read.merge(user, since, Math::max);
        long told = given.getOrDefault(user, -1L);
        watched.forEach((position, outcome) -> {
            if (since >= position) {
                outcome.complete(true);
            } else if (told >= position) {
                outcome.complete(false);
            }
        });
    }

    @Override
    public String toString() {
        return "a Matrix homeserver at " + address() + ", at " + clock.instant();
    }
}
