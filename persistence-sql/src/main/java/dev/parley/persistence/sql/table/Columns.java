package dev.parley.persistence.sql.table;

import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Makes tables and typed columns. */
public final class Columns {
    private Columns() {}

    /** Returns the table of this name. */
    public static Table<Record> table(String name) {
        return DSL.table(DSL.name(name));
    }

    /** Returns a column of texts. */
    public static Field<String> text(Table<?> table, String name) {
        return DSL.field(qualified(table, name), SQLDataType.VARCHAR);
    }

    /** Returns a column of whole numbers. */
    public static Field<Long> integer(Table<?> table, String name) {
        return DSL.field(qualified(table, name), SQLDataType.BIGINT);
    }

    /** Returns a column of real numbers. */
    public static Field<Double> real(Table<?> table, String name) {
        return DSL.field(qualified(table, name), SQLDataType.DOUBLE);
    }

    /** Returns a column of flags; a database without truth values holds 0 and 1. */
    public static Field<Boolean> flag(Table<?> table, String name) {
        return DSL.field(qualified(table, name), SQLDataType.BOOLEAN);
    }

    private static Name qualified(Table<?> table, String name) {
        return DSL.name(table.getUnqualifiedName(), DSL.name(name));
    }
}
