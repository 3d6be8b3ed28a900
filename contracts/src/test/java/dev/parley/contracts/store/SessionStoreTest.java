package dev.parley.contracts.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.LaneReader;
import dev.parley.application.store.SessionStore;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The operations of the session store (G3.1 to O4.29). */
class SessionStoreTest {
    private static final Instant START = Instant.parse("2026-03-10T12:00:00Z");
    private static final SessionSource KIM = dm("99");

    private final MemoryStorage storage = new MemoryStorage();
    private final VirtualClock clock = new VirtualClock(START);
    private final Map<SessionKey, List<Instant>> processes = new HashMap<>();
    private final SeededIds ids = new SeededIds(1);
    private final KeyRules rules = new KeyRules(new Isolation(true, false), AliasLookup.NONE);
    private final SessionStore store = on(storage);
    private long batches;

    private SessionStore on(Storage where) {
        LaneReader reader = new LaneReader(
                where,
                rules,
                ResetPolicies.of(ResetPolicy.DEFAULT.withMode(ResetMode.IDLE)),
                lane -> processes.getOrDefault(lane, List.of()),
                clock,
                ZoneOffset.UTC);
        return new SessionStore(where, rules, reader, clock, ZoneOffset.UTC, ids);
    }

    @Test
    @DisplayName(
            "G3.6, E2.3: the first message begins a session with a gateway id, its row and its history in one step")
    void beginsASession() {
        SessionEntry entry = store.getOrCreateSession(KIM);
        assertThat(entry.sessionId().value()).matches("20260310_120000_[0-9a-f]{8}");
        assertThat(storage.sessions().find(entry.sessionId())).hasValueSatisfying(session -> {
            assertThat(session.source()).isEqualTo("telegram");
            assertThat(session.isLive()).isTrue();
        });
        assertThat(storage.lanes().history(entry.key(), 9))
                .extracting(LaneEvent::kind)
                .containsExactly(LaneEvent.Kind.CREATED);
    }

    @Test
    @DisplayName("G3.4, G3.7, G3.8, R6.14: an idle lane gets a new session, and the old transcript stays")
    void idleLanesAreReset() {
        SessionEntry old = store.getOrCreateSession(KIM);
        store.appendToTranscript(old.sessionId(), said("m1", "hello"), false);
        clock.move(Duration.ofHours(25));
        SessionEntry fresh = store.getOrCreateSession(KIM);
        assertThat(fresh.sessionId()).isNotEqualTo(old.sessionId());
        assertThat(fresh.autoResetReason()).contains(ResetReason.IDLE);
        assertThat(ended(old.sessionId())).contains(Ending.SESSION_RESET);
        assertThat(store.loadTranscript(old.sessionId())).hasSize(1);
        assertThat(store.loadTranscript(fresh.sessionId())).isEmpty();
    }

    @Test
    @DisplayName("R6.9, R6.10: a background process keeps a session, until it is as old as the limit")
    void processesKeepSessions() {
        SessionEntry old = store.getOrCreateSession(KIM);
        clock.move(Duration.ofHours(25));
        processes.put(old.key(), List.of(clock.instant().minus(Duration.ofHours(23))));
        assertThat(store.getOrCreateSession(KIM).sessionId()).isEqualTo(old.sessionId());
        clock.move(Duration.ofHours(25));
        assertThat(store.getOrCreateSession(KIM).sessionId()).isNotEqualTo(old.sessionId());
    }

    @Test
    @DisplayName("R6.12: a suspended lane is reset whatever is running")
    void suspendedWinsOverProcesses() {
        SessionEntry old = store.getOrCreateSession(KIM);
        processes.put(old.key(), List.of(clock.instant()));
        assertThat(store.suspendSession(old.key())).isTrue();
        assertThat(store.getOrCreateSession(KIM).autoResetReason()).contains(ResetReason.SUSPENDED);
    }

    @Test
    @DisplayName(
            "G3.16: a lane that lost its entry takes up the newest session of its own that was not ended on purpose")
    void recoversALostLane() {
        SessionEntry entry = store.getOrCreateSession(KIM);
        store.appendToTranscript(entry.sessionId(), said("m1", "hello"), false);
        commit(new Change.RemoveLane(entry.key()));
        assertThat(store.getOrCreateSession(KIM).sessionId()).isEqualTo(entry.sessionId());
        assertThat(storage.lanes().history(entry.key(), 1).get(0).reason()).isEqualTo("recovered");
    }

    @Test
    @DisplayName("G3.16: without messages, ended on purpose, or of another chat, nothing is recovered")
    void recoversNothingElse() {
        SessionEntry empty = store.getOrCreateSession(KIM);
        commit(new Change.RemoveLane(empty.key()));
        SessionEntry second = store.getOrCreateSession(KIM);
        assertThat(second.sessionId()).isNotEqualTo(empty.sessionId());
        store.appendToTranscript(second.sessionId(), said("m1", "hello"), false);
        commit(
                new Change.RemoveLane(empty.key()),
                new Change.EditSession(
                        second.sessionId(), new SessionEdit.End(Ending.of(clock.instant(), Ending.SESSION_RESET))));
        assertThat(store.getOrCreateSession(KIM).sessionId()).isNotIn(empty.sessionId(), second.sessionId());
        assertThat(store.getOrCreateSession(dm("100")).sessionId()).isNotEqualTo(second.sessionId());
    }

    @Test
    @DisplayName(
            "D4: after /new the old session never comes back, not even when the lane is lost before a word was said")
    void renewedSessionsStayEnded() {
        SessionEntry old = store.getOrCreateSession(KIM);
        store.appendToTranscript(old.sessionId(), said("m1", "hello"), false);
        assertThat(store.resetSession(old.key(), Optional.empty())).isPresent();
        assertThat(ended(old.sessionId())).contains(Ending.SESSION_RESET);
        commit(new Change.RemoveLane(old.key()));
        assertThat(store.getOrCreateSession(KIM).sessionId()).isNotEqualTo(old.sessionId());
    }

    @Test
    @DisplayName("D5: a pruned lane comes back with a fresh session")
    void prunedLanesComeBackFresh() {
        SessionEntry old = store.getOrCreateSession(KIM);
        store.appendToTranscript(old.sessionId(), said("m1", "hello"), false);
        clock.move(Duration.ofDays(8));
        assertThat(store.pruneOldEntries(7)).isEqualTo(1);
        assertThat(store.peekSessionId(old.key())).isEmpty();
        assertThat(ended(old.sessionId())).contains(Ending.PRUNED);
        SessionEntry fresh = store.getOrCreateSession(KIM);
        assertThat(fresh.sessionId()).isNotEqualTo(old.sessionId());
        assertThat(fresh.beginning()).isEqualTo(Beginning.ordinary());
    }

    @Test
    @DisplayName(
            "O4.8: exactly the age is kept, suspended lanes and active processes are kept, a mark protects nothing")
    void pruneEdges() {
        SessionKey exact = store.getOrCreateSession(dm("exact")).key();
        clock.move(Duration.ofMillis(-1));
        SessionKey older = store.getOrCreateSession(dm("older")).key();
        SessionKey suspended = store.getOrCreateSession(dm("suspended")).key();
        SessionKey active = store.getOrCreateSession(dm("active")).key();
        SessionKey marked = store.getOrCreateSession(dm("marked")).key();
        store.suspendSession(suspended);
        store.markResumePending(marked);
        clock.set(START.plus(Duration.ofDays(7)));
        processes.put(active, List.of(clock.instant()));
        assertThat(store.pruneOldEntries(0)).isZero();
        assertThat(store.pruneOldEntries(-1)).isZero();
        assertThat(store.pruneOldEntries(7)).isEqualTo(2);
        assertThat(store.listSessions())
                .extracting(SessionEntry::key)
                .containsExactlyInAnyOrder(exact, suspended, active);
        assertThat(List.of(older, marked))
                .allSatisfy(key -> assertThat(store.peekSessionId(key)).isEmpty());
    }

    @Test
    @DisplayName("O4.8: a look-up of processes that fails keeps the lane (R6.11)")
    void pruneKeepsWhatCannotBeAsked() {
        SessionEntry entry = store.getOrCreateSession(KIM);
        clock.move(Duration.ofDays(9));
        LaneReader failing = new LaneReader(
                storage,
                rules,
                ResetPolicies.of(ResetPolicy.DEFAULT),
                lane -> {
                    throw new IllegalStateException("cannot be asked");
                },
                clock,
                ZoneOffset.UTC);
        SessionStore other = new SessionStore(storage, rules, failing, clock, ZoneOffset.UTC, ids);
        assertThat(other.pruneOldEntries(7)).isZero();
        assertThat(other.getOrCreateSession(KIM).sessionId()).isEqualTo(entry.sessionId());
    }

    @Test
    @DisplayName("O4.7: exactly 120 seconds old is marked; older, marked and suspended lanes are left alone")
    void marksAfterACrash() {
        SessionKey exact = store.getOrCreateSession(dm("exact")).key();
        SessionKey suspended = store.getOrCreateSession(dm("suspended")).key();
        SessionKey pending = store.getOrCreateSession(dm("pending")).key();
        store.suspendSession(suspended);
        store.markResumePending(pending);
        clock.move(Duration.ofMillis(-1));
        SessionKey older = store.getOrCreateSession(dm("older")).key();
        clock.set(START.plusSeconds(120));
        assertThat(store.suspendRecentlyActive()).isEqualTo(1);
        assertThat(mark(exact)).hasValueSatisfying(mark -> {
            assertThat(mark.reason()).contains(ResumeReason.RESTART_INTERRUPTED);
            assertThat(mark.markedAt()).contains(clock.instant());
        });
        assertThat(mark(pending))
                .hasValueSatisfying(mark -> assertThat(mark.reason()).contains(ResumeReason.RESTART_TIMEOUT));
        assertThat(mark(older)).isEmpty();
        assertThat(mark(suspended)).isEmpty();
        assertThat(store.suspendRecentlyActive()).isZero();
    }

    @Test
    @DisplayName("O4.7: any number of lanes is marked")
    void marksManyLanes() {
        for (int i = 0; i < 250; i++) {
            store.getOrCreateSession(dm("many" + i));
        }
        assertThat(store.suspendRecentlyActive()).isEqualTo(250);
    }

    @Test
    @DisplayName("O4.1–O4.6, O4.11, O4.17: what is done to an unknown lane has no effect")
    void unknownLanes() {
        SessionKey key = new SessionKey("agent:main:telegram:dm:nobody");
        store.updateSession(key, Optional.of(3L));
        store.setModelOverride(
                key, Optional.of(new ModelOverride(Optional.of("m"), Optional.empty(), Optional.empty())));
        assertThat(store.resetSession(key, Optional.empty())).isEmpty();
        assertThat(store.switchSession(key, SessionId.of("x"))).isEmpty();
        assertThat(store.suspendSession(key)).isFalse();
        assertThat(store.markResumePending(key)).isFalse();
        assertThat(store.clearResumePending(key)).isFalse();
        assertThat(store.peekSessionId(key)).isEmpty();
        assertThat(store.getModelOverride(key)).isEmpty();
        assertThat(storage.lanes().count()).isZero();
    }

    @Test
    @DisplayName("O4.1: an update bumps the activity; the prompt size changes only where given, and 0 is a size")
    void update() {
        SessionKey key = store.getOrCreateSession(KIM).key();
        clock.move(Duration.ofMinutes(1));
        store.updateSession(key, Optional.of(70L));
        assertThat(entry(key).updatedAt()).isEqualTo(clock.instant());
        store.updateSession(key, Optional.empty());
        assertThat(entry(key).usage().lastPromptTokens()).isEqualTo(70);
        store.updateSession(key, Optional.of(0L));
        assertThat(entry(key).usage().lastPromptTokens()).isZero();
    }

    @Test
    @DisplayName("O4.3: a switch reopens the target, ends the current session, and is refused for what is not stored")
    void switching() {
        SessionEntry first = store.getOrCreateSession(KIM);
        SessionEntry second = store.resetSession(first.key(), Optional.empty()).orElseThrow();
        SessionEntry back = store.switchSession(first.key(), first.sessionId()).orElseThrow();
        assertThat(back.sessionId()).isEqualTo(first.sessionId());
        assertThat(ended(first.sessionId())).isEmpty();
        assertThat(ended(second.sessionId())).contains(Ending.SESSION_SWITCH);
        assertThat(store.switchSession(first.key(), first.sessionId())).contains(back);
        assertThatThrownBy(() -> store.switchSession(first.key(), SessionId.of("nowhere")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    @DisplayName("O4.3: two lanes never have the same current session")
    void switchingNeverShares() {
        SessionEntry kim = store.getOrCreateSession(KIM);
        SessionEntry other = store.getOrCreateSession(dm("100"));
        assertThatThrownBy(() -> store.switchSession(kim.key(), other.sessionId()))
                .isInstanceOf(InvalidRequest.class);
    }

    @Test
    @DisplayName("O4.4–O4.6: suspending hides a mark, a suspended lane takes none, clearing works once")
    void suspendAndMark() {
        SessionKey key = store.getOrCreateSession(KIM).key();
        assertThat(store.markResumePending(key)).isTrue();
        assertThat(store.clearResumePending(key)).isTrue();
        assertThat(store.clearResumePending(key)).isFalse();
        assertThat(store.suspendSession(key)).isTrue();
        assertThat(store.suspendSession(key)).isTrue();
        assertThat(store.markResumePending(key)).isFalse();
        assertThat(mark(key)).isEmpty();
    }

    @Test
    @DisplayName(
            "O4.9, O4.10: lists are newest first and filtered with the limit included; a session is found by its id")
    void lists() {
        SessionEntry first = store.getOrCreateSession(dm("a"));
        clock.move(Duration.ofMinutes(5));
        SessionEntry second = store.getOrCreateSession(dm("b"));
        assertThat(store.listSessions()).containsExactly(second, first);
        assertThat(store.listSessions(Duration.ofMinutes(5))).containsExactly(second, first);
        assertThat(store.listSessions(Duration.ZERO)).containsExactly(second);
        assertThat(store.lookupBySessionId(first.sessionId().value())).contains(first);
        assertThat(store.lookupBySessionId("")).isEmpty();
        assertThat(store.lookupBySessionId("../x")).isEmpty();
    }

    @Test
    @DisplayName("O4.12: the first session ever is not \"any session\"; the second is")
    void hasAnySessions() {
        assertThat(store.hasAnySessions()).isFalse();
        store.getOrCreateSession(KIM);
        assertThat(store.hasAnySessions()).isFalse();
        store.getOrCreateSession(dm("100"));
        assertThat(store.hasAnySessions()).isTrue();
    }

    @Test
    @DisplayName("O4.13: reasoning is kept for the assistant only, skip_db stores nothing, repeating stores once")
    void append() {
        SessionId session = store.getOrCreateSession(KIM).sessionId();
        Reasoning thought = new Reasoning(
                Optional.of("hm"), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        Message user = said("m1", "hi").toBuilder().reasoning(thought).build();
        Message answer = Message.builder(new MessageId("m2"), Role.ASSISTANT, Content.text("hello"), START)
                .reasoning(thought)
                .build();
        store.appendToTranscript(session, user, false);
        store.appendToTranscript(session, answer, false);
        store.appendToTranscript(session, answer, false);
        store.appendToTranscript(session, said("m3", "not stored"), true);
        assertThat(store.loadTranscript(session))
                .extracting(Message::reasoning)
                .containsExactly(Reasoning.NONE, thought);
        assertThatThrownBy(() -> store.appendToTranscript(SessionId.of("nowhere"), user, false))
                .isInstanceOf(InvalidRequest.class);
    }

    @Test
    @DisplayName("O4.14, D16: a rewrite replaces the conversation and keeps what was taken back for the record")
    void rewrite() {
        SessionId session = conversation("q1", "q2");
        store.rewindSession(session, 1);
        assertThat(store.rewriteTranscript(session, List.of(said("new", "only this"))))
                .isTrue();
        assertThat(texts(session)).containsExactly("only this");
        assertThat(storage.transcripts().loadAll(session)).hasSize(3);
        assertThat(store.rewriteTranscript(SessionId.of("nowhere"), List.of())).isFalse();
    }

    @Test
    @DisplayName("O4.20: taking back two of three turns leaves one and names the second question")
    void rewind() {
        SessionId session = conversation("q1", "q2", "q3");
        assertThat(store.rewindSession(session, 2)).hasValueSatisfying(rewind -> {
            assertThat(rewind.rewoundCount()).isEqualTo(4);
            assertThat(rewind.turnsUndone()).isEqualTo(2);
            assertThat(rewind.targetText()).isEqualTo("q2");
        });
        assertThat(texts(session)).containsExactly("q1", "a q1");
        assertThat(storage.sessions().find(session).orElseThrow().rewindCount()).isEqualTo(1);
        assertThat(storage.transcripts().loadAll(session)).hasSize(6);
    }

    @Test
    @DisplayName("O4.20: more turns than there are go back to the oldest; none and fewer than one count as one")
    void rewindEdges() {
        SessionId session = conversation("q1", "q2");
        assertThat(store.rewindSession(session, 99)).hasValueSatisfying(rewind -> {
            assertThat(rewind.turnsUndone()).isEqualTo(2);
            assertThat(rewind.targetText()).isEqualTo("q1");
        });
        assertThat(texts(session)).isEmpty();
        assertThat(store.rewindSession(session, 1)).isEmpty();
        SessionId other = conversation("x", "y");
        assertThat(store.rewindSession(other, 0))
                .hasValueSatisfying(rewind -> assertThat(rewind.turnsUndone()).isEqualTo(1));
    }

    @Test
    @DisplayName("O4.17: a chosen model stays until it is taken away or the session ends")
    void modelOverride() {
        SessionKey key = store.getOrCreateSession(KIM).key();
        ModelOverride big = new ModelOverride(Optional.of("big"), Optional.empty(), Optional.empty());
        store.setModelOverride(key, Optional.of(big));
        assertThat(store.getModelOverride(key)).contains(big);
        store.resetSession(key, Optional.empty());
        assertThat(store.getModelOverride(key)).isEmpty();
    }

    @Test
    @DisplayName("O4.18, O4.19: finalising sets the flag of the session it was about, and not of a newer one")
    void finalise() {
        SessionEntry entry = store.getOrCreateSession(KIM);
        store.setExpiryFinalized(entry, true);
        assertThat(entry(entry.key()).expiryFinalized()).isTrue();
        SessionEntry next = store.resetSession(entry.key(), Optional.empty()).orElseThrow();
        store.setExpiryFinalized(entry, true);
        assertThat(entry(next.key()).expiryFinalized()).isFalse();
        assertThat(store.isSessionFinalizable(entry)).isTrue();
    }

    @Test
    @DisplayName("O4.21: a thread of a chat begins with an empty transcript of its own")
    void threadsInheritNothing() {
        SessionEntry chat = store.getOrCreateSession(KIM);
        store.appendToTranscript(chat.sessionId(), said("m1", "secret"), false);
        SessionEntry thread =
                store.getOrCreateSession(KIM.toBuilder().threadId("5").build());
        assertThat(thread.key()).isNotEqualTo(chat.key());
        assertThat(store.loadTranscript(thread.sessionId())).isEmpty();
    }

    @Test
    @DisplayName("G3.12, matrix 8: many threads with the first message of one lane begin one session")
    void firstMessagesAtOnce() throws Exception {
        Set<SessionId> sessions = new TreeSet<>();
        for (SessionEntry entry : atOnce(8, () -> store.getOrCreateSession(KIM))) {
            sessions.add(entry.sessionId());
        }
        assertThat(sessions).hasSize(1);
        assertThat(storage.sessions().count(Optional.empty())).isEqualTo(1);
    }

    @Test
    @DisplayName("G3.12: a forced new session that meets another one's takes that one")
    void forcedSessionsCollapse() {
        SessionEntry old = store.getOrCreateSession(KIM);
        List<SessionEntry> between = new ArrayList<>();
        SessionStore late = on(new BetweenReadAndWrite(storage, () -> {
            if (between.isEmpty()) {
                between.add(store.getOrCreateSession(KIM, true));
            }
        }));
        SessionEntry entry = late.getOrCreateSession(KIM, true);
        assertThat(entry.sessionId()).isEqualTo(between.get(0).sessionId()).isNotEqualTo(old.sessionId());
    }

    @Test
    @DisplayName("Commit rule 1: what changes between decision and storing is decided again, at most three times")
    void decidesAgain() {
        SessionEntry entry = store.getOrCreateSession(KIM);
        SessionStore never =
                on(new BetweenReadAndWrite(storage, () -> store.resetSession(entry.key(), Optional.empty())));
        assertThatThrownBy(() -> never.suspendSession(entry.key())).isInstanceOf(StorageUnavailable.class);
        assertThat(storage.lanes().history(entry.key(), 99)).hasSize(5);
    }

    @Test
    @DisplayName("a store that fails is never taken for an empty one")
    void failuresComeThrough() {
        MemoryStorage closed = new MemoryStorage();
        closed.close();
        assertThatThrownBy(() -> on(closed).getOrCreateSession(KIM)).isInstanceOf(StorageUnavailable.class);
        assertThatThrownBy(() -> on(closed).loadTranscript(SessionId.of("x"))).isInstanceOf(StorageUnavailable.class);
        assertThatThrownBy(() -> on(closed).hasAnySessions()).isInstanceOf(StorageUnavailable.class);
    }

    private SessionId conversation(String... questions) {
        SessionId session = SessionId.of("c" + ++batches);
        commit(new Change.CreateSession(Session.builder(session, "cli", START).build()));
        for (String question : questions) {
            store.appendToTranscript(session, said(session + question, question), false);
            store.appendToTranscript(
                    session,
                    Message.builder(
                                    new MessageId(session + "a" + question),
                                    Role.ASSISTANT,
                                    Content.text("a " + question),
                                    START)
                            .build(),
                    false);
        }
        return session;
    }

    private List<String> texts(SessionId session) {
        return store.loadTranscript(session).stream()
                .map(m -> m.content().plainText())
                .toList();
    }

    private static <T> List<T> atOnce(int threads, Callable<T> task) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier barrier = new CyclicBarrier(threads);
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(() -> {
                    barrier.await();
                    return task.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : running) {
                results.add(future.get());
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    private Optional<Standing.ResumePending> mark(SessionKey key) {
        return entry(key).toBeResumed();
    }

    private SessionEntry entry(SessionKey key) {
        return storage.lanes().find(key).map(Lane::entry).orElseThrow();
    }

    private Optional<String> ended(SessionId session) {
        return storage.sessions().find(session).orElseThrow().ending().flatMap(Ending::reason);
    }

    private void commit(Change... changes) {
        storage.ledger().commit(new Batch(new BatchId("test", ++batches), List.of(), List.of(changes)));
    }

    private static Message said(String id, String text) {
        return Message.builder(new MessageId(id), Role.USER, Content.text(text), START)
                .build();
    }

    private static SessionSource dm(String chat) {
        return SessionSource.builder(Platform.TELEGRAM, chat).userId("u" + chat).build();
    }

    /** Lets something happen before each batch is stored. */
    private static final class BetweenReadAndWrite extends OtherLedger {
        BetweenReadAndWrite(Storage storage, Runnable between) {
            super(storage, batch -> {
                between.run();
                return storage.ledger().commit(batch);
            });
        }
    }
}
