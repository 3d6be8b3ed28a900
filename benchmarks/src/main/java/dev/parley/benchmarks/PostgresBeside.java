package dev.parley.benchmarks;

import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.search.IndexedTerms;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Measures the store on PostgreSQL beside plain JDBC on the same server, with the same tables and as many round trips, and beside
 * SQLite; prints a table in Markdown. The server is one of its own with {@code fsync} on.
 */
final class PostgresBeside {
    private static final String ONLY = "--only=";
    private static final int SESSIONS = 64;
    private static final int LANES = 10_000;
    private static final int LONG = 1_000;
    private static final int MESSAGES = 20_000;
    private static final String FOUND = "dolphin";
    private static final int TALKING = 100;
    /** The processor's time is counted in steps of 10 ms, so that many calls tell it to some tens of microseconds. */
    private static final int SPENT_CALLS = 400;

    private static final int COMMITS_OF_A_TURN = 4;
    private static final Instant START = SqliteFiles.START;

    private final List<String> lines = new ArrayList<>();
    private final AtomicLong numbers = new AtomicLong(1_000_000);
    private final int rounds;
    private final int calls;
    private final long postmaster;
    private final Storage postgres;
    private final Storage sqlite;
    private final EchoGateway gateway;
    private final EchoGateway onSqlite = EchoGateway.onSqlite();
    private final ConcurrentLinkedQueue<PlainPostgres> plain = new ConcurrentLinkedQueue<>();
    private final PlainPostgres first;
    private final String only;

    private PostgresBeside(String only, boolean quick, EmbeddedPostgres server, Path data, Path folder)
            throws IOException, SQLException {
        this.only = only;
        rounds = quick ? 3 : 9;
        calls = quick ? 320 : 1_280;
        postmaster = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
        String address = "//127.0.0.1:" + server.getPort() + "/postgres?user=postgres&schema=";
        postgres = filled(Stores.postgres(address + "store", folder));
        sqlite = filled(Stores.sqlite(folder.resolve("store.db"), StorageSettings.Mode.READ_WRITE));
        filled(Stores.postgres(address + "plain", folder)).close();
        gateway = new EchoGateway(Stores.postgres(address + "turns", folder), Stores.folder());
        for (int i = 0; i < SESSIONS; i++) {
            plain.add(new PlainPostgres(
                    "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres", "plain"));
        }
        first = new PlainPostgres(
                "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres", "plain");
        first.run("vacuum analyze");
    }

    /** Measures everything; {@code --quick} in fewer rounds, {@code --only=} what begins so. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Stores.folder();
        Path data = folder.resolve("data");
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("max_connections", "200")
                .start()) {
            PostgresBeside beside =
                    new PostgresBeside(only(arguments), List.of(arguments).contains("--quick"), server, data, folder);
            try {
                beside.run();
                beside.print();
            } finally {
                beside.close();
            }
        } finally {
            Stores.remove(folder);
        }
    }

    private static String only(String[] arguments) {
        return List.of(arguments).stream()
                .filter(argument -> argument.startsWith(ONLY))
                .map(argument -> argument.substring(ONLY.length()))
                .findFirst()
                .orElse("");
    }

    private static Storage filled(Storage storage) {
        List<Change> changes = new ArrayList<>(SqliteFiles.sessions(SESSIONS, 1));
        for (int i = 0; i < LANES; i++) {
            SessionSource source = SessionSource.builder(Platform.TELEGRAM, "c" + i)
                    .userId("u" + i)
                    .build();
            changes.add(new Change.PutLane(
                    new Lane(SessionEntry.begin(key(i), SessionId.of("s0"), source, START, Beginning.ordinary()), 1)));
        }
        for (int i = 0; i < MESSAGES; i++) {
            String session = i < LONG ? "s1" : "s" + (2 + i % (SESSIONS - 2));
            String text = SqliteFiles.TEXT + (i % 500 == 0 ? " " + FOUND : "");
            changes.add(new Change.AppendMessages(
                    SessionId.of(session),
                    List.of(Message.builder(new MessageId("f" + i), Role.USER, Content.text(text), START.plusSeconds(i))
                            .build())));
        }
        SqliteFiles.commit(storage, changes);
        return storage;
    }

    private static SessionKey key(int lane) {
        return SessionKey.of("agent:main:telegram:dm:c" + lane);
    }

    private void run() throws Exception {
        for (int callers : new int[] {1, 4, 16, 64}) {
            measure("append, callers " + callers, callers, append(postgres), plainAppend(), append(sqlite));
        }
        measure("claim", 1, claim(postgres, admitted(postgres)), plainClaim(), claim(sqlite, admitted(sqlite)));
        measure(
                "a turn until its answer is sent, " + COMMITS_OF_A_TURN + " commits",
                1,
                turn(gateway),
                plainCommits(COMMITS_OF_A_TURN),
                turn(onSqlite));
        measure(
                "find a lane of " + LANES,
                1,
                () -> postgres.lanes().find(key(5_000)),
                () -> first.findLane(key(5_000).value()),
                () -> sqlite.lanes().find(key(5_000)));
        measure(
                "load " + LONG + " messages",
                1,
                () -> postgres.transcripts().load(SessionId.of("s1")),
                () -> first.load("s1"),
                () -> sqlite.transcripts().load(SessionId.of("s1")));
        SearchQuery query = new SearchQuery(
                FOUND,
                Optional.empty(),
                List.of(),
                List.of(),
                20,
                0,
                Optional.of(SearchQuery.Sort.NEWEST),
                Viewer.operator());
        measure(
                "search a rare word, newest first",
                1,
                () -> postgres.search().search(query),
                () -> first.search("'" + FOUND + "'"),
                () -> sqlite.search().search(query));
        measure(
                "list 20 sessions by activity",
                1,
                () -> postgres.sessions().list(SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE)),
                () -> first.run("select * from parley_session_use join parley_sessions on id = session_id"
                        + " order by last_active desc, session_id desc limit 20"),
                () -> sqlite.sessions().list(SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE)));
    }

    private Call append(Storage storage) {
        return () -> {
            long number = numbers.incrementAndGet();
            storage.ledger()
                    .commit(new Batch(
                            writer(number),
                            List.of(),
                            List.of(new Change.AppendMessages(
                                    session(),
                                    List.of(SqliteFiles.message("b" + number, START.plusSeconds(number)))))));
        };
    }

    private static BatchId writer(long number) {
        return new BatchId("w" + Thread.currentThread().getId(), number);
    }

    private static SessionId session() {
        return SessionId.of("s" + Thread.currentThread().getId() % SESSIONS);
    }

    private Call plainAppend() {
        String terms = IndexedTerms.of(SqliteFiles.TEXT).stream()
                .map(term -> "'" + term.replace("'", "''") + "'")
                .collect(Collectors.joining(" "));
        return () -> {
            PlainPostgres connection = plain.remove();
            long number = numbers.incrementAndGet();
            connection.append(session().value(), "w" + Thread.currentThread().getId(), number, SqliteFiles.TEXT, terms);
            plain.add(connection);
        };
    }

    /** A turn in one of the lanes, which have talked before. */
    private static Call turn(EchoGateway gateway) {
        AtomicLong next = new AtomicLong();
        for (int before = 0; before < 3 * TALKING; before++) {
            gateway.turn(before % TALKING).join();
        }
        return () -> gateway.turn((int) (next.incrementAndGet() % TALKING)).join();
    }

    private Call plainCommits(int commits) {
        Call append = plainAppend();
        return () -> {
            for (int i = 0; i < commits; i++) {
                append.make();
            }
        };
    }

    private long atMost() {
        return (rounds + 2L) * calls;
    }

    private static Inbound inbound(long number) {
        int lane = (int) (number % LANES);
        SessionSource source = SessionSource.builder(Platform.TELEGRAM, "c" + lane)
                .userId("u" + lane)
                .build();
        return Inbound.builder(
                        new InboundId("i" + number),
                        key(lane),
                        number,
                        Inbound.Kind.MESSAGE,
                        source,
                        "hello",
                        START.plusSeconds(number))
                .build();
    }

    /** Admits as many messages as are claimed, and tells their numbers. */
    private AtomicLong admitted(Storage storage) {
        List<Change> changes = new ArrayList<>();
        for (long number = 1; number <= atMost(); number++) {
            changes.add(new Change.PutInbound(inbound(number)));
        }
        SqliteFiles.commit(storage, changes);
        return new AtomicLong();
    }

    private Call claim(Storage storage, AtomicLong next) {
        return () -> {
            long number = next.incrementAndGet();
            Inbound waiting = inbound(number);
            TurnId turn = new TurnId("t" + number);
            storage.ledger()
                    .commit(new Batch(
                            writer(numbers.incrementAndGet()),
                            List.of(new Precondition.StillAdmitted(waiting.id())),
                            List.of(
                                    new Change.PutInbound(waiting.claimedBy(turn)),
                                    new Change.PutTurn(Turn.claimed(
                                            turn,
                                            waiting.lane(),
                                            SessionId.of("s0"),
                                            new RunId("r"),
                                            List.of(waiting.id()),
                                            START.plusSeconds(number))))));
        };
    }

    private Call plainClaim() throws SQLException {
        first.run("insert into parley_inbound (id, lane, ordinal, kind, state, source, text, attachments, received_at,"
                + " mentioned) select 'i' || n, 'l' || n % " + LANES
                + ", n, 'message', 'admitted', '{}', 'hello', '[]', n, false from generate_series(1, " + atMost()
                + ") n");
        AtomicLong next = new AtomicLong();
        return () -> {
            long number = next.incrementAndGet();
            first.claim("l" + number % LANES, "s0", "i" + number, "t" + number, "w", numbers.incrementAndGet());
        };
    }

    private void measure(String what, int callers, Call store, Call plainly, Call file) throws Exception {
        if (!what.startsWith(only)) {
            return;
        }
        Rounds.Found found = new Rounds(rounds, calls, callers).measure(store, plainly);
        Rounds.Times onSqlite = new Rounds(rounds, calls, callers).measure(file).store();
        Spent ours = spent(store);
        Spent theirs = spent(plainly);
        lines.add(String.format(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f | %.0f | %.0f | %.0f |",
                what,
                found.store().median(),
                found.store().p99(),
                found.plain().median(),
                found.ratio(),
                found.worked(),
                onSqlite.median(),
                ours.micros,
                theirs.micros,
                ours.bytes,
                theirs.bytes));
        System.err.println(lines.get(lines.size() - 1));
    }

    /** What one call costs the server. */
    private record Spent(double micros, double bytes) {}

    private Spent spent(Call call) throws Exception {
        int times = Math.min(calls, SPENT_CALLS);
        DatabaseUse before = DatabaseUse.now(first.connection(), postmaster);
        for (int i = 0; i < times; i++) {
            call.make();
        }
        DatabaseUse after = DatabaseUse.now(first.connection(), postmaster);
        return new Spent(after.workedSince(before) / times, (double) after.writtenSince(before) / times);
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%nJava %s, %d processors. Times in milliseconds; the ratio is the plain time by the store's; what the server spends"
                        + " is in microseconds of a processor and bytes of its log, for each call.%n%n",
                System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors());
        System.out.println("""
                | Work | p50 | p99 | plain p50 | ratio | processor | SQLite p50 | server | server, plain | log | log, plain |
                |---|---|---|---|---|---|---|---|---|---|---|""");
        lines.forEach(System.out::println);
    }

    private void close() throws IOException, SQLException {
        gateway.close();
        onSqlite.close();
        postgres.close();
        sqlite.close();
        for (PlainPostgres each : plain) {
            each.close();
        }
        first.close();
    }
}
