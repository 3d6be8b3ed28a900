package dev.parley.persistence.sqlite.h2;

import dev.parley.application.port.Journal;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.storage.LanesContract;
import dev.parley.contracts.storage.LedgerContract;
import dev.parley.contracts.storage.MetaContract;
import dev.parley.contracts.storage.SessionsContract;
import dev.parley.contracts.storage.StorageHarness;
import dev.parley.contracts.storage.TranscriptsContract;
import dev.parley.contracts.storage.TurnQueueContract;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The portable part of the statements, on H2, which is stricter about types and names: everything but search. */
class H2StorageTest
        implements LedgerContract,
                LanesContract,
                SessionsContract,
                TranscriptsContract,
                TurnQueueContract,
                MetaContract {
    @Override
    public StorageHarness harness(Path directory) {
        try {
            return new Harness(new H2Database());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Harness implements StorageHarness {
        private final H2Database database;
        private final List<Storage> opened = new ArrayList<>();

        Harness(H2Database database) {
            this.database = database;
        }

        @Override
        public Storage open(StorageSettings.Mode mode) {
            try {
                Storage storage = new H2Storage(database);
                opened.add(storage);
                return storage;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void crash() {
            // What is committed stays in the memory of the database, whoever had it open.
        }

        @Override
        public Optional<Journal> openJournal() {
            return Optional.empty();
        }

        @Override
        public List<String> damage() {
            return List.of();
        }

        @Override
        public Optional<Elsewhere> elsewhere() {
            return Optional.empty();
        }

        @Override
        public List<Fault> faults() {
            return List.of();
        }

        @Override
        public void close() {
            opened.forEach(Storage::close);
            database.close();
        }
    }
}
