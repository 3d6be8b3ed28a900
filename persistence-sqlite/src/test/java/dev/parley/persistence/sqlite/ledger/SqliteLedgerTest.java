package dev.parley.persistence.sqlite.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.schema.IndexWatch;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.statement.Statements;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.SQLDialect;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer under locks, full disks and many callers (storage 2, commit rule 6). */
class SqliteLedgerTest {
    @TempDir
    Path folder;

    private OpenDatabase database;
    private HeldEngine engine;
    private SqliteLedger ledger;

    @BeforeEach
    void open() throws Exception {
        database = new Openings().write(folder.resolve("state.db"));
        engine = new HeldEngine(new SqliteEngine(database, IndexWatch.NONE));
        ledger = new SqliteLedger(
                engine,
                new Renderer(SQLDialect.SQLITE),
                () -> Openings.NOW,
                new Openings.CountedIds(),
                Thread::new,
                () -> {});
        ledger.start();
    }

    @AfterEach
    void close() {
        ledger.close();
        database.close();
    }

    @Test
    @DisplayName("A lock is waited for fifteen times; then it is refused at once until the lock can be had")
    void aLockIsWaitedForFifteenTimesThenRefusedAtOnce() throws Exception {
        engine.locked(true);

        assertThatThrownBy(() -> ledger.commit(meta(1, "a"))).isInstanceOf(StorageUnavailable.class);
        assertThat(engine.begins()).isEqualTo(15);
        assertThatThrownBy(() -> ledger.commit(meta(2, "b")))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("locked by another process");

        engine.locked(false);
        assertThat(engine.begun().await(30, TimeUnit.SECONDS)).isTrue();
        waitUntilAccepted();
        assertThat(ledger.commit(meta(4, "d")).isCommitted()).isTrue();
    }

    @Test
    @DisplayName("Commit rule 6: a gateway with a fallback waits no longer for a lock than it has patience")
    void aLockIsWaitedForAsLongAsThePatienceLasts() throws Exception {
        ledger.close();
        database.close();
        database = new Openings().write(folder.resolve("state.db"));
        engine = new HeldEngine(new SqliteEngine(database, IndexWatch.NONE));
        AtomicReference<Instant> time = new AtomicReference<>(Openings.NOW);
        ledger = new SqliteLedger(
                engine,
                new Renderer(SQLDialect.SQLITE),
                () -> time.getAndUpdate(now -> now.plusSeconds(1)),
                new Openings.CountedIds(),
                Thread::new,
                () -> {},
                Optional.of(Duration.ofSeconds(3)));
        ledger.start();
        engine.locked(true);

        assertThatThrownBy(() -> ledger.commit(meta(1, "a"))).isInstanceOf(StorageUnavailable.class);
        assertThat(engine.begins()).isBetween(2, 5);
    }

    /** The probe has the lock; that the ledger accepts again follows at once. */
    private void waitUntilAccepted() {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        boolean accepted = false;
        while (!accepted) {
            assertThat(System.nanoTime()).as("accepted within 30 seconds").isLessThan(until);
            try {
                accepted = ledger.commit(meta(3, "c")).isCommitted();
            } catch (StorageUnavailable e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    @DisplayName("A lock that is let go in time is not told to anybody")
    void aLockThatIsLetGoInTimeIsNotTold() {
        engine.lockedFor(14);

        assertThat(ledger.commit(meta(1, "a")).isCommitted()).isTrue();
        assertThat(engine.begins()).isEqualTo(15);
    }

    @Test
    @DisplayName("A full disk is told, stores nothing of the batch, and the same batch can be committed later")
    void aFullDiskIsToldAndStoresNothing() throws Exception {
        SessionId session = SessionId.of("s");
        ledger.commit(batch(
                1,
                new Change.CreateSession(
                        Session.builder(session, "cli", Openings.NOW).build())));
        long pages = pragma("pragma page_count");
        pragma("pragma max_page_count = " + pages);
        Batch big = batch(
                2,
                new Change.PutMeta("k", "v"),
                new Change.AppendMessages(session, List.of(message("x".repeat(100_000)))));

        assertThatThrownBy(() -> ledger.commit(big))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("full");
        assertThat(count("state_meta")).isZero();
        assertThat(count("messages")).isZero();

        pragma("pragma max_page_count = 1073741823");
        assertThat(ledger.commit(big).isCommitted()).isTrue();
        assertThat(ledger.commit(big).isCommitted()).isTrue();
        assertThat(count("messages")).isEqualTo(1);
    }

    private static Batch named(int number) {
        return new Batch(new BatchId("w" + number, 1), List.of(), List.of(new Change.PutMeta("k" + number, "v")));
    }

    @Test
    @DisplayName("What gathers while a transaction is under way is committed by one transaction")
    void whatGathersIsCommittedTogether() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(40);
        try {
            CountDownLatch hold = engine.holdNextCommit();
            List<Future<Boolean>> answers = new ArrayList<>();
            answers.add(callers.submit(() -> ledger.commit(named(1)).isCommitted()));
            assertThat(engine.held().await(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 2; i <= 40; i++) {
                Batch batch = named(i);
                answers.add(callers.submit(() -> ledger.commit(batch).isCommitted()));
            }
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (ledger.waiting() < 39) {
                assertThat(System.nanoTime()).as("waiting within 30 seconds").isLessThan(until);
                Thread.onSpinWait();
            }
            hold.countDown();
            for (Future<Boolean> answer : answers) {
                assertThat(answer.get(30, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            callers.shutdownNow();
        }
        assertThat(engine.commits()).isLessThanOrEqualTo(3);
        assertThat(count("state_meta")).isEqualTo(40);
    }

    /** Commits the batches by one transaction; returns what each is answered, null for committed. */
    private List<@Nullable Throwable> together(List<Batch> batches) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(batches.size() + 1);
        try {
            CountDownLatch hold = engine.holdNextCommit();
            Future<Boolean> first = callers.submit(() -> ledger.commit(named(1)).isCommitted());
            assertThat(engine.held().await(30, TimeUnit.SECONDS)).isTrue();
            List<Future<CommitResult>> answers = new ArrayList<>();
            for (Batch batch : batches) {
                answers.add(callers.submit(() -> ledger.commit(batch)));
                while (ledger.waiting() < answers.size()) {
                    Thread.onSpinWait();
                }
            }
            hold.countDown();
            assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
            List<@Nullable Throwable> thrown = new ArrayList<>();
            for (Future<CommitResult> answer : answers) {
                try {
                    assertThat(answer.get(30, TimeUnit.SECONDS).isCommitted()).isTrue();
                    thrown.add(null);
                } catch (ExecutionException e) {
                    thrown.add(e.getCause());
                }
            }
            return thrown;
        } finally {
            callers.shutdownNow();
        }
    }

    private static Batch appending(int number, String session, String text) {
        return new Batch(
                new BatchId("a" + number, 1),
                List.of(),
                List.of(
                        new Change.PutMeta("a" + number, "v"),
                        new Change.AppendMessages(SessionId.of(session), List.of(message(text)))));
    }

    private void createSession(String id) {
        ledger.commit(new Batch(
                new BatchId("c" + id, 1),
                List.of(),
                List.of(new Change.CreateSession(
                        Session.builder(SessionId.of(id), "cli", Openings.NOW).build()))));
    }

    @Test
    @DisplayName("Messages that are committed together are written to the search index together")
    void whatIsCommittedTogetherIsIndexedTogether() throws Exception {
        createSession("s");
        List<Batch> batches = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            batches.add(appending(i, "s", "word" + i));
        }

        assertThat(together(batches)).containsOnlyNulls();

        assertThat(count("messages")).isEqualTo(40);
        assertThat(pragma("select message_count from sessions")).isEqualTo(40);
        assertThat(count("messages_fts_idx")).as("pages of the index").isLessThanOrEqualTo(3);
        for (int i = 1; i <= 40; i++) {
            assertThat(pragma("select id from messages_fts f join messages m on m.id = f.rowid"
                            + " where messages_fts match 'word" + i + "'"))
                    .as("word%s", i)
                    .isEqualTo(i);
        }
    }

    @Test
    @DisplayName("A batch that is refused among others stores nothing, and the others are committed")
    void aBatchThatIsRefusedAmongOthersIsRefusedAlone() throws Exception {
        createSession("s");

        List<@Nullable Throwable> answers = together(List.of(
                appending(1, "s", "one"),
                appending(2, "nobody's", "two"),
                appending(3, "s", "three"),
                appending(4, "s", "one")));

        assertThat(answers.get(0)).isNull();
        assertThat(answers.get(1)).isInstanceOf(InvalidRequest.class).hasMessageContaining("nobody's");
        assertThat(answers.subList(2, 4)).containsOnlyNulls();
        assertThat(count("messages")).isEqualTo(2);
        assertThat(pragma("select message_count from sessions")).isEqualTo(2);
        assertThat(count("state_meta where key like 'a%'")).isEqualTo(3);
        assertThat(ledger.commit(appending(5, "s", "five")).isCommitted()).isTrue();
        assertThat(count("messages_fts where messages_fts match 'one OR five OR three'"))
                .isEqualTo(3);
    }

    @Test
    @DisplayName("What others have removed since the last commit here is not taken for stored")
    void whatOthersHaveRemovedIsNotTakenForStored() throws Exception {
        createSession("s");
        ledger.commit(appending(1, "s", "one"));
        try (Connection other = database.connections().writer();
                Statement statement = other.createStatement()) {
            statement.execute("delete from messages");
            statement.execute("delete from sessions");
        }

        assertThatThrownBy(() -> ledger.commit(appending(2, "s", "two")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("is not stored");
    }

    @Test
    @DisplayName(
            "An Error on the writer's thread is the answer of all whose batches it had in hand, and the writer goes on")
    void anErrorOnTheWritersThreadAnswersEverybody() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(6);
        List<Future<Boolean>> answers = new ArrayList<>();
        try {
            CountDownLatch hold = engine.holdNextCommit();
            answers.add(callers.submit(() -> ledger.commit(named(1)).isCommitted()));
            assertThat(engine.held().await(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 2; i <= 6; i++) {
                Batch batch = named(i);
                answers.add(callers.submit(() -> ledger.commit(batch).isCommitted()));
            }
            while (ledger.waiting() < 5) {
                Thread.onSpinWait();
            }
            engine.throwAtNextBegin(new NoSuchMethodError("of another release"));
            hold.countDown();

            assertThat(answers.get(0).get(30, TimeUnit.SECONDS)).isTrue();
            for (Future<Boolean> answer : answers.subList(1, 6)) {
                assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
                        .cause()
                        .isInstanceOf(StorageUnavailable.class)
                        .hasMessageContaining("of another release")
                        .hasCauseInstanceOf(NoSuchMethodError.class);
            }
        } finally {
            callers.shutdownNow();
        }
        assertThat(ledger.commit(named(2)).isCommitted()).isTrue();
    }

    @Test
    @DisplayName("What listens for moved lanes and throws costs no batch its answer")
    void aListenerThatThrowsCostsNoAnswer() throws Exception {
        ledger.close();
        database.close();
        database = new Openings().write(folder.resolve("state.db"));
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        ledger = new SqliteLedger(
                new SqliteEngine(database, IndexWatch.NONE),
                new Renderer(SQLDialect.SQLITE),
                () -> Openings.NOW,
                new Openings.CountedIds(),
                task -> {
                    Thread thread = new Thread(task);
                    thread.setUncaughtExceptionHandler((t, e) -> uncaught.add(e));
                    return thread;
                },
                () -> {
                    throw new NoSuchMethodError("of another release");
                });
        ledger.start();

        Change remove = new Change.RemoveLane(SessionKey.of("agent:main:telegram:dm:1"));
        assertThat(ledger.commit(batch(1, remove)).isCommitted()).isTrue();
        assertThat(ledger.commit(batch(2, remove)).isCommitted()).isTrue();
        ledger.close();
        assertThat(uncaught).hasSize(2);
    }

    @Test
    @DisplayName("After every fiftieth commit the log is moved into the file")
    void theLogIsMovedEveryFiftyCommits() {
        for (int i = 1; i <= 101; i++) {
            ledger.commit(meta(i, "v" + i));
        }

        assertThat(engine.checkpoints()).isEqualTo(2);
    }

    @Test
    @DisplayName("A caller that comes alone commits on its own thread")
    void aLoneCallerCommitsOnItsOwnThread() {
        // The ledger's own thread may not have come to rest yet; from the first commit on that it leaves to its caller,
        // it rests.
        int number = 0;
        do {
            number++;
            ledger.commit(meta(number, "a"));
        } while (!engine.committers().contains(Thread.currentThread()) && number < 1_000);
        ledger.commit(meta(number + 1, "b"));
        ledger.commit(meta(number + 2, "c"));

        assertThat(engine.committers().subList(number - 1, number + 2)).containsOnly(Thread.currentThread());
    }

    @Test
    @DisplayName("A lone caller that is interrupted waits for the lock all the same, and stays interrupted")
    void anInterruptedLoneCallerGetsItsAnswer() {
        engine.lockedFor(3);

        Thread.currentThread().interrupt();
        CommitResult result = ledger.commit(meta(1, "a"));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.isCommitted()).isTrue();
        assertThat(engine.begins()).isEqualTo(4);
    }

    @Test
    @DisplayName(
            "A batch that breaks on its caller's own thread is that caller's failure, and the next caller is heard")
    void aFailureOnTheCallersThreadIsItsOwn() {
        engine.throwAtNextBegin(new NoSuchMethodError("of another release"));

        assertThatThrownBy(() -> ledger.commit(meta(1, "a")))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("of another release");
        assertThat(ledger.commit(meta(1, "a")).isCommitted()).isTrue();
    }

    @Test
    @DisplayName("Closing waits for the caller that commits on its own thread")
    void closingWaitsForTheCallerThatCommits() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(2);
        try {
            CountDownLatch hold = engine.holdNextCommit();
            Future<Boolean> answer =
                    callers.submit(() -> ledger.commit(named(1)).isCommitted());
            assertThat(engine.held().await(30, TimeUnit.SECONDS)).isTrue();
            Future<?> closed = callers.submit(ledger::close);
            while (!isClosed()) {
                Thread.onSpinWait();
            }
            assertThat(closed.isDone()).isFalse();
            hold.countDown();

            assertThat(answer.get(30, TimeUnit.SECONDS)).isTrue();
            closed.get(30, TimeUnit.SECONDS);
        } finally {
            callers.shutdownNow();
        }
        assertThat(count("state_meta")).isEqualTo(1);
    }

    private boolean isClosed() {
        return !ledger.isOpen();
    }

    @Test
    @DisplayName("Row numbers of messages are never used twice, also after the last message is deleted")
    void rowNumbersAreNeverUsedTwice() throws Exception {
        SessionId session = SessionId.of("s");
        ledger.commit(batch(
                1,
                new Change.CreateSession(
                        Session.builder(session, "cli", Openings.NOW).build()),
                new Change.AppendMessages(session, List.of(message("a"), message("b")))));
        ledger.commit(batch(2, new Change.ReplaceMessages(session, List.of())));
        ledger.commit(batch(3, new Change.AppendMessages(session, List.of(message("c")))));

        assertThat(pragma("select id from messages")).isEqualTo(3);
    }

    @Test
    void nothingIsTakenAfterClosing() {
        ledger.close();

        assertThatThrownBy(() -> ledger.commit(meta(1, "a"))).isInstanceOf(StorageUnavailable.class);
    }

    private static Batch meta(long sequence, String value) {
        return batch(sequence, new Change.PutMeta("k", value));
    }

    private static Batch batch(long sequence, Change... changes) {
        return new Batch(new BatchId("w", sequence), List.of(), List.of(changes));
    }

    private static Message message(String text) {
        return Message.builder(
                        new MessageId("m-" + text.hashCode() + text.length()),
                        Role.USER,
                        Content.text(text),
                        Openings.NOW)
                .build();
    }

    private long count(String table) throws SQLException {
        return pragma("select count(*) from " + table);
    }

    /** The ledger is idle, so its connection is free. */
    private long pragma(String sql) throws SQLException {
        try (Statement statement = database.writer().orElseThrow().createStatement();
                var rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    /** SQLite with a lock that tests hold, and a count of what the ledger does. */
    private static final class HeldEngine implements Engine {
        private final SqliteEngine real;
        private final AtomicInteger lockedFor = new AtomicInteger();
        private final AtomicInteger begins = new AtomicInteger();
        private final AtomicInteger commits = new AtomicInteger();
        private final AtomicInteger checkpoints = new AtomicInteger();
        private final List<Thread> committers = new CopyOnWriteArrayList<>();
        private final CountDownLatch held = new CountDownLatch(1);
        private volatile CountDownLatch begun = new CountDownLatch(1);
        private volatile CountDownLatch hold = new CountDownLatch(0);
        private volatile boolean holding;
        private final AtomicReference<@Nullable Error> failing = new AtomicReference<>();

        HeldEngine(SqliteEngine real) {
            this.real = real;
        }

        void locked(boolean value) {
            begun = new CountDownLatch(1);
            lockedFor.set(value ? Integer.MAX_VALUE : 0);
        }

        void lockedFor(int attempts) {
            lockedFor.set(attempts);
        }

        CountDownLatch begun() {
            return begun;
        }

        void throwAtNextBegin(Error error) {
            failing.set(error);
        }

        CountDownLatch held() {
            return held;
        }

        CountDownLatch holdNextCommit() {
            hold = new CountDownLatch(1);
            holding = true;
            return hold;
        }

        int begins() {
            return begins.get();
        }

        int commits() {
            return commits.get();
        }

        List<Thread> committers() {
            return committers;
        }

        int checkpoints() {
            return checkpoints.get();
        }

        @Override
        public SQLDialect dialect() {
            return real.dialect();
        }

        @Override
        public Connection open() {
            return real.open();
        }

        @Override
        public void begin(Connection connection) throws SQLException {
            begins.incrementAndGet();
            Error failure = failing.getAndSet(null);
            if (failure != null) {
                throw failure;
            }
            if (lockedFor.get() > 0) {
                lockedFor.decrementAndGet();
                throw new Locked();
            }
            real.begin(connection);
            begun.countDown();
        }

        @Override
        public void commit(Connection connection) throws SQLException {
            if (holding) {
                holding = false;
                held.countDown();
                try {
                    hold.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            real.commit(connection);
            committers.add(Thread.currentThread());
            commits.incrementAndGet();
        }

        @Override
        public void rollback(Connection connection) throws SQLException {
            real.rollback(connection);
        }

        @Override
        public long schemaVersion(Connection connection) throws SQLException {
            return real.schemaVersion(connection);
        }

        @Override
        public long foreignCommits(Connection connection) throws SQLException {
            return real.foreignCommits(connection);
        }

        @Override
        public boolean hasHidingColumns(Connection connection) throws SQLException {
            return real.hasHidingColumns(connection);
        }

        @Override
        public void addHidingColumns(Connection connection) throws SQLException {
            real.addHidingColumns(connection);
        }

        @Override
        public void addArchivedColumn(Connection connection) throws SQLException {
            real.addArchivedColumn(connection);
        }

        @Override
        public long lastMessageRow(Statements statements) throws SQLException {
            return real.lastMessageRow(statements);
        }

        @Override
        public String newestSessions(int limit) {
            return real.newestSessions(limit);
        }

        @Override
        public void checkpoint(Connection connection) throws SQLException {
            checkpoints.incrementAndGet();
            real.checkpoint(connection);
        }

        @Override
        public boolean isBusy(SQLException e) {
            return e instanceof Locked || real.isBusy(e);
        }

        @Override
        public boolean isConstraint(SQLException e) {
            return real.isConstraint(e);
        }

        @Override
        public boolean isIndexBroken(SQLException e) {
            return real.isIndexBroken(e);
        }

        @Override
        public void setIndexAside(Connection connection) throws SQLException {
            real.setIndexAside(connection);
        }

        @Override
        public void indexWasSetAside() {
            real.indexWasSetAside();
        }

        @Override
        public ParleyException translated(SQLException e) {
            return e instanceof Locked ? new StorageUnavailable("locked", e) : real.translated(e);
        }
    }

    private static final class Locked extends SQLException {
        private static final long serialVersionUID = 1L;
    }
}
