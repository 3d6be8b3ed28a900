package dev.parley.persistence.postgres;

import dev.parley.application.port.Ids;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.storage.FailingMedium;
import dev.parley.contracts.storage.ProviderHarness;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Handles a store in a schema of its own. A crash cuts its connections without telling those who hold them. */
public final class PostgresHarness extends ProviderHarness {
    /** How many connections of a store write at most. */
    static final int WRITERS = 4;

    private final TestServer server;
    private String name;
    private Optional<Proxy> proxy = Optional.empty();
    /** Whether another test may have the store, since nothing happened to it. */
    private boolean again;

    private boolean isMade;

    private String address;

    /** Handles a new store. */
    public PostgresHarness(Path directory) {
        this(TestServer.shared(), TestServer.shared().newName(), directory);
    }

    /** Handles an empty store that may have its tables already, where making them is not what is tested. */
    static PostgresHarness empty(Path directory) {
        TestServer server = TestServer.shared();
        PostgresHarness harness = new PostgresHarness(server, server.emptyStore(), directory);
        harness.again = server.isOwn();
        return harness;
    }

    private PostgresHarness(TestServer server, String name, Path directory) {
        super(new PostgresStorageProvider(), server.store(name), directory);
        this.server = server;
        this.name = name;
        this.address = server.store(name);
    }

    InstantSource clock() {
        return settings(StorageSettings.Mode.READ_WRITE).clock();
    }

    Ids ids() {
        return settings(StorageSettings.Mode.READ_WRITE).ids();
    }

    /** The server syncs. */
    @Override
    public boolean syncsItself() {
        return false;
    }

    String name() {
        return name;
    }

    @Override
    protected StorageSettings settings(StorageSettings.Mode mode) {
        StorageSettings usual = super.settings(mode);
        return new StorageSettings(
                address,
                usual.home(),
                usual.mode(),
                usual.clock(),
                usual.zone(),
                usual.ids(),
                usual.threads(),
                usual.warnings(),
                Map.of(
                        "busy_patience_ms",
                        proxy.isPresent() ? "1000" : "20000",
                        "writers",
                        Integer.toString(WRITERS),
                        "readers",
                        "4",
                        "statement_timeout_ms",
                        proxy.isPresent() ? "5000" : "60000"));
    }

    @Override
    public Storage open(StorageSettings.Mode mode) {
        if (mode == StorageSettings.Mode.READ_ONLY) {
            anew();
        }
        Storage storage = super.open(mode);
        isMade |= mode == StorageSettings.Mode.READ_WRITE;
        return storage;
    }

    /** What is tested needs a store whose tables are made by it, or are not there. */
    private void anew() {
        if (again && !isMade) {
            again = false;
            name = server.newName();
            address = server.store(name);
        }
    }

    /** Processes elsewhere may be killed while they write. */
    @Override
    public Optional<Elsewhere> elsewhere() {
        again = false;
        return super.elsewhere();
    }

    @Override
    public void crash() {
        again = false;
        server.cut(name);
    }

    /** Returns what stands between the store and its server from now on. */
    Proxy through() {
        anew();
        again = false;
        Proxy between = new Proxy(server.hosts());
        proxy = Optional.of(between);
        address = server.storeOfItsOwnRole(between.hosts(), name) + "&socketTimeout=3&connectTimeout=1";
        return between;
    }

    @Override
    public List<Fault> faults() {
        Proxy between = through();
        List<Fault> faults = new ArrayList<>();
        faults.add(FailingMedium.fault(
                "login refused",
                () -> {
                    server.run("alter role " + name + " nologin");
                    server.cut(name);
                },
                () -> server.run("alter role " + name + " login")));
        faults.add(FailingMedium.fault(
                "server read only",
                () -> {
                    server.run("alter role " + name + " set default_transaction_read_only = on");
                    server.cut(name);
                },
                () -> {
                    server.run("alter role " + name + " reset default_transaction_read_only");
                    server.cut(name);
                }));
        faults.add(FailingMedium.fault("server silent", () -> between.silent(true), () -> between.silent(false)));
        if (server.isOwn()) {
            faults.add(FailingMedium.fault("server killed", server::kill, server::startAgain));
        }
        return faults;
    }

    @Override
    public void close() {
        try {
            super.close();
            if (again && isMade) {
                server.empty(name);
            }
        } finally {
            proxy.ifPresent(Proxy::close);
            server.drop(name);
        }
    }
}
