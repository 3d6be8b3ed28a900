package dev.parley.persistence.sqlite.table;

import dev.parley.persistence.sql.table.Columns;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** The sessions as schema 11 has them (storage 1.2), and the column that later versions added. */
public final class SessionTable {
    /** The table. */
    public static final Table<Record> TABLE = Columns.table("sessions");

    public static final Field<String> ID = Columns.text(TABLE, "id");
    public static final Field<String> SOURCE = Columns.text(TABLE, "source");
    public static final Field<String> USER_ID = Columns.text(TABLE, "user_id");
    public static final Field<String> MODEL = Columns.text(TABLE, "model");
    public static final Field<String> MODEL_CONFIG = Columns.text(TABLE, "model_config");
    public static final Field<String> SYSTEM_PROMPT = Columns.text(TABLE, "system_prompt");
    public static final Field<String> PARENT_SESSION_ID = Columns.text(TABLE, "parent_session_id");
    public static final Field<Double> STARTED_AT = Columns.real(TABLE, "started_at");
    public static final Field<Double> ENDED_AT = Columns.real(TABLE, "ended_at");
    public static final Field<String> END_REASON = Columns.text(TABLE, "end_reason");
    public static final Field<Long> MESSAGE_COUNT = Columns.integer(TABLE, "message_count");
    public static final Field<Long> TOOL_CALL_COUNT = Columns.integer(TABLE, "tool_call_count");
    public static final Field<Long> INPUT_TOKENS = Columns.integer(TABLE, "input_tokens");
    public static final Field<Long> OUTPUT_TOKENS = Columns.integer(TABLE, "output_tokens");
    public static final Field<Long> CACHE_READ_TOKENS = Columns.integer(TABLE, "cache_read_tokens");
    public static final Field<Long> CACHE_WRITE_TOKENS = Columns.integer(TABLE, "cache_write_tokens");
    public static final Field<Long> REASONING_TOKENS = Columns.integer(TABLE, "reasoning_tokens");
    public static final Field<String> BILLING_PROVIDER = Columns.text(TABLE, "billing_provider");
    public static final Field<String> BILLING_BASE_URL = Columns.text(TABLE, "billing_base_url");
    public static final Field<String> BILLING_MODE = Columns.text(TABLE, "billing_mode");
    public static final Field<Double> ESTIMATED_COST_USD = Columns.real(TABLE, "estimated_cost_usd");
    public static final Field<Double> ACTUAL_COST_USD = Columns.real(TABLE, "actual_cost_usd");
    public static final Field<String> COST_STATUS = Columns.text(TABLE, "cost_status");
    public static final Field<String> COST_SOURCE = Columns.text(TABLE, "cost_source");
    public static final Field<String> PRICING_VERSION = Columns.text(TABLE, "pricing_version");
    public static final Field<String> TITLE = Columns.text(TABLE, "title");
    public static final Field<Long> API_CALL_COUNT = Columns.integer(TABLE, "api_call_count");

    /** All columns, in the order of the table. */
    public static final List<Field<?>> ALL = List.of(
            ID,
            SOURCE,
            USER_ID,
            MODEL,
            MODEL_CONFIG,
            SYSTEM_PROMPT,
            PARENT_SESSION_ID,
            STARTED_AT,
            ENDED_AT,
            END_REASON,
            MESSAGE_COUNT,
            TOOL_CALL_COUNT,
            INPUT_TOKENS,
            OUTPUT_TOKENS,
            CACHE_READ_TOKENS,
            CACHE_WRITE_TOKENS,
            REASONING_TOKENS,
            BILLING_PROVIDER,
            BILLING_BASE_URL,
            BILLING_MODE,
            ESTIMATED_COST_USD,
            ACTUAL_COST_USD,
            COST_STATUS,
            COST_SOURCE,
            PRICING_VERSION,
            TITLE,
            API_CALL_COUNT);

    /** Counts how often messages were taken back; added with the first of them (storage 4.5). */
    public static final Field<Long> REWIND_COUNT = Columns.integer(TABLE, "rewind_count");

    /** Marks sessions that lists leave out (storage 1.8); added with the first session that comes with the mark. */
    public static final Field<Long> ARCHIVED = Columns.integer(TABLE, "archived");

    private SessionTable() {}
}
