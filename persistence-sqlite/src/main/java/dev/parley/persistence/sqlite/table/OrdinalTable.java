package dev.parley.persistence.sqlite.table;

import dev.parley.persistence.sql.table.Columns;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** The greatest ordinal ever given in each lane. */
public final class OrdinalTable {
    /** The table. */
    public static final Table<Record> TABLE = Columns.table("parley_ordinals");

    public static final Field<String> LANE = Columns.text(TABLE, "lane");
    public static final Field<Long> LAST = Columns.integer(TABLE, "last");

    /** All columns, in the order of the table. */
    public static final List<Field<?>> ALL = List.of(LANE, LAST);

    private OrdinalTable() {}
}
