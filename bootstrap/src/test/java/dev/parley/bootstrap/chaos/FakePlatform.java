package dev.parley.bootstrap.chaos;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What takes the gateway's messages and writes each one down before it says so; sometimes it is slow, refuses, takes a message and
 * does not say so, or cannot be reached.
 */
final class FakePlatform implements AutoCloseable {
    private static final String ID = "Idempotency-Key";

    private final Chance chance;
    private final LoopbackServer server;
    private final List<Delivery> log = new ArrayList<>();
    private final List<NodeLog.Effect> effects = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private volatile boolean calm;
    private volatile boolean away;

    FakePlatform(long seed) throws IOException {
        chance = new Chance(seed);
        server = new LoopbackServer(this::handle);
    }

    String url() {
        return url("gateway");
    }

    /** Returns where a gateway of this name sends. */
    String url(String by) {
        return server.url() + "/" + by + "/callback";
    }

    /** Returns who sent what so far, and when, in the order of taking. */
    List<NodeLog.Effect> effects() {
        synchronized (log) {
            return List.copyOf(effects);
        }
    }

    /** From now on everything is taken at once. */
    void calmDown() {
        calm = true;
        away = false;
    }

    /** Decides whether connections end without an answer, and nothing is taken. */
    void away(boolean now) {
        away = now;
    }

    /** Returns what was taken so far. */
    List<Delivery> log() {
        synchronized (log) {
            return List.copyOf(log);
        }
    }

    /** Returns how many different messages were taken so far. */
    int taken() {
        synchronized (log) {
            return ids.size();
        }
    }

    private void handle(LoopbackServer.Request request, LoopbackServer.Answer answer)
            throws IOException, InterruptedException {
        if (away) {
            return;
        }
        int mood = calm ? 100 : chance.below(100);
        if (mood < 2) {
            answer.status(503);
        } else if (mood < 3) {
            answer.status(429);
        } else {
            if (mood < 8) {
                answer.pause(chance.millis(20, 300));
            }
            take(request);
            if (mood > 96 && mood < 100) {
                return;
            }
            answer.status(204);
        }
    }

    private void take(LoopbackServer.Request request) {
        String id = request.headers().getOrDefault(ID, "");
        synchronized (log) {
            log.add(new Delivery(id, request.body().path("text").asText()));
            ids.add(id);
            effects.add(new NodeLog.Effect(Instant.now(), request.by(), id));
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
