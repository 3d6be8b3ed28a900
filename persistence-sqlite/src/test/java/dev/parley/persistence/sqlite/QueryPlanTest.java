package dev.parley.persistence.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.EventQuery;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.SessionQuery;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.TurnId;
import dev.parley.persistence.sql.read.SqlLanes;
import dev.parley.persistence.sql.read.SqlTurnQueue;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sqlite.connection.ReadWork;
import dev.parley.persistence.sqlite.connection.Reads;
import dev.parley.persistence.sqlite.read.Reader;
import dev.parley.persistence.sqlite.read.SessionLists;
import dev.parley.persistence.sqlite.read.SqliteMeta;
import dev.parley.persistence.sqlite.read.SqliteSessions;
import dev.parley.persistence.sqlite.read.SqliteTranscripts;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.table.OrdinalTable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jooq.SQLDialect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.ProgressHandler;

/** What a read costs does not grow with the store, except where everything is asked for. */
class QueryPlanTest {
    private static final SessionId S = SessionId.of("s");
    private static final SessionKey K = SessionKey.of("agent:main:telegram:dm:1");

    private static final Pattern LIMITED =
            Pattern.compile("\\blimit\\s+\\S+(\\s+offset\\s+\\S+)?\\s*$", Pattern.CASE_INSENSITIVE);

    /** Read row by row in the order of an index, and left as soon as the page is full. */
    private static final Set<String> WALKED = Set.of("list.started.begun");

    @TempDir
    Path folder;

    @Test
    void noReadOfOneThingScansATable() throws Exception {
        Renderer renderer = new Renderer(SQLDialect.SQLITE);
        try (OpenDatabase database = new Openings().write(folder.resolve("state.db"))) {
            Reader reader = new Reader(database.reads(), renderer);
            readOneThingEach(reader, renderer);

            Map<String, List<String>> scans = database.reads().read(connection -> {
                Map<String, List<String>> found = new TreeMap<>();
                for (Map.Entry<String, String> statement : renderer.rendered().entrySet()) {
                    List<String> scan = scans(connection, statement.getValue());
                    if (WALKED.contains(statement.getKey())) {
                        assertThat(scan)
                                .as(statement.getKey())
                                .allSatisfy(step -> assertThat(step).contains("USING INDEX idx_sessions_started"));
                    } else if (!scan.isEmpty()) {
                        found.put(statement.getKey(), scan);
                    }
                }
                return found;
            });

            assertThat(scans).isEmpty();
            assertThat(renderer.rendered()).hasSizeGreaterThan(20);
        }
    }

    @Test
    void lanesThatAreSuspendedOrMarkedAreFoundWithoutWalkingPastTheOthers() throws Exception {
        Renderer renderer = new Renderer(SQLDialect.SQLITE);
        try (OpenDatabase database = new Openings().write(folder.resolve("state.db"))) {
            SqlLanes lanes = new SqlLanes(new Reader(database.reads(), renderer));
            lanes.page(LaneQuery.first(1).standing(LaneQuery.Stand.SUSPENDED));
            lanes.page(LaneQuery.first(1).standing(LaneQuery.Stand.RESUME_PENDING));
            lanes.page(LaneQuery.first(1).containing("a").lookingAt(2));

            Map<String, List<String>> plans = database.reads().read(connection -> {
                Map<String, List<String>> found = new TreeMap<>();
                for (Map.Entry<String, String> statement : renderer.rendered().entrySet()) {
                    found.put(statement.getKey(), steps(connection, statement.getValue()));
                }
                return found;
            });

            assertThat(plans)
                    .containsOnly(
                            Map.entry(
                                    "lanes.page.SUSPENDED",
                                    List.of("SCAN parley_lanes USING INDEX parley_lanes_suspended")),
                            Map.entry(
                                    "lanes.page.RESUME_PENDING",
                                    List.of("SCAN parley_lanes USING INDEX parley_lanes_marked")),
                            Map.entry(
                                    "lanes.lookedAt",
                                    List.of("SCAN parley_lanes USING COVERING INDEX parley_lanes_updated")),
                            Map.entry(
                                    "lanes.page.text", List.of("SCAN parley_lanes USING INDEX parley_lanes_updated")));
        }
    }

    @Test
    void historyFarBackIsFoundWithoutWalkingPastWhatIsLater() throws Exception {
        try (OpenDatabase database = new Openings().write(folder.resolve("state.db"))) {
            try (Statement statement = database.writer().orElseThrow().createStatement()) {
                statement.execute("with recursive n(i) as (select 0 union all select i + 1 from n where i < 49999)"
                        + " insert into parley_history (lane, at, kind, reason, inputs)"
                        + " select 'l', i * 1000000000, 'removed', 'r' || i, '[]' from n");
            }
            AtomicLong steps = new AtomicLong();
            SqlLanes lanes =
                    new SqlLanes(new Reader(counting(database.reads(), steps), new Renderer(SQLDialect.SQLITE)));
            EventQuery query = EventQuery.first(3);

            assertThat(lanes.events(query.between(Optional.of(at(100)), Optional.of(at(102))))
                            .rows())
                    .extracting(LaneEvent::reason)
                    .containsExactly("r101", "r100");
            assertThat(steps.getAndSet(0)).as("of a time").isLessThan(1_000);
            assertThat(lanes.events(query.between(Optional.empty(), Optional.of(at(102))))
                            .rows())
                    .hasSize(3);
            assertThat(steps.getAndSet(0)).as("of all before a time").isLessThan(10_000);
            assertThat(lanes.events(query.between(Optional.of(at(49_998)), Optional.empty()))
                            .rows())
                    .hasSize(2);
            assertThat(steps.getAndSet(0)).as("of all since a time").isLessThan(1_000);
        }
    }

    private static Instant at(long seconds) {
        return Instant.ofEpochSecond(seconds);
    }

    /** Counts the steps of SQLite's machine. */
    private static Reads counting(Reads reads, AtomicLong steps) {
        return new Reads() {
            @Override
            public <T> T read(ReadWork<T> work) {
                return reads.read(connection -> {
                    ProgressHandler.setHandler(connection, 1, new ProgressHandler() {
                        @Override
                        protected int progress() {
                            steps.incrementAndGet();
                            return 0;
                        }
                    });
                    try {
                        return work.on(connection);
                    } finally {
                        ProgressHandler.clearHandler(connection);
                    }
                });
            }
        };
    }

    @Test
    void aWalkAlongAWholeIndexIsAScanUnlessTheStatementHasALimit() throws Exception {
        try (OpenDatabase database = new Openings().write(folder.resolve("state.db"))) {
            List<List<String>> scans = database.reads()
                    .read(connection -> List.of(
                            scans(connection, "select id from sessions order by started_at desc"),
                            scans(connection, "select id from sessions order by started_at desc limit 1 offset 2")));

            assertThat(scans.get(0)).hasSize(1);
            assertThat(scans.get(1)).isEmpty();
        }
    }

    private static void readOneThingEach(Reader reader, Renderer renderer) {
        SqlLanes lanes = new SqlLanes(reader);
        lanes.find(K);
        lanes.findBySession(S);
        lanes.history(K, 1);
        lanes.forEachEvent(Instant.EPOCH, event -> {});
        SqliteMeta meta = new SqliteMeta(reader);
        meta.get("k");
        SqliteTranscripts transcripts = new SqliteTranscripts(reader);
        transcripts.load(S);
        transcripts.loadAll(S);
        transcripts.tail(S, 1);
        transcripts.recentUserMessages(S, 1);
        transcripts.around(S, 1, 1, 1);
        transcripts.count(S);
        SqlTurnQueue queue = new SqlTurnQueue(reader, OrdinalTable.TABLE);
        queue.admitted();
        queue.admitted(K);
        queue.lastOrdinal(K);
        queue.inbound(new InboundId("i"));
        queue.received(new PlatformMessage(Platform.TELEGRAM, "c", "m"));
        queue.claimed();
        queue.turn(new TurnId("t"));
        queue.undelivered();
        SqliteSessions sessions = new SqliteSessions(reader, new SessionLists(renderer, Optional.empty()));
        sessions.find(S);
        sessions.findByTitle("t");
        sessions.childrenOf(S);
        sessions.ofLane(K, 1);
        sessions.list(SessionQuery.usual());
        sessions.list(SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE));
        for (SessionQuery.Order order : SessionQuery.Order.values()) {
            SessionQuery query = SessionQuery.usual().ordered(order);
            sessions.page(query, Optional.of(new Cursor(Instant.EPOCH, "s")));
            sessions.list(query.sources(Optional.of("cli"), Set.of()));
        }
    }

    /**
     * A walk along an index in the order that is asked for ends with the limit of the whole statement; without one it reads the
     * whole index. The values that are given are no table.
     */
    private static List<String> scans(Connection connection, String sql) throws SQLException {
        boolean limited = LIMITED.matcher(sql).find();
        return steps(connection, sql).stream()
                .filter(step -> step.startsWith("SCAN"))
                .filter(step -> !(limited && step.contains("USING")))
                .filter(step -> !step.equals("SCAN CONSTANT ROW") && !step.equals("SCAN wanted"))
                .toList();
    }

    private static List<String> steps(Connection connection, String sql) throws SQLException {
        List<String> steps = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet plan = statement.executeQuery("explain query plan " + sql)) {
            while (plan.next()) {
                steps.add(plan.getString("detail"));
            }
        }
        return steps;
    }
}
