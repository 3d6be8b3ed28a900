package dev.parley.persistence.postgres.table;

import dev.parley.persistence.sql.table.Columns;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** The last batch of each writer. */
public final class WriterTable {
    /** The table. */
    public static final Table<Record> TABLE = Columns.table("parley_writers");

    public static final Field<String> WRITER = Columns.text(TABLE, "writer");
    public static final Field<Long> SEQUENCE = Columns.integer(TABLE, "sequence");
    public static final Field<Long> AT = Columns.integer(TABLE, "at");

    /** All columns, in the order of the table. */
    public static final List<Field<?>> ALL = List.of(WRITER, SEQUENCE, AT);

    private WriterTable() {}
}
