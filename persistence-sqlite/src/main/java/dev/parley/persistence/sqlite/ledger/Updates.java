package dev.parley.persistence.sqlite.ledger;

import dev.parley.persistence.sql.statement.Renderer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.Table;

/** Statements that set many columns of one row. */
final class Updates {
    private Updates() {}

    /** Returns the update of all given columns but the key, whose value comes last. */
    static Query allButKey(DSLContext dsl, Table<Record> table, List<Field<?>> columns, Field<String> key) {
        Map<Field<?>, Object> places = new LinkedHashMap<>();
        for (Field<?> column : columns) {
            if (!column.equals(key)) {
                places.put(column, Renderer.value(column));
            }
        }
        return dsl.update(table).set(places).where(key.eq(Renderer.value(key)));
    }
}
