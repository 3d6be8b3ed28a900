package dev.parley.contracts.degrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.contracts.storage.PartialStore;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A primary without search and titles, with a fallback that has both. */
class DegradingPartialStoreTest extends DegradeBench {
    @Override
    Storage beforePrimary(Storage behind) {
        return PartialStore.of(behind);
    }

    @Test
    void whatThePrimaryDoesWithoutIsSaid() {
        begin(1);

        assertThat(storage.sessions().keepsTitles()).isFalse();
        assertThat(storage.search().isOffered()).isFalse();
        become(SwitchableStorage.State.UNAVAILABLE);
        commit(say(1, 1, "meanwhile"));
        assertThat(storage.maintenance().health().degraded()).isPresent();
        assertThat(storage.sessions().keepsTitles()).as("while degraded").isFalse();
    }

    @Test
    void aTitleThatTheFallbackTookKeepsNothingElseFromThePrimary() {
        begin(1);
        become(SwitchableStorage.State.UNAVAILABLE);
        commit(
                new Change.EditSession(session(1, 1), new SessionEdit.Retitle(Optional.of("Plan"))),
                new Change.PutMeta("k", "v"),
                say(1, 1, "meanwhile"));
        become(SwitchableStorage.State.AVAILABLE);
        letTimersRun();

        assertThat(storage.maintenance().health().degraded()).isEmpty();
        Storage primary = data.open(Mode.READ_ONLY);
        assertThat(primary.meta().get("k")).hasValue("v");
        assertThat(primary.sessions().find(session(1, 1)).orElseThrow().title()).isEmpty();
        assertThat(said(primary, session(1, 1))).containsExactly("hello 1", "meanwhile");
    }
}
