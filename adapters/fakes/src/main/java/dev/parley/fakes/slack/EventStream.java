package dev.parley.fakes.slack;

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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.java_websocket.WebSocket;
import org.java_websocket.exceptions.WebsocketNotConnectedException;
import org.java_websocket.handshake.ClientHandshake;
import org.java_websocket.server.WebSocketServer;
import org.jspecify.annotations.Nullable;

/**
 * Gives events to apps by Socket Mode: to one of the open connections each, again where it is not acknowledged within three seconds,
 * after a minute and after five, and then no more. Time is the given clock's. Safe for concurrent use.
 */
final class EventStream {
    private static final List<Duration> RETRIES =
            List.of(Duration.ofSeconds(3), Duration.ofSeconds(60), Duration.ofSeconds(300));
    private static final int LOOK_MILLIS = 5;
    /** Until a server has ended its port is taken, and a next one finds none. */
    private static final int LONGEST_END_MILLIS = 60_000;

    private final InstantSource clock;
    private final int port;
    private final Set<String> tickets = new HashSet<>();
    private final List<WebSocket> open = new ArrayList<>();
    private final List<Work> waiting = new ArrayList<>();
    private int turn;
    private long number;
    private long opened;
    private int endingAtOnce;
    private @Nullable Server server;
    private @Nullable Thread looking;

    /** Something an app is to be told. */
    static final class Work {
        final String type;
        final ObjectNode payload;
        final boolean counted;
        final boolean again;
        final Set<String> envelopes = new HashSet<>();
        final CompletableFuture<Boolean> fate = new CompletableFuture<>();
        int attempts;
        Instant due;

        Work(String type, ObjectNode payload, boolean counted, boolean again, Instant due) {
            this.type = type;
            this.payload = payload;
            this.counted = counted;
            this.again = again;
            this.due = due;
        }
    }

    EventStream(InstantSource clock) {
        this.clock = clock;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    /** Returns a ticket for one connection. */
    synchronized String ticket() {
        String ticket = UUID.randomUUID().toString();
        tickets.add(ticket);
        return ticket;
    }

    private synchronized boolean taken(String ticket) {
        return tickets.remove(ticket);
    }

    synchronized long opened() {
        return opened;
    }

    synchronized int connections() {
        return open.size();
    }

    /** Offers something; one that is told only once is of no use later. */
    synchronized CompletionStage<Boolean> offer(String type, ObjectNode payload, boolean counted, boolean again) {
        Work work = new Work(type, payload, counted, again, clock.instant());
        waiting.add(work);
        give(work);
        return work.fate;
    }

    /** Returns how much of what counts is still offered. */
    synchronized int unread() {
        return (int) waiting.stream().filter(work -> work.counted).count();
    }

    /** Gives up everything that is offered, as Slack does after its last try. */
    synchronized void giveUp() {
        waiting.forEach(work -> work.fate.complete(false));
        waiting.clear();
    }

    /** Sends every connection a frame. */
    synchronized void tellAll(ObjectNode frame) {
        open.forEach(socket -> socket.send(frame.toString()));
    }

    /** Ends so many of the next connections as soon as they are open. */
    synchronized void endAtOnce(int connections) {
        endingAtOnce = connections;
    }

    /** Breaks every connection off. */
    void drop() {
        List<WebSocket> all;
        synchronized (this) {
            all = List.copyOf(open);
            open.clear();
        }
        all.forEach(socket -> socket.closeConnection(1006, "dropped"));
    }

    private void give(Work work) {
        Instant now = clock.instant();
        boolean last = work.attempts >= (work.again ? RETRIES.size() + 1 : 1);
        if (last) {
            waiting.remove(work);
            work.fate.complete(false);
            return;
        }
        work.due = now.plus(RETRIES.get(Math.min(work.attempts, RETRIES.size() - 1)));
        work.attempts++;
        if (!work.envelopes.isEmpty()) {
            work.fate.complete(false);
        }
        if (open.isEmpty()) {
            return;
        }
        WebSocket socket = open.get(turn++ % open.size());
        String id = "env-" + number++;
        work.envelopes.add(id);
        ObjectNode envelope = Workspace.JSON
                .createObjectNode()
                .put("envelope_id", id)
                .put("type", work.type)
                .put("accepts_response_payload", !work.type.equals("events_api"));
        if (work.type.equals("events_api")) {
            envelope.put("retry_attempt", work.attempts - 1).put("retry_reason", work.attempts > 1 ? "timeout" : "");
        }
        envelope.set("payload", work.payload);
        try {
            socket.send(envelope.toString());
        } catch (WebsocketNotConnectedException gone) {
            open.remove(socket);
        }
    }

    private synchronized void acknowledged(String envelope) {
        for (Work work : List.copyOf(waiting)) {
            if (work.envelopes.contains(envelope)) {
                waiting.remove(work);
                work.fate.complete(true);
            }
        }
    }

    private void look() {
        Object nobody = new Object();
        while (!Thread.currentThread().isInterrupted()) {
            synchronized (this) {
                Instant now = clock.instant();
                for (Work work : List.copyOf(waiting)) {
                    if (!work.due.isAfter(now)) {
                        give(work);
                    }
                }
            }
            synchronized (nobody) {
                try {
                    nobody.wait(LOOK_MILLIS);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    synchronized void start() {
        if (server != null) {
            return;
        }
        Server made = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        made.setReuseAddr(true);
        made.setDaemon(true);
        made.setConnectionLostTimeout(0);
        made.start();
        made.awaitStart();
        server = made;
        Thread thread = new Thread(this::look, "fake-slack-events");
        thread.setDaemon(true);
        thread.start();
        looking = thread;
    }

    void stop() {
        Server last;
        synchronized (this) {
            last = server;
            server = null;
            if (looking != null) {
                looking.interrupt();
            }
        }
        drop();
        if (last != null) {
            try {
                last.stop(LONGEST_END_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final class Server extends WebSocketServer {
        private final CompletableFuture<Void> started = new CompletableFuture<>();

        Server(InetSocketAddress at) {
            super(at, 1);
        }

        void awaitStart() {
            try {
                started.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw new IllegalStateException("The port " + port + " cannot be listened at.", e.getCause());
            }
        }

        @Override
        public void onOpen(WebSocket socket, ClientHandshake handshake) {
            String ticket = Optional.of(handshake.getResourceDescriptor())
                    .map(path -> path.replaceFirst(".*[?&]ticket=", "").replaceFirst("&.*", ""))
                    .orElse("");
            // Nobody ends a connection while the stream is held: what tells of the end waits for the stream.
            if (!taken(ticket)) {
                socket.close(1008, "this ticket is used or unknown");
                return;
            }
            boolean ends;
            synchronized (EventStream.this) {
                opened++;
                ObjectNode hello =
                        Workspace.JSON.createObjectNode().put("type", "hello").put("num_connections", open.size() + 1);
                hello.putObject("debug_info").put("host", "fake").put("approximate_connection_time", 18_060);
                hello.putObject("connection_info").put("app_id", "A0PARLEY");
                socket.send(hello.toString());
                ends = endingAtOnce > 0;
                if (ends) {
                    endingAtOnce--;
                } else {
                    open.add(socket);
                }
            }
            if (ends) {
                socket.close();
            }
        }

        @Override
        public void onClose(WebSocket socket, int code, String reason, boolean remote) {
            synchronized (EventStream.this) {
                open.remove(socket);
            }
        }

        @Override
        public void onMessage(WebSocket socket, String message) {
            try {
                JsonNode frame = Workspace.JSON.readTree(message);
                acknowledged(frame.path("envelope_id").asText());
            } catch (JsonProcessingException notJson) {
                socket.close(1003, "no JSON");
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
