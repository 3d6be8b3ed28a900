package dev.parley.persistence.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The server that the tests of this module share: the one that {@code TEST_POSTGRES} names, such as
 * {@code //localhost:5432/test?user=me}, whose role may make roles; else one of its own, with everything switched on that keeps data
 * safe. Each store has a schema of its own in it.
 */
final class TestServer {
    private static final String NAMED = System.getenv("TEST_POSTGRES");
    private static final AtomicLong STORES = new AtomicLong();
    private static Optional<TestServer> shared = Optional.empty();

    private final String hosts;
    private final String database;
    private final String user;
    private final Optional<EmbeddedPostgres> embedded;
    private final Path data;
    private final Queue<String> emptied = new ArrayDeque<>();
    private List<String> command = List.of();

    private TestServer(String hosts, String database, String user, Optional<EmbeddedPostgres> embedded, Path data) {
        this.hosts = hosts;
        this.database = database;
        this.user = user;
        this.embedded = embedded;
        this.data = data;
    }

    static synchronized TestServer shared() {
        if (shared.isEmpty()) {
            shared = Optional.of(NAMED == null ? start() : named(NAMED));
        }
        return shared.get();
    }

    private static TestServer named(String address) {
        String[] parts = address.substring(2).split("[/?]", 3);
        return new TestServer(parts[0], parts[1], parts[2].replaceFirst("^user=", ""), Optional.empty(), Path.of(""));
    }

    private static TestServer start() {
        try {
            Path data = Files.createTempDirectory("parley-postgres-");
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("max_connections", "200")
                    .start();
            return new TestServer("127.0.0.1:" + server.getPort(), "postgres", "postgres", Optional.of(server), data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the name of a store that is empty; one that was used before has its tables already. */
    synchronized String emptyStore() {
        return Optional.ofNullable(emptied.poll()).orElseGet(this::newName);
    }

    /** Takes back a store that nobody uses any more: all of its rows go, and its numbers begin anew. */
    synchronized void empty(String name) {
        run("do $$ declare t record; begin"
                + " for t in select relname from pg_class where relnamespace = '" + name + "'::regnamespace"
                + " and relkind = 'r' and relname <> 'parley_schema' loop"
                + " execute format('delete from " + name + ".%I', t.relname); end loop; end $$;"
                + " update " + name + ".parley_schema set store_id = md5(random()::text || clock_timestamp()::text);"
                + " select setval(oid::regclass, 1, false) from pg_class where relnamespace = '" + name
                + "'::regnamespace and relkind = 'S'");
        emptied.add(name);
    }

    /** Returns a name that no other store has. */
    String newName() {
        return "t" + ProcessHandle.current().pid() + "_" + STORES.incrementAndGet();
    }

    /** Returns the address of a store in a schema of its own, whose server may be slow: the machine may be busy with other work. */
    String store(String name) {
        return address(hosts, name, user) + "&socketTimeout=60&connectTimeout=60";
    }

    /** Returns the address of a store for a role of its own, which is made. */
    String storeOfItsOwnRole(String at, String name) {
        run("create role " + name + " login; grant create on database " + database + " to " + name);
        return address(at, name, name);
    }

    private String address(String at, String name, String role) {
        return "//" + at + "/" + database + "?user=" + role + "&schema=" + name + "&ApplicationName=" + name;
    }

    /** Forgets a store, where it would stay. */
    void drop(String name) {
        if (isOwn()) {
            return;
        }
        cut(name);
        run("drop schema if exists " + name + " cascade");
        run("do $$ begin if exists (select 1 from pg_roles where rolname = '" + name + "') then drop owned by " + name
                + "; drop role " + name + "; end if; end $$");
    }

    /** Cuts all connections of a store without telling those who hold them. */
    void cut(String name) {
        run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = '" + name
                + "' and pid <> pg_backend_pid()");
    }

    /** Waits until so many connections of a store wait for a lock. */
    void awaitBlocked(String name, int connections) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            long blocked = 0;
            while (blocked < connections) {
                try (ResultSet found = statement.executeQuery("select count(*) from pg_stat_activity"
                        + " where application_name = '" + name + "' and wait_event_type = 'Lock'")) {
                    found.next();
                    blocked = found.getLong(1);
                }
            }
        }
    }

    String hosts() {
        return hosts;
    }

    void run(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens a connection of the role that may do everything. */
    Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "30");
        properties.setProperty("preferQueryMode", "simple");
        return DriverManager.getConnection("jdbc:postgresql://" + hosts + "/" + database, properties);
    }

    /** Returns whether the server is this module's own, so that it may be killed. */
    boolean isOwn() {
        return embedded.isPresent();
    }

    /** Kills the server as a power failure would. */
    void kill() {
        try {
            long pid = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
            ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
            // A server refuses to run as the superuser, so it was given a name of its own.
            command = isSuperuser() ? List.of("unshare", "-U") : List.of();
            command = Stream.of(
                            command.stream(),
                            postmaster.info().command().stream(),
                            Stream.of(postmaster.info().arguments().orElseThrow()))
                    .flatMap(parts -> parts)
                    .toList();
            postmaster.destroyForcibly();
            postmaster.onExit().join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSuperuser() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Starts the server again that was killed, and waits until it says that it takes connections. */
    void startAgain() {
        // Processes of the killed server may still be about to end, and refuse the next one.
        for (int attempt = 1; attempt <= 400; attempt++) {
            try {
                Process started =
                        new ProcessBuilder(command).redirectErrorStream(true).start();
                BufferedReader said = started.inputReader();
                for (String line = said.readLine(); line != null; line = said.readLine()) {
                    if (line.contains("ready to accept connections")) {
                        Thread rest = new Thread(() -> said.lines().forEach(ignored -> {}), "postgres-output");
                        rest.setDaemon(true);
                        rest.start();
                        return;
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException("The server does not start again.");
    }
}
