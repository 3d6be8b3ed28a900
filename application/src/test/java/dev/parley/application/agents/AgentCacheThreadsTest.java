package dev.parley.application.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.actor.Timing;
import dev.parley.application.guard.Guard;
import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.VirtualClock;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Lanes take and put back agents at once, while they are evicted, swept and closed. */
class AgentCacheThreadsTest {
    private static final int LANES = 4;
    private static final int ROUNDS = 500;

    private final VirtualClock clock = new VirtualClock(Instant.parse("2026-03-10T12:00:00Z"));
    private final Queue<Counted> made = new ConcurrentLinkedQueue<>();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final AgentCache cache = new AgentCache(
            new Counting(),
            2,
            Duration.ZERO,
            clock,
            new TimedCalls(
                    Runnable::run,
                    new Timing(clock, (delay, task) -> () -> {}, new SeededIds(1)),
                    new Guard(GatewayEvents.NONE),
                    Duration.ofSeconds(30)),
            eviction -> {});

    /** Makes agents that notice what is done to them. */
    private final class Counting implements AgentFactory {
        @Override
        public String signature(AgentSpec spec) {
            return "always the same";
        }

        @Override
        public Agent create(AgentSpec spec) {
            Counted agent = new Counted();
            made.add(agent);
            return agent;
        }

        @Override
        public String model(AgentSpec spec) {
            return "counted";
        }

        @Override
        public long contextLength(AgentSpec spec) {
            return 0;
        }
    }

    /** An agent that is used by one run at a time and let go of once, while none uses it. */
    private final class Counted implements Agent {
        private boolean used;
        private int gone;

        synchronized void use() {
            if (used || gone > 0) {
                faults.add(used ? "used by two runs" : "used after it was let go of");
            }
            used = true;
        }

        synchronized void leave() {
            used = false;
        }

        private synchronized void go() {
            gone++;
            if (used) {
                faults.add("let go of while it is used");
            }
        }

        synchronized int gone() {
            return gone;
        }

        @Override
        public AgentRun start(AgentTurn turn, AgentEvents to) {
            throw new AssertionError("No turn is run here.");
        }

        @Override
        public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
            throw new AssertionError("Nothing is summarised here.");
        }

        @Override
        public void release() {
            go();
        }

        @Override
        public void close() {
            go();
        }
    }

    private static SessionKey key(int lane) {
        return SessionKey.of("agent:main:telegram:dm:" + lane);
    }

    private static AgentSpec spec(int lane) {
        return new AgentSpec(
                key(lane),
                SessionId.of("s" + lane),
                SessionSource.builder(Platform.TELEGRAM, Integer.toString(lane)).build(),
                "",
                Optional.empty());
    }

    /** One lane: takes its agent, uses it, and gives it back, each time at once with what others do. */
    private Callable<Boolean> lane(int lane, CyclicBarrier round) {
        Random random = new Random(lane);
        return () -> {
            for (int i = 0; i < ROUNDS; i++) {
                round.await();
                Counted agent = (Counted) cache.take(spec(lane), -1);
                agent.use();
                round.await();
                agent.leave();
                cache.putBack(agent, -1, random.nextInt(5) == 0);
            }
            return true;
        };
    }

    /** Evicts, sweeps and closes in both halves of each round. */
    private Callable<Boolean> evictions(CyclicBarrier round) {
        Random random = new Random(99);
        return () -> {
            for (int i = 0; i < 2 * ROUNDS; i++) {
                round.await();
                SessionKey lane = key(random.nextInt(LANES));
                switch (random.nextInt(4)) {
                    case 0 -> cache.release(lane);
                    case 1 -> cache.close(lane);
                    case 2 -> cache.sweep(each -> false);
                    default -> clock.move(Duration.ofSeconds(1));
                }
            }
            return true;
        };
    }

    @Test
    void eachAgentIsUsedByOneRunAtATimeAndLetGoOfOnceWhateverHappensAtOnce() throws Exception {
        CyclicBarrier round = new CyclicBarrier(LANES + 1);
        ExecutorService threads = Executors.newFixedThreadPool(LANES + 1);
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int lane = 0; lane < LANES; lane++) {
            all.add(lane(lane, round));
        }
        all.add(evictions(round));
        for (Future<Boolean> each : threads.invokeAll(all)) {
            assertThat(each.get()).isTrue();
        }
        threads.shutdown();
        cache.closeAll();
        assertThat(faults).isEmpty();
        assertThat(made)
                .hasSizeGreaterThan(LANES)
                .allSatisfy(agent -> assertThat(agent.gone()).isEqualTo(1));
        assertThat(cache.size()).isZero();
    }
}
