package dev.parley.domain.reset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResetPoliciesTest {
    private static final ResetPolicy ONE = ResetPolicy.DEFAULT.withAtHour(1);
    private static final ResetPolicy TWO = ResetPolicy.DEFAULT.withAtHour(2);
    private static final ResetPolicy THREE = ResetPolicy.DEFAULT.withAtHour(3);

    private final ResetPolicies policies =
            ResetPolicies.of(ONE).withType(ChatType.GROUP, TWO).withPlatform(Platform.TELEGRAM, THREE);

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "telegram, group,   3, platforms.telegram.session_reset",
                "telegram, dm,      3, platforms.telegram.session_reset",
                "slack,    group,   2, reset_by_type.group",
                "-,        group,   2, reset_by_type.group",
                "slack,    channel, 1, session_reset",
                "slack,    Group,   1, session_reset",
                "-,        dm,      1, session_reset",
            })
    @DisplayName("R6.8 the platform's policy comes first, then the chat type's, then the default; each says its origin")
    void thePlatformComesFirst(@Nullable String platform, String type, int hour, String origin) {
        AppliedPolicy applied = policies.select(Optional.ofNullable(platform).map(Platform::of), ChatType.of(type));

        assertThat(applied).isEqualTo(new AppliedPolicy(ResetPolicy.DEFAULT.withAtHour(hour), origin));
    }

    @Test
    @DisplayName("R6.8 an override replaces the whole policy; nothing of the default shines through")
    void anOverrideReplacesTheWholePolicy() {
        ResetPolicies overridden = ResetPolicies.of(ResetPolicy.DEFAULT.withNotifyUser(false))
                .withPlatform(Platform.SLACK, ResetPolicy.DEFAULT.withMode(ResetMode.NONE));

        assertThat(overridden
                        .select(Optional.of(Platform.SLACK), ChatType.DM)
                        .policy()
                        .notifyUser())
                .isTrue();
    }

    @Test
    @DisplayName("R6.8 a platform's policy may come from another configuration path")
    void aPlatformsPolicyMayComeFromAnotherPath() {
        AppliedPolicy legacy = new AppliedPolicy(TWO, "reset_by_platform.irc");
        ResetPolicies other = new ResetPolicies(ONE, Map.of(Platform.of("irc"), legacy), Map.of());

        assertThat(other.select(Optional.of(Platform.of("IRC")), ChatType.DM)).isEqualTo(legacy);
    }

    @Test
    void anOriginIsNeverBlank() {
        assertThatIllegalArgumentException().isThrownBy(() -> new AppliedPolicy(ONE, " "));
    }
}
