package dev.parley.application.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.actor.Timing;
import dev.parley.application.guard.Guard;
import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.InvalidRequest;
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
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Agents kept between turns (A11). */
class AgentCacheTest {
    private static final SessionId SESSION = SessionId.of("s1");

    private final VirtualClock clock = new VirtualClock(Instant.parse("2026-03-10T12:00:00Z"));
    private final List<Runnable> tasks = new ArrayList<>();
    private final List<Eviction> evictions = new ArrayList<>();
    private final List<GatewayEvent> events = new ArrayList<>();
    private final Factory factory = new Factory();
    private final AgentCache cache = cache(3);

    private AgentCache cache(int size) {
        Timing timing = new Timing(clock, (delay, task) -> () -> {}, new SeededIds(1));
        TimedCalls calls = new TimedCalls(tasks::add, timing, new Guard(events::add), Duration.ofSeconds(30));
        return new AgentCache(factory, size, Duration.ofHours(1), clock, calls, evictions::add);
    }

    @Test
    @DisplayName("A11.1: the agent that was put back is used again")
    void hit() {
        Agent first = use("a", 0, 2);
        assertThat(cache.take(spec("a", SESSION), 2)).isSameAs(first);
        assertThat(factory.made).hasSize(1);
        assertThat(evictions).isEmpty();
    }

    @Test
    @DisplayName("A11.2: another signature builds another agent and releases the old one")
    void signature() {
        Fake first = use("a", 0, 2);
        factory.configuration = "bigger";
        assertThat(cache.take(spec("a", SESSION), 2)).isNotSameAs(first);
        assertThat(evictions).containsExactly(new Eviction(key("a"), Eviction.Reason.REBUILT));
        assertThat(first.released).as("only on the executor").isZero();
        runTasks();
        assertThat(first.released).isEqualTo(1);
        assertThat(first.closed).isZero();
    }

    @Test
    @DisplayName("A11.5: a session that somebody else wrote to discards its agent")
    void foreignChange() {
        Agent first = use("a", 0, 2);
        assertThat(cache.take(spec("a", SESSION), 3)).isNotSameAs(first);
        assertThat(evictions).containsExactly(new Eviction(key("a"), Eviction.Reason.FOREIGN_CHANGE));
    }

    @Test
    @DisplayName("A11.5: under another session id, or where a count is not known, nothing is compared")
    void countsOfOtherSessionsDoNotMatter() {
        Agent first = use("a", 0, 2);
        assertThat(cache.take(spec("a", SessionId.of("s2")), 7)).isSameAs(first);
        cache.putBack(first, -1, false);
        assertThat(cache.take(spec("a", SessionId.of("s2")), 99)).isSameAs(first);
        cache.stored(first, 100);
        cache.putBack(first, 101, false);
        assertThat(cache.take(spec("a", SessionId.of("s2")), -1)).isSameAs(first);
    }

    @Test
    @DisplayName("A11.6: over the cap the least recently used one goes")
    void leastRecentlyUsedGoes() {
        Fake a = use("a", 0, 1);
        use("b", 0, 1);
        use("c", 0, 1);
        cache.putBack(cache.take(spec("a", SESSION), 1), 1, false);
        use("d", 0, 1);
        runTasks();
        assertThat(evictions).containsExactly(new Eviction(key("b"), Eviction.Reason.CAPACITY));
        assertThat(a.released).isZero();
        assertThat(cache.size()).isEqualTo(3);
    }

    @Test
    @DisplayName("A11.6, matrix 19: with all agents running none is evicted, and the cache may hold too many")
    void allRunning() {
        for (String lane : List.of("a", "b", "c", "d", "e")) {
            cache.take(spec(lane, SESSION), 0);
        }
        runTasks();
        assertThat(evictions).isEmpty();
        assertThat(cache.size()).isEqualTo(5);
        assertThat(factory.made).allSatisfy(agent -> assertThat(agent.released).isZero());
    }

    @Test
    @DisplayName("A11.6: a running agent among the oldest is not replaced by a newer one; it is looked at again later")
    void runningIsNotSubstituted() {
        Agent a = cache.take(spec("a", SESSION), 0);
        use("b", 0, 1);
        use("c", 0, 1);
        use("d", 0, 1);
        assertThat(evictions).isEmpty();
        assertThat(cache.size()).isEqualTo(4);
        cache.putBack(a, 1, false);
        assertThat(evictions).containsExactly(new Eviction(key("a"), Eviction.Reason.CAPACITY));
    }

    @Test
    @DisplayName("A11.9: what is asked of a running agent happens when it comes back, and closing outweighs releasing")
    void runningAgentsAreLeftAlone() {
        Fake agent = (Fake) cache.take(spec("a", SESSION), 0);
        cache.close(key("a"));
        runTasks();
        assertThat(agent.closed).isZero();
        assertThat(cache.isRunning(key("a"))).isTrue();
        Agent next = cache.take(spec("a", SESSION), 0);
        assertThat(next).isNotSameAs(agent);
        cache.putBack(agent, 1, true);
        runTasks();
        assertThat(agent.closed).isEqualTo(1);
        assertThat(agent.released).isZero();
        cache.putBack(agent, 1, false);
        runTasks();
        assertThat(agent.closed).isEqualTo(1);
        assertThat(cache.isRunning(key("a"))).isTrue();
    }

    @Test
    @DisplayName("Q8.33: an agent whose run was interrupted is not used again")
    void spoilt() {
        Agent agent = cache.take(spec("a", SESSION), 0);
        cache.putBack(agent, 1, true);
        assertThat(cache.size()).isZero();
        assertThat(evictions).containsExactly(new Eviction(key("a"), Eviction.Reason.INTERRUPTED));
    }

    @Test
    @DisplayName(
            "A11.7: agents idle for longer than the limit are released, exactly that long ones, running ones and awaited ones stay")
    void sweep() {
        Fake a = use("a", 0, 1);
        Fake awaited = use("b", 0, 1);
        clock.move(Duration.ofHours(1));
        assertThat(cache.sweep(lane -> false)).isZero();
        Agent running = cache.take(spec("c", SESSION), 0);
        clock.move(Duration.ofHours(2));
        assertThat(cache.sweep(key("b")::equals)).isEqualTo(1);
        runTasks();
        assertThat(a.released).isEqualTo(1);
        assertThat(awaited.released).isZero();
        assertThat(evictions).containsExactly(new Eviction(key("a"), Eviction.Reason.IDLE));
        cache.putBack(running, 1, false);
    }

    @Test
    @DisplayName("A11.9: at the end all agents are closed, those running when they come back")
    void closeAll() {
        Fake idle = use("a", 0, 1);
        Fake busy = (Fake) cache.take(spec("b", SESSION), 0);
        cache.closeAll();
        runTasks();
        assertThat(idle.closed).isEqualTo(1);
        assertThat(busy.closed).isZero();
        cache.putBack(busy, 1, false);
        runTasks();
        assertThat(busy.closed).isEqualTo(1);
    }

    @Test
    @DisplayName("A11.8: an agent that fails when it is let go of is told as trouble")
    void failuresAreTold() {
        Fake agent = use("a", 0, 1);
        agent.failing = true;
        cache.close(key("a"));
        runTasks();
        assertThat(events).singleElement().isInstanceOf(GatewayEvent.Trouble.class);
    }

    @Test
    @DisplayName("A11.1: an agent that is not configured leaves nothing behind")
    void factoryFailure() {
        factory.broken = true;
        assertThatThrownBy(() -> cache.take(spec("a", SESSION), 0)).isInstanceOf(InvalidRequest.class);
        assertThat(cache.size()).isZero();
        assertThat(cache.isRunning(key("a"))).isFalse();
    }

    @Test
    @DisplayName("A11.6, A11.8: whatever happens, no running agent is let go of and every other one exactly once")
    void randomUse() {
        Random random = new Random(11);
        AgentCache small = cache(4);
        IdentityHashMap<Agent, String> held = new IdentityHashMap<>();
        Set<String> busy = new HashSet<>();
        for (int step = 0; step < 20_000; step++) {
            String lane = "l" + random.nextInt(9);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    if (busy.add(lane)) {
                        held.put(
                                small.take(spec(lane, SessionId.of("s" + random.nextInt(2))), random.nextInt(3)), lane);
                    }
                }
                case 3, 4 -> {
                    if (!held.isEmpty()) {
                        Agent agent = held.keySet().iterator().next();
                        busy.remove(held.remove(agent));
                        small.putBack(agent, random.nextInt(3), random.nextInt(5) == 0);
                    }
                }
                case 5 -> small.release(key(lane));
                case 6 -> small.close(key(lane));
                default -> {
                    clock.move(Duration.ofMinutes(20));
                    small.sweep(key -> random.nextBoolean());
                }
            }
            runTasks();
            assertThat(held.keySet()).allSatisfy(agent -> {
                assertThat(((Fake) agent).released).isZero();
                assertThat(((Fake) agent).closed).isZero();
            });
            assertThat(small.size()).isLessThanOrEqualTo(4 + held.size());
        }
        small.closeAll();
        held.keySet().forEach(agent -> small.putBack(agent, 0, false));
        runTasks();
        assertThat(factory.made)
                .allSatisfy(agent -> assertThat(agent.released + agent.closed).isEqualTo(1));
    }

    private Fake use(String lane, long before, long after) {
        Agent agent = cache.take(spec(lane, SESSION), before);
        cache.putBack(agent, after, false);
        return (Fake) agent;
    }

    private void runTasks() {
        List<Runnable> now = List.copyOf(tasks);
        tasks.clear();
        now.forEach(Runnable::run);
    }

    private static SessionKey key(String lane) {
        return new SessionKey("agent:main:telegram:dm:" + lane);
    }

    private static AgentSpec spec(String lane, SessionId session) {
        return new AgentSpec(
                key(lane),
                session,
                SessionSource.builder(Platform.TELEGRAM, lane).build(),
                "prompt",
                Optional.empty());
    }

    private static final class Factory implements AgentFactory {
        final List<Fake> made = new ArrayList<>();
        String configuration = "";
        boolean broken;

        @Override
        public String signature(AgentSpec spec) {
            return configuration + spec.prompt();
        }

        @Override
        public Agent create(AgentSpec spec) {
            if (broken) {
                throw new InvalidRequest("No model is configured; set agent.model.");
            }
            Fake agent = new Fake();
            made.add(agent);
            return agent;
        }

        @Override
        public String model(AgentSpec spec) {
            return "fake";
        }

        @Override
        public long contextLength(AgentSpec spec) {
            return 0;
        }
    }

    private static final class Fake implements Agent {
        int released;
        int closed;
        boolean failing;

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
            released++;
        }

        @Override
        public void close() {
            closed++;
            if (failing) {
                throw new IllegalStateException("cannot close");
            }
        }
    }
}
