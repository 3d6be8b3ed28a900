package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.append;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.retitle;
import static dev.parley.contracts.storage.Samples.session;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Durable;
import dev.parley.contracts.level.Told;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import java.util.List;
import java.util.Optional;

/** What a store does without it refuses, and says so: nothing is left out in silence, and nothing that is not there is shown as empty. */
public interface CapabilitiesContract extends StoreContract {
    // Search

    @Core
    default void theStoreSaysWhetherItSearches(StoreUnderTest store) {
        assertThat(store.search().isOffered())
                .as(
                        "TranscriptSearch.isOffered, where the capabilities of the test class say %s",
                        said(store, Capability.SEARCH))
                .isEqualTo(store.has(Capability.SEARCH));
    }

    @Core
    @Lacking(Capability.SEARCH)
    default void aStoreWithoutSearchRefusesEachQuery(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "zanzibar")));

        for (String query : List.of("zanzibar", "not there", "")) {
            Told.refused(
                    "A search for \"" + query + "\" in a store that offers none",
                    InvalidRequest.class,
                    () -> store.search().search(SearchQuery.of(query)));
        }
    }

    // Titles

    @Core
    default void theStoreSaysWhetherItKeepsTitles(StoreUnderTest store) {
        assertThat(store.sessions().keepsTitles())
                .as(
                        "Sessions.keepsTitles, where the capabilities of the test class say %s",
                        said(store, Capability.TITLES))
                .isEqualTo(store.has(Capability.TITLES));
    }

    @Core
    @Lacking(Capability.TITLES)
    default void aStoreWithoutTitlesRefusesABatchThatGivesOne(StoreUnderTest store) {
        store.commit(created("s"));

        Told.refused(
                "A batch that creates a session with a title in a store that keeps none",
                InvalidRequest.class,
                () -> store.commit(
                        new Change.PutMeta("k", "v"),
                        created(session("t", 5).toBuilder().title("A title").build())));
        Told.refused(
                "A batch that gives a session a title in a store that keeps none",
                InvalidRequest.class,
                () -> store.commit(new Change.PutMeta("k", "v"), retitle("s", "A title")));

        assertThat(store.meta().get("k"))
                .as("what stood in the refused batches")
                .isEmpty();
        assertThat(store.sessions().find(id("t")))
                .as("the session of the refused batch")
                .isEmpty();
        assertThat(store.sessions().find(id("s")).orElseThrow().title()).isEmpty();
    }

    @Core
    @Lacking(Capability.TITLES)
    default void aStoreWithoutTitlesTakesOneAwayAndFindsNone(StoreUnderTest store) {
        store.commit(created("s"));
        store.commit(new Change.EditSession(id("s"), new SessionEdit.Retitle(Optional.empty())));

        assertThat(store.sessions().findByTitle("A title")).isEmpty();
        assertThat(store.sessions().titledLike("A title")).isEmpty();
        assertThat(store.commitIf(new Precondition.TitleFree("A title", id("s")), new Change.PutMeta("k", "v")))
                .as("a batch on the condition that a title is free")
                .isEqualTo(new CommitResult.Committed());
    }

    // Reading beside a writer

    @Core
    default void theProviderSaysWhetherReadersMayStandBesideAWriter(StoreUnderTest store) {
        store.harness()
                .provider()
                .ifPresent(provider -> assertThat(provider.readsBesideWriter())
                        .as(
                                "StorageProvider.readsBesideWriter, where the capabilities of the test class say %s",
                                said(store, Capability.READ_BESIDE_WRITER))
                        .isEqualTo(store.has(Capability.READ_BESIDE_WRITER)));
    }

    @Core
    @Having(Capability.READ_BESIDE_WRITER)
    default void aReaderFindsWhatTheWriterBesideItHasCommitted(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")));

        try (Storage reading = store.harness().open(Mode.READ_ONLY)) {
            assertThat(reading.sessions().find(id("s"))).isPresent();
            assertThat(reading.transcripts().load(id("s"))).hasSize(1);
            store.commit(append("s", user("m2", "two")));
        }

        store.commit(append("s", user("m3", "three")));
        assertThat(store.transcripts().load(id("s"))).hasSize(3);
    }

    @Core
    @Lacking(Capability.READ_BESIDE_WRITER)
    default void aReaderBesideAWriterIsRefusedAndHarmsNothing(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")));

        Told.refused(
                "Opening a store to read it while it is open for writing",
                StorageUnavailable.class,
                () -> store.harness().open(Mode.READ_ONLY).close());

        store.commit(append("s", user("m2", "two")));
        store.closeStorage();
        try (Storage reading = store.harness().open(Mode.READ_ONLY)) {
            assertThat(reading.transcripts().load(id("s")))
                    .as("what is read once the writer has closed the store")
                    .hasSize(2);
        }
    }

    @Durable
    @Having({Capability.READ_BESIDE_WRITER, Capability.DURABLE})
    default void aReaderFindsWhatAnotherProcessHasCommitted(StoreUnderTest store) {
        store.storage();
        store.closeStorage();
        try (WriterProcess writer =
                WriterProcess.start(store.harness().elsewhere().orElseThrow(), "writer", Long.MAX_VALUE)) {
            writer.awaitCommitted(3);
            try (Storage reading = store.harness().open(Mode.READ_ONLY)) {
                assertThat(reading.sessions().find(id("writer-3"))).isPresent();
                assertThat(reading.transcripts().load(id("writer-3"))).hasSize(KillableWriter.MESSAGES);
            }
            writer.awaitCommitted(4);
            writer.kill();
        }
    }

    @Durable
    @Having(Capability.DURABLE)
    @Lacking(Capability.READ_BESIDE_WRITER)
    default void aReaderBesideAnotherProcessIsRefusedAndHarmsNothing(StoreUnderTest store) {
        store.storage();
        store.closeStorage();
        try (WriterProcess writer =
                WriterProcess.start(store.harness().elsewhere().orElseThrow(), "writer", Long.MAX_VALUE)) {
            writer.awaitCommitted(3);
            Told.refused(
                    "Opening a store to read it while another process has it open for writing",
                    StorageUnavailable.class,
                    () -> store.harness().open(Mode.READ_ONLY).close());
            writer.awaitCommitted(4);
            writer.kill();
        }
        assertThat(store.transcripts().load(id("writer-4"))).hasSize(KillableWriter.MESSAGES);
    }

    private static String said(StoreUnderTest store, Capability capability) {
        return (store.has(capability) ? "that it has " : "that it lacks ") + capability;
    }
}
