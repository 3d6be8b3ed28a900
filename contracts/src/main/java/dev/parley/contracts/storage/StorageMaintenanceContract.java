package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.append;
import static dev.parley.contracts.storage.Samples.at;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.edit;
import static dev.parley.contracts.storage.Samples.end;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.lane;
import static dev.parley.contracts.storage.Samples.put;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.application.store.AutoMaintenance;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Told;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.transcript.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** {@link dev.parley.application.spi.StorageMaintenance}, and opening and closing a {@link Storage}. */
public interface StorageMaintenanceContract extends StoreContract {
    @Core
    default void thereIsSomethingToSayAboutAStore(StoreUnderTest store) {
        assertThat(store.maintenance().status()).isNotEmpty().allSatisfy((name, value) -> {
            assertThat(name).isNotBlank();
            assertThat(value).isNotNull();
        });
    }

    @Core
    default void nothingIsWrongWithAHealthyStore(StoreUnderTest store) {
        assertThat(store.maintenance().check((done, total) -> {})).isEmpty();
        store.commit(
                created("s"),
                append("s", user("m1", "one")),
                put(lane("1", "s", 1)),
                new Change.DeleteSession(id("s")));
        assertThat(store.maintenance().check((done, total) -> {})).isEmpty();
    }

    @Core
    default void checkingChangesNothing(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")));

        store.maintenance().check((done, total) -> {});

        assertThat(store.transcripts().countAll()).isEqualTo(1);
        assertThat(store.sessions().count(Optional.empty())).isEqualTo(1);
    }

    @Core
    default void nothingIsToBeRepairedInAHealthyStore(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")));

        assertThat(store.maintenance().repair((done, total) -> {})).isEmpty();

        assertThat(store.transcripts().load(id("s"))).hasSize(1);
    }

    @Core
    default void progressGoesForwardToItsTotal(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")));

        List<Long> done = new ArrayList<>();
        List<Long> left = new ArrayList<>();
        store.maintenance().check((now, total) -> {
            done.add(now);
            left.add(total - now);
        });

        assertThat(done).isNotEmpty().isSorted();
        assertThat(left).allSatisfy(steps -> assertThat(steps).isNotNegative());
        assertThat(left.get(left.size() - 1)).isZero();
    }

    @Core
    default void compactingLosesNothing(StoreUnderTest store) {
        store.commit(
                created("s"), created("t"), append("s", user("m1", "x".repeat(10_000))), append("t", user("m2", "y")));
        store.commit(new Change.DeleteSession(id("s")));

        assertThat(store.maintenance().compact()).isNotNegative();

        assertThat(store.transcripts().load(id("t"))).hasSize(1);
        store.reopen();
        assertThat(store.transcripts().load(id("t"))).hasSize(1);
        store.commit(append("t", user("m3", "z")));
    }

    @Core
    default void aSessionThatIsResumedBeforeItIsDeletedKeepsEveryMessage(StoreUnderTest store) {
        store.commit(created("s"), append("s", numbered(500)), end("s", 20, "user_exit"));

        long deleted = prune(store, batch -> {
            store.commit(put(lane("1", "s", 1)));
            return store.ledger().commit(batch);
        });

        assertThat(deleted).isZero();
        assertThat(store.transcripts().load(id("s")).size()).isEqualTo(500);
    }

    @Core
    default void aDeletionThatIsCutOffBeforeItsBatchLosesNoMessage(StoreUnderTest store) {
        store.commit(created("s"), append("s", numbered(500)), end("s", 20, "user_exit"));

        assertThatThrownBy(() -> prune(store, batch -> {
                    throw new StorageUnavailable("cut off", null);
                }))
                .isInstanceOf(StorageUnavailable.class);

        store.crash();
        assertThat(store.transcripts().load(id("s")).size()).isEqualTo(500);
        store.commit(edit("s", new SessionEdit.Reopen()), put(lane("1", "s", 1)));
        assertThat(store.transcripts().load(id("s")).size()).isEqualTo(500);
    }

    @Core
    default void aLongSessionIsGoneWithItsMessagesOnceItsDeletionIsCommittedAndNoOtherIsTouched(StoreUnderTest store) {
        store.commit(created("s"), created("t"), append("t", user("other", "zanzibar")));
        store.commit(append("s", numbered(500)));

        store.commit(new Change.DeleteSession(id("s")));

        assertThat(store.sessions().find(id("s"))).isEmpty();
        assertThat(store.transcripts().countAll()).isEqualTo(1);
        assertThat(store.maintenance().check((done, total) -> {})).isEmpty();
        store.crash();
        assertThat(store.sessions().find(id("s"))).isEmpty();
        assertThat(store.transcripts().countAll()).isEqualTo(1);
        store.maintenance().finishDeletions((done, total) -> assertThat(done).isBetween(1L, total));
        assertThat(store.maintenance().check((done, total) -> {})).isEmpty();
        assertThat(store.transcripts().load(id("t"))).hasSize(1);
    }

    @Core
    default void aSessionThatIsMadeAnewWhileItsDeletionIsFinishedKeepsItsNewMessages(StoreUnderTest store) {
        store.commit(created("s"), append("s", numbered(500)));
        store.commit(new Change.DeleteSession(id("s")));

        store.commit(created("s"), append("s", numbered(300)));
        store.maintenance().finishDeletions((done, total) -> {});

        assertThat(store.transcripts().load(id("s")).size()).isEqualTo(300);
        assertThat(store.transcripts().countAll()).isEqualTo(300);
    }

    /** Deletes what began long ago through a ledger of the caller's; returns how many sessions were deleted. */
    private static long prune(StoreUnderTest store, Ledger ledger) {
        Instant now = at(1_000);
        return new AutoMaintenance(store.storage(), ledger, () -> now, new SeededIds(1), warning -> {})
                .prune(now, 1)
                .deleted();
    }

    private static Message[] numbered(int messages) {
        return IntStream.range(0, messages)
                .mapToObj(i -> user("m" + i, "zanzibar " + i))
                .toArray(Message[]::new);
    }

    // Opening and closing

    @Core
    default void aStoreNamesItsPlace(StoreUnderTest store) {
        assertThat(store.storage().location()).contains(":").doesNotContain("\n");
    }

    @Core
    default void aStoreCanBeClosedTwice(StoreUnderTest store) {
        Storage storage = store.storage();
        storage.close();
        storage.close();

        Told.refused(
                "Reading from a closed store",
                StorageUnavailable.class,
                () -> storage.sessions().find(id("s")));
        Told.refused(
                "Committing to a closed store",
                StorageUnavailable.class,
                () -> storage.ledger().commit(store.batch(List.of(), created("s"))));
        store.reopen();
    }

    @Core
    default void aStoreThatIsOnlyReadIsReadAndRefusesCommits(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")), put(lane("1", "s", 1)));
        store.closeStorage();

        try (Storage reading = store.harness().open(Mode.READ_ONLY)) {
            assertThat(reading.sessions().find(id("s"))).isPresent();
            assertThat(reading.transcripts().load(id("s"))).hasSize(1);
            assertThat(reading.lanes().count()).isEqualTo(1);
            Told.refused(
                    "Committing to a store that was opened to be read only",
                    StorageUnavailable.class,
                    () -> reading.ledger().commit(store.batch(List.of(), created("t"))));
        }
        assertThat(store.sessions().find(id("t"))).isEmpty();
    }
}
