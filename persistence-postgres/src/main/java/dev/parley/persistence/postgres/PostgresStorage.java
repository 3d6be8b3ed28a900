package dev.parley.persistence.postgres;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.StorageParts;
import dev.parley.application.spi.StorageSettings;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.persistence.postgres.cluster.PostgresCluster;
import dev.parley.persistence.postgres.connection.Connections;
import dev.parley.persistence.postgres.connection.Pool;
import dev.parley.persistence.postgres.ledger.PostgresLedger;
import dev.parley.persistence.postgres.maintenance.PostgresMaintenance;
import dev.parley.persistence.postgres.read.PostgresMeta;
import dev.parley.persistence.postgres.read.PostgresSessions;
import dev.parley.persistence.postgres.read.PostgresTranscripts;
import dev.parley.persistence.postgres.read.Reader;
import dev.parley.persistence.postgres.schema.Schema;
import dev.parley.persistence.postgres.search.PostgresTranscriptSearch;
import dev.parley.persistence.postgres.table.HoldTable;
import dev.parley.persistence.sql.read.SqlLanes;
import dev.parley.persistence.sql.read.SqlTurnQueue;
import dev.parley.persistence.sql.statement.Renderer;
import java.util.Map;
import java.util.Optional;
import org.jooq.SQLDialect;

/** A store in a PostgreSQL database: some connections write, others read. */
final class PostgresStorage implements ComposedStorage {
    /** What nodes know of each other is looked after one thing after the other, while another one may wait for a lock. */
    private static final int CARING = 2;

    private final Connections connections;
    private final Renderer renderer = new Renderer(SQLDialect.POSTGRES);
    private final Pool readers;
    private final Optional<Pool> writers;
    private final Optional<PostgresLedger> writing;
    private final Pool care;
    private final PostgresCluster cluster;
    private final StorageParts parts;

    private PostgresStorage(Connections connections, Options options, StorageSettings settings) {
        this.connections = connections;
        boolean writable = settings.mode() == Mode.READ_WRITE;
        this.readers = pool(options, settings, new Pool.Use("readers", options.readers(), false));
        this.writers = writable
                ? Optional.of(pool(options, settings, new Pool.Use("writers", options.writers(), true)))
                : Optional.empty();
        this.care = pool(options, settings, new Pool.Use("nodes", CARING, true));
        this.writing =
                writers.map(pool -> new PostgresLedger(connections, pool, renderer, settings.clock(), settings.ids()));
        this.cluster = new PostgresCluster(
                connections,
                care,
                writers.orElse(readers),
                settings.threads(),
                !options.limits().pooled());
        Reader reader = new Reader(connections, readers, renderer);
        Ledger ledger = writing.<Ledger>map(opened -> opened).orElse(batch -> {
            throw new StorageUnavailable(
                    "The database " + connections.address() + " was opened to be read only; open it for writing.",
                    null);
        });
        this.parts = new StorageParts(
                ledger,
                new SqlLanes(reader),
                new PostgresSessions(reader, renderer),
                new PostgresTranscripts(reader),
                new PostgresTranscriptSearch(reader),
                new SqlTurnQueue(reader, HoldTable.TABLE),
                new PostgresMeta(reader),
                new PostgresMaintenance(connections, reader, writable));
    }

    private Pool pool(Options options, StorageSettings settings, Pool.Use use) {
        return new Pool(connections, use, options.patience(), settings.threads());
    }

    static PostgresStorage open(Options options, StorageSettings settings) {
        boolean writable = settings.mode() == Mode.READ_WRITE;
        Connections connections = new Connections(options.address(), options.login(), options.limits(), writable);
        if (writable) {
            Schema.prepare(connections);
        } else {
            Schema.check(connections);
        }
        if (!options.address().isLocal()
                && !"verify-full".equals(options.address().properties().get("sslmode"))) {
            settings.warnings()
                    .accept("The way to " + options.address()
                            + " is not checked from end to end; add sslmode=verify-full"
                            + " to the address, and sslrootcert where its certificate is your own.");
        }
        return new PostgresStorage(connections, options, settings);
    }

    /** Returns the statements that were rendered so far, by name. */
    Map<String, String> statements() {
        return renderer.rendered();
    }

    @Override
    public StorageParts parts() {
        return parts;
    }

    @Override
    public Optional<Cluster> cluster() {
        return Optional.of(cluster);
    }

    @Override
    public String location() {
        return connections.address().toString();
    }

    @Override
    public void close() {
        cluster.close();
        writing.ifPresent(PostgresLedger::close);
        writers.ifPresent(Pool::close);
        care.close();
        readers.close();
    }
}
