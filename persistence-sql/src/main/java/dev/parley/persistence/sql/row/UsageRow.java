package dev.parley.persistence.sql.row;

import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sql.table.QueueTables.UsageSlots;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Rows of what was used in a quarter of an hour. */
public final class UsageRow {
    private UsageRow() {}

    /** Returns the values of {@link UsageSlots#ALL}, in order. */
    public static @Nullable Object[] values(UsageSlot slot) {
        return new @Nullable Object[] {
            Time.nanos(slot.key().start()),
            slot.key().source(),
            slot.key().model(),
            slot.turns(),
            slot.tokens().input(),
            slot.tokens().output(),
            slot.tokens().cacheRead(),
            slot.tokens().cacheWrite(),
            slot.tokens().reasoning(),
            slot.apiCalls(),
            slot.costUsd()
        };
    }

    /** Returns the slot. */
    public static UsageSlot read(Row row) throws SQLException {
        return new UsageSlot(
                new UsageSlot.Key(
                        Time.ofNanos(row.number(UsageSlots.SLOT)),
                        row.text(UsageSlots.SOURCE),
                        row.text(UsageSlots.MODEL)),
                row.number(UsageSlots.TURNS),
                new TokenUsage(
                        row.number(UsageSlots.INPUT_TOKENS),
                        row.number(UsageSlots.OUTPUT_TOKENS),
                        row.number(UsageSlots.CACHE_READ_TOKENS),
                        row.number(UsageSlots.CACHE_WRITE_TOKENS),
                        row.number(UsageSlots.REASONING_TOKENS)),
                row.number(UsageSlots.API_CALLS),
                row.real(UsageSlots.COST_USD));
    }
}
