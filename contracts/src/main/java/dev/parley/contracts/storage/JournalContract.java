package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.append;
import static dev.parley.contracts.storage.Samples.at;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.edit;
import static dev.parley.contracts.storage.Samples.end;
import static dev.parley.contracts.storage.Samples.event;
import static dev.parley.contracts.storage.Samples.fullEntry;
import static dev.parley.contracts.storage.Samples.fullInbound;
import static dev.parley.contracts.storage.Samples.fullMessage;
import static dev.parley.contracts.storage.Samples.fullSession;
import static dev.parley.contracts.storage.Samples.fullSource;
import static dev.parley.contracts.storage.Samples.hide;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.key;
import static dev.parley.contracts.storage.Samples.named;
import static dev.parley.contracts.storage.Samples.outgoing;
import static dev.parley.contracts.storage.Samples.retitle;
import static dev.parley.contracts.storage.Samples.turn;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Journal;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Durable;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.session.Standing;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@link Journal}: the batches of a fallback, as they were given. */
public interface JournalContract extends StoreContract {
    private static Journal open(StoreUnderTest store) {
        return store.harness().openJournal().orElseThrow();
    }

    private static Batch numbered(long number) {
        return new Batch(new BatchId("w", number), List.of(), List.of(new Change.PutMeta("k", Long.toString(number))));
    }

    private static List<Long> places(List<Journal.Entry> entries) {
        return entries.stream().map(Journal.Entry::place).toList();
    }

    @Core
    @Lacking(Capability.JOURNAL)
    default void aBackendWithoutAJournalOffersNone(StoreUnderTest store) {
        assertThat(store.harness().openJournal()).isEmpty();
    }

    @Core
    @Having(Capability.JOURNAL)
    default void anEmptyJournalHasNothing(StoreUnderTest store) {
        try (Journal journal = open(store)) {
            assertThat(journal.size()).isZero();
            assertThat(journal.read(0, 10)).isEmpty();
            journal.putAside(5);
            assertThat(journal.size()).isZero();
        }
    }

    @Core
    @Having(Capability.JOURNAL)
    default void aJournalCanBeClosedTwice(StoreUnderTest store) {
        Journal journal = open(store);
        journal.append(numbered(1));
        journal.close();
        journal.close();

        try (Journal again = open(store)) {
            assertThat(again.size()).isEqualTo(1);
        }
    }

    @Core
    @Having(Capability.JOURNAL)
    default void batchesGetRisingPlacesFromOne(StoreUnderTest store) {
        try (Journal journal = open(store)) {
            assertThat(journal.append(numbered(1))).isEqualTo(1);
            assertThat(journal.append(numbered(2))).isEqualTo(2);
            assertThat(journal.append(numbered(3))).isEqualTo(3);
            assertThat(journal.size()).isEqualTo(3);
        }
    }

    @Core
    @Having(Capability.JOURNAL)
    default void batchesAreReadInOrderBehindAPlace(StoreUnderTest store) {
        try (Journal journal = open(store)) {
            for (int i = 1; i <= 5; i++) {
                journal.append(numbered(i));
            }

            assertThat(places(journal.read(0, 99))).containsExactly(1L, 2L, 3L, 4L, 5L);
            assertThat(places(journal.read(0, 2))).containsExactly(1L, 2L);
            assertThat(places(journal.read(3, 99))).containsExactly(4L, 5L);
            assertThat(journal.read(5, 99)).isEmpty();
            assertThat(journal.read(0, 0)).isEmpty();
            assertThat(journal.read(3, 1).get(0).batch()).isEqualTo(numbered(4));
        }
    }

    @Core
    @Having(Capability.JOURNAL)
    default void theSameBatchTwiceIsTwoEntries(StoreUnderTest store) {
        try (Journal journal = open(store)) {
            journal.append(numbered(1));
            journal.append(numbered(1));

            assertThat(journal.read(0, 9)).extracting(Journal.Entry::batch).containsExactly(numbered(1), numbered(1));
        }
    }

    @Core
    @Having(Capability.JOURNAL)
    default void everyChangeAndPreconditionComesBackAsItWasGiven(StoreUnderTest store) {
        Batch batch = new Batch(new BatchId("writer 🚀", 42), everyPrecondition(), everyChange());
        try (Journal journal = open(store)) {
            journal.append(batch);
        }
        try (Journal journal = open(store)) {
            Batch read = journal.read(0, 1).get(0).batch();
            assertThat(read.id()).isEqualTo(batch.id());
            assertThat(read.preconditions()).containsExactlyElementsOf(batch.preconditions());
            assertThat(read.changes()).containsExactlyElementsOf(batch.changes());
        }
    }

    private static List<Precondition> everyPrecondition() {
        return List.of(
                new Precondition.LaneEpoch(key("1"), 3),
                new Precondition.TurnClaimed(new TurnId("t"), Samples.RUN),
                new Precondition.NotReceived(named("1", "p:1")),
                new Precondition.StillAdmitted(new InboundId("in")),
                new Precondition.TitleFree("A title", id("s")),
                new Precondition.SessionExists(id("s")),
                new Precondition.SessionAbsent(id("t")),
                new Precondition.NotCurrent(id("u")));
    }

    private static List<Change> everyChange() {
        List<Change> changes = new ArrayList<>(List.of(
                created(fullSession("full")),
                created("bare"),
                end("s", 5, "daily"),
                edit("s", new SessionEdit.Reopen()),
                retitle("s", "Title 🚀"),
                edit("s", new SessionEdit.Retitle(Optional.empty())),
                edit("s", new SessionEdit.SystemPrompt("Be\nbrief")),
                edit("s", new SessionEdit.Model("m", Optional.of(new RawJson("{\"a\":  1}")))),
                edit("s", new SessionEdit.Model("m", Optional.empty())),
                edit("s", new SessionEdit.Parent(Optional.of(id("p")))),
                edit("s", new SessionEdit.Parent(Optional.empty())),
                edit("s", new SessionEdit.Peer(new SessionPeer(key("1"), Optional.of(fullSource())))),
                edit("s", new SessionEdit.Counts(7, 3)),
                new Change.DeleteSession(id("s"))));
        changes.addAll(List.of(
                new Change.PutLane(new Lane(fullEntry("1", "s"), 9)),
                new Change.TouchLane(
                        key("1"),
                        id("s"),
                        at(9),
                        new TokenUsage(1, 2, 3, 4, 5),
                        0.1,
                        Optional.of(0L),
                        Optional.of(new Standing.ResumePending(
                                Optional.of(ResumeReason.RESTART_TIMEOUT), Optional.of(at(3))))),
                Samples.touch("1", "s", 60),
                new Change.RemoveLane(key("1")),
                append("s", fullMessage("full"), user("m", "one")),
                hide("s", StoredMessage.State.REWOUND, "m", "n"),
                hide("s", StoredMessage.State.COMPACTED, "m"),
                new Change.ReplaceMessages(id("s"), List.of(user("m", "one"))),
                new Change.ReplaceMessages(id("s"), List.of()),
                new Change.ImportMessages(
                        List.of(new StoredMessage(9, id("s"), fullMessage("full"), StoredMessage.State.COMPACTED))),
                new Change.AddUsage(
                        id("s"),
                        new UsageUpdate(
                                new TokenUsage(1, 2, 3, 4, 5),
                                6,
                                Optional.of("m"),
                                fullSession("x").billing(),
                                true)),
                new Change.PutInbound(fullInbound("in", "1")),
                new Change.PutTurn(turn("t", "1", "s", 1).ended(Turn.State.INTERRUPTED, at(2))),
                new Change.PutOutgoing(outgoing("o", "1", 1).attempted()),
                new Change.AppendHistory(event("1", 1, "idle")),
                new Change.PutMeta("k", "v\n"),
                new Change.Forget(at(1), Optional.of(at(2))),
                new Change.Forget(at(1), Optional.empty())));
        return changes;
    }

    @Core
    @Having(Capability.JOURNAL)
    default void whatIsPutAsideIsNoLongerRead(StoreUnderTest store) {
        try (Journal journal = open(store)) {
            for (int i = 1; i <= 4; i++) {
                journal.append(numbered(i));
            }

            journal.putAside(2);
            assertThat(places(journal.read(0, 99))).containsExactly(3L, 4L);
            assertThat(journal.size()).isEqualTo(2);
            journal.putAside(2);
            assertThat(journal.size()).isEqualTo(2);
            assertThat(journal.append(numbered(5))).isEqualTo(5);
            journal.putAside(99);
            assertThat(journal.size()).isZero();
        }
        try (Journal journal = open(store)) {
            assertThat(journal.size()).isZero();
            assertThat(journal.append(numbered(6))).isEqualTo(6);
        }
    }

    @Durable
    @Having(Capability.JOURNAL)
    default void batchesAndPlacesOutliveTheJournal(StoreUnderTest store) {
        try (Journal journal = open(store)) {
            journal.append(numbered(1));
            journal.append(numbered(2));
            journal.putAside(1);
        }
        try (Journal journal = open(store)) {
            assertThat(places(journal.read(0, 9))).containsExactly(2L);
            assertThat(journal.append(numbered(3))).isEqualTo(3);
        }
    }

    @Durable
    @Having(Capability.JOURNAL)
    default void appendedBatchesOutliveACrash(StoreUnderTest store) {
        Journal journal = open(store);
        journal.append(numbered(1));
        journal.append(numbered(2));

        store.harness().crash();

        try (Journal after = open(store)) {
            assertThat(after.read(0, 9)).extracting(Journal.Entry::batch).containsExactly(numbered(1), numbered(2));
            assertThat(after.append(numbered(3))).isEqualTo(3);
        }
    }
}
