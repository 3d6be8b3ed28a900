package dev.parley.persistence.sqlite.schema;

import static dev.parley.persistence.sqlite.schema.Column.counter;
import static dev.parley.persistence.sqlite.schema.Column.integer;
import static dev.parley.persistence.sqlite.schema.Column.key;
import static dev.parley.persistence.sqlite.schema.Column.real;
import static dev.parley.persistence.sqlite.schema.Column.rising;
import static dev.parley.persistence.sqlite.schema.Column.text;
import static dev.parley.persistence.sqlite.schema.TableShape.IndexShape.on;
import static dev.parley.persistence.sqlite.schema.TableShape.IndexShape.unique;

import java.util.List;

/**
 * Parley's own tables, made at the first opening for writing. They have a version of their own and no foreign keys into the
 * shared tables. Times are nanoseconds since the epoch, flags are 0 or 1, lists and sources are JSON.
 */
public final class ParleySchema {
    /** The version of Parley's own tables: rises when tables or columns are added, so that earlier versions refuse the file. */
    public static final long VERSION = 2;

    /** Indexes of earlier versions that others have taken the place of. */
    static final List<String> RETIRED = List.of("parley_turns_state");

    /** One row with the version of these tables. */
    public static final TableShape PARLEY_SCHEMA =
            new TableShape("parley_schema", List.of(integer("version").notNull()), List.of(), List.of());

    /** The lanes, with the entry of their current session. */
    public static final TableShape LANES = new TableShape(
            "parley_lanes",
            List.of(
                    key("lane", Column.Type.TEXT),
                    text("session_id").notNull(),
                    integer("epoch").notNull(),
                    integer("created_at").notNull(),
                    integer("updated_at").notNull(),
                    text("origin"),
                    text("display_name"),
                    text("platform"),
                    text("chat_type").notNull(),
                    counter("input_tokens", 0).notNull(),
                    counter("output_tokens", 0).notNull(),
                    counter("cache_read_tokens", 0).notNull(),
                    counter("cache_write_tokens", 0).notNull(),
                    counter("reasoning_tokens", 0).notNull(),
                    counter("total_tokens", 0).notNull(),
                    real("estimated_cost_usd").notNull(),
                    text("cost_status").notNull(),
                    counter("last_prompt_tokens", 0).notNull(),
                    text("beginning").notNull(),
                    text("reset_reason"),
                    integer("reset_had_activity"),
                    counter("suspended", 0).notNull(),
                    counter("resume_pending", 0).notNull(),
                    text("resume_reason"),
                    integer("resume_marked_at"),
                    counter("expiry_finalized", 0).notNull(),
                    text("override_model"),
                    text("override_provider"),
                    text("override_base_url")),
            List.of(),
            List.of(
                    on("parley_lanes_session", "session_id", "lane"),
                    on("parley_lanes_updated", "updated_at", "lane"),
                    on("parley_lanes_suspended", "updated_at", "lane").where("suspended = 1"),
                    on("parley_lanes_marked", "updated_at", "lane").where("resume_pending = 1")));

    /** What happened to the lanes. */
    public static final TableShape HISTORY = new TableShape(
            "parley_history",
            List.of(
                    rising("seq"),
                    text("lane").notNull(),
                    integer("at").notNull(),
                    text("kind").notNull(),
                    text("from_session"),
                    text("to_session"),
                    text("reason").notNull(),
                    text("inputs").notNull()),
            List.of(),
            List.of(on("parley_history_lane", "lane", "seq"), on("parley_history_at", "at", "seq")));

    /** What Parley knows about sessions beyond the shared columns. */
    public static final TableShape SESSION_EXTRAS = new TableShape(
            "parley_sessions",
            List.of(key("session_id", Column.Type.TEXT), text("lane"), text("origin"), real("last_active")),
            List.of(),
            List.of(on("parley_sessions_lane", "lane", "session_id"), on("parley_sessions_active", "last_active")));

    /** What Parley knows about messages beyond the shared columns. */
    public static final TableShape MESSAGE_EXTRAS = new TableShape(
            "parley_messages",
            List.of(
                    key("message_row", Column.Type.INTEGER),
                    text("uid").notNull(),
                    text("session_id").notNull(),
                    text("platform_message_id"),
                    text("kind").notNull()),
            List.of(),
            List.of(unique("parley_messages_uid", "session_id", "uid")));

    /** What was received. */
    public static final TableShape INBOUND = new TableShape(
            "parley_inbound",
            List.of(
                    rising("seq"),
                    text("id").notNull(),
                    text("lane").notNull(),
                    integer("ordinal").notNull(),
                    text("kind").notNull(),
                    text("state").notNull(),
                    text("source").notNull(),
                    text("text").notNull(),
                    text("attachments").notNull(),
                    integer("received_at").notNull(),
                    text("platform"),
                    text("chat_id"),
                    text("message_id"),
                    text("turn_id"),
                    integer("sent_at"),
                    text("reply_to"),
                    counter("mentioned", 0),
                    text("context"),
                    text("event"),
                    text("via")),
            List.of(),
            List.of(
                    unique("parley_inbound_id", "id"),
                    unique("parley_inbound_message", "platform", "chat_id", "message_id"),
                    on("parley_inbound_state", "state", "lane", "ordinal"),
                    on("parley_inbound_received", "received_at")));

    /** The greatest ordinal ever given in each lane, which outlives the messages. */
    public static final TableShape ORDINALS = new TableShape(
            "parley_ordinals",
            List.of(key("lane", Column.Type.TEXT), integer("last").notNull()),
            List.of(),
            List.of());

    /** The turns. */
    public static final TableShape TURNS = new TableShape(
            "parley_turns",
            List.of(
                    rising("seq"),
                    text("id").notNull(),
                    text("lane").notNull(),
                    text("session_id").notNull(),
                    text("run").notNull(),
                    text("state").notNull(),
                    text("inputs").notNull(),
                    integer("started_at").notNull(),
                    integer("ended_at"),
                    integer("working_since"),
                    text("reason"),
                    text("note"),
                    text("model"),
                    text("provider"),
                    counter("input_tokens", 0),
                    counter("output_tokens", 0),
                    counter("cache_read_tokens", 0),
                    counter("cache_write_tokens", 0),
                    counter("reasoning_tokens", 0),
                    counter("api_calls", 0),
                    counter("tool_calls", 0),
                    real("cost_usd"),
                    integer("first_word_at"),
                    counter("token", 0)),
            List.of(),
            List.of(
                    unique("parley_turns_id", "id"),
                    on("parley_turns_started", "started_at", "id"),
                    on("parley_turns_lane", "lane", "started_at", "id"),
                    on("parley_turns_recent", "state", "started_at", "id"),
                    on("parley_turns_ended", "ended_at")));

    /** What is to be sent, and what was. */
    public static final TableShape OUTGOING = new TableShape(
            "parley_outgoing",
            List.of(
                    rising("seq"),
                    text("id").notNull(),
                    text("lane"),
                    text("platform").notNull(),
                    text("chat_id").notNull(),
                    text("thread_id"),
                    text("text").notNull(),
                    text("kind").notNull(),
                    integer("created_at").notNull(),
                    text("turn_id"),
                    text("state").notNull(),
                    counter("attempts", 0).notNull(),
                    text("scope_id"),
                    text("parent_chat_id"),
                    text("profile"),
                    text("attachments"),
                    text("reply_to"),
                    text("replaces"),
                    integer("expires_at"),
                    text("cause"),
                    integer("attempted_at"),
                    text("failure"),
                    integer("not_before"),
                    text("parts")),
            List.of(),
            List.of(
                    unique("parley_outgoing_id", "id"),
                    on("parley_outgoing_lane", "lane", "seq"),
                    on("parley_outgoing_open", "lane", "seq").where("state IN ('pending', 'attempted')"),
                    on("parley_outgoing_chat", "platform", "chat_id", "seq"),
                    on("parley_outgoing_state", "state", "seq"),
                    on("parley_outgoing_created", "created_at")));

    /** How far the platforms have been read. */
    public static final TableShape CURSORS = new TableShape(
            "parley_cursors",
            List.of(
                    text("platform").notNull(),
                    text("account").notNull(),
                    text("name").notNull(),
                    text("value").notNull()),
            List.of(),
            List.of(unique("parley_cursors_name", "platform", "account", "name")));

    /** Who works on the lanes, where several gateways share the file's content. */
    public static final TableShape HOLDS = new TableShape(
            "parley_holds",
            List.of(
                    key("lane", Column.Type.TEXT),
                    text("holder"),
                    integer("token").notNull()),
            List.of(),
            List.of());

    /** What was used in each quarter of an hour. */
    public static final TableShape USAGE = new TableShape(
            "parley_usage",
            List.of(
                    integer("slot").notNull(),
                    text("source").notNull(),
                    text("model").notNull(),
                    counter("turns", 0).notNull(),
                    counter("input_tokens", 0).notNull(),
                    counter("output_tokens", 0).notNull(),
                    counter("cache_read_tokens", 0).notNull(),
                    counter("cache_write_tokens", 0).notNull(),
                    counter("reasoning_tokens", 0).notNull(),
                    counter("api_calls", 0).notNull(),
                    real("cost_usd").notNull()),
            List.of(),
            List.of(unique("parley_usage_slot", "slot", "source", "model")));

    /** The last batch of each writer. */
    public static final TableShape WRITERS = new TableShape(
            "parley_writers",
            List.of(
                    key("writer", Column.Type.TEXT),
                    integer("sequence").notNull(),
                    integer("at").notNull()),
            List.of(),
            List.of());

    /** All of them, in the order they are made; the version comes last. */
    public static final List<TableShape> TABLES = List.of(
            LANES,
            HISTORY,
            SESSION_EXTRAS,
            MESSAGE_EXTRAS,
            INBOUND,
            ORDINALS,
            TURNS,
            OUTGOING,
            CURSORS,
            HOLDS,
            USAGE,
            WRITERS,
            PARLEY_SCHEMA);

    private ParleySchema() {}
}
