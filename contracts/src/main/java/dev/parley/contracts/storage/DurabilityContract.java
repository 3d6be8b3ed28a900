package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.append;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.hide;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.key;
import static dev.parley.contracts.storage.Samples.lane;
import static dev.parley.contracts.storage.Samples.put;
import static dev.parley.contracts.storage.Samples.touch;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.contracts.level.Durable;
import dev.parley.contracts.level.Told;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What is committed is there, whatever happens next; what is not committed is not there at all. */
public interface DurabilityContract extends StoreContract {
    /** How long a store may take to notice that its medium is back. */
    Duration PATIENCE = Duration.ofSeconds(20);

    /** The size of a message that fits into no space that a store has put by, in characters. */
    int LARGE = 2 << 20;

    @Durable
    default void whatIsCommittedOutlivesACrash(StoreUnderTest store) {
        store.commit(
                created("s"),
                append("s", user("m1", "one"), user("m2", "two")),
                put(lane("1", "s", 1)),
                new Change.PutInbound(Samples.inbound("in", "1", 1)),
                new Change.PutTurn(Samples.turn("t", "1", "s", 1)),
                new Change.PutOutgoing(Samples.outgoing("o", "1", 1)),
                new Change.AppendHistory(Samples.event("1", 1, "idle")),
                new Change.PutMeta("k", "v"));
        store.commit(touch("1", "s", 60), hide("s", StoredMessage.State.REWOUND, "m2"));

        store.crash();

        assertThat(store.sessions().find(id("s")).orElseThrow().messageCount()).isEqualTo(2);
        assertThat(store.transcripts().load(id("s"))).hasSize(1);
        assertThat(store.transcripts().loadAll(id("s"))).hasSize(2);
        assertThat(store.lanes().find(key("1")).orElseThrow().entry().updatedAt())
                .isEqualTo(Samples.at(60));
        assertThat(store.queue().inbound(new InboundId("in"))).isPresent();
        assertThat(store.queue().turn(new TurnId("t"))).isPresent();
        assertThat(store.queue().undelivered()).hasSize(1);
        assertThat(store.lanes().history(key("1"), 9)).hasSize(1);
        assertThat(store.meta().get("k")).hasValue("v");
    }

    @Durable
    default void aBatchIsRecognisedAfterACrash(StoreUnderTest store) {
        Batch batch = store.batch(List.of(), new Change.AppendHistory(Samples.event("1", 1, "idle")));
        store.ledger().commit(batch);

        store.crash();

        assertThat(store.ledger().commit(batch)).isEqualTo(new CommitResult.Committed());
        assertThat(store.lanes().history(key("1"), 9)).hasSize(1);
    }

    @Durable
    default void writingGoesOnAfterACrash(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")));
        store.crash();
        store.commit(append("s", user("m2", "two")));
        store.crash();
        store.commit(append("s", user("m3", "three")));
        store.reopen();

        assertThat(store.transcripts().load(id("s")))
                .extracting(m -> m.message().id().value())
                .containsExactly("m1", "m2", "m3");
        assertThat(store.sessions().find(id("s")).orElseThrow().messageCount()).isEqualTo(3);
    }

    @Durable
    @Having(Capability.SEARCH)
    default void whatIsCommittedIsFoundAfterACrash(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "zanzibar 大别山项目")));

        store.crash();

        assertThat(store.search().search(SearchQuery.of("zanzibar"))).hasSize(1);
        assertThat(store.search().search(SearchQuery.of("大别山"))).hasSize(1);
    }

    @Durable
    @Having(Capability.DURABLE)
    default void aProcessKilledBetweenTwoWritesLosesAndHalvesNothing(StoreUnderTest store) {
        store.storage();
        store.closeStorage();
        for (int round = 1; round <= 3; round++) {
            String writer = "w" + round;
            long acknowledged;
            try (WriterProcess process =
                    WriterProcess.start(store.harness().elsewhere().orElseThrow(), writer, Long.MAX_VALUE)) {
                process.awaitCommitted(10L * round + round);
                acknowledged = process.kill();
            }

            checkWriter(store, writer, acknowledged);
            store.closeStorage();
        }
    }

    /** Every batch that was acknowledged is there as a whole, and at most the one behind them, as a whole too. */
    private static void checkWriter(StoreUnderTest store, String writer, long acknowledged) {
        long stored = Long.parseLong(store.meta().get(writer).orElseThrow());
        assertThat(stored).isBetween(acknowledged, acknowledged + 1);
        for (long number = 1; number <= stored; number++) {
            String name = writer + "-" + number;
            assertThat(store.sessions().find(id(name)).orElseThrow().messageCount())
                    .as(name)
                    .isEqualTo(KillableWriter.MESSAGES);
            assertThat(store.transcripts().loadAll(id(name))).as(name).hasSize(KillableWriter.MESSAGES);
        }
        String behind = writer + "-" + (stored + 1);
        assertThat(store.sessions().find(id(behind))).isEmpty();
        assertThat(store.transcripts().loadAll(id(behind))).isEmpty();
        assertThat(store.lanes().find(key(writer))).hasValue(lane(writer, writer + "-" + stored, stored));
        assertThat(store.lanes().history(key(writer), Integer.MAX_VALUE))
                .extracting(LaneEvent::reason)
                .hasSize((int) stored)
                .startsWith(writer + "-" + stored);
        assertThat(store.ledger().commit(KillableWriter.batch(writer, stored)))
                .as("a batch repeated after the crash")
                .isEqualTo(new CommitResult.Committed());
        assertThat(store.lanes().history(key(writer), Integer.MAX_VALUE)).hasSize((int) stored);
    }

    @Durable
    @Lacking(Capability.DURABLE)
    default void aStoreThatIsNotDurableNamesNoOtherProcess(StoreUnderTest store) {
        assertThat(store.harness().elsewhere()).isEmpty();
    }

    @Durable
    @Having(Capability.DURABLE)
    default void aStoreThatDoesNotExistIsNotMadeForReading(StoreUnderTest store) {
        Told.refused(
                "Opening a store that does not exist for reading",
                StorageUnavailable.class,
                () -> store.harness().open(Mode.READ_ONLY).close());
    }

    @Durable
    @Having(Capability.DURABLE)
    default void failuresOfTheMediumAreToldAndLoseNothing(StoreUnderTest store) {
        List<StorageHarness.Fault> faults = store.harness().faults();
        assumeFalse(
                faults.isEmpty(), "The harness knows no way to make the medium fail on this system and for this user.");
        store.commit(created("s"));
        for (StorageHarness.Fault fault : faults) {
            String before = "before " + fault.name();
            store.commit(new Change.PutMeta(before, "v"));
            // Larger than what a store may have put by.
            Batch during = store.batch(
                    List.of(),
                    new Change.PutMeta("during " + fault.name(), "v"),
                    append("s", user(fault.name(), "x".repeat(LARGE))));

            fault.begin();
            try {
                Told.refused(
                        "A commit while the medium fails (" + fault.name() + ")",
                        StorageUnavailable.class,
                        () -> store.ledger().commit(during));
                assertThat(committedValue(store, before)).as(fault.name()).isEqualTo("v");
            } finally {
                fault.end();
            }

            assertThat(committedOnceBack(store, during, fault.name()))
                    .as("repeated after %s", fault.name())
                    .isEqualTo(new CommitResult.Committed());
            store.reopen();
            assertThat(store.meta().get(before)).as(fault.name()).hasValue("v");
            assertThat(store.meta().get("during " + fault.name()))
                    .as(fault.name())
                    .hasValue("v");
            assertThat(store.transcripts().load(id("s")))
                    .as(fault.name())
                    .filteredOn(m -> m.message().id().value().equals(fault.name()))
                    .hasSize(1);
        }
    }

    /** A store may need a moment to notice that its medium is back; the batch is repeated unchanged until then. */
    private static CommitResult committedOnceBack(StoreUnderTest store, Batch batch, String fault) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return store.ledger().commit(batch);
            } catch (StorageUnavailable e) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError(
                            "The medium failed (" + fault + ") and has worked again for " + PATIENCE.toSeconds()
                                    + " seconds. The same batch should be committed by now, and is refused: "
                                    + e.getMessage(),
                            e);
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    /** Reading may fail as the medium does, but what can be read is right: unavailable is never shown as empty. */
    private static String committedValue(StoreUnderTest store, String name) {
        try {
            return store.meta().get(name).orElse("absent");
        } catch (StorageUnavailable e) {
            return "v";
        }
    }

    @Durable
    @Having(Capability.SHARED)
    default void severalOpeningsSeeEachOthersCommits(StoreUnderTest store) {
        store.commit(created("s"));

        try (Storage second = store.harness().open(Mode.READ_WRITE)) {
            assertThat(second.sessions().find(id("s"))).isPresent();
            second.ledger()
                    .commit(new Batch(
                            new BatchId("second", 1), List.of(), List.of(created("t"), append("t", user("m1", "x")))));
        }

        assertThat(store.sessions().find(id("t"))).isPresent();
        assertThat(store.transcripts().load(id("t"))).hasSize(1);
        store.commit(append("t", user("m2", "y")));
    }

    @Durable
    @Lacking(Capability.SHARED)
    default void aStoreInUseIsNotOpenedForWritingOnceMore(StoreUnderTest store) {
        store.commit(created("s"));

        Told.refused(
                "Opening a store that is in use for writing once more",
                StorageUnavailable.class,
                () -> store.harness().open(Mode.READ_WRITE).close());

        store.commit(created("t"));
    }

    /** A lock that belongs to the process is easily lost by the opening that was refused. */
    @Durable
    @Having(Capability.DURABLE)
    @Lacking(Capability.SHARED)
    default void aRefusedOpeningLetsNoOtherProcessIn(StoreUnderTest store) {
        store.commit(created("s"));
        Told.refused(
                "Opening a store that is in use for writing once more",
                StorageUnavailable.class,
                () -> store.harness().open(Mode.READ_WRITE).close());

        try (WriterProcess other =
                WriterProcess.start(store.harness().elsewhere().orElseThrow(), "intruder", 1)) {
            assertThat(other.awaitEnd()).as("batches another process committed").isZero();
        }

        store.commit(created("t"));
    }
}
