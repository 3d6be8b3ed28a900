package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.append;
import static dev.parley.contracts.storage.Samples.assistant;
import static dev.parley.contracts.storage.Samples.at;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.end;
import static dev.parley.contracts.storage.Samples.event;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.inbound;
import static dev.parley.contracts.storage.Samples.key;
import static dev.parley.contracts.storage.Samples.lane;
import static dev.parley.contracts.storage.Samples.named;
import static dev.parley.contracts.storage.Samples.outgoing;
import static dev.parley.contracts.storage.Samples.put;
import static dev.parley.contracts.storage.Samples.retitle;
import static dev.parley.contracts.storage.Samples.session;
import static dev.parley.contracts.storage.Samples.touch;
import static dev.parley.contracts.storage.Samples.turn;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.InvalidRequest;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Told;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.CommitResult.Committed;
import dev.parley.domain.change.CommitResult.Conflict;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.Lane;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.util.List;
import java.util.Optional;

/** {@link dev.parley.application.port.Ledger}: batches, their ids and their preconditions; what each change does is in the contracts of the reads. */
public interface LedgerContract extends StoreContract {
    @Core
    default void changesOfABatchTakeEffectInOrder(StoreUnderTest store) {
        store.commit(
                created("s"),
                end("s", 5, "first"),
                append("s", user("m1", "one")),
                append("s", assistant("m2", "two")));

        assertThat(store.sessions().find(id("s")).orElseThrow().messageCount()).isEqualTo(2);
        assertThat(store.sessions().find(id("s")).orElseThrow().endedBy("first"))
                .isTrue();
        assertThat(store.transcripts().load(id("s")))
                .extracting(m -> m.message().id().value())
                .containsExactly("m1", "m2");
    }

    @Core
    default void readsSeeABatchOnceItIsCommitted(StoreUnderTest store) {
        store.commit(
                created("s"),
                append("s", user("m1", "hello")),
                put(lane("1", "s", 1)),
                new Change.AppendHistory(event("1", 1, "idle")),
                new Change.PutInbound(inbound("in-1", "1", 1)),
                new Change.PutTurn(turn("t1", "1", "s", 1)),
                new Change.PutOutgoing(outgoing("o1", "1", 1)),
                new Change.PutMeta("k", "v"));

        assertThat(store.sessions().find(id("s"))).isPresent();
        assertThat(store.transcripts().load(id("s"))).hasSize(1);
        assertThat(store.lanes().find(key("1"))).isPresent();
        assertThat(store.lanes().history(key("1"), 5)).hasSize(1);
        assertThat(store.queue().inbound(new InboundId("in-1"))).isPresent();
        assertThat(store.queue().turn(new TurnId("t1"))).isPresent();
        assertThat(store.queue().undelivered()).hasSize(1);
        assertThat(store.meta().get("k")).hasValue("v");
    }

    @Core
    default void anEmptyBatchIsCommitted(StoreUnderTest store) {
        assertThat(store.ledger().commit(store.batch(List.of()))).isEqualTo(new Committed());
    }

    @Core
    default void aBatchIsNotAppliedTwice(StoreUnderTest store) {
        Batch batch = store.batch(List.of(), created("s"), new Change.AppendHistory(event("1", 1, "idle")));

        assertThat(store.ledger().commit(batch)).isEqualTo(new Committed());
        assertThat(store.ledger().commit(batch)).isEqualTo(new Committed());

        assertThat(store.lanes().history(key("1"), 5)).hasSize(1);
    }

    @Core
    default void aRepeatedBatchIsCommittedThoughItsPreconditionsNoLongerHold(StoreUnderTest store) {
        Batch batch = store.batch(List.of(new Precondition.SessionAbsent(id("s"))), created("s"));

        assertThat(store.ledger().commit(batch)).isEqualTo(new Committed());
        assertThat(store.ledger().commit(batch)).isEqualTo(new Committed());
    }

    @Core
    default void aBatchIsRecognisedAfterReopen(StoreUnderTest store) {
        Batch batch = store.batch(List.of(), new Change.AppendHistory(event("1", 1, "idle")));
        store.ledger().commit(batch);

        store.reopen();

        assertThat(store.ledger().commit(batch)).isEqualTo(new Committed());
        assertThat(store.lanes().history(key("1"), 5)).hasSize(1);
    }

    @Core
    default void aBatchWithALowerSequenceOfItsWriterWasApplied(StoreUnderTest store) {
        store.ledger().commit(new Batch(new BatchId("w", 7), List.of(), List.of(new Change.PutMeta("k", "seven"))));

        assertThat(store.ledger()
                        .commit(new Batch(new BatchId("w", 6), List.of(), List.of(new Change.PutMeta("k", "six")))))
                .isEqualTo(new Committed());

        assertThat(store.meta().get("k")).hasValue("seven");
    }

    @Core
    default void writersCountTheirBatchesApart(StoreUnderTest store) {
        store.ledger().commit(new Batch(new BatchId("w1", 7), List.of(), List.of(new Change.PutMeta("k1", "a"))));
        store.ledger().commit(new Batch(new BatchId("w2", 1), List.of(), List.of(new Change.PutMeta("k2", "b"))));

        assertThat(store.meta().get("k2")).hasValue("b");
    }

    @Core
    default void aBatchInConflictStoresNothing(StoreUnderTest store) {
        Precondition exists = new Precondition.SessionExists(id("missing"));

        CommitResult result = store.commitIf(exists, created("s"), new Change.PutMeta("k", "v"));

        assertThat(result).isEqualTo(new Conflict(exists));
        assertThat(store.sessions().find(id("s"))).isEmpty();
        assertThat(store.meta().get("k")).isEmpty();
    }

    @Core
    default void aBatchInConflictCanBeCommittedLaterUnderItsId(StoreUnderTest store) {
        Batch batch = store.batch(List.of(new Precondition.SessionExists(id("s"))), new Change.PutMeta("k", "v"));
        assertThat(store.ledger().commit(batch).isCommitted()).isFalse();
        store.ledger().commit(new Batch(new BatchId("other", 1), List.of(), List.of(created("s"))));

        assertThat(store.ledger().commit(batch)).isEqualTo(new Committed());

        assertThat(store.meta().get("k")).hasValue("v");
    }

    @Core
    default void theFirstPreconditionThatDoesNotHoldIsNamed(StoreUnderTest store) {
        store.commit(created("s"));
        Precondition holds = new Precondition.SessionExists(id("s"));
        Precondition first = new Precondition.SessionExists(id("missing-1"));
        Precondition second = new Precondition.SessionExists(id("missing-2"));

        assertThat(store.ledger().commit(store.batch(List.of(holds, first, second), new Change.PutMeta("k", "v"))))
                .isEqualTo(new Conflict(first));
    }

    @Core
    default void everyPreconditionMustHold(StoreUnderTest store) {
        store.commit(created("s"));
        Precondition last = new Precondition.SessionAbsent(id("s"));

        assertThat(store.ledger()
                        .commit(store.batch(
                                List.of(new Precondition.SessionExists(id("s")), last), new Change.PutMeta("k", "v"))))
                .isEqualTo(new Conflict(last));
        assertThat(store.meta().get("k")).isEmpty();
    }

    @Core
    default void preconditionsAreCheckedBeforeTheFirstChange(StoreUnderTest store) {
        assertThat(store.commitIf(new Precondition.SessionAbsent(id("s")), created("s"))
                        .isCommitted())
                .isTrue();
        assertThat(store.commitIf(new Precondition.SessionExists(id("new")), created("new"))
                        .isCommitted())
                .isFalse();
    }

    // Refused changes

    @Core
    default void aRefusedChangeLeavesNothingOfItsBatch(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")), put(lane("1", "s", 1)));

        Told.refused(
                "A batch that appends to a session that does not exist behind thirteen other changes",
                InvalidRequest.class,
                () -> store.commit(
                        created("t"),
                        end("s", 9, "gone"),
                        append("s", user("m2", "two")),
                        put(lane("1", "t", 2)),
                        put(lane("2", "t", 1)),
                        new Change.RemoveLane(key("1")),
                        new Change.PutMeta("k", "v"),
                        new Change.PutInbound(inbound("in-1", "1", 1)),
                        new Change.PutTurn(turn("t1", "1", "s", 1)),
                        new Change.PutOutgoing(outgoing("o1", "1", 1)),
                        new Change.AppendHistory(event("1", 1, "idle")),
                        new Change.DeleteSession(id("s")),
                        append("missing", user("m3", "three"))),
                "missing");

        assertThat(store.sessions().find(id("t"))).isEmpty();
        assertThat(store.sessions().find(id("s")).orElseThrow().isLive()).isTrue();
        assertThat(store.sessions().find(id("s")).orElseThrow().messageCount()).isEqualTo(1);
        assertThat(store.transcripts().loadAll(id("s"))).hasSize(1);
        assertThat(store.lanes().find(key("1"))).hasValue(lane("1", "s", 1));
        assertThat(store.lanes().findBySession(id("s"))).hasValue(lane("1", "s", 1));
        assertThat(store.lanes().findBySession(id("t"))).isEmpty();
        assertThat(store.lanes().count()).isEqualTo(1);
        assertThat(store.lanes().history(key("1"), 9)).isEmpty();
        assertThat(store.meta().get("k")).isEmpty();
        assertThat(store.queue().admitted()).isEmpty();
        assertThat(store.queue().received(named("1", "p-in-1"))).isEmpty();
        assertThat(store.queue().lastOrdinal(key("1"))).isZero();
        assertThat(store.queue().claimed()).isEmpty();
        assertThat(store.queue().undelivered()).isEmpty();
    }

    @Core
    default void theStoreGoesOnAfterARefusedChange(StoreUnderTest store) {
        Told.refused(
                "A batch that appends to a session that does not exist",
                InvalidRequest.class,
                () -> store.commit(append("missing", user("m", "x"))));

        store.commit(created("s"), append("s", user("m", "x")));

        assertThat(store.transcripts().load(id("s"))).hasSize(1);
    }

    @Core
    default void aRefusedBatchCanBeCommittedLaterUnderItsId(StoreUnderTest store) {
        Batch batch = store.batch(List.of(), append("s", user("m", "x")));
        Told.refused(
                "A batch that appends to a session that does not exist",
                InvalidRequest.class,
                () -> store.ledger().commit(batch));
        store.ledger().commit(new Batch(new BatchId("other", 1), List.of(), List.of(created("s"))));

        assertThat(store.ledger().commit(batch)).isEqualTo(new Committed());

        assertThat(store.transcripts().load(id("s"))).hasSize(1);
    }

    // Precondition.LaneEpoch

    @Core
    default void aLaneThatMustNotExistMustNotExist(StoreUnderTest store) {
        Precondition absent = new Precondition.LaneEpoch(key("1"), Lane.ABSENT);

        assertThat(store.commitIf(absent, created("s"), put(lane("1", "s", 1)))).isEqualTo(new Committed());
        assertThat(store.commitIf(absent, put(lane("1", "s", 9)))).isEqualTo(new Conflict(absent));
        assertThat(store.lanes().find(key("1")).orElseThrow().epoch()).isEqualTo(1);
    }

    @Core
    default void aLaneMustHaveTheEpoch(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 3)));

        assertThat(store.commitIf(new Precondition.LaneEpoch(key("1"), 2), new Change.PutMeta("k", "two")))
                .isInstanceOf(Conflict.class);
        assertThat(store.commitIf(new Precondition.LaneEpoch(key("1"), 4), new Change.PutMeta("k", "four")))
                .isInstanceOf(Conflict.class);
        assertThat(store.commitIf(new Precondition.LaneEpoch(key("2"), 3), new Change.PutMeta("k", "other")))
                .isInstanceOf(Conflict.class);
        assertThat(store.commitIf(new Precondition.LaneEpoch(key("1"), 3), new Change.PutMeta("k", "three")))
                .isEqualTo(new Committed());
        assertThat(store.meta().get("k")).hasValue("three");
    }

    @Core
    default void aTouchLeavesTheEpochAlone(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 3)));
        store.commit(touch("1", "s", 60));

        assertThat(store.commitIf(new Precondition.LaneEpoch(key("1"), 3), new Change.PutMeta("k", "v")))
                .isEqualTo(new Committed());
    }

    @Core
    default void aRemovedLaneIsAbsent(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 3)));
        store.commit(new Change.RemoveLane(key("1")));

        assertThat(store.commitIf(new Precondition.LaneEpoch(key("1"), Lane.ABSENT), new Change.PutMeta("k", "v")))
                .isEqualTo(new Committed());
    }

    // Precondition.TurnClaimed

    @Core
    default void aTurnMustBeClaimedByTheRun(StoreUnderTest store) {
        Turn turn = turn("t1", "1", "s", 1);
        store.commit(created("s"), new Change.PutTurn(turn));
        Precondition claimed = new Precondition.TurnClaimed(turn.id(), turn.run());
        Precondition byOther = new Precondition.TurnClaimed(turn.id(), new RunId("run-2"));
        Precondition missing = new Precondition.TurnClaimed(new TurnId("t9"), turn.run());

        assertThat(store.commitIf(byOther, new Change.PutMeta("k", "v"))).isEqualTo(new Conflict(byOther));
        assertThat(store.commitIf(missing, new Change.PutMeta("k", "v"))).isEqualTo(new Conflict(missing));
        assertThat(store.commitIf(claimed, new Change.PutMeta("k", "v"))).isEqualTo(new Committed());
    }

    @Core
    default void anEndedTurnIsNotClaimed(StoreUnderTest store) {
        Turn turn = turn("t1", "1", "s", 1);
        store.commit(created("s"), new Change.PutTurn(turn));
        store.commit(new Change.PutTurn(turn.ended(Turn.State.DROPPED, at(2))));
        Precondition claimed = new Precondition.TurnClaimed(turn.id(), turn.run());

        assertThat(store.commitIf(claimed, new Change.PutMeta("k", "v"))).isEqualTo(new Conflict(claimed));
    }

    // Precondition.NotReceived

    @Core
    default void aMessageIsReceivedOnce(StoreUnderTest store) {
        Precondition notReceived = new Precondition.NotReceived(named("1", "p-in-1"));

        assertThat(store.commitIf(notReceived, new Change.PutInbound(inbound("in-1", "1", 1))))
                .isEqualTo(new Committed());
        assertThat(store.commitIf(notReceived, new Change.PutInbound(inbound("in-2", "1", 2))))
                .isEqualTo(new Conflict(notReceived));
        assertThat(store.queue().inbound(new InboundId("in-2"))).isEmpty();
    }

    @Core
    default void aMessageWasReceivedWhateverBecameOfIt(StoreUnderTest store) {
        store.commit(new Change.PutInbound(inbound("in-1", "1", 1).in(Inbound.State.DROPPED)));
        Precondition notReceived = new Precondition.NotReceived(named("1", "p-in-1"));

        assertThat(store.commitIf(notReceived, new Change.PutMeta("k", "v"))).isEqualTo(new Conflict(notReceived));
    }

    @Core
    default void messagesOfOtherChatsAndPlatformsAreOthers(StoreUnderTest store) {
        store.commit(new Change.PutInbound(inbound("in-1", "1", 1)));

        assertThat(store.commitIf(new Precondition.NotReceived(named("2", "p-in-1")), new Change.PutMeta("k", "v")))
                .isEqualTo(new Committed());
        assertThat(store.commitIf(
                        new Precondition.NotReceived(new dev.parley.domain.turn.PlatformMessage(
                                dev.parley.domain.source.Platform.SLACK, "1", "p-in-1")),
                        new Change.PutMeta("k", "v")))
                .isEqualTo(new Committed());
    }

    // Precondition.StillAdmitted

    @Core
    default void aMessageMustStillWait(StoreUnderTest store) {
        Inbound message = inbound("in-1", "1", 1);
        Precondition waits = new Precondition.StillAdmitted(message.id());
        assertThat(store.commitIf(waits, new Change.PutMeta("k", "none"))).isEqualTo(new Conflict(waits));
        store.commit(new Change.PutInbound(message));
        assertThat(store.commitIf(waits, new Change.PutMeta("k", "waits"))).isEqualTo(new Committed());

        for (Inbound.State state : List.of(Inbound.State.CLAIMED, Inbound.State.DONE, Inbound.State.DROPPED)) {
            store.commit(new Change.PutInbound(message.in(state)));
            assertThat(store.commitIf(waits, new Change.PutMeta("k", state.name())))
                    .as("a message that is %s", state)
                    .isEqualTo(new Conflict(waits));
        }
        assertThat(store.meta().get("k")).hasValue("waits");
    }

    // Precondition.TitleFree

    @Core
    @Having(Capability.TITLES)
    default void aTitleIsFreeForTheSessionThatHasIt(StoreUnderTest store) {
        store.commit(created("s"), created("t"), retitle("s", "Docker"));
        Precondition forOther = new Precondition.TitleFree("Docker", id("t"));

        assertThat(store.commitIf(new Precondition.TitleFree("Docker", id("s")), new Change.PutMeta("k", "v")))
                .isEqualTo(new Committed());
        assertThat(store.commitIf(forOther, retitle("t", "Docker"))).isEqualTo(new Conflict(forOther));
        assertThat(store.commitIf(new Precondition.TitleFree("docker", id("t")), retitle("t", "docker")))
                .as("titles differ by case (storage 3.3)")
                .isEqualTo(new Committed());
    }

    @Core
    @Having(Capability.TITLES)
    default void aTitleIsFreeAgainWhenItsSessionGaveItAway(StoreUnderTest store) {
        store.commit(created("s"), created("t"), retitle("s", "Docker"));
        store.commit(Samples.edit("s", new dev.parley.domain.change.SessionEdit.Retitle(Optional.empty())));

        assertThat(store.commitIf(new Precondition.TitleFree("Docker", id("t")), retitle("t", "Docker")))
                .isEqualTo(new Committed());
    }

    // Precondition.SessionExists, SessionAbsent

    @Core
    default void aSessionMustExist(StoreUnderTest store) {
        Precondition exists = new Precondition.SessionExists(id("s"));

        assertThat(store.commitIf(exists, new Change.PutMeta("k", "v"))).isEqualTo(new Conflict(exists));
        store.commit(created("s"));
        assertThat(store.commitIf(exists, new Change.PutMeta("k", "v"))).isEqualTo(new Committed());
    }

    @Core
    default void aSessionMustNotExist(StoreUnderTest store) {
        Precondition absent = new Precondition.SessionAbsent(id("s"));
        store.commit(created("s"));

        assertThat(store.commitIf(absent, new Change.PutMeta("k", "v"))).isEqualTo(new Conflict(absent));
        store.commit(new Change.DeleteSession(id("s")));
        assertThat(store.commitIf(absent, new Change.PutMeta("k", "v"))).isEqualTo(new Committed());
    }

    // Precondition.NotCurrent

    @Core
    default void noLaneMustPointAtTheSession(StoreUnderTest store) {
        store.commit(created("s"), created("t"), put(lane("1", "s", 1)));
        Precondition notCurrent = new Precondition.NotCurrent(id("s"));

        assertThat(store.commitIf(notCurrent, new Change.DeleteSession(id("s"))))
                .isEqualTo(new Conflict(notCurrent));
        assertThat(store.commitIf(new Precondition.NotCurrent(id("t")), new Change.PutMeta("k", "t")))
                .isEqualTo(new Committed());
        store.commit(put(lane("1", "t", 2)));
        assertThat(store.commitIf(notCurrent, new Change.DeleteSession(id("s"))))
                .isEqualTo(new Committed());
        assertThat(store.sessions().find(id("s"))).isEmpty();
    }

    @Core
    default void aSessionOfARemovedLaneIsNotCurrent(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 1)));
        store.commit(new Change.RemoveLane(key("1")));

        assertThat(store.commitIf(new Precondition.NotCurrent(id("s")), new Change.DeleteSession(id("s"))))
                .isEqualTo(new Committed());
    }

    @Core
    default void aSessionOfTwoLanesIsCurrentUntilBothHaveLeftIt(StoreUnderTest store) {
        store.commit(created(session("s")), created("t"), put(lane("1", "s", 1)), put(lane("2", "s", 1)));
        Precondition notCurrent = new Precondition.NotCurrent(id("s"));
        store.commit(put(lane("1", "t", 2)));

        assertThat(store.commitIf(notCurrent, new Change.PutMeta("k", "v"))).isEqualTo(new Conflict(notCurrent));
    }

    @Core
    default void aLaneIsHeldUnderTheTokenOfWhoeverTookItLast(StoreUnderTest store) {
        LifeId me = new LifeId("node-1#1");
        Precondition held = new Precondition.HeldBy(key("1"), 1);
        Precondition free = new Precondition.HoldFree(key("1"), 0);
        Change change = new Change.PutMeta("k", "v");

        assertThat(store.ledger().commit(store.batch(List.of(held), change))).isEqualTo(new Conflict(held));
        assertThat(store.ledger().commit(store.batch(List.of(free), new Change.TakeLane(key("1"), me))))
                .isEqualTo(new Committed());
        assertThat(store.ledger().commit(store.batch(List.of(free), new Change.TakeLane(key("1"), me))))
                .isEqualTo(new Conflict(free));
        assertThat(store.ledger().commit(store.batch(List.of(held), change))).isEqualTo(new Committed());

        Precondition seen = new Precondition.HoldFree(key("1"), 1);
        assertThat(store.ledger().commit(store.batch(List.of(seen), change))).isEqualTo(new Conflict(seen));
        store.commit(new Change.LeaveLane(key("1")));
        store.reopen();
        assertThat(store.ledger().commit(store.batch(List.of(held), change))).isEqualTo(new Conflict(held));
        assertThat(store.ledger().commit(store.batch(List.of(seen), new Change.TakeLane(key("1"), me))))
                .isEqualTo(new Committed());
        assertThat(store.ledger().commit(store.batch(List.of(held), change))).isEqualTo(new Conflict(held));
    }

    @Core
    default void theLastOrdinalOfALaneIsTheGreatestEverGiven(StoreUnderTest store) {
        Precondition none = new Precondition.LastOrdinal(key("1"), 0);
        Precondition four = new Precondition.LastOrdinal(key("1"), 4);

        assertThat(store.ledger().commit(store.batch(List.of(none), new Change.PutInbound(inbound("i1", "1", 4)))))
                .isEqualTo(new Committed());
        assertThat(store.ledger().commit(store.batch(List.of(none), new Change.PutMeta("k", "v"))))
                .isEqualTo(new Conflict(none));
        assertThat(store.ledger().commit(store.batch(List.of(four), new Change.PostInbound(inbound("i2", "1", 0)))))
                .isEqualTo(new Committed());
        assertThat(store.ledger().commit(store.batch(List.of(four), new Change.PutMeta("k", "v"))))
                .isEqualTo(new Conflict(four));
    }
}
