package dev.parley.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.EventQuery;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.OutgoingQuery;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.TurnQuery;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.storage.RandomStores;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.TurnId;
import dev.parley.persistence.postgres.cluster.PostgresCluster;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a statement costs does not grow with the store, also where the planner knows of tables what they were when they were empty, and
 * makes its plan for any values.
 */
class QueryPlanTest {
    private static final SessionId S = SessionId.of("s1");
    private static final SessionKey K = SessionKey.of("agent:main:telegram:dm:1");

    /** What everything is asked for, or counted, or all of what is old; and a table with a row per platform. */
    private static final Set<String> WHOLE = Set.of(
            "lanes.all",
            "lanes.count",
            "sessions.every",
            "sessions.count",
            "sessions.ended",
            "sessions.lineage",
            "sessions.prefixed",
            "statistics.total",
            "statistics.models",
            "messages.countAll",
            "messages.every",
            "meta.all",
            "cursors.all",
            "cursor.remove",
            "search.few",
            "writer.forget",
            "history.forget",
            "history.since",
            "inbound.forget",
            "outgoing.forget",
            "turn.forget");

    @TempDir
    Path folder;

    @Test
    void noStatementReadsAWholeTableUnlessItIsAskedFor() throws Exception {
        try (PostgresHarness harness = new PostgresHarness(folder)) {
            StorageSettings settings = harness.settings(StorageSettings.Mode.READ_WRITE);
            try (PostgresStorage storage = PostgresStorage.open(Options.of(settings), settings);
                    Connection connection = TestServer.shared().connect()) {
                run(connection, "set search_path to " + harness.name());
                keepStatisticsOfEmptyTables(connection);
                RandomStores.fill(storage, 3, 250);
                read(storage);
                fill(connection);
                // What waits to enter the index is read by each search; its size has a limit, so it does not grow with
                // the store.
                run(connection, "select gin_clean_pending_list('parley_messages_terms')");

                assertThat(storage.statements()).hasSizeGreaterThan(60);
                assertThat(scans(connection, storage.statements())).isEmpty();
            }
        }
    }

    @Test
    void theBeginningOfAConversationIsFoundWithoutReadingTheRestOfIt() throws Exception {
        try (PostgresHarness harness = new PostgresHarness(folder)) {
            StorageSettings settings = harness.settings(StorageSettings.Mode.READ_WRITE);
            try (PostgresStorage storage = PostgresStorage.open(Options.of(settings), settings);
                    Connection connection = TestServer.shared().connect()) {
                run(connection, "set search_path to " + harness.name());
                RandomStores.fill(storage, 3, 250);
                storage.sessions().list(SessionQuery.usual());
                fillMessages(connection);

                assertThat(plan(connection, storage.statements().getOrDefault("list.previews", "")))
                        .anyMatch(step -> step.contains("Index Scan using parley_messages_beginning"))
                        .noneMatch(step -> step.contains("Sort"));
            }
        }
    }

    @Test
    void lanesOfARareStateAreFoundWithoutReadingTheOthers() throws Exception {
        try (PostgresHarness harness = new PostgresHarness(folder)) {
            StorageSettings settings = harness.settings(StorageSettings.Mode.READ_WRITE);
            try (PostgresStorage storage = PostgresStorage.open(Options.of(settings), settings);
                    Connection connection = TestServer.shared().connect()) {
                run(connection, "set search_path to " + harness.name());
                keepStatisticsOfEmptyTables(connection);
                storage.lanes().page(LaneQuery.first(5).standing(LaneQuery.Stand.SUSPENDED));
                storage.lanes().page(LaneQuery.first(5).standing(LaneQuery.Stand.RESUME_PENDING));
                fill(connection);

                assertThat(plans(connection, storage, "SUSPENDED"))
                        .anyMatch(step -> step.contains("using parley_lanes_suspended"));
                assertThat(plans(connection, storage, "RESUME_PENDING"))
                        .anyMatch(step -> step.contains("using parley_lanes_marked"));
            }
        }
    }

    /** The statistics are of a time at which next to no lane was held, so the index of those that are looks small. */
    @Test
    void aLaneIsGivenBackByItsKey() throws Exception {
        try (PostgresHarness harness = new PostgresHarness(folder)) {
            harness.open(StorageSettings.Mode.READ_WRITE);
            try (Connection connection = TestServer.shared().connect()) {
                run(connection, "set search_path to " + harness.name());
                run(connection, "alter table parley_holds set (autovacuum_enabled = false)");
                run(connection, "insert into parley_holds (lane) select 'h' || n from generate_series(1, 20000) n");
                run(connection, "vacuum analyze parley_holds");
                run(connection, "update parley_holds set holder = 'a#1', token = 1 where lane like 'h1%'");

                assertThat(plan(connection, PostgresCluster.GIVE_BACK))
                        .anyMatch(step -> step.contains("parley_holds_pkey"))
                        .noneMatch(step -> step.contains("parley_holds_holder"));
            }
        }
    }

    private static List<String> plans(Connection connection, PostgresStorage storage, String named)
            throws SQLException {
        List<String> steps = new ArrayList<>();
        for (Map.Entry<String, String> each : storage.statements().entrySet()) {
            if (each.getKey().contains(named)) {
                steps.addAll(plan(connection, each.getValue()));
            }
        }
        return steps;
    }

    @Test
    void aPlanThatReadsAWholeTableIsSeen() throws Exception {
        try (PostgresHarness harness = new PostgresHarness(folder)) {
            harness.open(StorageSettings.Mode.READ_WRITE);
            try (Connection connection = TestServer.shared().connect()) {
                run(connection, "set search_path to " + harness.name());
                fillMessages(connection);

                assertThat(scans(connection, Map.of("bad", "select * from parley_messages where kind = ?")))
                        .containsOnlyKeys("bad");
            }
        }
    }

    private static void keepStatisticsOfEmptyTables(Connection connection) throws SQLException {
        for (String table : List.of(
                "holds",
                "lanes",
                "history",
                "sessions",
                "session_use",
                "messages",
                "inbound",
                "turns",
                "outgoing",
                "cursors",
                "usage",
                "writers",
                "meta")) {
            run(connection, "alter table parley_" + table + " set (autovacuum_enabled = false)");
            run(connection, "vacuum analyze parley_" + table);
        }
    }

    private static void read(PostgresStorage storage) {
        storage.lanes().find(K);
        storage.lanes().findBySession(S);
        storage.lanes().hold(K);
        storage.lanes().history(K, 1);
        storage.lanes().forEachEvent(Instant.EPOCH, event -> {});
        storage.lanes().page(LaneQuery.first(5));
        storage.lanes().events(EventQuery.first(5).of(K));
        storage.meta().get("k");
        storage.transcripts().load(S);
        storage.transcripts().load(List.of(S));
        storage.transcripts().loadAll(S);
        storage.transcripts().tail(S, 1);
        storage.transcripts().recentUserMessages(S, 1);
        storage.transcripts().around(S, 1, 1, 1);
        storage.transcripts().count(S);
        storage.queue().admitted();
        storage.queue().admitted(K);
        storage.queue().lastOrdinal(K);
        storage.queue().inbound(new InboundId("i"));
        storage.queue().received(new PlatformMessage(Platform.TELEGRAM, "c", "m"));
        storage.queue().claimed();
        storage.queue().turn(new TurnId("t"));
        storage.queue().undelivered();
        storage.queue().undelivered(K);
        storage.queue().sentTo(Platform.TELEGRAM, "c", Optional.empty(), 5);
        storage.queue().turns(TurnQuery.first(5).in(S));
        storage.queue().turns(TurnQuery.first(5).of(K));
        storage.queue().outgoing(OutgoingQuery.first(5).of(K));
        storage.sessions().find(S);
        storage.sessions().findByTitle("t");
        storage.sessions().childrenOf(S);
        storage.sessions().ofLane(K, 1);
        storage.sessions().list(SessionQuery.usual());
        storage.sessions().list(SessionQuery.usual().sources(Optional.of("cli"), Set.of()));
        storage.sessions().list(SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE));
        storage.sessions().usage(Instant.EPOCH, Instant.EPOCH);
        storage.search().search(SearchQuery.of("zanzibar"));
        storage.search().search(SearchQuery.of("别山"));
    }

    /** Makes every table so large that reading the whole of it is never the cheapest. */
    private static void fill(Connection connection) throws SQLException {
        run(connection, "insert into parley_holds (lane) select 'h' || n from generate_series(1, 20000) n");
        run(
                connection,
                "insert into parley_lanes (lane, session_id, epoch, created_at, updated_at, chat_type, input_tokens,"
                        + " output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, total_tokens, estimated_cost_usd,"
                        + " cost_status, last_prompt_tokens, beginning, suspended, resume_pending, expiry_finalized)"
                        + " select 'l' || n, 's' || n, 1, n, n, 'dm', 0, 0, 0, 0, 0, 0, 0, '', 0, 'fresh', false, false, false"
                        + " from generate_series(1, 20000) n");
        run(
                connection,
                "insert into parley_history (lane, at, kind, reason, inputs) select 'l' || n, n, 'created', '', '{}'"
                        + " from generate_series(1, 20000) n");
        run(
                connection,
                "insert into parley_sessions (id, source, started_at, title, parent, lane)"
                        + " select 'x' || n, 'cli', n, 'x' || n, 'y' || n, 'l' || n from generate_series(1, 20000) n");
        run(
                connection,
                "insert into parley_session_use (session_id, message_count, tool_call_count, input_tokens,"
                        + " output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, api_call_count, rewind_count,"
                        + " last_active) select 'x' || n, 0, 0, 0, 0, 0, 0, 0, 0, 0, n from generate_series(1, 20000) n");
        fillMessages(connection);
        run(
                connection,
                "insert into parley_inbound (id, lane, ordinal, kind, state, source, text, attachments, received_at,"
                        + " mentioned) select 'x' || n, 'l' || n, 1, 'message', 'done', '{}', '', '[]', n, false"
                        + " from generate_series(1, 20000) n");
        run(
                connection,
                "insert into parley_turns (id, lane, session_id, run, state, inputs, started_at, ended_at, input_tokens,"
                        + " output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, api_calls, tool_calls, token)"
                        + " select 'x' || n, 'l' || n, 'x' || n, 'r', 'completed', '[]', n, n, 0, 0, 0, 0, 0, 0, 0, 0"
                        + " from generate_series(1, 20000) n");
        run(
                connection,
                "insert into parley_outgoing (id, lane, platform, chat_id, text, kind, created_at, state, attempts)"
                        + " select 'x' || n, 'l' || n, 'telegram', 'c' || n, '', 'reply', n, 'delivered', 1"
                        + " from generate_series(1, 20000) n");
        run(connection, "insert into parley_meta select 'x' || n, '' from generate_series(1, 20000) n");
        run(connection, "insert into parley_writers select 'x' || n, 1, n from generate_series(1, 20000) n");
        run(
                connection,
                "insert into parley_usage select n, 'cli', '', 0, 0, 0, 0, 0, 0, 0, 0 from generate_series(1, 20000) n");
    }

    private static void fillMessages(Connection connection) throws SQLException {
        run(
                connection,
                "insert into parley_messages (session_id, uid, state, role, content, parts, at, kind, terms)"
                        + " select 'x' || n % 200, 'u' || n, 0, 'user', 'said ' || n, false, n, 'plain',"
                        + " array_to_tsvector(array['said', n::text]) from generate_series(1, 40000) n");
    }

    private static Map<String, List<String>> scans(Connection connection, Map<String, String> statements)
            throws SQLException {
        Map<String, List<String>> found = new TreeMap<>();
        for (Map.Entry<String, String> each : statements.entrySet()) {
            List<String> scans = plan(connection, each.getValue()).stream()
                    .filter(step -> step.contains("Seq Scan on parley_"))
                    .toList();
            if (!scans.isEmpty() && !WHOLE.contains(each.getKey())) {
                found.put(each.getKey(), scans);
            }
        }
        return found;
    }

    /** Returns the steps by which the server would run a statement with any values. */
    private static List<String> plan(Connection connection, String sql) throws SQLException {
        List<String> steps = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet plan = statement.executeQuery("explain (generic_plan) " + numbered(sql))) {
            while (plan.next()) {
                steps.add(plan.getString(1).strip());
            }
        }
        return steps;
    }

    private static String numbered(String sql) {
        StringBuilder numbered = new StringBuilder();
        int place = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            numbered.append(c == '?' ? "$" + ++place : String.valueOf(c));
        }
        return numbered.toString();
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
