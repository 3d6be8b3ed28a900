package dev.parley.domain.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table of storage 3.6. */
class UsageUpdateTest {
    private static final TokenUsage BEFORE = new TokenUsage(10, 20, 30, 40, 50);
    private static final TokenUsage GIVEN = new TokenUsage(1, 2, 3, 4, 5);

    private static Billing billing(String text, Optional<Double> estimated, Optional<Double> actual) {
        Optional<String> all = Optional.of(text);
        return new Billing(all, all, all, estimated, actual, all, all, all);
    }

    private static UsageUpdate update(Billing billing, boolean absolute) {
        return new UsageUpdate(GIVEN, 3, Optional.of("m"), billing, absolute);
    }

    @Test
    @DisplayName("storage 3.6: tokens and calls are added, or replaced by totals")
    void tokensAndCallsAreAddedOrReplaced() {
        assertThat(update(Billing.NONE, false).applyTo(BEFORE)).isEqualTo(new TokenUsage(11, 22, 33, 44, 55));
        assertThat(update(Billing.NONE, true).applyTo(BEFORE)).isEqualTo(GIVEN);
        assertThat(update(Billing.NONE, false).applyTo(7)).isEqualTo(10);
        assertThat(update(Billing.NONE, true).applyTo(7)).isEqualTo(3);
    }

    @Test
    @DisplayName("storage 3.6: an estimated cost that is not given counts as 0")
    void anEstimatedCostThatIsNotGivenCountsAsZero() {
        Billing known = billing("x", Optional.of(0.5), Optional.empty());

        assertThat(update(Billing.NONE, false).applyTo(Billing.NONE).estimatedCostUsd())
                .hasValue(0.0);
        assertThat(update(Billing.NONE, false).applyTo(known).estimatedCostUsd())
                .hasValue(0.5);
        assertThat(update(Billing.NONE, true).applyTo(known).estimatedCostUsd()).hasValue(0.0);
        assertThat(update(known, false).applyTo(known).estimatedCostUsd()).hasValue(1.0);
        assertThat(update(known, true).applyTo(known).estimatedCostUsd()).hasValue(0.5);
        assertThat(update(known, false).applyTo(Billing.NONE).estimatedCostUsd())
                .hasValue(0.5);
    }

    @Test
    @DisplayName("storage 3.6: an actual cost that is not given stays")
    void anActualCostThatIsNotGivenStays() {
        Billing known = billing("x", Optional.empty(), Optional.of(0.25));

        assertThat(update(Billing.NONE, false).applyTo(Billing.NONE).actualCostUsd())
                .isEmpty();
        assertThat(update(Billing.NONE, false).applyTo(known).actualCostUsd()).hasValue(0.25);
        assertThat(update(Billing.NONE, true).applyTo(known).actualCostUsd()).hasValue(0.25);
        assertThat(update(known, false).applyTo(known).actualCostUsd()).hasValue(0.5);
        assertThat(update(known, true).applyTo(known).actualCostUsd()).hasValue(0.25);
        assertThat(update(known, false).applyTo(Billing.NONE).actualCostUsd()).hasValue(0.25);
    }

    @Test
    @DisplayName("storage 3.6: the first route wins, the last status, source and prices win")
    void theFirstRouteAndTheLastStatusWin() {
        Billing first = billing("first", Optional.empty(), Optional.empty());
        Billing last = billing("last", Optional.empty(), Optional.empty());
        for (boolean absolute : new boolean[] {false, true}) {
            Billing after = update(last, absolute).applyTo(first);
            assertThat(after.provider()).hasValue("first");
            assertThat(after.baseUrl()).hasValue("first");
            assertThat(after.mode()).hasValue("first");
            assertThat(after.costStatus()).hasValue("last");
            assertThat(after.costSource()).hasValue("last");
            assertThat(after.pricingVersion()).hasValue("last");

            Billing unchanged = update(Billing.NONE, absolute).applyTo(first);
            assertThat(unchanged.provider()).hasValue("first");
            assertThat(unchanged.costStatus()).hasValue("first");
            assertThat(unchanged.pricingVersion()).hasValue("first");

            assertThat(update(last, absolute).applyTo(Billing.NONE).provider()).hasValue("last");
        }
    }

    @Test
    void tokensAreNeverNegative() {
        for (long[] t :
                new long[][] {{-1, 0, 0, 0, 0}, {0, -1, 0, 0, 0}, {0, 0, -1, 0, 0}, {0, 0, 0, -1, 0}, {0, 0, 0, 0, -1}
                }) {
            assertThatThrownBy(() -> new TokenUsage(t[0], t[1], t[2], t[3], t[4]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
        }
        assertThat(BEFORE.total()).isEqualTo(150);
        assertThat(BEFORE.plus(TokenUsage.NONE)).isEqualTo(BEFORE);
    }
}
