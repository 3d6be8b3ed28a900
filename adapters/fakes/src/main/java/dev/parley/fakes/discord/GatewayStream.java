package dev.parley.fakes.discord;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.java_websocket.WebSocket;
import org.java_websocket.exceptions.WebsocketNotConnectedException;
import org.java_websocket.handshake.ClientHandshake;
import org.java_websocket.server.WebSocketServer;
import org.jspecify.annotations.Nullable;

/**
 * Gives events to bots by the gateway: numbered in each session, again from where a bot resumes its session. A session that nobody uses
 * lives for three minutes more, unless it was closed with one of the two codes that end it. Everything happens under the world's lock.
 */
final class GatewayStream {
    private static final Duration LIFE = Duration.ofMinutes(3);
    private static final int MOST_KEPT = 5_000;
    /** Until a server has ended its port is taken, and a next one finds none. */
    private static final int LONGEST_END_MILLIS = 60_000;

    private static final int NORMAL = 1000;
    private static final int GOING_AWAY = 1001;
    private static final int GUILD_MESSAGES = 1 << 9;
    private static final int DIRECT_MESSAGES = 1 << 12;
    private static final int MESSAGE_CONTENT = 1 << 15;

    private final World world;
    private final String token;
    private final Executor threads;
    private final int port;
    private final Map<String, Session> sessions = new LinkedHashMap<>();
    private final List<Counted> counted = new ArrayList<>();
    private final Map<WebSocket, Optional<Session>> open = new LinkedHashMap<>();
    private int tellPort;
    private Duration interval = Duration.ofMillis(41_250);
    private int refused;
    private boolean revoked;
    private long identified;
    private long resumed;
    private boolean silent;
    private @Nullable Server server;

    /** What a bot may resume. */
    private static final class Session {
        final String id = UUID.randomUUID().toString().replace("-", "");
        final int intents;
        final List<ObjectNode> events = new ArrayList<>();
        int first = 1;
        int acknowledged;

        @Nullable
        WebSocket socket;

        Instant left = Instant.MAX;

        Session(int intents) {
            this.intents = intents;
        }

        int next() {
            return first + events.size();
        }
    }

    /** Something that people did, with the number it has in each session. */
    private static final class Counted {
        final String message;
        final Map<Session, Integer> numbers = new LinkedHashMap<>();
        final CompletableFuture<Boolean> fate = new CompletableFuture<>();
        boolean read;

        Counted(String message) {
            this.message = message;
        }
    }

    GatewayStream(World world, String token, Executor threads) {
        this.world = world;
        this.token = token;
        this.threads = threads;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.tellPort = port;
    }

    int port() {
        return port;
    }

    void tellPort(int other) {
        tellPort = other;
    }

    String address() {
        return "ws://127.0.0.1:" + tellPort;
    }

    void interval(Duration every) {
        interval = every;
    }

    /** Refuses sessions that ask for one of these intents. */
    void refuse(int intents) {
        refused = intents;
    }

    void revoke() {
        revoked = true;
    }

    /** Answers heartbeats no more, as a connection that is dead and does not know it. */
    void silent(boolean on) {
        silent = on;
    }

    long identified() {
        return identified;
    }

    long resumed() {
        return resumed;
    }

    /** Returns how many connections have a session. */
    int connections() {
        return (int) open.values().stream().filter(Optional::isPresent).count();
    }

    // events

    /** Tells every session of something; what counts is waited for until a session acknowledges it. */
    CompletionStage<Boolean> dispatch(String type, ObjectNode payload, boolean counts, String message) {
        expire();
        Counted work = new Counted(message);
        for (Session session : sessions.values()) {
            Optional<ObjectNode> told = seen(session, type, payload);
            if (told.isPresent()) {
                work.numbers.put(session, session.next());
                tell(session, type, told.get());
            }
        }
        if (counts) {
            counted.add(work);
        }
        return work.fate;
    }

    private static Optional<ObjectNode> seen(Session session, String type, ObjectNode payload) {
        boolean direct = !payload.has("guild_id");
        if (type.startsWith("MESSAGE_") && (session.intents & (direct ? DIRECT_MESSAGES : GUILD_MESSAGES)) == 0) {
            return Optional.empty();
        }
        boolean hidden = type.equals("MESSAGE_CREATE")
                && (session.intents & MESSAGE_CONTENT) == 0
                && !direct
                && !payload.path("mentions").findValuesAsText("id").contains(World.BOT);
        return Optional.of(hidden ? payload.deepCopy().put("content", "") : payload);
    }

    private void tell(Session session, String type, JsonNode payload) {
        ObjectNode frame = frame(0);
        frame.set("d", payload.deepCopy());
        frame.put("s", session.next()).put("t", type);
        session.events.add(frame);
        if (session.events.size() > MOST_KEPT) {
            session.events.remove(0);
            session.first++;
        }
        if (session.socket != null) {
            send(session.socket, frame);
        }
    }

    private static ObjectNode frame(int op) {
        return World.JSON
                .createObjectNode()
                .put("op", op)
                .putNull("d")
                .putNull("s")
                .putNull("t");
    }

    private void send(WebSocket socket, ObjectNode frame) {
        try {
            socket.send(frame.toString());
        } catch (WebsocketNotConnectedException gone) {
            left(socket, 1006);
        }
    }

    private void expire() {
        Instant now = world.now();
        sessions.values().removeIf(session -> session.socket == null && !now.isBefore(session.left));
    }

    /** Notes that a bot has seen a message in a channel's history. */
    void read(String message) {
        counted.stream().filter(work -> work.message.equals(message)).forEach(work -> work.read = true);
    }

    private static boolean done(Counted work, boolean taken) {
        work.fate.complete(taken);
        return true;
    }

    /** Returns how much of what people did no session has acknowledged, and nobody has read that no session tells of. */
    int unread() {
        expire();
        counted.removeIf(work ->
                work.read && work.numbers.keySet().stream().noneMatch(sessions::containsValue) && done(work, true));
        return counted.size();
    }

    private void acknowledged(Session session, int number) {
        session.acknowledged = Math.max(session.acknowledged, number);
        counted.removeIf(work -> Optional.ofNullable(work.numbers.get(session))
                        .filter(each -> each <= number)
                        .isPresent()
                && done(work, true));
    }

    /** Ends all sessions, as after a long absence. */
    void endSessions() {
        sessions.clear();
        close(4009);
    }

    /** Asks every bot to connect anew. */
    void askToReconnect() {
        List.copyOf(open.keySet()).forEach(socket -> send(socket, frame(7)));
    }

    /** Tells every bot that its session is none; one that is left may be resumed. */
    void invalidate(boolean left) {
        if (!left) {
            sessions.clear();
        }
        List.copyOf(open.keySet()).forEach(socket -> send(socket, frame(9).put("d", left)));
    }

    /** Breaks every connection off. */
    void drop() {
        for (WebSocket socket : List.copyOf(open.keySet())) {
            left(socket, 1006);
            end(() -> socket.closeConnection(1006, "dropped"));
        }
    }

    /** Closes every connection with a code of Discord's. */
    void close(int code) {
        for (WebSocket socket : List.copyOf(open.keySet())) {
            left(socket, code);
            end(() -> socket.close(code, "closed"));
        }
    }

    /** Ends a connection on a thread of its own: whoever ends one waits for what tells of its end, and that waits for the world. */
    private void end(Runnable connection) {
        threads.execute(connection);
    }

    private void left(WebSocket socket, int code) {
        Optional<Session> session = Optional.ofNullable(open.remove(socket)).flatMap(each -> each);
        session.filter(each -> each.socket == socket).ifPresent(each -> {
            each.socket = null;
            each.left = world.now().plus(LIFE);
            if (code == NORMAL || code == GOING_AWAY) {
                sessions.remove(each.id);
            }
        });
    }

    // what bots say

    private void said(WebSocket socket, JsonNode frame) {
        JsonNode d = frame.path("d");
        switch (frame.path("op").asInt(-1)) {
            case 1 -> {
                open.getOrDefault(socket, Optional.empty()).ifPresent(session -> acknowledged(session, d.asInt()));
                if (!silent) {
                    send(socket, frame(11));
                }
            }
            case 2 -> identify(socket, d);
            case 6 -> resume(socket, d);
            case 3, 4, 8, 31 -> {
                // Presence, voice, members and sounds: nothing of it is here.
            }
            default -> end(() -> socket.close(4001, "Unknown opcode."));
        }
    }

    private boolean isTaken(WebSocket socket, JsonNode d) {
        if (revoked || !d.path("token").asText().equals(token)) {
            end(() -> socket.close(4004, "Authentication failed."));
            return false;
        }
        return true;
    }

    private void identify(WebSocket socket, JsonNode d) {
        identified++;
        if (!isTaken(socket, d)) {
            return;
        }
        if ((d.path("intents").asInt() & refused) != 0) {
            end(() -> socket.close(4014, "Disallowed intent(s)."));
            return;
        }
        Session session = new Session(d.path("intents").asInt());
        sessions.put(session.id, session);
        use(session, socket);
        ObjectNode ready = World.JSON.createObjectNode().put("v", 10).put("session_id", session.id);
        ready.put("resume_gateway_url", address()).put("session_type", "normal");
        ready.set("user", world.user(World.BOT).put("verified", true).put("mfa_enabled", false));
        ready.putArray("private_channels");
        ready.putObject("application").put("id", World.APPLICATION).put("flags", 1 << 19);
        ready.putArray("shard").add(0).add(1);
        world.guilds()
                .forEach(guild -> ready.withArray("guilds")
                        .addObject()
                        .put("id", guild.id)
                        .put("unavailable", true));
        if (world.guilds().isEmpty()) {
            ready.putArray("guilds");
        }
        tell(session, "READY", ready);
        world.guilds().forEach(guild -> tell(session, "GUILD_CREATE", world.told(guild)));
    }

    private void resume(WebSocket socket, JsonNode d) {
        if (!isTaken(socket, d)) {
            return;
        }
        expire();
        Session session = sessions.get(d.path("session_id").asText());
        int seen = d.path("seq").asInt();
        if (session == null || seen >= session.next() || seen < session.first - 1) {
            send(socket, frame(9).put("d", false));
            return;
        }
        resumed++;
        if (session.socket != null) {
            WebSocket before = session.socket;
            left(before, 4000);
            end(() -> before.closeConnection(4000, "resumed elsewhere"));
        }
        acknowledged(session, seen);
        counted.forEach(work -> {
            if (work.numbers.containsKey(session)) {
                work.fate.complete(false);
            }
        });
        use(session, socket);
        for (ObjectNode event : List.copyOf(session.events.subList(seen - session.first + 1, session.events.size()))) {
            send(socket, event);
        }
        ObjectNode done = World.JSON.createObjectNode();
        done.putArray("_trace");
        tell(session, "RESUMED", done);
    }

    private void use(Session session, WebSocket socket) {
        session.socket = socket;
        session.left = Instant.MAX;
        open.put(socket, Optional.of(session));
    }

    void start() {
        Server made;
        synchronized (world) {
            if (server != null) {
                return;
            }
            made = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            made.setReuseAddr(true);
            made.setDaemon(true);
            made.setConnectionLostTimeout(0);
            made.start();
            server = made;
        }
        try {
            made.started.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            synchronized (world) {
                server = null;
            }
            throw new IllegalStateException("The port " + port + " cannot be listened at.", e.getCause());
        }
    }

    void stop() {
        Server last;
        synchronized (world) {
            last = server;
            server = null;
            drop();
        }
        if (last != null) {
            try {
                last.stop(LONGEST_END_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final class Server extends WebSocketServer {
        final CompletableFuture<Void> started = new CompletableFuture<>();

        Server(InetSocketAddress at) {
            super(at, 1);
        }

        @Override
        public void onOpen(WebSocket socket, ClientHandshake handshake) {
            synchronized (world) {
                open.put(socket, Optional.empty());
                ObjectNode hello = frame(10);
                hello.putObject("d").put("heartbeat_interval", interval.toMillis());
                send(socket, hello);
            }
        }

        @Override
        public void onClose(WebSocket socket, int code, String reason, boolean remote) {
            synchronized (world) {
                left(socket, code);
            }
        }

        @Override
        public void onMessage(WebSocket socket, String message) {
            JsonNode frame;
            try {
                frame = World.JSON.readTree(message);
            } catch (JsonProcessingException notJson) {
                socket.close(4002, "Error while decoding payload.");
                return;
            }
            synchronized (world) {
                said(socket, frame);
            }
        }

        @Override
        public void onError(@Nullable WebSocket socket, Exception failure) {
            if (socket == null) {
                started.completeExceptionally(failure);
            }
            // Otherwise the connection ends, which is told too.
        }

        @Override
        public void onStart() {
            started.complete(null);
        }
    }
}
