package dev.parley.domain.usage;

import java.util.Optional;

/**
 * Usage to be added to, or set on, a session (storage 3.6). Tokens and calls are added, or replaced where
 * {@link #absolute}. A cost given is added or set; an estimated cost that is not given counts as 0, an actual cost that is
 * not given stays. Cost status, cost source and pricing version: the last one given wins. Provider, address, mode and
 * model: the first one given wins. Sums that run over stop at the greatest number there is.
 *
 * @param tokens tokens
 * @param apiCalls calls of the model
 * @param model the model that was used
 * @param billing cost and route
 * @param absolute true where the numbers are totals
 */
public record UsageUpdate(TokenUsage tokens, long apiCalls, Optional<String> model, Billing billing, boolean absolute) {
    /** Returns tokens and calls to be added. */
    public static UsageUpdate added(TokenUsage tokens, long apiCalls, Optional<String> model) {
        return new UsageUpdate(tokens, apiCalls, model, Billing.NONE, false);
    }

    /** Returns the tokens after this update. */
    public TokenUsage applyTo(TokenUsage before) {
        return absolute ? tokens : before.plus(tokens);
    }

    /** Returns the number of calls after this update. */
    public long applyTo(long callsBefore) {
        return absolute ? apiCalls : Counter.sum(callsBefore, apiCalls);
    }

    /** Returns cost and route after this update. */
    public Billing applyTo(Billing before) {
        double estimated = billing.estimatedCostUsd().orElse(0.0);
        Optional<Double> actual = billing.actualCostUsd();
        return new Billing(
                before.provider().or(billing::provider),
                before.baseUrl().or(billing::baseUrl),
                before.mode().or(billing::mode),
                Optional.of(
                        absolute
                                ? estimated
                                : Counter.sum(before.estimatedCostUsd().orElse(0.0), estimated)),
                actual.isEmpty()
                        ? before.actualCostUsd()
                        : Optional.of(
                                absolute
                                        ? actual.get()
                                        : Counter.sum(before.actualCostUsd().orElse(0.0), actual.get())),
                billing.costStatus().or(before::costStatus),
                billing.costSource().or(before::costSource),
                billing.pricingVersion().or(before::pricingVersion));
    }
}
