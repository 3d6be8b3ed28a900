package dev.parley.bootstrap.chaos;

import dev.parley.bootstrap.process.DatabaseServer;
import dev.parley.domain.key.SessionKey;
import dev.parley.fakes.proof.NodeLog;
import dev.parley.fakes.proof.NodeLog.Take;
import dev.parley.fakes.proof.NodeLog.Trouble;
import dev.parley.fakes.proof.NodeLog.Write;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A witness inside of the database: triggers that write down, in the transactions of the nodes themselves, who changed what of which
 * lane, and who held the lane then. A node is known by the name its connections give.
 */
final class Witness {
    private static final String TABLES = """
            create schema chaos;
            create table chaos.writes (number bigint generated always as identity, at timestamptz, by text, lane text,
              what text, id text, state text, fresh boolean, token bigint, holder text, held bigint);
            create table chaos.takes (number bigint generated always as identity, at timestamptz, lane text,
              life text, before text, token bigint);
            create table chaos.deaths (at timestamptz, life text);

            create function chaos.note(in_lane text, what text, id text, state text, fresh boolean, token bigint)
              returns void language plpgsql as $$
            declare hold record;
            begin
              select h.holder, h.token into hold from parley.parley_holds h where h.lane = in_lane;
              insert into chaos.writes (at, by, lane, what, id, state, fresh, token, holder, held) values
                (clock_timestamp(), current_setting('application_name'), in_lane, what, id, state, fresh, token,
                 hold.holder, coalesce(hold.token, 0));
            end $$;

            create function chaos.queued() returns trigger language plpgsql as $$
            begin
              if new.lane is not null then
                perform chaos.note(new.lane, tg_table_name, new.id, new.state, tg_op = 'INSERT',
                  (to_jsonb(new) ->> 'token')::bigint);
              end if;
              return null;
            end $$;

            create function chaos.said() returns trigger language plpgsql as $$
            declare in_lane text;
            begin
              select lane into in_lane from parley.parley_lanes where session_id = new.session_id limit 1;
              if in_lane is not null then
                perform chaos.note(in_lane, tg_table_name, new.uid, new.role, tg_op = 'INSERT', null);
              end if;
              return null;
            end $$;

            create function chaos.changed() returns trigger language plpgsql as $$
            begin
              perform chaos.note(new.lane, tg_table_name, new.lane, new.session_id, tg_op = 'INSERT', null);
              return null;
            end $$;

            create function chaos.held() returns trigger language plpgsql as $$
            begin
              insert into chaos.takes (at, lane, life, before, token) values (clock_timestamp(), new.lane, new.holder,
                case when tg_op = 'UPDATE' then old.holder end, new.token);
              return null;
            end $$;

            create function chaos.died() returns trigger language plpgsql as $$
            begin
              insert into chaos.deaths (at, life) values (clock_timestamp(), new.life);
              return null;
            end $$;

            create trigger witness after insert or update on parley.parley_inbound
              for each row execute function chaos.queued();
            create trigger witness after insert or update on parley.parley_turns
              for each row execute function chaos.queued();
            create trigger witness after insert or update on parley.parley_outgoing
              for each row execute function chaos.queued();
            create trigger witness after insert on parley.parley_messages
              for each row execute function chaos.said();
            create trigger witness after insert or update on parley.parley_lanes
              for each row execute function chaos.changed();
            create trigger witness_first after insert on parley.parley_holds
              for each row when (new.holder is not null) execute function chaos.held();
            create trigger witness_next after update on parley.parley_holds
              for each row when (new.holder is distinct from old.holder or new.token <> old.token)
              execute function chaos.held();
            create trigger witness after update on parley.parley_nodes
              for each row when (new.state = 'dead') execute function chaos.died();
            """;

    /** What is said of a life that others ended. */
    static final String DECLARED_DEAD = "declared dead";

    private final DatabaseServer server;

    /** Watches the store in the schema {@code parley} of a server. */
    Witness(DatabaseServer server) {
        this.server = server;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
    }

    /** Begins to write down what happens in a store that is there already. */
    void watch() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
        }
    }

    /** Returns whether a transaction of a node is open that just waits for the node. */
    boolean isInCommit(String node) throws SQLException {
        return !list(
                        "select 1 from pg_stat_activity where state = 'idle in transaction' and application_name = ?",
                        row -> true,
                        node)
                .isEmpty();
    }

    List<Write> writes() throws SQLException {
        return list(
                "select * from chaos.writes order by number",
                row -> new Write(
                        at(row),
                        row.getString("by"),
                        SessionKey.of(row.getString("lane")),
                        row.getString("what"),
                        row.getString("id"),
                        row.getString("state"),
                        row.getBoolean("fresh"),
                        Optional.ofNullable(row.getObject("token", Long.class)),
                        Optional.ofNullable(row.getString("holder")),
                        row.getLong("held")));
    }

    List<Take> takes() throws SQLException {
        return list(
                "select * from chaos.takes order by number",
                row -> new Take(
                        at(row),
                        SessionKey.of(row.getString("lane")),
                        Optional.ofNullable(row.getString("life")),
                        Optional.ofNullable(row.getString("before")),
                        row.getLong("token")));
    }

    /** Returns the lives that were declared dead: from then on they could not know what others did, until they noticed. */
    List<Trouble> deaths() throws SQLException {
        return list(
                "select * from chaos.deaths order by at",
                row -> new Trouble(NodeLog.node(row.getString("life")), DECLARED_DEAD, at(row), at(row)));
    }

    /** Returns what is held, and who lives, although all nodes have ended. */
    List<String> left() throws SQLException {
        return list("""
                select 'the lane ' || lane || ' is held by ' || holder as what from parley.parley_holds where holder is not null
                union all select 'the lease ' || name || ' is held by ' || life from parley.parley_leases where life is not null
                union all select 'the life ' || life || ' is ' || state from parley.parley_nodes where state in ('up', 'draining')
                """, row -> row.getString("what"));
    }

    private static Instant at(ResultSet row) throws SQLException {
        Timestamp at = row.getTimestamp("at");
        return at.toInstant();
    }

    private <T> List<T> list(String sql, Mapping<T> mapping, String... values) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            List<T> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(mapping.of(rows));
                }
            }
            return found;
        }
    }

    @FunctionalInterface
    private interface Mapping<T> {
        T of(ResultSet row) throws SQLException;
    }
}
