package dev.parley.persistence.sqlite.mirror;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.source.Platforms;
import dev.parley.persistence.sql.json.Json;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The table {@value #TABLE}, in which later versions of other software keep their lanes: the key of a lane and its entry, as it would
 * stand in {@code sessions.json}. Only read.
 */
public final class RoutingTable {
    static final String TABLE = "gateway_routing";

    private final EntryJson dictionary;

    /** The table, its times in this zone, its entries from these platforms. */
    public RoutingTable(ZoneId zone, Platforms platforms) {
        this.dictionary = new EntryJson(zone, platforms);
    }

    /**
     * Returns the entries that can be read, by key. Of several entries of one key, which other software keeps for several folders, the
     * one that was changed last counts. Absent where the database has no such table.
     *
     * @param leftOut takes one line for each entry that cannot be read
     */
    public Optional<List<SessionEntry>> read(Connection connection, Consumer<String> leftOut) throws SQLException {
        if (!columns(connection).containsAll(List.of("session_key", "entry_json", "updated_at"))) {
            return Optional.empty();
        }
        List<SessionEntry> entries = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT session_key, entry_json FROM main." + TABLE
                        + " WHERE session_key <> '' ORDER BY session_key, updated_at DESC")) {
            while (rows.next()) {
                String key = rows.getString(1);
                if (seen.add(key)) {
                    entry(key, Optional.ofNullable(rows.getString(2)), leftOut).ifPresent(entries::add);
                }
            }
        }
        return Optional.of(List.copyOf(entries));
    }

    private Optional<SessionEntry> entry(String key, Optional<String> text, Consumer<String> leftOut) {
        try {
            JsonNode node = text.flatMap(Json::read)
                    .filter(JsonNode::isObject)
                    .orElseThrow(() -> new IllegalArgumentException("it is no object"));
            return Optional.of(dictionary.read(key, node));
        } catch (IllegalArgumentException e) {
            leftOut.accept("The entry \"" + key + "\" of the table " + TABLE + " is left out: " + e.getMessage() + ".");
            return Optional.empty();
        }
    }

    private static Set<String> columns(Connection connection) throws SQLException {
        Set<String> columns = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA main.table_info(" + TABLE + ")")) {
            while (rows.next()) {
                columns.add(rows.getString("name").toLowerCase(Locale.ROOT));
            }
        }
        return columns;
    }
}
