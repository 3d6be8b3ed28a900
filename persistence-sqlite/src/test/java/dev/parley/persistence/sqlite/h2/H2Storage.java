package dev.parley.persistence.sqlite.h2;

import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.persistence.sql.read.SqlLanes;
import dev.parley.persistence.sql.read.SqlTurnQueue;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.connection.Reads;
import dev.parley.persistence.sqlite.ledger.SqliteLedger;
import dev.parley.persistence.sqlite.read.Reader;
import dev.parley.persistence.sqlite.read.SessionLists;
import dev.parley.persistence.sqlite.read.SqliteMeta;
import dev.parley.persistence.sqlite.read.SqliteSessions;
import dev.parley.persistence.sqlite.read.SqliteTranscripts;
import dev.parley.persistence.sqlite.table.OrdinalTable;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jooq.SQLDialect;

/** A store on H2: the same ledger and the same reads as on SQLite. It has no index to search. */
final class H2Storage implements Storage {
    private final SqliteLedger ledger;
    private final Reader reader;
    private final Renderer renderer = new Renderer(SQLDialect.H2);
    private final AtomicBoolean closed = new AtomicBoolean();

    H2Storage(H2Database database) throws SQLException {
        Reads reads = database.reads(closed);
        this.reader = new Reader(reads, renderer);
        this.ledger = new SqliteLedger(
                database, renderer, () -> Openings.NOW, new Openings.CountedIds(), Thread::new, () -> {});
        ledger.start();
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Lanes lanes() {
        return new SqlLanes(reader);
    }

    @Override
    public Sessions sessions() {
        return new SqliteSessions(reader, new SessionLists(renderer, Optional.of(H2Database.newest())));
    }

    @Override
    public Transcripts transcripts() {
        return new SqliteTranscripts(reader);
    }

    @Override
    public TranscriptSearch search() {
        return query -> {
            throw new StorageUnavailable("There is no index to search in H2.", null);
        };
    }

    @Override
    public TurnQueue queue() {
        return new SqlTurnQueue(reader, OrdinalTable.TABLE);
    }

    @Override
    public Meta meta() {
        return new SqliteMeta(reader);
    }

    @Override
    public StorageMaintenance maintenance() {
        return new NothingToMaintain();
    }

    @Override
    public String location() {
        return "h2:mem";
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            ledger.close();
        }
    }

    private record NothingToMaintain() implements StorageMaintenance {
        @Override
        public Map<String, String> status() {
            return Map.of();
        }

        @Override
        public List<String> check(BiConsumer<Long, Long> progress) {
            return List.of();
        }

        @Override
        public List<String> repair(BiConsumer<Long, Long> progress) {
            return List.of();
        }

        @Override
        public long compact() {
            return 0;
        }
    }
}
