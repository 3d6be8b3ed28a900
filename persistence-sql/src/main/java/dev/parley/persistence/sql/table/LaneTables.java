package dev.parley.persistence.sql.table;

import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** The lanes and their histories. */
public final class LaneTables {
    /** One row per lane. */
    public static final class Lanes {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_lanes");

        public static final Field<String> LANE = Columns.text(TABLE, "lane");
        public static final Field<String> SESSION_ID = Columns.text(TABLE, "session_id");
        public static final Field<Long> EPOCH = Columns.integer(TABLE, "epoch");
        public static final Field<Long> CREATED_AT = Columns.integer(TABLE, "created_at");
        public static final Field<Long> UPDATED_AT = Columns.integer(TABLE, "updated_at");
        public static final Field<String> ORIGIN = Columns.text(TABLE, "origin");
        public static final Field<String> DISPLAY_NAME = Columns.text(TABLE, "display_name");
        public static final Field<String> PLATFORM = Columns.text(TABLE, "platform");
        public static final Field<String> CHAT_TYPE = Columns.text(TABLE, "chat_type");
        public static final Field<Long> INPUT_TOKENS = Columns.integer(TABLE, "input_tokens");
        public static final Field<Long> OUTPUT_TOKENS = Columns.integer(TABLE, "output_tokens");
        public static final Field<Long> CACHE_READ_TOKENS = Columns.integer(TABLE, "cache_read_tokens");
        public static final Field<Long> CACHE_WRITE_TOKENS = Columns.integer(TABLE, "cache_write_tokens");
        public static final Field<Long> REASONING_TOKENS = Columns.integer(TABLE, "reasoning_tokens");
        public static final Field<Long> TOTAL_TOKENS = Columns.integer(TABLE, "total_tokens");
        public static final Field<Double> ESTIMATED_COST_USD = Columns.real(TABLE, "estimated_cost_usd");
        public static final Field<String> COST_STATUS = Columns.text(TABLE, "cost_status");
        public static final Field<Long> LAST_PROMPT_TOKENS = Columns.integer(TABLE, "last_prompt_tokens");
        public static final Field<String> BEGINNING = Columns.text(TABLE, "beginning");
        public static final Field<String> RESET_REASON = Columns.text(TABLE, "reset_reason");
        public static final Field<Boolean> RESET_HAD_ACTIVITY = Columns.flag(TABLE, "reset_had_activity");
        public static final Field<Boolean> SUSPENDED = Columns.flag(TABLE, "suspended");
        public static final Field<Boolean> RESUME_PENDING = Columns.flag(TABLE, "resume_pending");
        public static final Field<String> RESUME_REASON = Columns.text(TABLE, "resume_reason");
        public static final Field<Long> RESUME_MARKED_AT = Columns.integer(TABLE, "resume_marked_at");
        public static final Field<Boolean> EXPIRY_FINALIZED = Columns.flag(TABLE, "expiry_finalized");
        public static final Field<String> OVERRIDE_MODEL = Columns.text(TABLE, "override_model");
        public static final Field<String> OVERRIDE_PROVIDER = Columns.text(TABLE, "override_provider");
        public static final Field<String> OVERRIDE_BASE_URL = Columns.text(TABLE, "override_base_url");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(
                LANE,
                SESSION_ID,
                EPOCH,
                CREATED_AT,
                UPDATED_AT,
                ORIGIN,
                DISPLAY_NAME,
                PLATFORM,
                CHAT_TYPE,
                INPUT_TOKENS,
                OUTPUT_TOKENS,
                CACHE_READ_TOKENS,
                CACHE_WRITE_TOKENS,
                REASONING_TOKENS,
                TOTAL_TOKENS,
                ESTIMATED_COST_USD,
                COST_STATUS,
                LAST_PROMPT_TOKENS,
                BEGINNING,
                RESET_REASON,
                RESET_HAD_ACTIVITY,
                SUSPENDED,
                RESUME_PENDING,
                RESUME_REASON,
                RESUME_MARKED_AT,
                EXPIRY_FINALIZED,
                OVERRIDE_MODEL,
                OVERRIDE_PROVIDER,
                OVERRIDE_BASE_URL);

        private Lanes() {}
    }

    /** One row per change of a lane, in the order they were stored. */
    public static final class History {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_history");

        public static final Field<Long> SEQ = Columns.integer(TABLE, "seq");
        public static final Field<String> LANE = Columns.text(TABLE, "lane");
        public static final Field<Long> AT = Columns.integer(TABLE, "at");
        public static final Field<String> KIND = Columns.text(TABLE, "kind");
        public static final Field<String> FROM_SESSION = Columns.text(TABLE, "from_session");
        public static final Field<String> TO_SESSION = Columns.text(TABLE, "to_session");
        public static final Field<String> REASON = Columns.text(TABLE, "reason");
        public static final Field<String> INPUTS = Columns.text(TABLE, "inputs");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(SEQ, LANE, AT, KIND, FROM_SESSION, TO_SESSION, REASON, INPUTS);

        private History() {}
    }

    private LaneTables() {}
}
