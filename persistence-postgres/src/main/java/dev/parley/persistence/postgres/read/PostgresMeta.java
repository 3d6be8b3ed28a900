package dev.parley.persistence.postgres.read;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.Meta;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import dev.parley.persistence.postgres.table.MetaTable;
import dev.parley.persistence.sql.table.QueueTables.Cursors;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads named values. */
public final class PostgresMeta implements Meta {
    private final Reader reader;

    /** Reads through this reader. */
    public PostgresMeta(Reader reader) {
        this.reader = reader;
    }

    @Override
    public Optional<String> get(String key) {
        String sql = reader.sql(
                "meta.get",
                dsl -> dsl.select(MetaTable.VALUE).from(MetaTable.TABLE).where(MetaTable.KEY.eq(value(MetaTable.KEY))));
        return reader.one(statements -> statements.first(sql, row -> row.optional(MetaTable.VALUE), key))
                .flatMap(found -> found);
    }

    @Override
    public Map<String, String> all() {
        String sql = reader.sql(
                "meta.all",
                dsl -> dsl.select(MetaTable.ALL).from(MetaTable.TABLE).orderBy(MetaTable.KEY));
        return reader.one(statements -> {
            Map<String, String> values = new TreeMap<>();
            statements.each(sql, row -> values.put(row.text(MetaTable.KEY), row.text(MetaTable.VALUE)));
            return Collections.unmodifiableMap(values);
        });
    }

    @Override
    public Optional<String> cursor(CursorName name) {
        String sql = reader.sql(
                "cursors.find",
                dsl -> dsl.select(Cursors.VALUE)
                        .from(Cursors.TABLE)
                        .where(Cursors.PLATFORM.eq(value(Cursors.PLATFORM)))
                        .and(Cursors.ACCOUNT.eq(value(Cursors.ACCOUNT)))
                        .and(Cursors.NAME.eq(value(Cursors.NAME))));
        return reader.one(statements -> statements.first(
                        sql, row -> row.optional(Cursors.VALUE), name.platform().name(), name.account(), name.name()))
                .flatMap(found -> found);
    }

    @Override
    public Map<CursorName, String> cursors() {
        String sql = reader.sql(
                "cursors.all",
                dsl -> dsl.select(Cursors.ALL)
                        .from(Cursors.TABLE)
                        .orderBy(Cursors.PLATFORM, Cursors.ACCOUNT, Cursors.NAME));
        return reader.one(statements -> {
            Map<CursorName, String> values = new TreeMap<>();
            statements.each(
                    sql,
                    row -> values.put(
                            new CursorName(
                                    Platform.of(row.text(Cursors.PLATFORM)),
                                    row.text(Cursors.ACCOUNT),
                                    row.text(Cursors.NAME)),
                            row.text(Cursors.VALUE)));
            return Collections.unmodifiableMap(values);
        });
    }
}
