package dev.parley.persistence.sql.table;

import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** What was received, run and sent, and what is kept beside it. */
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
        public static final Field<Long> SENT_AT = Columns.integer(TABLE, "sent_at");
        public static final Field<String> REPLY_TO = Columns.text(TABLE, "reply_to");
        public static final Field<Boolean> MENTIONED = Columns.flag(TABLE, "mentioned");
        public static final Field<String> CONTEXT = Columns.text(TABLE, "context");
        public static final Field<String> EVENT = Columns.text(TABLE, "event");
        public static final Field<String> VIA = Columns.text(TABLE, "via");

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
                TURN_ID,
                SENT_AT,
                REPLY_TO,
                MENTIONED,
                CONTEXT,
                EVENT,
                VIA);

        private Inbounds() {}
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
        public static final Field<Long> WORKING_SINCE = Columns.integer(TABLE, "working_since");
        public static final Field<String> REASON = Columns.text(TABLE, "reason");
        public static final Field<String> NOTE = Columns.text(TABLE, "note");
        public static final Field<String> MODEL = Columns.text(TABLE, "model");
        public static final Field<String> PROVIDER = Columns.text(TABLE, "provider");
        public static final Field<Long> INPUT_TOKENS = Columns.integer(TABLE, "input_tokens");
        public static final Field<Long> OUTPUT_TOKENS = Columns.integer(TABLE, "output_tokens");
        public static final Field<Long> CACHE_READ_TOKENS = Columns.integer(TABLE, "cache_read_tokens");
        public static final Field<Long> CACHE_WRITE_TOKENS = Columns.integer(TABLE, "cache_write_tokens");
        public static final Field<Long> REASONING_TOKENS = Columns.integer(TABLE, "reasoning_tokens");
        public static final Field<Long> API_CALLS = Columns.integer(TABLE, "api_calls");
        public static final Field<Long> TOOL_CALLS = Columns.integer(TABLE, "tool_calls");
        public static final Field<Double> COST_USD = Columns.real(TABLE, "cost_usd");
        public static final Field<Long> FIRST_WORD_AT = Columns.integer(TABLE, "first_word_at");
        public static final Field<Long> TOKEN = Columns.integer(TABLE, "token");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(
                SEQ,
                ID,
                LANE,
                SESSION_ID,
                RUN,
                STATE,
                INPUTS,
                STARTED_AT,
                ENDED_AT,
                WORKING_SINCE,
                REASON,
                NOTE,
                MODEL,
                PROVIDER,
                INPUT_TOKENS,
                OUTPUT_TOKENS,
                CACHE_READ_TOKENS,
                CACHE_WRITE_TOKENS,
                REASONING_TOKENS,
                API_CALLS,
                TOOL_CALLS,
                COST_USD,
                FIRST_WORD_AT,
                TOKEN);

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
        public static final Field<String> SCOPE_ID = Columns.text(TABLE, "scope_id");
        public static final Field<String> PARENT_CHAT_ID = Columns.text(TABLE, "parent_chat_id");
        public static final Field<String> PROFILE = Columns.text(TABLE, "profile");
        public static final Field<String> ATTACHMENTS = Columns.text(TABLE, "attachments");
        public static final Field<String> REPLY_TO = Columns.text(TABLE, "reply_to");
        public static final Field<String> REPLACES = Columns.text(TABLE, "replaces");
        public static final Field<Long> EXPIRES_AT = Columns.integer(TABLE, "expires_at");
        public static final Field<String> CAUSE = Columns.text(TABLE, "cause");
        public static final Field<Long> ATTEMPTED_AT = Columns.integer(TABLE, "attempted_at");
        public static final Field<String> FAILURE = Columns.text(TABLE, "failure");
        public static final Field<Long> NOT_BEFORE = Columns.integer(TABLE, "not_before");
        public static final Field<String> PARTS = Columns.text(TABLE, "parts");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(
                SEQ,
                ID,
                LANE,
                PLATFORM,
                CHAT_ID,
                THREAD_ID,
                TEXT,
                KIND,
                CREATED_AT,
                TURN_ID,
                STATE,
                ATTEMPTS,
                SCOPE_ID,
                PARENT_CHAT_ID,
                PROFILE,
                ATTACHMENTS,
                REPLY_TO,
                REPLACES,
                EXPIRES_AT,
                CAUSE,
                ATTEMPTED_AT,
                FAILURE,
                NOT_BEFORE,
                PARTS);

        private Outgoings() {}
    }

    /** One row per cursor of a platform. */
    public static final class Cursors {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_cursors");

        public static final Field<String> PLATFORM = Columns.text(TABLE, "platform");
        public static final Field<String> ACCOUNT = Columns.text(TABLE, "account");
        public static final Field<String> NAME = Columns.text(TABLE, "name");
        public static final Field<String> VALUE = Columns.text(TABLE, "value");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(PLATFORM, ACCOUNT, NAME, VALUE);

        private Cursors() {}
    }

    /** One row per lane that a gateway ever took. */
    public static final class Holds {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_holds");

        public static final Field<String> LANE = Columns.text(TABLE, "lane");
        public static final Field<String> HOLDER = Columns.text(TABLE, "holder");
        public static final Field<Long> TOKEN = Columns.integer(TABLE, "token");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(LANE, HOLDER, TOKEN);

        private Holds() {}
    }

    /** One row per quarter of an hour, source and model. */
    public static final class UsageSlots {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_usage");

        public static final Field<Long> SLOT = Columns.integer(TABLE, "slot");
        public static final Field<String> SOURCE = Columns.text(TABLE, "source");
        public static final Field<String> MODEL = Columns.text(TABLE, "model");
        public static final Field<Long> TURNS = Columns.integer(TABLE, "turns");
        public static final Field<Long> INPUT_TOKENS = Columns.integer(TABLE, "input_tokens");
        public static final Field<Long> OUTPUT_TOKENS = Columns.integer(TABLE, "output_tokens");
        public static final Field<Long> CACHE_READ_TOKENS = Columns.integer(TABLE, "cache_read_tokens");
        public static final Field<Long> CACHE_WRITE_TOKENS = Columns.integer(TABLE, "cache_write_tokens");
        public static final Field<Long> REASONING_TOKENS = Columns.integer(TABLE, "reasoning_tokens");
        public static final Field<Long> API_CALLS = Columns.integer(TABLE, "api_calls");
        public static final Field<Double> COST_USD = Columns.real(TABLE, "cost_usd");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(
                SLOT,
                SOURCE,
                MODEL,
                TURNS,
                INPUT_TOKENS,
                OUTPUT_TOKENS,
                CACHE_READ_TOKENS,
                CACHE_WRITE_TOKENS,
                REASONING_TOKENS,
                API_CALLS,
                COST_USD);

        private UsageSlots() {}
    }

    private QueueTables() {}
}
