package dev.parley.persistence.postgres.table;

import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Makes tables and typed columns. */
final class Columns {
    private Columns() {}

    static Table<Record> table(String name) {
        return DSL.table(DSL.name(name));
    }

    static Field<String> text(Table<?> table, String name) {
        return DSL.field(qualified(table, name), SQLDataType.VARCHAR);
    }

    static Field<Long> integer(Table<?> table, String name) {
        return DSL.field(qualified(table, name), SQLDataType.BIGINT);
    }

    static Field<Double> real(Table<?> table, String name) {
        return DSL.field(qualified(table, name), SQLDataType.DOUBLE);
    }

    static Field<Boolean> flag(Table<?> table, String name) {
        return DSL.field(qualified(table, name), SQLDataType.BOOLEAN);
    }

    private static Name qualified(Table<?> table, String name) {
        return DSL.name(table.getUnqualifiedName(), DSL.name(name));
    }
}
