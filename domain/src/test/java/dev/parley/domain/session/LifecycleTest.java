package dev.parley.domain.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    private static final Instant NOW = Instant.parse("2026-03-10T09:00:00Z");
    private static final Instant BEFORE_DAILY_AND_IDLE = NOW.minus(Duration.ofDays(2));
    private static final Instant BEFORE_DAILY = Instant.parse("2026-03-10T02:59:59Z");
    private static final Instant JUST_NOW = NOW.minusSeconds(60);
    private static final Standing.ResumePending MARK =
            new Standing.ResumePending(Optional.of(ResumeReason.RESTART_TIMEOUT), Optional.of(JUST_NOW));

    /**
     * The table of G3, with what it says of running turns (R6.9, R6.12) and of sessions ended elsewhere (G3.15). Columns: entry,
     * forced, suspended, marked, idle fires, daily fires, busy, ended elsewhere; a dot stands for both. Rows exclude each other.
     */
    private static final List<List<String>> TABLE = List.of(
            List.of("0.......", "create FIRST_MESSAGE"),
            List.of("11......", "create FORCED"),
            List.of("101.....", "reset SUSPENDED"),
            List.of("1001...0", "resume"),
            List.of("1001...1", "create ENDED_ELSEWHERE"),
            List.of("10001.0.", "reset IDLE"),
            List.of("1000010.", "reset DAILY"),
            List.of("1000..10", "reuse"),
            List.of("1000..11", "create ENDED_ELSEWHERE"),
            List.of("10000000", "reuse"),
            List.of("10000001", "create ENDED_ELSEWHERE"));

    @Test
    @DisplayName("G3.1-G3.6, G3.15, R6.9, R6.12: every combination of facts has the decision of the table")
    void everyCombinationOfFactsHasTheDecisionOfTheTable() {
        for (int facts = 0; facts < 256; facts++) {
            String row = String.format("%8s", Integer.toBinaryString(facts)).replace(' ', '0');
            List<List<String>> matching =
                    TABLE.stream().filter(r -> row.matches(r.get(0))).toList();
            assertThat(matching).as("rows for %s", row).hasSize(1);

            assertThat(told(decide(row))).as(row).isEqualTo(matching.get(0).get(1));
        }
    }

    private static Decision decide(String row) {
        boolean idle = row.charAt(4) == '1';
        boolean daily = row.charAt(5) == '1';
        SessionEntry entry = entryUsedAt(idle ? BEFORE_DAILY_AND_IDLE : daily ? BEFORE_DAILY : JUST_NOW);
        if (row.charAt(3) == '1') {
            entry = entry.withStanding(MARK);
        }
        if (row.charAt(2) == '1') {
            entry = entry.suspended();
        }
        ResetMode mode = idle && !daily ? ResetMode.IDLE : ResetMode.BOTH;
        return Lifecycle.decide(
                row.charAt(0) == '1' ? Optional.of(entry) : Optional.empty(),
                new Lifecycle.Facts(
                        NOW,
                        ZONE,
                        ResetPolicy.DEFAULT.withMode(mode),
                        row.charAt(6) == '1',
                        row.charAt(1) == '1',
                        row.charAt(7) == '1'));
    }

    private static String told(Decision decision) {
        if (decision instanceof Decision.Create create) {
            return decision.text() + " " + create.why();
        }
        return decision instanceof Decision.Reset reset ? decision.text() + " " + reset.reason() : decision.text();
    }

    private static SessionEntry entryUsedAt(Instant at) {
        return SessionEntry.begin(
                SessionKey.of("agent:main:telegram:dm:1"),
                SessionId.of("s"),
                SessionSource.builder(Platform.TELEGRAM, "1").build(),
                at,
                Beginning.ordinary());
    }

    @Test
    @DisplayName("G3.3: a resume carries the mark that was seen")
    void aResumeCarriesTheMarkThatWasSeen() {
        assertThat(Lifecycle.decide(
                        Optional.of(entryUsedAt(JUST_NOW).withStanding(MARK)), facts(ResetMode.BOTH, false)))
                .isEqualTo(new Decision.Resume(MARK));
    }

    @Test
    @DisplayName("R6.4: inactivity is named before the daily boundary")
    void inactivityIsNamedBeforeTheDailyBoundary() {
        assertThat(Lifecycle.expired(entryUsedAt(BEFORE_DAILY_AND_IDLE), facts(ResetMode.BOTH, false)))
                .hasValue(ResetReason.IDLE);
        assertThat(Lifecycle.expired(entryUsedAt(BEFORE_DAILY_AND_IDLE), facts(ResetMode.DAILY, false)))
                .hasValue(ResetReason.DAILY);
    }

    @Test
    @DisplayName("R6.9: nothing expires while the lane is busy, whatever the mode")
    void nothingExpiresWhileTheLaneIsBusy() {
        for (ResetMode mode : ResetMode.values()) {
            assertThat(Lifecycle.expired(entryUsedAt(BEFORE_DAILY_AND_IDLE), facts(mode, true)))
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("R6.1: without a mode nothing expires")
    void withoutAModeNothingExpires() {
        assertThat(Lifecycle.expired(entryUsedAt(Instant.EPOCH), facts(ResetMode.NONE, false)))
                .isEmpty();
    }

    @Test
    void aDecisionChangesNothingItWasGiven() {
        List<SessionEntry> entries = new ArrayList<>(List.of(
                entryUsedAt(JUST_NOW),
                entryUsedAt(BEFORE_DAILY),
                entryUsedAt(JUST_NOW).suspended(),
                entryUsedAt(JUST_NOW).withStanding(MARK)));
        for (SessionEntry entry : entries) {
            assertThat(Lifecycle.decide(Optional.of(entry), facts(ResetMode.BOTH, false)))
                    .isEqualTo(Lifecycle.decide(Optional.of(entry), facts(ResetMode.BOTH, false)));
        }
    }

    private static Lifecycle.Facts facts(ResetMode mode, boolean busy) {
        return new Lifecycle.Facts(NOW, ZONE, ResetPolicy.DEFAULT.withMode(mode), busy, false, false);
    }
}
