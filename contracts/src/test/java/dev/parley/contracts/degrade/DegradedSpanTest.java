package dev.parley.contracts.degrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.degrade.StoreId;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts without a readable primary, a fallback that refuses too, and a way back that is interrupted (commit rules 3, 9 and 10). */
class DegradedSpanTest extends DegradeBench {
    private static final PlatformMessage NAME = new PlatformMessage(Platform.TELEGRAM, "1", "42");

    private Change received() {
        return received(1, Inbound.State.ADMITTED);
    }

    private Change received(long ordinal, Inbound.State state) {
        return new Change.PutInbound(new Inbound(
                new InboundId("i"),
                key(1),
                ordinal,
                Inbound.Kind.MESSAGE,
                source(1),
                "hi",
                List.of(),
                clock.instant(),
                Optional.of(NAME),
                state,
                Optional.empty()));
    }

    private void failAndRestart() {
        become(State.CORRUPT);
        restart();
        assertThat(storage.maintenance().health().degraded()).isPresent();
    }

    private Storage readable() {
        return data.open(Mode.READ_ONLY);
    }

    // ------------------------------------------------------------------ what a start without a readable primary knows

    @Test
    @DisplayName("Commit rule 9: what a lane receives while degraded comes behind what it received before, done or not")
    void ordinalsGoOnWhileDegraded() {
        begin(1);
        commit(received(5, Inbound.State.DONE));
        become(State.UNAVAILABLE);
        commit(say(1, 1, "degraded now"));
        assertThat(storage.queue().lastOrdinal(key(1))).isEqualTo(5);
    }

    @Test
    @DisplayName("Commit rule 9: the same after a start without a readable primary")
    void ordinalsGoOnAfterAStartWithoutAReadablePrimary() {
        begin(1);
        commit(received(5, Inbound.State.ADMITTED));
        commit(received(5, Inbound.State.DONE));
        failAndRestart();
        assertThat(storage.queue().lastOrdinal(key(1))).isEqualTo(5);
    }

    @Test
    @DisplayName("Commit rule 9: a start without a readable primary knows where its lanes stood, with epoch and flags")
    void aDegradedStartKnowsItsLanes() {
        begin(1);
        Lane suspended = new Lane(lane(1, 1, 1).entry().suspended(), 2);
        commit(new Change.PutLane(suspended));
        failAndRestart();

        assertThat(storage.lanes().find(key(1))).hasValue(suspended);
        assertThat(storage.ledger()
                        .commit(batch(
                                "v",
                                List.of(new Precondition.LaneEpoch(key(1), 2)),
                                create(1, 2),
                                new Change.PutLane(lane(1, 2, 3)),
                                say(1, 2, "new"))))
                .isEqualTo(new CommitResult.Committed());
        problems = List.of();
        become(State.AVAILABLE);
        letTimersRun();

        assertThat(storage.maintenance().health().degraded()).isEmpty();
        assertThat(readable().lanes().find(key(1))).hasValue(lane(1, 2, 3));
    }

    @Test
    @DisplayName(
            "Commit rule 9: of mirror and knowledge log the later move of a lane counts, and of one epoch the mirror's activity")
    void theLaterMoveOfALaneCounts() {
        begin(1);
        begin(2);
        commit(new Change.PutLane(lane(2, 2, 2)));
        Lane used = new Lane(lane(1, 1, 1).entry().usedAt(START.plusSeconds(60)), 1);
        lanesMirrored =
                Optional.of(List.of(used, lane(2, 1, 1), new Lane(lane(3, 1, 0).entry(), Lane.ABSENT)));
        failAndRestart();

        assertThat(storage.lanes().find(key(1))).hasValue(used);
        assertThat(storage.lanes().find(key(2))).hasValue(lane(2, 2, 2));
        assertThat(storage.lanes().find(key(3))).hasValue(lane(3, 1, 1));
    }

    @Test
    @DisplayName(
            "Commit rule 9: where nothing tells which lanes there were, a new session is not taken for a lane's first")
    void unreadableIsNotMistakenForEmpty() {
        begin(1);
        failAndRestart();
        commit(create(7, 1), new Change.PutLane(lane(7, 1, 1)), say(7, 1, "hello"));

        assertThat(storage.transcripts().isWhole(session(7, 1))).isFalse();
        assertThat(said(storage, session(7, 1))).hasSize(2).last().isEqualTo("hello");
    }

    @Test
    void aSessionThatMustNotBeThereYetBeginsOnALaneNobodyRemembers() {
        begin(1);
        failAndRestart();
        Batch first = batch(
                "v",
                List.of(new Precondition.LaneEpoch(key(7), Lane.ABSENT), new Precondition.SessionAbsent(session(7, 1))),
                create(7, 1),
                new Change.PutLane(lane(7, 1, 1)),
                say(7, 1, "hello"));

        assertThat(storage.ledger().commit(first).isCommitted()).isTrue();
        assertThat(said(storage, session(7, 1))).hasSize(2).last().isEqualTo("hello");
        assertThat(storage.ledger()
                        .commit(batch("w", List.of(new Precondition.SessionAbsent(session(7, 1))), create(7, 1))))
                .as("an id that is taken by then")
                .isInstanceOf(CommitResult.Conflict.class);
    }

    @Test
    void whereTheMirrorTellsWhichLanesThereWereANewOneIsNew() {
        begin(1);
        lanesMirrored = Optional.of(List.of(lane(1, 1, 1)));
        failAndRestart();
        commit(create(7, 1), new Change.PutLane(lane(7, 1, 1)), say(7, 1, "hello"));

        assertThat(storage.transcripts().isWhole(session(7, 1))).isTrue();
        assertThat(said(storage, session(7, 1))).containsExactly("hello");
    }

    @Test
    @DisplayName(
            "Commit rule 3: a message that an earlier process received is recognised by one that cannot read the primary")
    void aMessageOfAnEarlierProcessIsRecognised() {
        begin(1);
        commit(received());
        failAndRestart();

        assertThat(storage.queue().received(NAME)).isPresent();
        Precondition fresh = new Precondition.NotReceived(NAME);
        assertThat(storage.ledger().commit(batch("v", List.of(fresh), say(1, 1, "again"))))
                .isEqualTo(new CommitResult.Conflict(fresh));
    }

    @Test
    @DisplayName("Commit rule 3: and by one whose primary fails later")
    void aMessageOfAnEarlierProcessIsRecognisedWhenThePrimaryFailsLater() {
        begin(1);
        commit(received());
        restart();
        become(State.UNAVAILABLE);

        Precondition fresh = new Precondition.NotReceived(NAME);
        assertThat(storage.ledger().commit(batch("v", List.of(fresh), say(1, 1, "again"))))
                .isEqualTo(new CommitResult.Conflict(fresh));
    }

    @Test
    @DisplayName("Commit rule 3: for seven days")
    void aMessageIsRecognisedForSevenDays() {
        begin(1);
        commit(received());
        clock.set(START.plus(Duration.ofDays(7)).plusSeconds(1));
        failAndRestart();

        assertThat(storage.queue().received(NAME)).isEmpty();
    }

    @Test
    @DisplayName("Commit rule 9: a session that is not in use is unavailable, not unknown")
    void aSessionThatIsNotInUseIsUnavailable() {
        begin(1);
        commit(create(1, 2), new Change.PutLane(lane(1, 2, 2)));
        failAndRestart();

        assertThatThrownBy(() -> storage.sessions().find(session(1, 1))).isInstanceOf(StorageUnavailable.class);
        assertThatThrownBy(() -> storage.transcripts().load(session(1, 1))).isInstanceOf(StorageUnavailable.class);
        assertThatThrownBy(() -> storage.sessions().ofLane(key(1), 9)).isInstanceOf(StorageUnavailable.class);
        assertThat(storage.sessions().find(session(1, 2))).isPresent();
    }

    // ------------------------------------------------------------------ a fallback that refuses too

    @Test
    @DisplayName("Commit rule 9: what neither primary nor fallback took is nowhere, and taken once there is room again")
    void whereTheFallbackIsFullNothingIsAcknowledgedAndNothingIsSeen() {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        appendsLeft = 0;
        assertThatThrownBy(() -> commit(received())).isInstanceOf(StorageUnavailable.class);
        assertThatThrownBy(() -> commit(say(1, 1, "lost"))).isInstanceOf(StorageUnavailable.class);

        assertThat(storage.queue().received(NAME)).isEmpty();
        assertThat(said(storage, session(1, 1))).endsWith("one");

        appendsLeft = Integer.MAX_VALUE;
        assertThat(storage.ledger()
                        .commit(batch("v", List.of(new Precondition.NotReceived(NAME)), received(), say(1, 1, "two"))))
                .isEqualTo(new CommitResult.Committed());
        become(State.AVAILABLE);
        letTimersRun();

        assertThat(storage.maintenance().health().degraded()).isEmpty();
        assertThat(said(readable(), session(1, 1))).containsExactly("hello 1", "one", "two");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @DisplayName("Commit rule 9: a fallback that is full when the primary fails is tried again with the next batch")
    void aFallbackThatIsFullAtFirstIsTriedAgain(int room) {
        begin(1);
        commit(received());
        storage.sessions().find(session(1, 1));
        storage.transcripts().load(session(1, 1));
        become(State.UNAVAILABLE);
        appendsLeft = room;
        Batch first = batch("w", List.of(), say(1, 1, "one"));
        assertThatThrownBy(() -> storage.ledger().commit(first)).isInstanceOf(StorageUnavailable.class);

        appendsLeft = Integer.MAX_VALUE;
        assertThat(storage.ledger().commit(first).isCommitted()).isTrue();

        assertThat(said(storage, session(1, 1))).containsExactly("hello 1", "one");
        assertThat(storage.queue().admitted(key(1))).hasSize(1);
        become(State.AVAILABLE);
        letTimersRun();
        assertThat(storage.maintenance().health().degraded()).isEmpty();
        assertThat(said(readable(), session(1, 1))).containsExactly("hello 1", "one");
        assertThat(readable().queue().admitted(key(1))).hasSize(1);
    }

    // ------------------------------------------------------------------ the way back

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    @DisplayName("Commit rule 10: a primary that fails again while it is merged into gets everything once, later")
    void aPrimaryThatFailsAgainWhileHealing(int commits) {
        List<String> expected = spillFive();
        commitsLeft = commits;
        become(State.AVAILABLE);
        letTimersRun();
        commit(say(1, 1, "meanwhile"));
        commitsLeft = Integer.MAX_VALUE;
        letTimersRun();

        expected.add("meanwhile");
        assertThat(storage.maintenance().health().degraded()).isEmpty();
        assertThat(said(readable(), session(1, 1))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    @DisplayName("Commit rule 10: a crash in the middle of healing loses nothing and doubles nothing")
    void aCrashInTheMiddleOfHealing(int commits) {
        List<String> expected = spillFive();
        commitsLeft = commits;
        become(State.AVAILABLE);
        letTimersRun();
        commitsLeft = Integer.MAX_VALUE;
        restart();

        assertThat(storage.maintenance().health().degraded()).isEmpty();
        assertThat(said(readable(), session(1, 1))).isEqualTo(expected);
        assertThat(readable().sessions().find(session(1, 1)).orElseThrow().messageCount())
                .isEqualTo(expected.size());
    }

    private List<String> spillFive() {
        begin(1);
        become(State.UNAVAILABLE);
        List<String> expected = new ArrayList<>(List.of("hello 1"));
        for (int i = 1; i <= 5; i++) {
            commit(say(1, 1, "m" + i));
            expected.add("m" + i);
        }
        return expected;
    }

    @Test
    @DisplayName("Commit rule 10: a turn and a message that ended in the primary meanwhile do not begin again")
    void whatEndedInThePrimaryStaysEnded() {
        begin(1);
        Turn turn = new Turn(
                new TurnId("t"),
                key(1),
                session(1, 1),
                new RunId("r"),
                List.of(new InboundId("i")),
                START,
                Turn.State.CLAIMED,
                Optional.empty());
        Inbound inbound = ((Change.PutInbound) received()).inbound();
        become(State.UNAVAILABLE);
        commit(new Change.PutInbound(inbound.claimedBy(turn.id())), new Change.PutTurn(turn));
        data.open(Mode.READ_WRITE)
                .ledger()
                .commit(batch(
                        "other",
                        List.of(),
                        new Change.PutInbound(inbound.claimedBy(turn.id()).in(Inbound.State.DONE)),
                        new Change.PutTurn(turn.ended(Turn.State.COMPLETED, START))));
        become(State.AVAILABLE);
        letTimersRun();

        assertThat(storage.maintenance().health().degraded()).isEmpty();
        assertThat(readable().queue().turn(turn.id())).map(Turn::state).contains(Turn.State.COMPLETED);
        assertThat(readable().queue().inbound(inbound.id())).map(Inbound::state).contains(Inbound.State.DONE);
    }

    @Test
    @DisplayName("Commit rule 10: degrading and healing again and again keeps the order and tells each span once")
    void healingTwice() {
        begin(1);
        List<String> expected = new ArrayList<>(List.of("hello 1"));
        for (int round = 1; round <= 3; round++) {
            become(State.UNAVAILABLE);
            commit(say(1, 1, "out " + round));
            become(State.AVAILABLE);
            letTimersRun();
            commit(say(1, 1, "back " + round));
            expected.add("out " + round);
            expected.add("back " + round);
        }

        assertThat(said(readable(), session(1, 1))).isEqualTo(expected);
        assertThat(events.of(GatewayEvent.Degraded.class)).hasSize(3);
        assertThat(events.of(GatewayEvent.Healed.class)).hasSize(3);
    }

    @Test
    @DisplayName("a damaged primary is not merged into until its check passes, and is tried less and less often")
    void aDamagedPrimaryHealsOnlyOnceItsCheckPasses() {
        begin(1);
        become(State.CORRUPT);
        commit(say(1, 1, "one"));
        problems = List.of("a page is broken");
        become(State.AVAILABLE);
        timers.advance(PROBE.multipliedBy(100));

        assertThat(storage.maintenance().health().degraded())
                .map(Health.Degraded::damaged)
                .contains(true);
        assertThat(said(readable(), session(1, 1))).containsExactly("hello 1");
        assertThat(checks).isBetween(3, 10);
        assertThat(events.of(GatewayEvent.Trouble.class))
                .as("told once, not each time")
                .hasSize(1);

        problems = List.of();
        timers.advance(PROBE.multipliedBy(100));
        assertThat(storage.maintenance().health().degraded()).isEmpty();
        assertThat(said(readable(), session(1, 1))).containsExactly("hello 1", "one");
    }

    @Test
    @DisplayName("a primary that turns out damaged when it is tried must pass its check from then on")
    void aPrimaryThatTurnsOutDamagedMustPassItsCheck() {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        become(State.CORRUPT);
        letTimersRun();
        problems = List.of("a page is broken");
        become(State.AVAILABLE);
        timers.advance(PROBE.multipliedBy(20));

        assertThat(storage.maintenance().health().degraded()).isPresent();
        assertThat(said(readable(), session(1, 1))).containsExactly("hello 1");
    }

    @Test
    @DisplayName("Commit rule 10: another store is not merged into by the next process either")
    void anotherStoreIsNotMergedIntoAfterARestart() {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        data.open(Mode.READ_WRITE)
                .ledger()
                .commit(batch("other", List.of(), new Change.PutMeta(StoreId.NAME, "another")));
        become(State.AVAILABLE);
        restart();

        assertThat(storage.maintenance().health().degraded()).isPresent();
        assertThat(said(readable(), session(1, 1))).containsExactly("hello 1");
    }

    @Test
    @DisplayName(
            "Commit rule 10: a store that could not be read at the start is told from another one by what is remembered of it")
    void aStoreThatWasNeverReadIsToldFromAnother() {
        begin(1);
        failAndRestart();
        commit(create(9, 1), new Change.PutLane(lane(9, 1, 1)), say(9, 1, "on"));
        data.open(Mode.READ_WRITE)
                .ledger()
                .commit(batch("other", List.of(), new Change.PutMeta(StoreId.NAME, "another")));
        become(State.AVAILABLE);
        timers.advance(PROBE.multipliedBy(20));

        assertThat(storage.maintenance().health().degraded()).isPresent();
        assertThat(readable().lanes().find(key(9))).isEmpty();
    }
}
