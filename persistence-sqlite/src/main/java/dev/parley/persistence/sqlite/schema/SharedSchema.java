package dev.parley.persistence.sqlite.schema;

import static dev.parley.persistence.sqlite.schema.Column.counter;
import static dev.parley.persistence.sqlite.schema.Column.integer;
import static dev.parley.persistence.sqlite.schema.Column.key;
import static dev.parley.persistence.sqlite.schema.Column.real;
import static dev.parley.persistence.sqlite.schema.Column.rising;
import static dev.parley.persistence.sqlite.schema.Column.text;
import static dev.parley.persistence.sqlite.schema.TableShape.IndexShape.on;

import dev.parley.persistence.sqlite.schema.TableShape.IndexShape;
import dev.parley.persistence.sqlite.schema.TableShape.Reference;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tables that Parley shares with other software: schema 11 (storage 1.2, 1.3). */
public final class SharedSchema {
    /** The version of the shared schema. */
    public static final long VERSION = 11;

    /** One row with the version, by convention. */
    public static final TableShape SCHEMA_VERSION =
            new TableShape("schema_version", List.of(integer("version").notNull()), List.of(), List.of());

    /** The unique index on titles, made after duplicates are repaired (R2). */
    static final IndexShape TITLES =
            new IndexShape("idx_sessions_title_unique", true, List.of("title"), "title IS NOT NULL");

    /** The sessions. */
    public static final TableShape SESSIONS = new TableShape(
            "sessions",
            List.of(
                    key("id", Column.Type.TEXT),
                    text("source").notNull(),
                    text("user_id"),
                    text("model"),
                    text("model_config"),
                    text("system_prompt"),
                    text("parent_session_id"),
                    real("started_at").notNull(),
                    real("ended_at"),
                    text("end_reason"),
                    counter("message_count", 0),
                    counter("tool_call_count", 0),
                    counter("input_tokens", 0),
                    counter("output_tokens", 0),
                    counter("cache_read_tokens", 0),
                    counter("cache_write_tokens", 0),
                    counter("reasoning_tokens", 0),
                    text("billing_provider"),
                    text("billing_base_url"),
                    text("billing_mode"),
                    real("estimated_cost_usd"),
                    real("actual_cost_usd"),
                    text("cost_status"),
                    text("cost_source"),
                    text("pricing_version"),
                    text("title"),
                    counter("api_call_count", 0)),
            List.of(new Reference("parent_session_id", "sessions", "id")),
            List.of(
                    on("idx_sessions_source", "source"),
                    on("idx_sessions_parent", "parent_session_id"),
                    on("idx_sessions_started", "started_at DESC"),
                    TITLES));

    /** The messages. */
    public static final TableShape MESSAGES = new TableShape(
            "messages",
            List.of(
                    rising("id"),
                    text("session_id").notNull(),
                    text("role").notNull(),
                    text("content"),
                    text("tool_call_id"),
                    text("tool_calls"),
                    text("tool_name"),
                    real("timestamp").notNull(),
                    integer("token_count"),
                    text("finish_reason"),
                    text("reasoning"),
                    text("reasoning_content"),
                    text("reasoning_details"),
                    text("codex_reasoning_items"),
                    text("codex_message_items")),
            List.of(new Reference("session_id", "sessions", "id")),
            List.of(on("idx_messages_session", "session_id", "timestamp")));

    /** Named values. */
    public static final TableShape STATE_META =
            new TableShape("state_meta", List.of(key("key", Column.Type.TEXT), text("value")), List.of(), List.of());

    /** All of them, in the order they are made. */
    public static final List<TableShape> TABLES = List.of(SCHEMA_VERSION, SESSIONS, MESSAGES, STATE_META);

    /** Columns that later versions added and Parley adds at the first soft delete (storage 4.5), by table. */
    static final Map<String, List<Column>> SOFT_DELETE = Map.of(
            "messages",
            List.of(counter("active", 1).notNull(), counter("compacted", 0).notNull()),
            "sessions",
            List.of(counter("rewind_count", 0).notNull()));

    /** Columns that later versions added and Parley adds with the first session that was put away (storage 1.8), by table. */
    static final Map<String, List<Column>> ARCHIVING =
            Map.of("sessions", List.of(counter("archived", 0).notNull()));

    /** Columns without which a table of that name belongs to another program (R6), by table. */
    static final Map<String, Set<String>> CORE = Map.of(
            "sessions", Set.of("id", "source", "parent_session_id", "started_at"),
            "messages", Set.of("id", "session_id", "role", "content", "timestamp"),
            "schema_version", Set.of("version"),
            "state_meta", Set.of("key", "value"));

    private SharedSchema() {}
}
