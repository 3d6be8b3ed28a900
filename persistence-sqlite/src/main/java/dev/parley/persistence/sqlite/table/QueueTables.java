package dev.parley.persistence.sqlite.table;

import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** What was received, run and sent. */
public final class QueueTables {
    /** One row per received message. */
    public static final class Inbounds {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_inbound");

        public static final Field<Long> SEQ = Columns.integer(TABLE, "seq");
        public static final Field<String> ID = Columns.text(TABLE, "id");
        public static final Field<String> LANE = Columns.text(TABLE, "lane");
        public static final Field<Long> ORDINAL = Columns.integer(TABLE, "ordinal");
        public static final Field<String> KIND = Columns.text(TABLE, "kind");
        public static final Field<String> STATE = Columns.text(TABLE, "state");
        public static final Field<String> SOURCE = Columns.text(TABLE, "source");
        public static final Field<String> TEXT = Columns.text(TABLE, "text");
        public static final Field<String> ATTACHMENTS = Columns.text(TABLE, "attachments");
        public static final Field<Long> RECEIVED_AT = Columns.integer(TABLE, "received_at");
        public static final Field<String> PLATFORM = Columns.text(TABLE, "platform");
        public static final Field<String> CHAT_ID = Columns.text(TABLE, "chat_id");
        public static final Field<String> MESSAGE_ID = Columns.text(TABLE, "message_id");
        public static final Field<String> TURN_ID = Columns.text(TABLE, "turn_id");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(
                SEQ,
                ID,
                LANE,
                ORDINAL,
                KIND,
                STATE,
                SOURCE,
                TEXT,
                ATTACHMENTS,
                RECEIVED_AT,
                PLATFORM,
                CHAT_ID,
                MESSAGE_ID,
                TURN_ID);

        private Inbounds() {}
    }

    /** The greatest ordinal ever given in each lane. */
    public static final class Ordinals {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_ordinals");

        public static final Field<String> LANE = Columns.text(TABLE, "lane");
        public static final Field<Long> LAST = Columns.integer(TABLE, "last");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(LANE, LAST);

        private Ordinals() {}
    }

    /** One row per turn. */
    public static final class Turns {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_turns");

        public static final Field<Long> SEQ = Columns.integer(TABLE, "seq");
        public static final Field<String> ID = Columns.text(TABLE, "id");
        public static final Field<String> LANE = Columns.text(TABLE, "lane");
        public static final Field<String> SESSION_ID = Columns.text(TABLE, "session_id");
        public static final Field<String> RUN = Columns.text(TABLE, "run");
        public static final Field<String> STATE = Columns.text(TABLE, "state");
        public static final Field<String> INPUTS = Columns.text(TABLE, "inputs");
        public static final Field<Long> STARTED_AT = Columns.integer(TABLE, "started_at");
        public static final Field<Long> ENDED_AT = Columns.integer(TABLE, "ended_at");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL =
                List.of(SEQ, ID, LANE, SESSION_ID, RUN, STATE, INPUTS, STARTED_AT, ENDED_AT);

        private Turns() {}
    }

    /** One row per outgoing message. */
    public static final class Outgoings {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_outgoing");

        public static final Field<Long> SEQ = Columns.integer(TABLE, "seq");
        public static final Field<String> ID = Columns.text(TABLE, "id");
        public static final Field<String> LANE = Columns.text(TABLE, "lane");
        public static final Field<String> PLATFORM = Columns.text(TABLE, "platform");
        public static final Field<String> CHAT_ID = Columns.text(TABLE, "chat_id");
        public static final Field<String> THREAD_ID = Columns.text(TABLE, "thread_id");
        public static final Field<String> TEXT = Columns.text(TABLE, "text");
        public static final Field<String> KIND = Columns.text(TABLE, "kind");
        public static final Field<Long> CREATED_AT = Columns.integer(TABLE, "created_at");
        public static final Field<String> TURN_ID = Columns.text(TABLE, "turn_id");
        public static final Field<String> STATE = Columns.text(TABLE, "state");
        public static final Field<Long> ATTEMPTS = Columns.integer(TABLE, "attempts");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL =
                List.of(SEQ, ID, LANE, PLATFORM, CHAT_ID, THREAD_ID, TEXT, KIND, CREATED_AT, TURN_ID, STATE, ATTEMPTS);

        private Outgoings() {}
    }

    private QueueTables() {}
}
