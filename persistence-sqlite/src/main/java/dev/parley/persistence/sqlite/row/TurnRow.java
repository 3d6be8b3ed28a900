package dev.parley.persistence.sqlite.row;

import static dev.parley.domain.text.Unicode.wellFormed;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.persistence.sqlite.json.Json;
import dev.parley.persistence.sqlite.statement.Row;
import dev.parley.persistence.sqlite.statement.Time;
import dev.parley.persistence.sqlite.table.QueueTables.Turns;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of turns. */
public final class TurnRow {
    private TurnRow() {}

    /** Returns the values of {@link Turns#ALL} without the row's number, in order. */
    public static @Nullable Object[] values(Turn turn) {
        return new @Nullable Object[] {
            wellFormed(turn.id().value()),
            wellFormed(turn.lane().value()),
            wellFormed(turn.session().value()),
            wellFormed(turn.run().value()),
            Names.of(turn.state()),
            Json.write(turn.inputs().stream().map(id -> wellFormed(id.value())).toList()),
            Time.nanos(turn.startedAt()),
            Time.nanos(turn.endedAt())
        };
    }

    /** Returns the turn. */
    public static Turn read(Row row) throws SQLException {
        List<InboundId> inputs = new ArrayList<>();
        Json.read(row.textOrNull(Turns.INPUTS))
                .ifPresent(list -> list.forEach(node -> inputs.add(new InboundId(node.asText()))));
        return new Turn(
                new TurnId(row.text(Turns.ID)),
                SessionKey.of(row.text(Turns.LANE)),
                SessionId.of(row.text(Turns.SESSION_ID)),
                new RunId(row.text(Turns.RUN)),
                inputs,
                Time.ofNanos(row.number(Turns.STARTED_AT)),
                Names.constant(Turn.State.class, row.text(Turns.STATE)),
                Time.ofNanos(row.optionalNumber(Turns.ENDED_AT)));
    }
}
