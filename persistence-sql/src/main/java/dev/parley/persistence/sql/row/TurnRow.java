package dev.parley.persistence.sql.row;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.turn.TurnUsage;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.persistence.sql.json.Json;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sql.table.QueueTables.Turns;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Rows of turns. */
public final class TurnRow {
    private TurnRow() {}

    /** Returns the values of {@link Turns#ALL} without the row's number, in order. */
    public static @Nullable Object[] values(Turn turn) {
        return new @Nullable Object[] {
            turn.id().value(),
            turn.lane().value(),
            turn.session().value(),
            turn.run().value(),
            Names.of(turn.state()),
            Json.write(turn.inputs().stream().map(id -> id.value()).toList()),
            Time.nanos(turn.startedAt()),
            Time.nanos(turn.endedAt()),
            Time.nanos(turn.workingSince()),
            turn.reason().map(Names::of).orElse(null),
            turn.note().orElse(null),
            turn.usage().model().orElse(null),
            turn.usage().provider().orElse(null),
            turn.usage().tokens().input(),
            turn.usage().tokens().output(),
            turn.usage().tokens().cacheRead(),
            turn.usage().tokens().cacheWrite(),
            turn.usage().tokens().reasoning(),
            turn.usage().apiCalls(),
            turn.usage().toolCalls(),
            turn.usage().costUsd().orElse(null),
            Time.nanos(turn.usage().firstWordAt()),
            turn.token()
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
                Time.ofNanos(row.optionalNumber(Turns.ENDED_AT)),
                Time.ofNanos(row.optionalNumber(Turns.WORKING_SINCE)),
                Names.optional(TurnReason.class, row.textOrNull(Turns.REASON)),
                row.optional(Turns.NOTE),
                usage(row),
                row.number(Turns.TOKEN));
    }

    private static TurnUsage usage(Row row) throws SQLException {
        OptionalDouble cost = row.optionalReal(Turns.COST_USD);
        return new TurnUsage(
                row.optional(Turns.MODEL),
                row.optional(Turns.PROVIDER),
                new TokenUsage(
                        row.number(Turns.INPUT_TOKENS),
                        row.number(Turns.OUTPUT_TOKENS),
                        row.number(Turns.CACHE_READ_TOKENS),
                        row.number(Turns.CACHE_WRITE_TOKENS),
                        row.number(Turns.REASONING_TOKENS)),
                row.number(Turns.API_CALLS),
                row.number(Turns.TOOL_CALLS),
                cost.isPresent() ? Optional.of(cost.getAsDouble()) : Optional.empty(),
                Time.ofNanos(row.optionalNumber(Turns.FIRST_WORD_AT)));
    }
}
