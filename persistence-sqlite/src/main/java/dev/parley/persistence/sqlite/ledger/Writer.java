package dev.parley.persistence.sqlite.ledger;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sql.table.LaneTables.History;
import dev.parley.persistence.sqlite.statement.Statements;
import dev.parley.persistence.sqlite.table.ExtraTables.Writers;
import dev.parley.persistence.sqlite.table.MetaTable;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything that is written, on the writer's connection and inside its transactions. For the writer's thread only. */
final class Writer implements AutoCloseable {
    private static final int KNOWN_WRITERS = 1_000;

    private final Engine engine;
    private final Statements statements;
    private final SessionWrites sessions = new SessionWrites(this);
    private final MessageWrites messages = new MessageWrites(this);
    private final LaneWrites lanes = new LaneWrites(this);
    private final QueueWrites queue = new QueueWrites(this);
    private final UpkeepWrites upkeep = new UpkeepWrites(this);
    private final LastActive lastActive = new LastActive(this);
    private final Renderer renderer;
    /** The last sequences of writers that have written here, for as long as nobody else can have changed them. */
    private final Map<String, Long> sequences = new HashMap<>();

    private long schemaVersion = -1;
    private boolean hiding;
    private long foreignCommits = -1;
    private long foreignCommitsNow = -1;

    Writer(Engine engine, Renderer renderer) throws SQLException {
        this.engine = engine;
        this.renderer = renderer;
        this.statements = new Statements(engine.open());
    }

    SessionWrites sessions() {
        return sessions;
    }

    MessageWrites messages() {
        return messages;
    }

    LaneWrites lanes() {
        return lanes;
    }

    QueueWrites queue() {
        return queue;
    }

    UpkeepWrites upkeep() {
        return upkeep;
    }

    LastActive lastActive() {
        return lastActive;
    }

    Statements statements() {
        return statements;
    }

    Renderer renderer() {
        return renderer;
    }

    Engine engine() {
        return engine;
    }

    /** Takes the write lock. */
    void begin() throws SQLException {
        engine.begin(statements.connection());
        long foreign = engine.foreignCommits(statements.connection());
        boolean alone = foreign == foreignCommits;
        if (!alone || schemaVersion < 0) {
            look();
        }
        if (!alone) {
            messages.forgetLastRow();
            forgetKnown();
        }
        lastActive.begin(!alone);
        foreignCommitsNow = foreign;
    }

    void commit() throws SQLException {
        messages.insertHeldBack();
        engine.commit(statements.connection());
        foreignCommits = foreignCommitsNow;
    }

    void rollback() throws SQLException {
        schemaVersion = -1;
        messages.forget();
        forgetKnown();
        engine.rollback(statements.connection());
    }

    private void forgetKnown() {
        sessions.forgetKnown();
        sequences.clear();
    }

    /** Marks a point to go back to. */
    void mark() throws SQLException {
        messages.insertHeldBack();
        statements.update("savepoint parley_batch");
    }

    void releaseMark() throws SQLException {
        messages.insertHeldBack();
        statements.update("release savepoint parley_batch");
    }

    /** Goes back to the mark; fails where the database has taken the whole transaction back already. */
    void backToMark() throws SQLException {
        statements.update("rollback to savepoint parley_batch");
        statements.update("release savepoint parley_batch");
        schemaVersion = -1;
        look();
        messages.forget();
        forgetKnown();
    }

    void checkpoint() throws SQLException {
        engine.checkpoint(statements.connection());
    }

    /** Returns whether messages can be hidden, and so whether some may be. */
    boolean hiding() {
        return hiding;
    }

    /** Sees to it that messages can be hidden (storage 4.5). */
    void needHiding() throws SQLException {
        if (!hiding) {
            messages.insertHeldBack();
            engine.addHidingColumns(statements.connection());
            look();
        }
    }

    /** Sees to it that the column that marks sessions that were put away is there. */
    void needArchiving() throws SQLException {
        engine.addArchivedColumn(statements.connection());
        look();
    }

    private void look() throws SQLException {
        long version = engine.schemaVersion(statements.connection());
        if (version != schemaVersion) {
            hiding = engine.hasHidingColumns(statements.connection());
            schemaVersion = version;
        }
    }

    /** Returns the last sequence of a writer; 0 for an unknown one. */
    long lastSequence(String writer) throws SQLException {
        Long known = sequences.get(writer);
        return known != null ? known : readSequence(writer);
    }

    private long readSequence(String writer) throws SQLException {
        return statements.number(
                renderer.sql(
                        "writer.sequence",
                        dsl -> dsl.select(Writers.SEQUENCE)
                                .from(Writers.TABLE)
                                .where(Writers.WRITER.eq(value(Writers.WRITER)))),
                writer);
    }

    void putSequence(String writer, long sequence, long at) throws SQLException {
        int updated = statements.update(
                renderer.sql(
                        "writer.update",
                        dsl -> dsl.update(Writers.TABLE)
                                .set(Writers.SEQUENCE, value(Writers.SEQUENCE))
                                .set(Writers.AT, value(Writers.AT))
                                .where(Writers.WRITER.eq(value(Writers.WRITER)))),
                sequence,
                at,
                writer);
        if (updated == 0) {
            statements.update(
                    renderer.sql(
                            "writer.insert",
                            dsl -> dsl.insertInto(Writers.TABLE, Writers.ALL).values(Renderer.values(Writers.ALL))),
                    writer,
                    sequence,
                    at);
        }
        if (sequences.size() >= KNOWN_WRITERS) {
            sequences.clear();
        }
        sequences.put(writer, sequence);
    }

    void putMeta(String key, String text) throws SQLException {
        int updated = statements.update(
                renderer.sql(
                        "meta.update",
                        dsl -> dsl.update(MetaTable.TABLE)
                                .set(MetaTable.VALUE, value(MetaTable.VALUE))
                                .where(MetaTable.KEY.eq(value(MetaTable.KEY)))),
                text,
                key);
        if (updated == 0) {
            statements.update(
                    renderer.sql(
                            "meta.insert",
                            dsl -> dsl.insertInto(MetaTable.TABLE, MetaTable.ALL)
                                    .values(Renderer.values(MetaTable.ALL))),
                    key,
                    text);
        }
    }

    void forget(long endedBefore, Optional<Long> historyBefore) throws SQLException {
        queue.forget(endedBefore);
        sequences.clear();
        statements.update(
                renderer.sql(
                        "writer.forget", dsl -> dsl.deleteFrom(Writers.TABLE).where(Writers.AT.lt(value(Writers.AT)))),
                endedBefore);
        if (historyBefore.isPresent()) {
            statements.update(
                    renderer.sql(
                            "history.forget",
                            dsl -> dsl.deleteFrom(History.TABLE).where(History.AT.lt(value(History.AT)))),
                    historyBefore.get());
        }
    }

    /** Changes the row whose key stands in {@code values} at {@code key}, or inserts it. */
    void put(String update, String insert, @Nullable Object[] values, int key) throws SQLException {
        @Nullable Object[] keyLast = new @Nullable Object[values.length];
        System.arraycopy(values, 0, keyLast, 0, key);
        System.arraycopy(values, key + 1, keyLast, key, values.length - key - 1);
        keyLast[values.length - 1] = values[key];
        if (statements.update(update, keyLast) == 0) {
            statements.update(insert, values);
        }
    }

    @Override
    public void close() throws SQLException {
        statements.close();
    }
}
