package dev.parley.persistence.sqlite.read;

import static dev.parley.persistence.sqlite.statement.Renderer.value;

import dev.parley.application.port.Meta;
import dev.parley.domain.text.Unicode;
import dev.parley.persistence.sqlite.table.MetaTable;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads named values. */
public final class SqliteMeta implements Meta {
    private final Reader reader;

    /** Reads through this reader. */
    public SqliteMeta(Reader reader) {
        this.reader = reader;
    }

    @Override
    public Optional<String> get(String key) {
        String sql = reader.renderer()
                .sql(
                        "meta.get",
                        dsl -> dsl.select(MetaTable.VALUE)
                                .from(MetaTable.TABLE)
                                .where(MetaTable.KEY.eq(value(MetaTable.KEY))));
        return reader.readOne(
                        MetaTable.TABLE,
                        statements ->
                                statements.first(sql, row -> row.optional(MetaTable.VALUE), Unicode.wellFormed(key)))
                .flatMap(found -> found);
    }

    /** A null value is as good as none. */
    @Override
    public Map<String, String> all() {
        String sql = reader.renderer()
                .sql(
                        "meta.all",
                        dsl -> dsl.select(MetaTable.ALL)
                                .from(MetaTable.TABLE)
                                .where(MetaTable.VALUE.isNotNull())
                                .orderBy(MetaTable.KEY));
        return reader.readOne(MetaTable.TABLE, statements -> {
            Map<String, String> values = new TreeMap<>();
            statements.each(sql, row -> values.put(row.text(MetaTable.KEY), row.text(MetaTable.VALUE)));
            return Collections.unmodifiableMap(values);
        });
    }
}
