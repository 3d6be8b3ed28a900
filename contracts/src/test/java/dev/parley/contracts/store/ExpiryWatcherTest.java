package dev.parley.contracts.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.actor.Timing;
import dev.parley.application.agents.AgentCache;
import dev.parley.application.expiry.ExpirySettings;
import dev.parley.application.expiry.ExpiryWatcher;
import dev.parley.application.expiry.LaneGate;
import dev.parley.application.guard.Guard;
import dev.parley.application.guard.LifecycleCalls;
import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.ScriptedAgents;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.LaneReader;
import dev.parley.application.store.SessionStore;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.testing.RecordingEvents;
import dev.parley.testing.RecordingHooks;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The expiry watcher (W10) and what it does to agents (A11.7). */
class ExpiryWatcherTest {
    private static final SessionSource KIM =
            SessionSource.builder(Platform.TELEGRAM, "99").userId("u").build();
    private static final Duration DAY = Duration.ofDays(1);

    private final MemoryStorage storage = new MemoryStorage();
    private final VirtualClock clock = new VirtualClock(Instant.parse("2026-03-10T12:00:00Z"));
    private final SerialExecutor executor = new SerialExecutor();
    private final VirtualTimers timers = new VirtualTimers(clock, executor);
    private final SeededIds ids = new SeededIds(2);
    private final RecordingHooks hooks = new RecordingHooks();
    private final RecordingEvents events = new RecordingEvents();
    private final KeyRules rules = new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);
    private final Map<SessionKey, List<Instant>> processes = new HashMap<>();
    private final Set<SessionKey> busy = new HashSet<>();
    private final List<String> evicted = new ArrayList<>();
    private final AgentCache agents = new AgentCache(
            new ScriptedAgents(clock, timers),
            9,
            Duration.ofHours(1),
            clock,
            calls(executor),
            eviction -> evicted.add(eviction.reason().name()));
    private ResetMode mode = ResetMode.IDLE;

    private TimedCalls calls(Executor runner) {
        return new TimedCalls(runner, new Timing(clock, timers, ids), new Guard(events), Duration.ofMinutes(1));
    }

    private LaneReader reader(Storage where) {
        return new LaneReader(
                where,
                rules,
                ResetPolicies.of(ResetPolicy.DEFAULT.withMode(mode)),
                lane -> processes.getOrDefault(lane, List.of()),
                clock,
                ZoneOffset.UTC);
    }

    private SessionStore store() {
        return new SessionStore(storage, rules, reader(storage), clock, ZoneOffset.UTC, ids);
    }

    private ExpiryWatcher watcher(Storage where, Duration laneMaxAge) {
        LaneGate gate = (lane, task) -> {
            if (!busy.contains(lane)) {
                task.run();
            }
        };
        return new ExpiryWatcher(
                where,
                reader(where),
                agents,
                new LifecycleCalls(hooks, new Guard(events), calls(Runnable::run)),
                calls(Runnable::run),
                events,
                timers,
                clock,
                ids,
                new ExpirySettings(
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(5),
                        laneMaxAge,
                        Duration.ofDays(7),
                        Optional.of(Duration.ofDays(30))),
                gate,
                () -> true);
    }

    private ExpiryWatcher watcher() {
        return watcher(storage, Duration.ZERO);
    }

    @Test
    @DisplayName("A session used while the clock was ahead expires after the usual time from when the clock came back")
    void aClockThatCameBackKeepsNoSession() {
        Instant today = clock.instant();
        clock.set(today.plus(Duration.ofDays(9000)));
        SessionEntry entry = store().getOrCreateSession(KIM);
        clock.set(today);
        watcher(storage, DAY).pass();
        assertThat(storage.lanes().find(entry.key()).orElseThrow().entry().updatedAt())
                .isEqualTo(today);
        clock.move(ResetPolicy.DEFAULT.idle().plusSeconds(1));
        assertThat(reader(storage)
                        .expired(storage.lanes().find(entry.key()).orElseThrow().entry(), false))
                .contains(ResetReason.IDLE);
    }

    @Test
    @DisplayName("A message sets right what a clock that was ahead has left")
    void aMessageSetsTheClockRight() {
        Instant today = clock.instant();
        clock.set(today.plus(Duration.ofDays(9000)));
        SessionEntry ahead = store().getOrCreateSession(KIM);
        clock.set(today);
        SessionEntry used = store().getOrCreateSession(KIM);
        assertThat(used.sessionId()).isEqualTo(ahead.sessionId());
        assertThat(used.updatedAt()).isEqualTo(today);
    }

    @Test
    @DisplayName("W10.3–W10.5, W10.9: an expired session is finalised once: hook, agent, flag; session and lane stay")
    void finalisesOnce() {
        SessionEntry entry = store().getOrCreateSession(KIM);
        store().setModelOverride(
                        entry.key(),
                        Optional.of(new ModelOverride(Optional.of("m"), Optional.empty(), Optional.empty())));
        useAgent(entry);
        clock.move(DAY.plusSeconds(1));
        watcher().pass();
        watcher().pass();
        assertThat(hooks.calls()).containsExactly("finalized " + entry.sessionId() + " session_expired");
        assertThat(evicted).containsExactly("SESSION_OVER");
        SessionEntry after = entry(entry.key());
        assertThat(after.expiryFinalized()).isTrue();
        assertThat(after.modelOverride()).isEmpty();
        assertThat(after.sessionId()).isEqualTo(entry.sessionId());
        assertThat(storage.sessions().find(entry.sessionId()).orElseThrow().isLive())
                .isTrue();
        assertThat(events.of(GatewayEvent.Finalized.class)).hasSize(1);
        assertThat(storage.lanes().history(entry.key(), 1).get(0).kind()).isEqualTo(LaneEvent.Kind.FINALISED);
    }

    @Test
    @DisplayName(
            "D3, matrix 15: an expired and finalised session with a cached agent is still reset by the next message")
    void finalisedSessionsAreReset() {
        SessionEntry entry = store().getOrCreateSession(KIM);
        useAgent(entry);
        clock.move(DAY.plusSeconds(1));
        watcher().pass();
        executor.runUntilIdle();
        SessionEntry next = store().getOrCreateSession(KIM);
        assertThat(next.sessionId()).isNotEqualTo(entry.sessionId());
        assertThat(next.autoResetReason()).contains(ResetReason.IDLE);
    }

    @Test
    @DisplayName(
            "W10.3, R6.2: exactly at the limit nothing is finalised, nor with an active process, nor with mode none")
    void notExpired() {
        SessionEntry entry = store().getOrCreateSession(KIM);
        clock.move(DAY);
        watcher().pass();
        clock.move(Duration.ofSeconds(1));
        processes.put(entry.key(), List.of(clock.instant()));
        watcher().pass();
        processes.clear();
        mode = ResetMode.NONE;
        watcher().pass();
        assertThat(hooks.calls()).isEmpty();
    }

    @Test
    @DisplayName("W10.3: suspended and marked lanes are finalised like any other")
    void suspendedAndMarkedToo() {
        SessionEntry suspended = store().getOrCreateSession(KIM);
        SessionEntry marked =
                store().getOrCreateSession(KIM.toBuilder().threadId("2").build());
        store().suspendSession(suspended.key());
        store().markResumePending(marked.key());
        clock.move(DAY.plusSeconds(1));
        watcher().pass();
        assertThat(hooks.calls()).hasSize(2);
        assertThat(entry(suspended.key()).isSuspended()).isTrue();
        assertThat(entry(marked.key()).toBeResumed()).isPresent();
    }

    @Test
    @DisplayName("W10.8: a lane whose turn is running is left for the next pass")
    void runningTurnsPostpone() {
        SessionEntry entry = store().getOrCreateSession(KIM);
        clock.move(DAY.plusSeconds(1));
        busy.add(entry.key());
        watcher().pass();
        assertThat(hooks.calls()).isEmpty();
        busy.clear();
        watcher().pass();
        assertThat(hooks.calls()).hasSize(1);
    }

    @Test
    @DisplayName("D15: a finalised session that is used after all is finalised again later")
    void finalisedAgain() {
        SessionEntry entry = store().getOrCreateSession(KIM);
        clock.move(DAY.plusSeconds(1));
        watcher().pass();
        processes.put(entry.key(), List.of(clock.instant()));
        assertThat(store().getOrCreateSession(KIM).sessionId()).isEqualTo(entry.sessionId());
        processes.clear();
        clock.move(DAY.plusSeconds(1));
        watcher().pass();
        assertThat(hooks.calls()).hasSize(2);
    }

    @Test
    @DisplayName("W10.6, matrix 18: the third failure in a row finalises all the same and keeps the chosen model")
    void threeFailures() {
        SessionEntry entry = store().getOrCreateSession(KIM);
        ModelOverride chosen = new ModelOverride(Optional.of("m"), Optional.empty(), Optional.empty());
        store().setModelOverride(entry.key(), Optional.of(chosen));
        clock.move(DAY.plusSeconds(1));
        hooks.failNext(9);
        ExpiryWatcher watcher = watcher();
        watcher.pass();
        watcher.pass();
        assertThat(entry(entry.key()).expiryFinalized()).isFalse();
        watcher.pass();
        assertThat(entry(entry.key()).expiryFinalized()).isTrue();
        assertThat(entry(entry.key()).modelOverride()).contains(chosen);
        assertThat(events.of(GatewayEvent.Trouble.class)).hasSize(3);
        watcher.pass();
        assertThat(hooks.calls()).hasSize(3);
    }

    @Test
    @DisplayName("W10.6: a success between failures begins the count anew")
    void successResetsTheCount() {
        SessionEntry entry = store().getOrCreateSession(KIM);
        ExpiryWatcher watcher = watcher();
        for (int round = 0; round < 2; round++) {
            clock.move(DAY.plusSeconds(1));
            hooks.failNext(2);
            watcher.pass();
            watcher.pass();
            assertThat(entry(entry.key()).expiryFinalized()).isFalse();
            watcher.pass();
            assertThat(storage.lanes().history(entry.key(), 1).get(0).reason()).isEqualTo("session_expired");
            processes.put(entry.key(), List.of(clock.instant()));
            store().getOrCreateSession(KIM);
            processes.clear();
        }
    }

    @Test
    @DisplayName("W10.6: a session that had not expired any more begins the count anew")
    void aSessionThatIsUsedAgainBeginsTheCountAnew() {
        SessionEntry entry = store().getOrCreateSession(KIM);
        ExpiryWatcher watcher = watcher();
        clock.move(DAY.plusSeconds(1));
        hooks.failNext(9);
        watcher.pass();
        watcher.pass();
        processes.put(entry.key(), List.of(clock.instant()));
        watcher.pass();
        processes.clear();
        watcher.pass();
        watcher.pass();
        assertThat(entry(entry.key()).expiryFinalized()).isFalse();
        watcher.pass();
        assertThat(entry(entry.key()).expiryFinalized()).isTrue();
    }

    @Test
    @DisplayName("A11.7: an idle agent waits for the end of its session; without a policy that ends it, it is released")
    void idleAgents() {
        useAgent(store().getOrCreateSession(KIM));
        clock.move(Duration.ofHours(2));
        watcher().pass();
        assertThat(evicted).isEmpty();
        mode = ResetMode.NONE;
        watcher().pass();
        assertThat(evicted).containsExactly("IDLE");
    }

    @Test
    @DisplayName(
            "W10.7, D5: unused lanes are removed with their sessions; suspended and active ones stay; a day exactly is kept")
    void prunes() {
        SessionEntry old = store().getOrCreateSession(KIM);
        SessionEntry suspended =
                store().getOrCreateSession(KIM.toBuilder().threadId("2").build());
        SessionEntry active =
                store().getOrCreateSession(KIM.toBuilder().threadId("3").build());
        SessionEntry busyOne =
                store().getOrCreateSession(KIM.toBuilder().threadId("4").build());
        store().suspendSession(suspended.key());
        busy.add(busyOne.key());
        mode = ResetMode.NONE;
        clock.move(DAY);
        watcher(storage, DAY).pass();
        assertThat(storage.lanes().count()).isEqualTo(4);
        clock.move(Duration.ofSeconds(1));
        processes.put(active.key(), List.of(clock.instant()));
        watcher(storage, DAY).pass();
        assertThat(storage.lanes().find(old.key())).isEmpty();
        assertThat(storage.lanes().count()).isEqualTo(3);
        assertThat(storage.sessions()
                        .find(old.sessionId())
                        .flatMap(s -> s.ending())
                        .flatMap(Ending::reason))
                .contains(Ending.PRUNED);
        assertThat(events.of(GatewayEvent.Pruned.class)).hasSize(1);
        assertThat(store().getOrCreateSession(KIM).sessionId()).isNotEqualTo(old.sessionId());
    }

    @Test
    @DisplayName(
            "W10.7: pruning happens at most once an hour, at once with the first pass, and time passes though it fails")
    void prunesHourly() {
        mode = ResetMode.NONE;
        SessionEntry old = store().getOrCreateSession(KIM);
        ExpiryWatcher watcher = watcher(storage, Duration.ofMinutes(10));
        watcher.pass();
        clock.move(Duration.ofHours(1));
        watcher.pass();
        assertThat(storage.lanes().find(old.key())).isPresent();
        clock.move(Duration.ofSeconds(1));
        watcher.pass();
        assertThat(storage.lanes().find(old.key())).isEmpty();
    }

    @Test
    @DisplayName("Commit rule 12: history older than its retention is forgotten with the hourly pass")
    void forgets() {
        mode = ResetMode.NONE;
        SessionEntry entry = store().getOrCreateSession(KIM);
        clock.move(Duration.ofDays(31));
        watcher().pass();
        assertThat(storage.lanes().history(entry.key(), 9)).isEmpty();
        assertThat(storage.lanes().find(entry.key())).isPresent();
    }

    @Test
    @DisplayName("W10.1: the first pass comes after the delay, then one after each interval, and none once stopped")
    void runsByTimers() {
        store().getOrCreateSession(KIM);
        clock.move(DAY.plusSeconds(1));
        ExpiryWatcher watcher = watcher();
        watcher.start();
        watcher.start();
        timers.advance(Duration.ofSeconds(59));
        assertThat(hooks.calls()).isEmpty();
        hooks.failNext(1);
        timers.advance(Duration.ofSeconds(1));
        assertThat(hooks.calls()).hasSize(1);
        timers.advance(Duration.ofMinutes(5));
        assertThat(hooks.calls()).hasSize(2);
        watcher.stop();
        assertThat(timers.next()).isEmpty();
    }

    @Test
    @DisplayName("Of very many expired sessions some thousands are finalised at a time, and the others soon after")
    void veryManyExpiredSessions() {
        List<SessionEntry> entries = new ArrayList<>();
        for (int n = 0; n < 2_500; n++) {
            entries.add(store().getOrCreateSession(SessionSource.builder(Platform.TELEGRAM, "many" + n)
                    .userId("u")
                    .build()));
        }
        clock.move(ResetPolicy.DEFAULT.idle().plusSeconds(1));
        ExpiryWatcher watcher = watcher();
        watcher.start();
        timers.advance(Duration.ofMinutes(1));
        assertThat(events.of(GatewayEvent.Finalized.class)).hasSize(2_000);
        timers.advance(Duration.ofSeconds(11));
        assertThat(events.of(GatewayEvent.Finalized.class)).hasSize(entries.size());
        timers.advance(Duration.ofMinutes(20));
        assertThat(events.of(GatewayEvent.Finalized.class)).hasSize(entries.size());
        watcher.stop();
    }

    @Test
    @DisplayName(
            "Of very many unused lanes some thousands are removed at a time, and the others soon after, not in an hour")
    void veryManyUnusedLanes() {
        mode = ResetMode.NONE;
        for (int n = 0; n < 2_500; n++) {
            store().getOrCreateSession(SessionSource.builder(Platform.TELEGRAM, "many" + n)
                    .userId("u")
                    .build());
        }
        clock.move(DAY.multipliedBy(3));
        ExpiryWatcher watcher = watcher(storage, DAY);
        watcher.start();
        timers.advance(Duration.ofMinutes(1));
        assertThat(storage.lanes().count()).isEqualTo(500);
        timers.advance(Duration.ofSeconds(11));
        assertThat(storage.lanes().count()).isZero();
        watcher.stop();
    }

    @Test
    @DisplayName("W10.1: a store that cannot be used is told as trouble, and the next pass comes all the same")
    void survivesStorage() {
        MemoryStorage closed = new MemoryStorage();
        closed.close();
        ExpiryWatcher watcher = watcher(closed, DAY);
        watcher.start();
        timers.advance(Duration.ofMinutes(1));
        assertThat(events.of(GatewayEvent.Trouble.class))
                .isNotEmpty()
                .allSatisfy(t -> assertThat(t.cause()).containsInstanceOf(StorageUnavailable.class));
        assertThat(timers.next()).isPresent();
        watcher.stop();
    }

    private void useAgent(SessionEntry entry) {
        Agent agent = agents.take(new AgentSpec(entry.key(), entry.sessionId(), KIM, "", Optional.empty()), 0);
        agents.putBack(agent, 0, false);
    }

    private SessionEntry entry(SessionKey key) {
        return storage.lanes().find(key).map(Lane::entry).orElseThrow();
    }
}
