package dev.parley.persistence.postgres.table;

import dev.parley.persistence.sql.table.Columns;
import dev.parley.persistence.sql.table.QueueTables.Holds;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** One narrow row per lane that ever got a message or a change; whoever changes a lane locks it first. */
public final class HoldTable {
    /** The table. */
    public static final Table<Record> TABLE = Holds.TABLE;

    public static final Field<String> LANE = Holds.LANE;
    /** The greatest ordinal ever given in the lane. */
    public static final Field<Long> LAST = Columns.integer(TABLE, "last");

    public static final Field<String> HOLDER = Holds.HOLDER;
    public static final Field<Long> TOKEN = Holds.TOKEN;

    /** All columns, in the order of the table. */
    public static final List<Field<?>> ALL = List.of(LANE, LAST, HOLDER, TOKEN);

    private HoldTable() {}
}
