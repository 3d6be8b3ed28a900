package dev.parley.application.port;

import dev.parley.domain.usage.TokenUsage;
import java.util.List;
import java.util.Optional;

/**
 * Totals over all sessions.
 *
 * @param sessions sessions
 * @param messages messages, hidden ones included
 * @param tokens tokens
 * @param estimatedCostUsd estimated cost; absent where no session has one
 * @param models the same per model, highest cost first, then by name; sessions without a model are left out
 */
public record SessionStatistics(
        long sessions, long messages, TokenUsage tokens, Optional<Double> estimatedCostUsd, List<ModelUsage> models) {
    public SessionStatistics {
        models = List.copyOf(models);
    }

    /**
     * Totals of one model.
     *
     * @param model the model
     * @param sessions its sessions
     * @param tokens its tokens
     * @param estimatedCostUsd its estimated cost; absent where none is known
     */
    public record ModelUsage(String model, long sessions, TokenUsage tokens, Optional<Double> estimatedCostUsd) {}
}
