package dev.parley.fakes.surroundings;

import dev.parley.fakes.proof.Delivery;
import dev.parley.fakes.proof.NodeLog;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What takes the gateway's messages and writes each one down before it says so; sometimes it is slow, refuses, takes a message and
 * does not say so, or cannot be reached.
 */
public final class MoodyPlatform implements AutoCloseable {
    private static final String ID = "Idempotency-Key";

    private final InstantSource clock;
    private final Chance chance;
    private final MoodyServer server;
    private final List<Delivery> log = new ArrayList<>();
    private final List<NodeLog.Effect> effects = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private volatile boolean calm;
    private volatile boolean away;

    /**
     * A platform that listens.
     *
     * @param clock when what it took came
     */
    public MoodyPlatform(long seed, InstantSource clock) throws IOException {
        this.clock = clock;
        chance = new Chance(seed);
        server = new MoodyServer(this::handle);
    }

    /** Returns where the gateway sends. */
    public String url() {
        return url("gateway");
    }

    /** Returns where a gateway of this name sends. */
    public String url(String by) {
        return server.url() + "/" + by + "/callback";
    }

    /** Returns who sent what so far, and when, in the order of taking. */
    public List<NodeLog.Effect> effects() {
        synchronized (log) {
            return List.copyOf(effects);
        }
    }

    /** From now on everything is taken at once. */
    public void calmDown() {
        calm = true;
        away = false;
    }

    /** Decides whether connections end without an answer, and nothing is taken. */
    public void away(boolean now) {
        away = now;
    }

    /** Returns what was taken so far. */
    public List<Delivery> log() {
        synchronized (log) {
            return List.copyOf(log);
        }
    }

    /** Returns how many different messages were taken so far. */
    public int taken() {
        synchronized (log) {
            return ids.size();
        }
    }

    private void handle(MoodyServer.Request request, MoodyServer.Answer answer)
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

    private void take(MoodyServer.Request request) {
        String id = request.headers().getOrDefault(ID, "");
        synchronized (log) {
            log.add(new Delivery(id, request.body().path("text").asText()));
            ids.add(id);
            effects.add(new NodeLog.Effect(clock.instant(), request.by(), id));
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
