package dev.parley.domain.usage;

import java.util.Optional;

/**
 * What a session cost and on which route.
 *
 * @param provider the provider that is paid
 * @param baseUrl its address
 * @param mode how it is paid
 * @param estimatedCostUsd estimated cost in US dollars
 * @param actualCostUsd billed cost in US dollars
 * @param costStatus how far the cost is known
 * @param costSource where the cost comes from
 * @param pricingVersion the price list it was computed with
 */
public record Billing(
        Optional<String> provider,
        Optional<String> baseUrl,
        Optional<String> mode,
        Optional<Double> estimatedCostUsd,
        Optional<Double> actualCostUsd,
        Optional<String> costStatus,
        Optional<String> costSource,
        Optional<String> pricingVersion) {
    /** Nothing known. */
    public static final Billing NONE = new Billing(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
}
