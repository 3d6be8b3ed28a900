package dev.parley.persistence.postgres.maintenance;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.persistence.postgres.connection.Connections;
import dev.parley.persistence.postgres.connection.SqlErrors;
import dev.parley.persistence.postgres.read.Reader;
import dev.parley.persistence.postgres.schema.Schema;
import dev.parley.persistence.postgres.statement.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Looks after the store: what the server says of it, rows that must agree with each other, indexes, and space. */
public final class PostgresMaintenance implements StorageMaintenance {
    private static final String OURS =
            "from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema()"
                    + " and c.relname like 'parley\\_%' and c.relkind = 'r'";
    private static final String SIZE = "select coalesce(sum(pg_total_relation_size(c.oid)), 0) " + OURS;
    private static final String INVALID =
            "select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid"
                    + " join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema()"
                    + " and c.relname like 'parley\\_%' and not i.indisvalid order by 1";

    /** What must agree: each counts rows that do not, and says what is wrong with them. */
    private static final List<Rule> RULES = List.of(
            new Rule(
                    "select count(*) from parley_sessions s where not exists"
                            + " (select 1 from parley_session_use u where u.session_id = s.id)",
                    "sessions have no counters"),
            new Rule(
                    "select count(*) from parley_session_use u where not exists"
                            + " (select 1 from parley_sessions s where s.id = u.session_id)",
                    "rows of counters have no session"),
            new Rule(
                    "select count(*) from parley_messages m where not exists"
                            + " (select 1 from parley_sessions s where s.id = m.session_id)",
                    "messages have no session"),
            new Rule(
                    "select count(*) from parley_sessions c where c.parent is not null and not exists"
                            + " (select 1 from parley_sessions p where p.id = c.parent)",
                    "sessions have a parent that is not there"),
            new Rule(
                    "select count(*) from (select lane, max(ordinal) as last from parley_inbound group by lane) i"
                            + " where not exists (select 1 from parley_holds h where h.lane = i.lane and h.last >= i.last)",
                    "lanes have messages behind their last ordinal"));

    private static final Rule ACTIVITY = new Rule(
            "select count(*) from parley_session_use u join parley_sessions s on s.id = u.session_id"
                    + " left join lateral (select max(m.at) as at from parley_messages m"
                    + " where m.session_id = u.session_id and m.state <> 2) l on true"
                    + " where u.latest is distinct from l.at or u.last_active <> coalesce(l.at, s.started_at)",
            "sessions do not know when they were last active");

    private final Connections connections;
    private final Reader reader;
    private final boolean writable;

    /** A number of rows that should be 0. */
    private record Rule(String count, String wrong) {}

    /** Looks after the store behind these connections. */
    public PostgresMaintenance(Connections connections, Reader reader, boolean writable) {
        this.connections = connections;
        this.reader = reader;
        this.writable = writable;
    }

    @Override
    public Map<String, String> status() {
        return reader.read(statements -> {
            Map<String, String> status = new LinkedHashMap<>();
            status.put("mode", writable ? "read and write" : "read only");
            status.put("version of the tables", "" + statements.number("select version from parley_schema"));
            status.put("server", "PostgreSQL " + text(statements, "select current_setting('server_version') as v"));
            status.put("lanes", "" + statements.number("select count(*) from parley_lanes"));
            status.put("sessions", "" + statements.number("select count(*) from parley_sessions"));
            status.put("messages", "" + statements.number("select count(*) from parley_messages"));
            status.put("size", statements.number(SIZE) + " bytes");
            List<String> risks = risks(statements);
            if (!risks.isEmpty()) {
                status.put("risks", String.join("; ", risks));
            }
            return status;
        });
    }

    private static String text(Statements statements, String sql) throws SQLException {
        return statements
                .first(sql, row -> row.text(org.jooq.impl.DSL.field(org.jooq.impl.DSL.name("v"))))
                .orElse("");
    }

    @Override
    public List<String> risks() {
        return reader.read(PostgresMaintenance::risks);
    }

    private static List<String> risks(Statements statements) throws SQLException {
        List<String> risks = new ArrayList<>();
        for (String setting : List.of("fsync", "full_page_writes", "autovacuum")) {
            if (text(statements, "select current_setting('" + setting + "') as v")
                    .equals("off")) {
                risks.add("the server runs with " + setting + " off"
                        + (setting.equals("autovacuum")
                                ? ", so it grows slower with each change"
                                : ", so a crash may lose or damage what was acknowledged"));
            }
        }
        if (text(statements, "select current_setting('synchronous_commit') as v")
                .equals("off")) {
            risks.add("the server runs with synchronous_commit off, so a crash may lose what was acknowledged");
        }
        long replicas = statements.number("select count(*) from pg_stat_replication");
        boolean synchronous = !text(statements, "select current_setting('synchronous_standby_names') as v")
                .isEmpty();
        if (replicas > 0 && !synchronous) {
            risks.add("the server has replicas and none is synchronous, so a failover may lose what was acknowledged");
        }
        return risks;
    }

    @Override
    public List<String> check(BiConsumer<Long, Long> progress) {
        List<Rule> rules = new ArrayList<>(RULES);
        rules.add(ACTIVITY);
        long steps = rules.size() + 1L;
        return patiently(statements -> {
            List<String> wrong = new ArrayList<>();
            long done = 0;
            for (Rule rule : rules) {
                long rows = statements.number(rule.count());
                if (rows > 0) {
                    wrong.add(rows + " " + rule.wrong()
                            + (rule.equals(ACTIVITY)
                                    ? "; \"parley storage upgrade\" mends it."
                                    : "; restore a copy, or copy what can be read with \"parley storage copy\"."));
                }
                progress.accept(++done, steps);
            }
            for (String index : invalid(statements)) {
                wrong.add("The index " + index
                        + " was not built to its end; \"parley storage upgrade\" builds it again.");
            }
            progress.accept(steps, steps);
            return wrong;
        });
    }

    private static List<String> invalid(Statements statements) throws SQLException {
        return statements.list(INVALID, row -> row.text(org.jooq.impl.DSL.field(org.jooq.impl.DSL.name("name"))));
    }

    @Override
    public List<String> repair(BiConsumer<Long, Long> progress) {
        refuseReadOnly();
        Schema.prepare(connections);
        return patiently(statements -> {
            List<String> done = new ArrayList<>();
            for (String index : invalid(statements)) {
                statements.run("reindex index \"" + index + "\"");
                done.add("The index " + index + " was built again.");
            }
            progress.accept(1L, 2L);
            long mended = statements.number(ACTIVITY.count()) == 0
                    ? 0
                    : statements.update("update parley_session_use u set latest = l.at,"
                            + " last_active = coalesce(l.at, l.started_at) from (select s.id, s.started_at,"
                            + " (select max(m.at) from parley_messages m where m.session_id = s.id and m.state <> 2) as at"
                            + " from parley_sessions s) l where l.id = u.session_id and (u.latest is distinct from l.at"
                            + " or u.last_active <> coalesce(l.at, l.started_at))");
            if (mended > 0) {
                done.add("The last activity of " + mended + " sessions was found again.");
            }
            progress.accept(2L, 2L);
            return done;
        });
    }

    @Override
    public long compact() {
        refuseReadOnly();
        return patiently(statements -> {
            long before = statements.number(SIZE);
            for (String table : statements.list(
                    "select c.relname as name " + OURS + " order by 1",
                    row -> row.text(org.jooq.impl.DSL.field(org.jooq.impl.DSL.name("name"))))) {
                statements.run("vacuum (full, analyze) \"" + table + "\"");
            }
            return Math.max(0, before - statements.number(SIZE));
        });
    }

    private void refuseReadOnly() {
        if (!writable) {
            throw new StorageUnavailable(
                    "The database " + connections.address() + " was opened to be read only; open it for writing.",
                    null);
        }
    }

    private <T> T patiently(Reader.Work<T> work) {
        try (Connection connection = connections.patient()) {
            return work.on(new Statements(connection));
        } catch (SQLException e) {
            throw SqlErrors.translate(connections.address(), e);
        }
    }
}
