package dev.parley.persistence.sql.row;

import static dev.parley.domain.text.Unicode.wellFormed;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.sql.json.Json;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sql.table.LaneTables.History;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of lane histories. */
public final class HistoryRow {
    private HistoryRow() {}

    /** Returns the values of {@link History#ALL} without the row's number, in order. */
    public static @Nullable Object[] values(LaneEvent event) {
        Map<String, String> inputs = new LinkedHashMap<>();
        event.inputs().forEach((name, value) -> inputs.put(wellFormed(name), wellFormed(value)));
        return new @Nullable Object[] {
            event.lane().value(),
            Time.nanos(event.at()),
            event.kind().text(),
            event.from().map(SessionId::value).orElse(null),
            event.to().map(SessionId::value).orElse(null),
            event.reason(),
            Json.write(inputs)
        };
    }

    /** Returns the line. */
    public static LaneEvent read(Row row) throws SQLException {
        Map<String, String> inputs = new LinkedHashMap<>();
        Json.read(row.textOrNull(History.INPUTS))
                .flatMap(Json::members)
                .ifPresent(members -> members.forEach((name, value) -> inputs.put(name, String.valueOf(value))));
        return new LaneEvent(
                SessionKey.of(row.text(History.LANE)),
                Time.ofNanos(row.number(History.AT)),
                Names.constant(LaneEvent.Kind.class, row.text(History.KIND)),
                SessionIds.read(row.optional(History.FROM_SESSION)),
                SessionIds.read(row.optional(History.TO_SESSION)),
                row.text(History.REASON),
                inputs);
    }
}
