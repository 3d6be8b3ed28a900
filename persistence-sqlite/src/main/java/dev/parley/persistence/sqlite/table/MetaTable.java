package dev.parley.persistence.sqlite.table;

import dev.parley.persistence.sql.table.Columns;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** Named values (storage 1.2). */
public final class MetaTable {
    /** The table. */
    public static final Table<Record> TABLE = Columns.table("state_meta");

    public static final Field<String> KEY = Columns.text(TABLE, "key");
    public static final Field<String> VALUE = Columns.text(TABLE, "value");

    /** All columns, in the order of the table. */
    public static final List<Field<?>> ALL = List.of(KEY, VALUE);

    private MetaTable() {}
}
