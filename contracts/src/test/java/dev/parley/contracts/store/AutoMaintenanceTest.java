package dev.parley.contracts.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.store.AutoMaintenance;
import dev.parley.application.store.AutoMaintenance.Outcome;
import dev.parley.application.store.AutoMaintenance.Settings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Old sessions that are deleted from time to time (storage 3.8). */
class AutoMaintenanceTest {
    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

    private final MemoryStorage storage = new MemoryStorage();
    private final List<String> warnings = new ArrayList<>();
    private Instant now = NOW;
    private AutoMaintenance maintenance;
    private long sequence;

    AutoMaintenanceTest() {
        maintenance = new AutoMaintenance(storage, () -> now, new SeededIds(3), warnings::add);
    }

    @BeforeEach
    void sessions() {
        session("old", 91, true);
        session("open", 91, false);
        session("new", 89, true);
    }

    private void session(String id, long days, boolean ended) {
        Instant begun = NOW.minus(Duration.ofDays(days));
        commit(new Change.CreateSession(Session.builder(SessionId.of(id), "cli", begun)
                .ending(ended ? Ending.of(begun.plusSeconds(1), "user_exit") : null)
                .build()));
    }

    private void commit(Change change) {
        storage.ledger().commit(new Batch(new BatchId("test", ++sequence), List.of(), List.of(change)));
    }

    private List<String> left() {
        List<String> ids = new ArrayList<>();
        storage.sessions().forEach(session -> ids.add(session.id().value()));
        return ids;
    }

    private static Outcome did(int pruned, boolean vacuumed) {
        return new Outcome(false, pruned, vacuumed, Optional.empty());
    }

    @Test
    @DisplayName(
            "storage 3.8: sessions that are ended and began before the retention are deleted, then space is given back")
    void oldEndedSessionsAreDeleted() {
        assertThat(maintenance.run(Settings.DEFAULT)).isEqualTo(did(1, true));

        assertThat(left()).containsExactlyInAnyOrder("open", "new");
        assertThat(storage.meta().get(AutoMaintenance.STAMP)).contains("1773144000.000000");
        assertThat(warnings).isEmpty();
    }

    @Test
    @DisplayName(
            "storage 3.8: within the interval nothing is done; after it, it is done again, and stamped though nothing was old")
    void withinTheIntervalNothingIsDone() {
        maintenance.run(Settings.DEFAULT);
        session("late", 200, true);

        now = NOW.plus(Duration.ofHours(24)).minusMillis(1);
        assertThat(maintenance.run(Settings.DEFAULT)).isEqualTo(new Outcome(true, 0, false, Optional.empty()));
        assertThat(left()).contains("late");

        now = NOW.plus(Duration.ofHours(24));
        assertThat(maintenance.run(Settings.DEFAULT)).isEqualTo(did(1, true));
        now = now.plus(Duration.ofHours(24));
        assertThat(maintenance.run(new Settings(Duration.ofDays(9000), Duration.ofHours(24), true)))
                .isEqualTo(did(0, false));
        assertThat(storage.meta().get(AutoMaintenance.STAMP)).contains("1773316800.000000");
    }

    @Test
    @DisplayName(
            "storage 3.8: a stamp that cannot be read is as good as none, and without vacuum no space is given back")
    void anUnreadableStampIsNone() {
        commit(new Change.PutMeta(AutoMaintenance.STAMP, "yesterday"));

        assertThat(maintenance.run(new Settings(Duration.ofDays(90), Duration.ofHours(24), false)))
                .isEqualTo(did(1, false));
    }

    @Test
    @DisplayName("storage 3.8: the stamp that other software has left counts")
    void aForeignStampCounts() {
        commit(new Change.PutMeta(AutoMaintenance.STAMP, "1773143999.7500029"));

        assertThat(maintenance.run(Settings.DEFAULT).skipped()).isTrue();
    }

    @Test
    @DisplayName("storage 3.8: a storage that fails is told and not thrown")
    void aFailureIsTold() {
        storage.close();

        Outcome outcome = maintenance.run(Settings.DEFAULT);

        assertThat(outcome.skipped()).isFalse();
        assertThat(outcome.error()).isPresent();
    }

    @Test
    void whatAnOperatorCountedIsDeletedAndNothingWhereThereAreNotAsMany() {
        session("older", 200, true);
        Instant before = NOW.minus(Duration.ofDays(90));

        assertThat(maintenance.prune(before, 1)).isEqualTo(new GatewayInspection.Pruned(2, 0));
        assertThat(left()).containsExactlyInAnyOrder("old", "older", "open", "new");

        assertThat(maintenance.prune(before, 2)).isEqualTo(new GatewayInspection.Pruned(2, 2));
        assertThat(left()).containsExactlyInAnyOrder("open", "new");
        assertThat(storage.meta().get(AutoMaintenance.STAMP)).isEmpty();
    }
}
