package dev.parley.domain.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UsageSlotTest {
    private static UsageUpdate of(long input) {
        return UsageUpdate.added(new TokenUsage(input, 0, 0, 0, 0), 1, Optional.empty());
    }

    private static void add(Map<LocalDate, Long> days, LocalDate day, long tokens) {
        days.merge(day, tokens, Long::sum);
    }

    @Test
    void sumsOverTheDaysOfAnyZoneAreThoseOfEachUse() {
        Random random = new Random(7);
        Instant start = Instant.parse("2026-03-20T00:00:00Z");
        Map<UsageSlot.Key, UsageSlot> slots = new HashMap<>();
        Map<Instant, Long> uses = new TreeMap<>();
        for (int i = 0; i < 2000; i++) {
            Instant at = start.plus(Duration.ofSeconds(random.nextInt(20 * 24 * 3600)));
            long tokens = random.nextInt(100);
            uses.merge(at, tokens, Long::sum);
            UsageSlot.Key key = UsageSlot.Key.at(at, "cli", Optional.empty());
            slots.merge(key, UsageSlot.empty(key).plus(of(tokens)), UsageSlot::plus);
        }
        for (String name :
                List.of("UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns")) {
            ZoneId zone = ZoneId.of(name);
            Map<LocalDate, Long> bySlot = new TreeMap<>();
            Map<LocalDate, Long> byUse = new TreeMap<>();
            slots.forEach((key, slot) -> add(
                    bySlot,
                    LocalDate.ofInstant(key.start(), zone),
                    slot.tokens().input()));
            uses.forEach((at, tokens) -> add(byUse, LocalDate.ofInstant(at, zone), tokens));

            assertThat(bySlot).as(name).isEqualTo(byUse);
        }
    }

    @Test
    void aSlotBeginsWithItsQuarterAlsoBeforeTheEpoch() {
        assertThat(UsageSlot.Key.at(Instant.parse("2026-03-10T09:29:59.999999Z"), "cli", Optional.of("m")))
                .isEqualTo(new UsageSlot.Key(Instant.parse("2026-03-10T09:15:00Z"), "cli", "m"));
        assertThat(UsageSlot.Key.at(Instant.parse("1969-12-31T23:59:59Z"), "cli", Optional.empty()))
                .isEqualTo(new UsageSlot.Key(Instant.parse("1969-12-31T23:45:00Z"), "cli", ""));
    }

    @Test
    void totalsAddNothing() {
        UsageSlot empty = UsageSlot.empty(UsageSlot.Key.at(Instant.EPOCH, "cli", Optional.empty()));
        UsageUpdate total = new UsageUpdate(new TokenUsage(9, 0, 0, 0, 0), 9, Optional.empty(), Billing.NONE, true);

        assertThat(empty.plus(total)).isEqualTo(empty);
        assertThat(empty.plusTurn().turns()).isEqualTo(1);
    }

    @Test
    void sumsStopAtTheGreatestNumber() {
        assertThat(Counter.sum(Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(Counter.sum(Long.MAX_VALUE - 1, 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(Counter.sum(5, -2)).isEqualTo(3);
        assertThat(Counter.sum(Long.MIN_VALUE, -1)).isEqualTo(Long.MIN_VALUE);
        assertThat(Counter.sum(Double.MAX_VALUE, Double.MAX_VALUE)).isEqualTo(Double.MAX_VALUE);
        assertThat(new TokenUsage(Long.MAX_VALUE, 1, 0, 0, 0).total()).isEqualTo(Long.MAX_VALUE);
        assertThat(new TokenUsage(Long.MAX_VALUE, 1, 0, 0, 0).plus(new TokenUsage(1, 1, 0, 0, 0)))
                .isEqualTo(new TokenUsage(Long.MAX_VALUE, 2, 0, 0, 0));
    }
}
