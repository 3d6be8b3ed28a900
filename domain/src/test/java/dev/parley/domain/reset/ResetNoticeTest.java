package dev.parley.domain.reset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.source.Platform;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResetNoticeTest {
    private static final AppliedPolicy APPLIED =
            new AppliedPolicy(ResetPolicy.DEFAULT, "platforms.slack.session_reset");

    @ParameterizedTest
    @CsvSource({
        // reason, notify, had activity, platform, sent?
        "IDLE,      true,  true,  slack,      true",
        "DAILY,     true,  true,  slack,      true",
        "IDLE,      false, true,  slack,      false",
        "IDLE,      true,  false, slack,      false",
        "IDLE,      true,  true,  webhook,    false",
        "DAILY,     true,  true,  api_server, false",
        "SUSPENDED, true,  true,  slack,      true",
        "SUSPENDED, false, false, slack,      true",
        "SUSPENDED, true,  true,  webhook,    true",
    })
    @DisplayName("R6.15 who is told: always after a suspension, else where wanted, active and not excluded")
    void whoIsTold(ResetReason reason, boolean notify, boolean activity, String platform, boolean sent) {
        AppliedPolicy applied = new AppliedPolicy(ResetPolicy.DEFAULT.withNotifyUser(notify), "session_reset");

        assertThat(ResetNotice.of(reason, applied, activity, Platform.of(platform))
                        .isPresent())
                .isEqualTo(sent);
    }

    @ParameterizedTest
    @CsvSource({
        "PT24H,    inactive for 24h",
        "PT1H30M,  inactive for 1h 30m",
        "PT45M,    inactive for 45m",
        "PT1M,     inactive for 1m",
        "PT50H,    inactive for 50h",
        "PT30S,    inactive for 30s",
        "PT0.5S,   inactive for 1s",
    })
    @DisplayName("R6.15 the idle time is told in hours and minutes")
    void theIdleTimeIsToldInHoursAndMinutes(Duration idle, String told) {
        AppliedPolicy applied = new AppliedPolicy(ResetPolicy.DEFAULT.withIdle(idle), "session_reset");

        assertThat(ResetNotice.of(ResetReason.IDLE, applied, true, Platform.SLACK))
                .hasValueSatisfying(text -> assertThat(text).contains("(" + told + ")"));
    }

    @Test
    @DisplayName("R6.15 the notice says why, that the history is cleared, how to get it back and where to tune")
    void theNoticeSaysAllThatIsNeeded() {
        assertThat(ResetNotice.of(ResetReason.DAILY, APPLIED, true, Platform.SLACK))
                .contains(
                        "Your session was reset automatically (daily schedule at 4:00): conversation history cleared. "
                                + "Use /resume to go back to the previous session. (For the operator: platforms.slack.session_reset says "
                                + "when sessions end.)");
    }

    @Test
    @DisplayName("R6.15 after a suspension no setting is named, as none would have prevented it")
    void afterASuspensionNoSettingIsNamed() {
        assertThat(ResetNotice.of(ResetReason.SUSPENDED, APPLIED, true, Platform.SLACK))
                .contains("Your session was reset automatically (it was stopped or interrupted): conversation history "
                        + "cleared. Use /resume to go back to the previous session.");
    }
}
