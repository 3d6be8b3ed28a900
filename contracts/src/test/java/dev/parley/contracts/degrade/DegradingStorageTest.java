package dev.parley.contracts.degrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.degrade.StoreId;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.TokenUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commit rules 9 and 10: going on while the primary refuses, and the way back. */
class DegradingStorageTest extends DegradeBench {
    @Test
    void aWholeStoreIsUsedAsItIs() {
        begin(1);
        assertThat(storage.maintenance().health().degraded()).isEmpty();
        assertThat(said(data.open(Mode.READ_ONLY), session(1, 1))).containsExactly("hello 1");
        assertThat(storage.maintenance().status()).doesNotContainValue("degraded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UNAVAILABLE", "FULL", "CORRUPT"})
    @DisplayName(
            "Commit rule 9: where the primary refuses, the commit is kept in the fallback and the lane goes on with its context")
    void aLaneInUseGoesOnWithItsContext(String how) {
        begin(1);
        storage.sessions().find(session(1, 1));
        storage.transcripts().load(session(1, 1));
        become(SwitchableStorage.State.valueOf(how));

        assertThat(commit(say(1, 1, "still there?")).isCommitted()).isTrue();

        assertThat(storage.maintenance().health().degraded()).isPresent();
        assertThat(storage.lanes().find(key(1))).map(Lane::epoch).contains(1L);
        assertThat(said(storage, session(1, 1))).containsExactly("hello 1", "still there?");
        assertThat(storage.transcripts().isWhole(session(1, 1))).isTrue();
        assertThat(events.of(GatewayEvent.Degraded.class)).hasSize(1);
        assertThat(storage.maintenance().status()).containsEntry("mode", "degraded");
    }

    @Test
    @DisplayName("Commit rule 9: a lane whose conversation is not at hand keeps its session and gets a note")
    void anotherLaneKeepsItsSessionWithANote() {
        begin(1);
        begin(2);
        restart();
        become(SwitchableStorage.State.UNAVAILABLE);
        assertThat(storage.lanes().find(key(2))).map(l -> l.entry().sessionId()).contains(session(2, 1));
        assertThat(said(storage, session(2, 1))).singleElement().asString().contains("cannot be read for now");
        assertThat(storage.transcripts().isWhole(session(2, 1))).isFalse();
    }

    @Test
    @DisplayName("Commit rule 9: lists, search and history say that they are unavailable instead of showing nothing")
    void nothingUnavailableIsShownAsEmpty() {
        begin(1);
        become(SwitchableStorage.State.UNAVAILABLE);
        assertThatThrownBy(() -> storage.sessions().list(SessionQuery.usual()))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("degraded");
        assertThatThrownBy(() -> storage.search().search(SearchQuery.of("hello")))
                .isInstanceOf(StorageUnavailable.class);
        assertThatThrownBy(() -> storage.lanes().history(key(1), 5)).isInstanceOf(StorageUnavailable.class);
        assertThat(storage.lanes().count()).isEqualTo(1);
    }

    @Test
    @DisplayName("Commit rule 10: what was committed meanwhile is merged back in order, without a restart")
    void thePrimaryGetsEverythingOnceItReturns() {
        begin(1);
        become(SwitchableStorage.State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        commit(create(3, 1), new Change.PutLane(lane(3, 1, 1)), say(3, 1, "new lane"));
        commit(
                create(1, 2),
                new Change.PutLane(lane(1, 2, 2)),
                new Change.AppendHistory(new LaneEvent(
                        key(1),
                        START,
                        LaneEvent.Kind.RENEWED,
                        Optional.of(session(1, 1)),
                        Optional.of(session(1, 2)),
                        "new",
                        Map.of())),
                say(1, 2, "two"));
        letTimersRun();
        assertThat(storage.maintenance().health().degraded()).isPresent();

        become(SwitchableStorage.State.AVAILABLE);
        letTimersRun();

        assertThat(storage.maintenance().health().degraded()).isEmpty();
        Storage after = data.open(Mode.READ_ONLY);
        assertThat(said(after, session(1, 1))).containsExactly("hello 1", "one");
        assertThat(said(after, session(1, 2))).containsExactly("two");
        assertThat(said(after, session(3, 1))).containsExactly("new lane");
        assertThat(after.lanes().find(key(1))).contains(lane(1, 2, 2));
        assertThat(after.lanes().history(key(1), 9)).hasSize(1);
        assertThat(events.of(GatewayEvent.Healed.class)).singleElement().satisfies(h -> {
            assertThat(h.batches()).isEqualTo(3);
            assertThat(h.messages()).isEqualTo(3);
        });
        assertThat(spill.openJournal().orElseThrow().size()).isZero();
    }

    @Test
    @DisplayName("Commit rule 5: a commit whose outcome is unknown is not stored twice")
    void anUnknownCommitIsStoredOnce() {
        begin(1);
        become(SwitchableStorage.State.SILENT);
        commit(say(1, 1, "once"), touch(1, 1, 10));
        become(SwitchableStorage.State.AVAILABLE);
        letTimersRun();
        Storage after = data.open(Mode.READ_ONLY);
        assertThat(said(after, session(1, 1))).containsExactly("hello 1", "once");
        assertThat(after.lanes().find(key(1)).orElseThrow().entry().usage().totalTokens())
                .isEqualTo(10);
    }

    private static Change touch(int n, int generation, long tokens) {
        return new Change.TouchLane(
                key(n),
                session(n, generation),
                START.plusSeconds(1),
                new TokenUsage(tokens, 0, 0, 0, 0),
                0,
                Optional.empty(),
                Optional.empty());
    }

    @Test
    @DisplayName(
            "Commit rule 4: a running turn keeps its claim while storage degrades, and a superseded one does not get it back")
    void aRunningTurnKeepsItsClaim() {
        begin(1);
        Turn turn = new Turn(
                new TurnId("t"),
                key(1),
                session(1, 1),
                new RunId("r"),
                List.of(),
                START,
                Turn.State.CLAIMED,
                Optional.empty());
        commit(new Change.PutTurn(turn));
        become(SwitchableStorage.State.UNAVAILABLE);
        Precondition claimed = new Precondition.TurnClaimed(new TurnId("t"), new RunId("r"));
        assertThat(storage.ledger()
                        .commit(batch(
                                "w",
                                List.of(claimed),
                                say(1, 1, "answer"),
                                new Change.PutTurn(turn.ended(Turn.State.COMPLETED, START))))
                        .isCommitted())
                .isTrue();
        assertThat(storage.ledger().commit(batch("v", List.of(claimed), say(1, 1, "late"))))
                .isEqualTo(new CommitResult.Conflict(claimed));
        become(SwitchableStorage.State.AVAILABLE);
        letTimersRun();
        assertThat(data.open(Mode.READ_ONLY).queue().claimed()).isEmpty();
    }

    @Test
    @DisplayName("Commit rule 3: a message that was received before degrading is still recognised")
    void aRedeliveredMessageIsRecognised() {
        begin(1);
        PlatformMessage name = new PlatformMessage(Platform.TELEGRAM, "1", "42");
        Inbound inbound = new Inbound(
                new InboundId("i"),
                key(1),
                1,
                Inbound.Kind.MESSAGE,
                source(1),
                "hi",
                List.of(),
                START,
                Optional.of(name),
                Inbound.State.DONE,
                Optional.empty());
        commit(new Change.PutInbound(inbound));
        become(SwitchableStorage.State.UNAVAILABLE);
        assertThat(storage.queue().received(name)).isPresent();
        Precondition fresh = new Precondition.NotReceived(name);
        assertThat(storage.ledger().commit(batch("v", List.of(fresh), say(1, 1, "again"))))
                .isEqualTo(new CommitResult.Conflict(fresh));
    }

    @Test
    @DisplayName("Commit rule 10: a crash while degraded loses nothing, and the start merges back first")
    void aCrashWhileDegradedLosesNothing() {
        begin(1);
        become(SwitchableStorage.State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        restart();
        assertThat(storage.maintenance().health().degraded()).isPresent();
        assertThat(said(storage, session(1, 1))).contains("one");
        commit(say(1, 1, "two"));
        become(SwitchableStorage.State.AVAILABLE);
        restart();
        assertThat(storage.maintenance().health().degraded()).isEmpty();
        assertThat(said(data.open(Mode.READ_ONLY), session(1, 1))).containsExactly("hello 1", "one", "two");
    }

    @Test
    void aBrokenPrimaryStartsDegradedAndNotDead() {
        begin(1);
        become(SwitchableStorage.State.CORRUPT);
        restart();
        assertThat(storage.maintenance().health().degraded())
                .map(Health.Degraded::damaged)
                .contains(true);
        assertThat(commit(create(9, 1), new Change.PutLane(lane(9, 1, 1)), say(9, 1, "on"))
                        .isCommitted())
                .isTrue();
    }

    @Test
    @DisplayName("Commit rule 10: another store in the primary's place is not merged into")
    void anotherStoreIsNotMergedInto() {
        begin(1);
        become(SwitchableStorage.State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        commitDirectly(new Change.PutMeta(StoreId.NAME, "somebody else's"));
        become(SwitchableStorage.State.AVAILABLE);
        letTimersRun();
        assertThat(storage.maintenance().health().degraded()).isPresent();
        assertThat(said(data.open(Mode.READ_ONLY), session(1, 1))).containsExactly("hello 1");
        assertThat(events.of(GatewayEvent.Trouble.class))
                .anySatisfy(t -> assertThat(t.what()).contains("not the one that was in use"));
    }

    private void commitDirectly(Change... changes) {
        data.open(Mode.READ_WRITE).ledger().commit(batch("other", List.of(), changes));
    }

    @Test
    @DisplayName(
            "Commit rule 10: a lane that somebody moved meanwhile stays moved, and the spilled session becomes a previous one")
    void aLaneThatWasMovedElsewhereStaysThere() {
        begin(1);
        become(SwitchableStorage.State.UNAVAILABLE);
        commit(create(1, 2), new Change.PutLane(lane(1, 2, 2)), say(1, 2, "spilled"));
        commitDirectly(create(1, 7), new Change.PutLane(lane(1, 7, 5)));
        become(SwitchableStorage.State.AVAILABLE);
        letTimersRun();
        Storage after = data.open(Mode.READ_ONLY);
        assertThat(after.lanes().find(key(1))).contains(lane(1, 7, 5));
        assertThat(said(after, session(1, 2))).containsExactly("spilled");
        assertThat(after.sessions().find(session(1, 2)).orElseThrow().ending()).isPresent();
        assertThat(after.lanes().history(key(1), 1))
                .singleElement()
                .satisfies(e -> assertThat(e.reason()).isEqualTo("healed_beside"));
    }

    @Test
    @DisplayName("Commit rule 10: a title that was taken meanwhile gets the next number")
    void aTakenTitleIsNumbered() {
        begin(1);
        become(SwitchableStorage.State.UNAVAILABLE);
        commit(new Change.EditSession(session(1, 1), new SessionEdit.Retitle(Optional.of("Plan"))));
        commitDirectly(
                create(2, 1), new Change.EditSession(session(2, 1), new SessionEdit.Retitle(Optional.of("Plan"))));
        become(SwitchableStorage.State.AVAILABLE);
        letTimersRun();
        assertThat(data.open(Mode.READ_ONLY)
                        .sessions()
                        .find(session(1, 1))
                        .orElseThrow()
                        .title())
                .contains("Plan #2");
    }

    @Test
    void whereTheFallbackRefusesTooNothingIsAcknowledged() {
        begin(1);
        become(SwitchableStorage.State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        storage.close();
        assertThatThrownBy(() -> commit(say(1, 1, "two"))).isInstanceOf(StorageUnavailable.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    @DisplayName(
            "failing, returning, crashing at random: every acknowledged message is there once, in the order of its lane")
    void everyAcknowledgedMessageIsThereOnceAndInOrder(long seed) {
        Random random = new Random(seed);
        Map<Integer, List<String>> acknowledged = new HashMap<>();
        int lanes = 6;
        for (int n = 0; n < lanes; n++) {
            begin(n);
            acknowledged.put(n, new ArrayList<>(List.of("hello " + n)));
        }
        for (int step = 0; step < 300; step++) {
            int n = random.nextInt(lanes);
            switch (random.nextInt(12)) {
                case 0 -> become(SwitchableStorage.State.UNAVAILABLE);
                case 1 -> become(SwitchableStorage.State.FULL);
                case 2 -> become(SwitchableStorage.State.SILENT);
                case 3, 4 -> become(SwitchableStorage.State.AVAILABLE);
                case 5 -> letTimersRun();
                case 6 -> restart();
                default -> {
                    String text = "m" + step;
                    assertThat(storage.lanes().find(key(n))).isPresent();
                    Precondition epoch = new Precondition.LaneEpoch(key(n), 1);
                    assertThat(storage.ledger().commit(batch("lane" + n, List.of(epoch), say(n, 1, text))))
                            .isEqualTo(new CommitResult.Committed());
                    acknowledged.computeIfAbsent(n, k -> new ArrayList<>()).add(text);
                }
            }
        }
        become(SwitchableStorage.State.AVAILABLE);
        letTimersRun();
        assertThat(storage.maintenance().health().degraded()).isEmpty();
        Storage after = data.open(Mode.READ_ONLY);
        acknowledged.forEach(
                (n, texts) -> assertThat(said(after, session(n, 1))).containsExactlyElementsOf(texts));
    }
}
