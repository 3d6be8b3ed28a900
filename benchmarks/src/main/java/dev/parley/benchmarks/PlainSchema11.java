package dev.parley.benchmarks;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Plain JDBC on schema 11 in its plain form: both full-text tables hold their own text, and each change of a
 * message goes into both by triggers. Statements are prepared once. One connection, used by one caller at a time.
 */
final class PlainSchema11 implements AutoCloseable {
    private static final String INDEXED =
            " || ' ' || COALESCE(%1$s.tool_name, '') || ' ' || COALESCE(%1$s.tool_calls, '')";

    private final Connection connection;
    private final Statement transaction;
    private final PreparedStatement message;
    private final PreparedStatement counters;
    private final PreparedStatement load;
    private final PreparedStatement replay;
    private final PreparedStatement started;
    private final PreparedStatement ranked;
    private final PreparedStatement newest;
    private final PreparedStatement cjk;
    private final PreparedStatement context;

    /** Opens the file, and makes it where it is not there. */
    PlainSchema11(Path file) throws SQLException {
        connection = Stores.plain(file);
        transaction = connection.createStatement();
        transaction.execute("pragma journal_mode = wal");
        create();
        message =
                connection.prepareStatement("insert into messages (session_id, role, content, tool_call_id, tool_calls,"
                        + " tool_name, timestamp, token_count, finish_reason, reasoning, reasoning_content, reasoning_details,"
                        + " codex_reasoning_items, codex_message_items)"
                        + " values (?, 'user', ?, null, null, null, ?, null, null, null, null, null, null, null)");
        counters = connection.prepareStatement("update sessions set message_count = message_count + ? where id = ?");
        load = connection.prepareStatement("select id, session_id, role, content, tool_call_id, tool_calls, tool_name,"
                + " timestamp, token_count, finish_reason, reasoning, reasoning_content, reasoning_details,"
                + " codex_reasoning_items, codex_message_items from messages where session_id = ? order by id");
        replay = connection.prepareStatement("select id, role, content, tool_call_id, tool_calls, tool_name, timestamp,"
                + " finish_reason, reasoning, reasoning_content, reasoning_details, codex_reasoning_items,"
                + " codex_message_items from messages where session_id = ? order by id");
        started = connection.prepareStatement("select s.*, coalesce((select max(m.timestamp) from messages m"
                + " where m.session_id = s.id), s.started_at) as last_active,"
                + " coalesce((select substr(replace(replace(m.content, char(10), ' '), char(13), ' '), 1, 63)"
                + " from messages m where m.session_id = s.id and m.role = 'user' and m.content is not null"
                + " order by m.timestamp, m.id limit 1), '') as preview"
                + " from sessions s left join sessions parent on parent.id = s.parent_session_id"
                + " where s.parent_session_id is null or parent.end_reason = 'branched'"
                + " and s.started_at >= parent.ended_at order by s.started_at desc, s.id desc limit 20");
        ranked = connection.prepareStatement(search("rank"));
        newest = connection.prepareStatement(search("messages_fts.rowid desc"));
        cjk = connection.prepareStatement("select m.id, m.session_id, m.role,"
                + " substr(m.content, max(1, instr(m.content, ?) - 40), 120) as snippet, m.timestamp, m.tool_name, s.source,"
                + " s.model, s.started_at from messages m join sessions s on s.id = m.session_id where m.content like ?"
                + " or m.tool_name like ? or m.tool_calls like ? order by m.timestamp desc limit 20");
        context = connection.prepareStatement(
                "select * from (select role, content from messages where session_id = ? and (timestamp, id) < (?, ?)"
                        + " order by timestamp desc, id desc limit 1) union all select role, content from messages where id = ?"
                        + " union all select * from (select role, content from messages where session_id = ?"
                        + " and (timestamp, id) > (?, ?) order by timestamp, id limit 1)");
    }

    private static String search(String order) {
        return "select m.id, m.session_id, m.role, snippet(messages_fts, 0, '>>>', '<<<', '...', 40) as snippet,"
                + " m.timestamp, m.tool_name, s.source, s.model, s.started_at from messages_fts"
                + " join messages m on m.id = messages_fts.rowid join sessions s on s.id = m.session_id"
                + " where messages_fts match ? order by " + order + " limit 20";
    }

    private void create() throws SQLException {
        String[] tables = {
            "create table if not exists schema_version (version integer not null)",
            "create table if not exists sessions (id text primary key, source text not null, user_id text, model text,"
                    + " model_config text, system_prompt text, parent_session_id text, started_at real not null,"
                    + " ended_at real, end_reason text, message_count integer default 0, tool_call_count integer default 0,"
                    + " input_tokens integer default 0, output_tokens integer default 0,"
                    + " cache_read_tokens integer default 0, cache_write_tokens integer default 0,"
                    + " reasoning_tokens integer default 0, billing_provider text, billing_base_url text,"
                    + " billing_mode text, estimated_cost_usd real, actual_cost_usd real, cost_status text,"
                    + " cost_source text, pricing_version text, title text, api_call_count integer default 0,"
                    + " foreign key (parent_session_id) references sessions(id))",
            "create table if not exists messages (id integer primary key autoincrement, session_id text not null"
                    + " references sessions(id), role text not null, content text, tool_call_id text, tool_calls text,"
                    + " tool_name text, timestamp real not null, token_count integer, finish_reason text, reasoning text,"
                    + " reasoning_content text, reasoning_details text, codex_reasoning_items text,"
                    + " codex_message_items text)",
            "create table if not exists state_meta (key text primary key, value text)",
            "create index if not exists idx_sessions_source on sessions(source)",
            "create index if not exists idx_sessions_parent on sessions(parent_session_id)",
            "create index if not exists idx_sessions_started on sessions(started_at desc)",
            "create index if not exists idx_messages_session on messages(session_id, timestamp)",
            "create unique index if not exists idx_sessions_title_unique on sessions(title) where title is not null"
        };
        for (String each : tables) {
            transaction.execute(each);
        }
        index("messages_fts", "content");
        index("messages_fts_trigram", "content, tokenize='trigram'");
    }

    private void index(String table, String declared) throws SQLException {
        String indexed = "COALESCE(%1$s.content, '')" + INDEXED;
        String insert =
                "insert into " + table + "(rowid, content) values (new.id, " + String.format(indexed, "new") + ");";
        String delete = "delete from " + table + " where rowid = old.id;";
        transaction.execute("create virtual table if not exists " + table + " using fts5(" + declared + ")");
        transaction.execute(
                "create trigger if not exists " + table + "_insert after insert on messages begin " + insert + " end");
        transaction.execute(
                "create trigger if not exists " + table + "_delete after delete on messages begin " + delete + " end");
        transaction.execute("create trigger if not exists " + table + "_update after update on messages begin " + delete
                + insert + " end");
    }

    void createSession(String id, double at) throws SQLException {
        try (PreparedStatement session = connection.prepareStatement(
                "insert or ignore into sessions (id, source, model, started_at) values (?, 'telegram', 'm', ?)")) {
            session.setString(1, id);
            session.setDouble(2, at);
            session.executeUpdate();
        }
    }

    void begin() throws SQLException {
        transaction.execute("begin immediate");
    }

    void commit() throws SQLException {
        transaction.execute("commit");
    }

    /** Stores a message and counts it, in one durable transaction. */
    synchronized void append(String session, String text, double at) throws SQLException {
        begin();
        add(session, text, at);
        commit();
    }

    /** Stores a message and counts it, in the transaction under way. */
    void add(String session, String text, double at) throws SQLException {
        message.setString(1, session);
        message.setString(2, text);
        message.setDouble(3, at);
        message.executeUpdate();
        counters.setLong(1, 1);
        counters.setString(2, session);
        counters.executeUpdate();
    }

    int load(String session) throws SQLException {
        load.setString(1, session);
        return read(load);
    }

    int replay(String session) throws SQLException {
        replay.setString(1, session);
        return read(replay);
    }

    int listStarted() throws SQLException {
        return read(started);
    }

    int ranked(String words) throws SQLException {
        ranked.setString(1, words);
        return hits(ranked);
    }

    int newest(String word) throws SQLException {
        newest.setString(1, word);
        return hits(newest);
    }

    int shortCjk(String characters) throws SQLException {
        cjk.setString(1, characters);
        for (int i = 2; i <= 4; i++) {
            cjk.setString(i, "%" + characters + "%");
        }
        return hits(cjk);
    }

    private int hits(PreparedStatement statement) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(rows.getString("snippet"));
                String session = rows.getString("session_id");
                double at = rows.getDouble("timestamp");
                long id = rows.getLong("id");
                context.setString(1, session);
                context.setDouble(2, at);
                context.setLong(3, id);
                context.setLong(4, id);
                context.setString(5, session);
                context.setDouble(6, at);
                context.setLong(7, id);
                try (ResultSet lines = context.executeQuery()) {
                    while (lines.next()) {
                        found.add(lines.getString("role"));
                        found.add(lines.getString("content"));
                    }
                }
            }
        }
        return found.size();
    }

    /** Reads every column of every row; returns how many values. */
    static int read(PreparedStatement statement) throws SQLException {
        int found = 0;
        try (ResultSet rows = statement.executeQuery()) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int i = 1; i <= columns; i++) {
                    found += rows.getObject(i) == null ? 0 : 1;
                }
            }
        }
        return found;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
