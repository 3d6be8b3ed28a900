package dev.parley.persistence.sqlite.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance.Arrangement;
import dev.parley.application.transfer.StorageCopy;
import dev.parley.application.view.PlainRows;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other software has written half of an end: it is shown and carried as it stands, and a session without a time of end is live. */
class ForeignEndingsTest {
    private static final SessionId REASON = SessionId.of("reason");
    private static final SessionId TIME = SessionId.of("time");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"COMPACT", "SHARED", "of version 10"})
    void halfAnEndIsReadListedCopiedAndWrittenAsItStands(String form) throws Exception {
        Path file = written(form);
        try (Storage storage = Stores.write(file);
                Storage copy = Stores.write(folder.resolve("copy.db"))) {
            StorageCopy copying = new StorageCopy(storage, copy, () -> Openings.NOW, new Openings.CountedIds());
            copying.copy(StorageCopy.Into.EMPTY, progress -> {});
            assertThat(copying.verify(progress -> {})).isEmpty();

            for (Storage each : new Storage[] {storage, copy}) {
                assertThat(found(each, REASON).isLive()).isTrue();
                assertThat(row(each, REASON))
                        .containsEntry("ended_at", null)
                        .containsEntry("end_reason", "compression");
                assertThat(found(each, TIME).isLive()).isFalse();
                assertThat(row(each, TIME)).containsEntry("ended_at", 7.5).containsEntry("end_reason", null);
                assertThat(each.sessions().list(SessionQuery.usual()).stream()
                                .map(SessionListing::session)
                                .map(PlainRows::session))
                        .contains(row(each, REASON), row(each, TIME));
            }
        }
        assertThat(Sql.rows(folder.resolve("copy.db"), "SELECT ended_at, end_reason FROM sessions WHERE id = 'reason'"))
                .singleElement()
                .satisfies(
                        row -> assertThat(row).containsEntry("ended_at", null).containsValue("compression"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMPACT", "SHARED", "of version 10"})
    void aSessionWithoutATimeOfEndEndsOnceAndIsReopenedAsAnyOther(String form) throws Exception {
        try (Storage storage = Stores.write(written(form))) {
            Stores.commit(
                    storage, new Change.EditSession(REASON, new SessionEdit.End(Ending.of(Openings.NOW, "later"))));
            Stores.commit(storage, new Change.EditSession(TIME, new SessionEdit.End(Ending.of(Openings.NOW, "later"))));
            assertThat(found(storage, REASON).ending()).hasValue(Ending.of(Openings.NOW, "later"));
            assertThat(row(storage, TIME)).containsEntry("ended_at", 7.5).containsEntry("end_reason", null);

            Stores.commit(storage, new Change.EditSession(REASON, new SessionEdit.Reopen()));
            Stores.commit(storage, new Change.EditSession(TIME, new SessionEdit.Reopen()));
            assertThat(row(storage, REASON)).containsEntry("ended_at", null).containsEntry("end_reason", null);
            assertThat(row(storage, TIME)).containsEntry("ended_at", null).containsEntry("end_reason", null);
        }
    }

    private Path written(String form) throws Exception {
        Path file = folder.resolve("state.db");
        if (form.startsWith("of version ")) {
            file = Fixtures.copy("state-v10.db", folder);
        } else {
            try (Storage storage = Stores.write(file)) {
                storage.maintenance().arrange(Arrangement.valueOf(form), (done, total) -> {});
            }
        }
        Sql.run(
                file,
                "INSERT INTO sessions (id, source, started_at, end_reason) VALUES ('reason', 'cli', 4e9, 'compression')",
                "INSERT INTO sessions (id, source, started_at, ended_at) VALUES ('time', 'cli', 5e9, 7.5)");
        return file;
    }

    private static Session found(Storage storage, SessionId id) {
        return storage.sessions().find(id).orElseThrow();
    }

    private static Map<String, @Nullable Object> row(Storage storage, SessionId id) {
        return PlainRows.session(found(storage, id));
    }
}
