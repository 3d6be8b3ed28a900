package dev.parley.persistence.sqlite.table;

import dev.parley.persistence.sql.table.Columns;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** What Parley keeps beside the shared rows: about sessions, about messages, and about writers. */
public final class ExtraTables {
    /** One row per session that Parley has met. */
    public static final class Sessions {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_sessions");

        public static final Field<String> SESSION_ID = Columns.text(TABLE, "session_id");
        public static final Field<String> LANE = Columns.text(TABLE, "lane");
        public static final Field<String> ORIGIN = Columns.text(TABLE, "origin");
        public static final Field<Double> LAST_ACTIVE = Columns.real(TABLE, "last_active");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(SESSION_ID, LANE, ORIGIN, LAST_ACTIVE);

        private Sessions() {}
    }

    /** One row per message that Parley wrote. */
    public static final class Messages {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_messages");

        public static final Field<Long> MESSAGE_ROW = Columns.integer(TABLE, "message_row");
        public static final Field<String> UID = Columns.text(TABLE, "uid");
        public static final Field<String> SESSION_ID = Columns.text(TABLE, "session_id");
        public static final Field<String> PLATFORM_MESSAGE_ID = Columns.text(TABLE, "platform_message_id");
        public static final Field<String> KIND = Columns.text(TABLE, "kind");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(MESSAGE_ROW, UID, SESSION_ID, PLATFORM_MESSAGE_ID, KIND);

        private Messages() {}
    }

    /** The last batch of each writer. */
    public static final class Writers {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_writers");

        public static final Field<String> WRITER = Columns.text(TABLE, "writer");
        public static final Field<Long> SEQUENCE = Columns.integer(TABLE, "sequence");
        public static final Field<Long> AT = Columns.integer(TABLE, "at");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(WRITER, SEQUENCE, AT);

        private Writers() {}
    }

    private ExtraTables() {}
}
