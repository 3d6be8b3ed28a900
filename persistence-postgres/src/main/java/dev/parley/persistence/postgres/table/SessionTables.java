package dev.parley.persistence.postgres.table;

import dev.parley.persistence.sql.table.Columns;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** The sessions: what is written once, and what each turn changes. */
public final class SessionTables {
    /** One row per session with what seldom changes. */
    public static final class Sessions {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_sessions");

        public static final Field<String> ID = Columns.text(TABLE, "id");
        public static final Field<String> SOURCE = Columns.text(TABLE, "source");
        public static final Field<String> USER_ID = Columns.text(TABLE, "user_id");
        public static final Field<String> MODEL = Columns.text(TABLE, "model");
        public static final Field<String> MODEL_CONFIG = Columns.text(TABLE, "model_config");
        public static final Field<String> SYSTEM_PROMPT = Columns.text(TABLE, "system_prompt");
        public static final Field<String> PARENT = Columns.text(TABLE, "parent");
        public static final Field<Long> STARTED_AT = Columns.integer(TABLE, "started_at");
        public static final Field<Long> ENDED_AT = Columns.integer(TABLE, "ended_at");
        public static final Field<String> END_REASON = Columns.text(TABLE, "end_reason");
        public static final Field<String> TITLE = Columns.text(TABLE, "title");
        public static final Field<String> LANE = Columns.text(TABLE, "lane");
        public static final Field<String> ORIGIN = Columns.text(TABLE, "origin");
        public static final Field<Boolean> ARCHIVED = Columns.flag(TABLE, "archived");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(
                ID,
                SOURCE,
                USER_ID,
                MODEL,
                MODEL_CONFIG,
                SYSTEM_PROMPT,
                PARENT,
                STARTED_AT,
                ENDED_AT,
                END_REASON,
                TITLE,
                LANE,
                ORIGIN,
                ARCHIVED);

        private Sessions() {}
    }

    /** One row per session with what nearly every batch changes; only one of its columns is indexed beside the key. */
    public static final class Use {
        /** The table. */
        public static final Table<Record> TABLE = Columns.table("parley_session_use");

        public static final Field<String> SESSION_ID = Columns.text(TABLE, "session_id");
        public static final Field<Long> MESSAGE_COUNT = Columns.integer(TABLE, "message_count");
        public static final Field<Long> TOOL_CALL_COUNT = Columns.integer(TABLE, "tool_call_count");
        public static final Field<Long> INPUT_TOKENS = Columns.integer(TABLE, "input_tokens");
        public static final Field<Long> OUTPUT_TOKENS = Columns.integer(TABLE, "output_tokens");
        public static final Field<Long> CACHE_READ_TOKENS = Columns.integer(TABLE, "cache_read_tokens");
        public static final Field<Long> CACHE_WRITE_TOKENS = Columns.integer(TABLE, "cache_write_tokens");
        public static final Field<Long> REASONING_TOKENS = Columns.integer(TABLE, "reasoning_tokens");
        public static final Field<Long> API_CALL_COUNT = Columns.integer(TABLE, "api_call_count");
        public static final Field<String> BILLING_PROVIDER = Columns.text(TABLE, "billing_provider");
        public static final Field<String> BILLING_BASE_URL = Columns.text(TABLE, "billing_base_url");
        public static final Field<String> BILLING_MODE = Columns.text(TABLE, "billing_mode");
        public static final Field<Double> ESTIMATED_COST_USD = Columns.real(TABLE, "estimated_cost_usd");
        public static final Field<Double> ACTUAL_COST_USD = Columns.real(TABLE, "actual_cost_usd");
        public static final Field<String> COST_STATUS = Columns.text(TABLE, "cost_status");
        public static final Field<String> COST_SOURCE = Columns.text(TABLE, "cost_source");
        public static final Field<String> PRICING_VERSION = Columns.text(TABLE, "pricing_version");
        public static final Field<Long> REWIND_COUNT = Columns.integer(TABLE, "rewind_count");

        /** The time of the latest message that was not taken back; null where there is none. */
        public static final Field<Long> LATEST = Columns.integer(TABLE, "latest");

        /** That time, else the session's start. */
        public static final Field<Long> LAST_ACTIVE = Columns.integer(TABLE, "last_active");

        /** All columns, in the order of the table. */
        public static final List<Field<?>> ALL = List.of(
                SESSION_ID,
                MESSAGE_COUNT,
                TOOL_CALL_COUNT,
                INPUT_TOKENS,
                OUTPUT_TOKENS,
                CACHE_READ_TOKENS,
                CACHE_WRITE_TOKENS,
                REASONING_TOKENS,
                API_CALL_COUNT,
                BILLING_PROVIDER,
                BILLING_BASE_URL,
                BILLING_MODE,
                ESTIMATED_COST_USD,
                ACTUAL_COST_USD,
                COST_STATUS,
                COST_SOURCE,
                PRICING_VERSION,
                REWIND_COUNT,
                LATEST,
                LAST_ACTIVE);

        private Use() {}
    }

    private SessionTables() {}
}
