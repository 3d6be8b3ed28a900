package dev.parley.domain.reset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResetPolicyTest {
    @Test
    @DisplayName("R6.1, C1 the default is both, at 4, after 1440 minutes, with notice")
    void theDefault() {
        assertThat(ResetPolicy.DEFAULT)
                .isEqualTo(new ResetPolicy(
                        ResetMode.BOTH,
                        4,
                        Duration.ofHours(24),
                        true,
                        Set.of("webhook", "api_server"),
                        Duration.ofHours(24)));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 24, 100})
    void anHourOutsideTheDayIsRejected(int hour) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResetPolicy.DEFAULT.withAtHour(hour))
                .withMessageContaining(String.valueOf(hour));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void anIdleTimeThatIsNotPositiveIsRejected(long minutes) {
        Duration idle = Duration.ofMinutes(minutes);

        assertThatIllegalArgumentException().isThrownBy(() -> ResetPolicy.DEFAULT.withIdle(idle));
    }

    @Test
    void aMaximumAgeMayBeZeroButNotNegative() {
        assertThat(ResetPolicy.DEFAULT
                        .withBackgroundProcessMaxAge(Duration.ZERO)
                        .backgroundProcessMaxAge())
                .isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResetPolicy.DEFAULT.withBackgroundProcessMaxAge(Duration.ofHours(-1)));
    }

    @Test
    void excludedPlatformsAreCopiedAndInLowerCase() {
        Set<String> names = new LinkedHashSet<>(List.of(" Slack ", "IRC"));
        ResetPolicy policy = ResetPolicy.DEFAULT.withNotifyExcludePlatforms(names);
        names.clear();

        assertThat(policy.notifyExcludePlatforms()).containsExactlyInAnyOrder("irc", "slack");
    }

    @Test
    void eachChangeChangesOneThing() {
        ResetPolicy changed = ResetPolicy.DEFAULT
                .withMode(ResetMode.IDLE)
                .withAtHour(5)
                .withIdle(Duration.ofMinutes(1))
                .withNotifyUser(false)
                .withNotifyExcludePlatforms(Set.of())
                .withBackgroundProcessMaxAge(Duration.ofHours(1));

        assertThat(changed)
                .isEqualTo(new ResetPolicy(
                        ResetMode.IDLE, 5, Duration.ofMinutes(1), false, Set.of(), Duration.ofHours(1)));
    }

    @ParameterizedTest
    @EnumSource(ResetReason.class)
    @DisplayName("R6.6 a reason's text is parsed back to it")
    void aReasonsTextIsParsedBack(ResetReason reason) {
        assertThat(ResetReason.parse(reason.text())).contains(reason);
        assertThat(reason.text()).isLowerCase();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Idle", " idle", "resume_pending_expired"})
    void anyOtherTextIsNoReason(String text) {
        assertThat(ResetReason.parse(text)).isEmpty();
    }
}
