package dev.parley.persistence.postgres.cluster;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Heard;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Newcomer;
import dev.parley.application.port.Node;
import dev.parley.application.port.PostedOrder;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Tenure;
import dev.parley.application.port.Vitals;
import dev.parley.application.port.Wakes;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.turn.LifeId;
import dev.parley.persistence.postgres.connection.Connections;
import dev.parley.persistence.postgres.connection.Pool;
import dev.parley.persistence.postgres.connection.SqlErrors;
import dev.parley.persistence.postgres.statement.Statements;
import dev.parley.persistence.sql.json.Json;
import dev.parley.persistence.sql.statement.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * The gateways that share a database. What takes several statements is
 * one transaction; a single statement is one by itself, so that it costs one round trip. Whoever takes something locks the row of its own life first, with a
 * lock that whoever declares that life dead has to wait for, so nothing is ever taken by a life that is over. Beats have a connection of
 * their own, and what nodes know of each other has others: neither waits behind the work of lanes. Safe for concurrent use.
 */
public final class PostgresCluster implements Cluster, AutoCloseable {
    private static final int ATTEMPTS = 5;
    /** How long one statement waits for what others work on; shorter than any statement may take. */
    private static final Duration LOCK = Duration.ofSeconds(2);

    /**
     * Frees a lane; it binds its key, its token and the last place that is known. That it is held is asked in a way that no index of the
     * held lanes answers: with statistics of a time at which few were, all of them would be read to find this one.
     */
    public static final String GIVE_BACK = "update parley_holds set holder = null, deaths = 0"
            + " where lane = ? and token = ? and last = ? and coalesce(holder, '') <> ''";

    private static final String LIVE = " state in ('up', 'draining')";
    private static final String OVER = "select life from parley_nodes where state in ('left', 'dead')";
    private static final String ALIVE =
            "(select 1 from parley_nodes where life = ? and" + LIVE + " for key share) alive";

    private static final Field<String> LIFE = text("life");
    private static final Field<String> NAME = text("name");
    private static final Field<String> VERSION = text("version");
    private static final Field<String> PLACE = text("place");
    private static final Field<Boolean> ALONE = DSL.field(DSL.name("alone"), SQLDataType.BOOLEAN);
    private static final Field<Boolean> COPIES = DSL.field(DSL.name("copies"), SQLDataType.BOOLEAN);
    private static final Field<String> ADDRESS = text("address");
    private static final Field<String> WISH = text("wish");
    private static final Field<String> AGREED = text("agreed");
    private static final Field<String> STATE = text("state");
    private static final Field<String> LANE = text("lane");
    private static final Field<String> HOLDER = text("holder");
    private static final Field<Boolean> IS_ALIVE = DSL.field(DSL.name("alive"), SQLDataType.BOOLEAN);
    private static final Field<Long> TOKEN = number("token");
    private static final Field<Long> DEATHS = number("deaths");
    private static final Field<Long> LAST = number("last");
    private static final Field<Long> BUSY = number("busy");
    private static final Field<String> ORDER = text("id");
    private static final Field<String> VALUE = text("value");
    private static final Field<String> WHAT = text("what");
    private static final Field<Long> EPOCH = number("epoch");
    private static final Field<Long> LANES = number("lanes");
    private static final Field<Long> NOW = number("now");
    private static final Field<Long> JOINED = number("joined");
    private static final Field<Long> UNTIL = number("until");

    private final Pool pool;
    private final Pool work;
    private final Pulse pulse;
    private final PostgresWakes wakes;

    /**
     * Works through these connections.
     *
     * @param connections opens those that are not shared
     * @param pool lends those for what nodes know of each other
     * @param work lends those that lanes work with, and so are taken and given back with
     * @param threads makes the threads that wake and are woken
     * @param listens whether the server may say at any time what was said to it, as it cannot through a pooler
     */
    public PostgresCluster(Connections connections, Pool pool, Pool work, ThreadFactory threads, boolean listens) {
        this.pool = pool;
        this.work = work;
        this.pulse = new Pulse(connections);
        this.wakes = new PostgresWakes(connections, threads, listens);
    }

    private static Field<String> text(String name) {
        return DSL.field(DSL.name(name), SQLDataType.VARCHAR);
    }

    private static Field<Long> number(String name) {
        return DSL.field(DSL.name(name), SQLDataType.BIGINT);
    }

    private static String key(SessionKey lane) {
        return Unicode.wellFormed(lane.value());
    }

    // ------------------------------------------------------------------ lives

    @Override
    public void join(LifeId life, Newcomer self, Duration lease) {
        int begun = one(statements -> statements.update(
                "insert into parley_nodes (life, name, version, place, alone, copies, agreed, state, joined_at, lease_until)"
                        + " select ?, ?, ?, ?, ?, ?, ?, 'up', at, at + ? * interval '1 microsecond'"
                        + " from (select clock_timestamp() as at) now on conflict (life) do nothing",
                life.value(),
                self.name(),
                self.version(),
                self.place(),
                self.isAlone(),
                self.kind() == Newcomer.Kind.COPY,
                Json.write(self.agreed()),
                micros(lease)));
        if (begun == 0) {
            throw new InvalidRequest("The life " + life.value() + " was begun before; begin another one.");
        }
    }

    private static long micros(Duration lease) {
        return lease.dividedBy(ChronoUnit.MICROS.getDuration());
    }

    @Override
    public Optional<Heard> beat(LifeId life, Duration lease, Vitals how) {
        return pulse.first(
                "update parley_nodes set lease_until = clock_timestamp() + ? * interval '1 microsecond', busy = ?, state = ?,"
                        + " address = ? where life = ? and" + LIVE
                        + " returning (extract(epoch from clock_timestamp()) * 1000000)::bigint as now, wish",
                row -> new Heard(instant(row.number(NOW)), wish(row)),
                micros(lease),
                how.busy(),
                how.isDraining() ? "draining" : "up",
                how.address().orElse(null),
                life.value());
    }

    @Override
    public Instant now() {
        return instant(one(
                statements -> statements.number("select (extract(epoch from clock_timestamp()) * 1000000)::bigint")));
    }

    private static Node.Wish wish(Row row) throws SQLException {
        return Node.Wish.valueOf(row.text(WISH).toUpperCase(Locale.ROOT));
    }

    @Override
    public boolean wish(LifeId life, Node.Wish wish) {
        return one(statements -> statements.update(
                        "update parley_nodes set wish = ? where life = ? and" + LIVE,
                        wish.name().toLowerCase(Locale.ROOT),
                        life.value())
                > 0);
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @Override
    public boolean leave(LifeId life, Duration patience) {
        long since = System.nanoTime();
        Map<String, Long> stuck = step(statements -> {
            end(statements, List.of(life.value()), "left");
            free(statements);
            Map<String, Long> rest = new TreeMap<>();
            statements.each(
                    "select lane, token from parley_holds where holder = ?",
                    row -> rest.put(row.text(LANE), row.number(TOKEN)),
                    life.value());
            return rest;
        });
        return stuck.entrySet().stream()
                .allMatch(hold -> freed(hold.getKey(), hold.getValue(), since + patience.toNanos()));
    }

    /** Frees a lane of a life that is over once nobody works on it any more; returns whether that came in time. */
    private boolean freed(String lane, long token, long until) {
        while (true) {
            long patience = Math.min(LOCK.toMillis(), TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime()));
            if (patience <= 0) {
                return false;
            }
            try {
                step(statements -> {
                    statements.run("set local lock_timeout = " + patience);
                    return free(statements, "lane = ? and token = ? for no key update of parley_holds", lane, token);
                });
                return true;
            } catch (StorageUnavailable e) {
                if (!SqlErrors.isLate(e)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public boolean forget(LifeId life) {
        return step(statements -> end(statements, List.of(life.value()), "dead"));
    }

    /** Ends those of these lives that are live; waits for what they are just taking. */
    private static boolean end(Statements statements, List<String> lives, String as) throws SQLException {
        List<String> live = statements.list(
                "select life from parley_nodes where life = any(?) and" + LIVE + " order by life for update",
                row -> row.text(LIFE),
                lives);
        return !live.isEmpty() && update(statements, live, as);
    }

    private static boolean update(Statements statements, List<String> lives, String as) throws SQLException {
        return statements.update(
                        "update parley_nodes set state = ?, ended_at = clock_timestamp(), busy = 0 where life = any(?)",
                        as,
                        lives)
                > 0;
    }

    @Override
    public List<Node> nodes() {
        return one(statements -> statements.list(
                "select life, name, version, place, alone, copies, agreed, state, wish, address, busy,"
                        + " (select count(*) from parley_holds h where h.holder = life) as lanes, (extract(epoch from joined_at) * 1000000)::bigint as joined,"
                        + " (extract(epoch from lease_until) * 1000000)::bigint as until from parley_nodes"
                        + " where ended_at is null or ended_at >= clock_timestamp() - interval '7 days'"
                        + " order by joined_at, life",
                PostgresCluster::node));
    }

    private static Node node(Row row) throws SQLException {
        SortedMap<String, String> agreed = new TreeMap<>();
        Json.read(row.text(AGREED))
                .flatMap(Json::members)
                .ifPresent(members -> members.forEach((name, value) -> agreed.put(name, String.valueOf(value))));
        return new Node(
                new LifeId(row.text(LIFE)),
                new Newcomer(row.text(NAME), row.text(VERSION), row.text(PLACE), kind(row), agreed),
                Node.State.valueOf(row.text(STATE).toUpperCase(Locale.ROOT)),
                wish(row),
                row.optional(ADDRESS),
                instant(row.number(JOINED)),
                instant(row.number(UNTIL)),
                (int) row.number(BUSY),
                (int) row.number(LANES));
    }

    private static Newcomer.Kind kind(Row row) throws SQLException {
        Newcomer.Kind gateway = row.flag(ALONE) ? Newcomer.Kind.ALONE : Newcomer.Kind.NODE;
        return row.flag(COPIES) ? Newcomer.Kind.COPY : gateway;
    }

    @Override
    public List<LifeId> reap() {
        return step(statements -> {
            List<String> dead = statements.list(
                    "select life from parley_nodes where" + LIVE
                            + " and lease_until < clock_timestamp() order by life for update skip locked",
                    row -> row.text(LIFE));
            if (!dead.isEmpty()) {
                update(statements, dead, "dead");
            }
            free(statements);
            return dead.stream().map(LifeId::new).toList();
        });
    }

    /** Frees what lives that are over hold, but for what somebody is just working on. */
    private static void free(Statements statements) throws SQLException {
        free(
                statements,
                "holder = any(array(" + OVER + ")) order by lane for no key update of parley_holds skip locked");
        statements.update("update parley_leases set life = null where life in (" + OVER + ")");
        statements.update("delete from parley_nodes n where state in ('left', 'dead')"
                + " and ended_at < clock_timestamp() - interval '7 days'"
                + " and not exists (select 1 from parley_holds h where h.holder = n.life)");
    }

    /** Frees the holds that a condition names and locks; a death counts where a turn of the lane ran. */
    private static int free(Statements statements, String which, Object... values) throws SQLException {
        return statements.update(
                "with held as (select lane, (select state from parley_nodes where life = holder) as state"
                        + " from parley_holds where " + which + ")"
                        + " update parley_holds h set holder = null, deaths = h.deaths + case when held.state = 'dead' and exists"
                        + " (select 1 from parley_turns t where t.lane = h.lane and t.state = 'claimed') then 1 else 0 end"
                        + " from held where h.lane = held.lane",
                values);
    }

    // ------------------------------------------------------------------ lanes

    @Override
    public Tenure take(LifeId life, SessionKey lane) {
        Optional<Tenure> answer = Optional.empty();
        while (answer.isEmpty()) {
            answer = one(work, statements -> {
                Optional<Tenure> taken = taken(statements, life, lane);
                return taken.isPresent() ? taken : seen(statements, life, lane);
            });
        }
        return answer.get();
    }

    private static Optional<Tenure> taken(Statements statements, LifeId life, SessionKey lane) throws SQLException {
        return statements.first(
                "insert into parley_holds (lane, holder, token) select ?, ?, 1 from " + ALIVE
                        + " on conflict (lane) do update set holder = excluded.holder, token = parley_holds.token + 1"
                        + " where parley_holds.holder is null returning token, deaths",
                PostgresCluster::mine,
                key(lane),
                life.value(),
                life.value());
    }

    private static Tenure mine(Row row) throws SQLException {
        return new Tenure.Mine(row.number(TOKEN), (int) row.number(DEATHS));
    }

    /** Returns whose the lane is; absent where it is free by now. */
    private static Optional<Tenure> seen(Statements statements, LifeId life, SessionKey lane) throws SQLException {
        return statements
                .first(
                        "select alive, holder, token, deaths from (select count(*) > 0 as alive from parley_nodes where life = ? and"
                                + LIVE + ") n left join parley_holds on lane = ?",
                        row -> whose(row, life),
                        life.value(),
                        key(lane))
                .flatMap(whose -> whose);
    }

    private static Optional<Tenure> whose(Row row, LifeId life) throws SQLException {
        if (!row.flag(IS_ALIVE)) {
            return Optional.of(new Tenure.Over());
        }
        Optional<String> holder = row.optional(HOLDER);
        if (holder.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                holder.get().equals(life.value()) ? mine(row) : new Tenure.Elsewhere(new LifeId(holder.get())));
    }

    @Override
    public boolean giveBack(SessionKey lane, long token, long lastOrdinal) {
        return one(work, statements -> statements.update(GIVE_BACK, key(lane), token, lastOrdinal) > 0);
    }

    @Override
    public Map<SessionKey, Long> holdsOf(LifeId life) {
        return one(statements -> {
            Map<SessionKey, Long> held = new TreeMap<>();
            statements.each(
                    "select lane, last from parley_holds where holder = ?",
                    row -> held.put(SessionKey.of(row.text(LANE)), row.number(LAST)),
                    life.value());
            return held;
        });
    }

    @Override
    public List<SessionKey> wanted(int limit) {
        return one(statements -> {
            List<SessionKey> wanted = new ArrayList<>();
            statements.each(
                    "select lane from (select lane from parley_inbound where state = 'admitted'"
                            + " union select lane from parley_turns where state = 'claimed'"
                            + " union select lane from parley_outgoing where state in ('pending', 'attempted')"
                            + " and lane is not null) work where not exists (select 1 from parley_holds h"
                            + " where h.lane = work.lane and h.holder is not null) order by random() limit ?",
                    row -> wanted.add(SessionKey.of(row.text(LANE))),
                    limit);
            return List.copyOf(wanted);
        });
    }

    // ------------------------------------------------------------------ leases

    @Override
    public boolean lease(LifeId life, String name) {
        return one(statements -> {
            boolean has = statements.number(
                            "select count(*) from parley_leases l join parley_nodes n on n.life = l.life"
                                    + " where l.name = ? and l.life = ? and n." + LIVE.strip(),
                            name,
                            life.value())
                    > 0;
            return has
                    || statements.update(
                                    "insert into parley_leases (name, life) select ?, ? from " + ALIVE
                                            + " on conflict (name) do update set life = excluded.life"
                                            + " where parley_leases.life is null",
                                    name,
                                    life.value(),
                                    life.value())
                            > 0;
        });
    }

    // ------------------------------------------------------------------ orders

    @Override
    public void post(PostedOrder order) {
        step(statements -> {
            statements.update("delete from parley_orders where at < clock_timestamp() - interval '1 hour'");
            return statements.update(
                    "insert into parley_orders (id, lane, what, epoch, state, at)"
                            + " values (?, ?, ?, ?, 'open', clock_timestamp()) on conflict (id) do nothing",
                    order.id(),
                    key(order.lane()),
                    order.what().name().toLowerCase(Locale.ROOT),
                    order.epoch());
        });
    }

    @Override
    public List<PostedOrder> takeOrders(LifeId life) {
        return one(statements -> statements.list(
                "update parley_orders o set state = 'taken' where o.state = 'open'"
                        + " and o.at >= clock_timestamp() - interval '1 minute' and not exists (select 1 from parley_holds h"
                        + " where h.lane = o.lane and h.holder <> ?) returning o.id, o.lane, o.what, o.epoch",
                row -> new PostedOrder(
                        row.text(ORDER),
                        SessionKey.of(row.text(LANE)),
                        PostedOrder.What.valueOf(row.text(WHAT).toUpperCase(Locale.ROOT)),
                        row.number(EPOCH)),
                life.value()));
    }

    @Override
    public void answer(String order, Optional<Boolean> done) {
        one(statements -> statements.update(
                "update parley_orders set state = ? where id = ? and state = 'taken'",
                done.map(was -> was ? "done" : "refused").orElse("open"),
                order));
    }

    @Override
    public Optional<Boolean> outcome(String order) {
        return one(statements -> statements.first(
                "select state from parley_orders where id = ? and state in ('done', 'refused')",
                row -> row.text(STATE).equals("done"),
                order));
    }

    @Override
    public boolean withdraw(String order) {
        return one(statements ->
                statements.update("delete from parley_orders where id = ? and state = 'open'", order) > 0);
    }

    // ------------------------------------------------------------------ what all have in common

    @Override
    public String share(String name, String own, boolean replace) {
        return one(statements -> {
            statements.update(
                    "insert into parley_shared (name, value) values (?, ?) on conflict (name) do "
                            + (replace ? "update set value = excluded.value" : "nothing"),
                    name,
                    own);
            return statements
                    .first("select value from parley_shared where name = ?", row -> row.text(VALUE), name)
                    .orElse(own);
        });
    }

    @Override
    public Wakes wakes() {
        return wakes;
    }

    // ------------------------------------------------------------------ transactions

    /** Runs what is one statement, or several of which each is a step of its own. */
    private <T> T one(Step<T> step) {
        return one(pool, step);
    }

    private static <T> T one(Pool pool, Step<T> step) {
        return repeatedly(pool, connection -> {
            Statements statements = new Statements(connection);
            boolean whole = false;
            try {
                T result = step.on(statements);
                whole = true;
                return result;
            } finally {
                if (!whole) {
                    giveUp(pool, connection, statements);
                }
            }
        });
    }

    /** Runs what is one transaction. */
    private <T> T step(Step<T> step) {
        return repeatedly(pool, connection -> run(pool, connection, step));
    }

    private static <T> T repeatedly(Pool pool, OnConnection<T> work) {
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = pool.borrow()) {
                return work.on(connection);
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !SqlErrors.isAgain(e)) {
                    throw SqlErrors.translate(pool.address(), e);
                }
            }
        }
    }

    private static <T> T run(Pool pool, Connection connection, Step<T> step) throws SQLException {
        Statements statements = new Statements(connection);
        boolean whole = false;
        try {
            statements.run("begin");
            T result = step.on(statements);
            statements.run("commit");
            whole = true;
            return result;
        } finally {
            if (!whole) {
                giveUp(pool, connection, statements);
            }
        }
    }

    private static void giveUp(Pool pool, Connection connection, Statements statements) {
        try {
            statements.run("rollback");
        } catch (SQLException e) {
            pool.discard(connection);
        }
    }

    /** Ends the connections that are not shared; lives stay as they are. */
    @Override
    public void close() {
        wakes.close();
        pulse.close();
    }

    @FunctionalInterface
    private interface OnConnection<T> {
        T on(Connection connection) throws SQLException;
    }

    @FunctionalInterface
    private interface Step<T> {
        T on(Statements statements) throws SQLException;
    }
}
