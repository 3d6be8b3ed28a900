package dev.parley.domain.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionIdTest {
    @Test
    @DisplayName("E2.3: a gateway's id is the local time and eight digits")
    void aGatewaysIdIsTheLocalTimeAndEightDigits() {
        Instant begun = Instant.parse("2026-03-10T23:05:09.999999Z");

        assertThat(SessionId.begunAt(begun, ZoneId.of("Europe/Berlin"), "0a1b2c3d")
                        .value())
                .isEqualTo("20260311_000509_0a1b2c3d");
        assertThat(SessionId.begunAt(begun, ZoneId.of("America/New_York"), "ffffffff")
                        .value())
                .isEqualTo("20260310_190509_ffffffff");
    }

    @ParameterizedTest
    @DisplayName("E2.6: ids of other systems are accepted as they are")
    @ValueSource(
            strings = {
                "20260310_000509_0a1b2c3d",
                "20260310_000509_0a1b2c",
                "x",
                "a.b",
                ".hidden",
                "1:2",
                "日本語 🚀",
                "name with spaces",
                "%2e%2e"
            })
    void idsOfOtherSystemsAreAccepted(String id) {
        assertThat(SessionId.of(id).value()).isEqualTo(id);
        assertThat(SessionId.of(id)).hasToString(id);
        assertThat(SessionId.isSafe(id)).isTrue();
    }

    @ParameterizedTest
    @DisplayName("E2.6: ids that could leave a directory are refused")
    @ValueSource(
            strings = {
                "",
                "..",
                "a..b",
                "../x",
                "a/b",
                "/etc/passwd",
                "a\\b",
                "\\\\host\\share",
                "C:",
                "c:x",
                "é:x",
                "a\nb",
                "a\u0000b",
                "\u007f"
            })
    void idsThatCouldLeaveADirectoryAreRefused(String id) {
        assertThat(SessionId.isSafe(id)).isFalse();
        assertThatThrownBy(() -> SessionId.of(id)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whyAnIdIsRefusedIsSaidOnOneLine() {
        assertThatThrownBy(() -> SessionId.of("a\nb"))
                .hasMessageStartingWith("The session id 'a b' is not usable: ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void idsAreOrderedByTheirText() {
        assertThat(SessionId.of("a")).isLessThan(SessionId.of("b")).isEqualByComparingTo(SessionId.of("a"));
    }
}
