package dev.parley.domain.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionKeyTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "a..b", "..", "/x", "\\x", "a:b", "C:", "é:x"})
    @DisplayName("E2.7 a key that could pass for a path is rejected")
    void aKeyThatCouldPassForAPathIsRejected(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SessionKey.of(value))
                .withMessageContaining(value.isEmpty() ? "empty" : "'" + value + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agent:main:telegram:dm:99",
                "agent:main:google_chat:group:spaces/AAA/threads/b",
                "a.b.c",
                "1:x",
                "ab:c",
                "x"
            })
    @DisplayName("E2.7 every other key is kept as it is, slashes inside included")
    void everyOtherKeyIsKept(String value) {
        assertThat(SessionKey.of(value).value()).isEqualTo(value);
        assertThat(SessionKey.of(value)).hasToString(value);
    }

    @Test
    void theMessageShowsTheKeyOnOneLine() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SessionKey.of("/x\ny"))
                .withMessage("Session key '/x y' starts with a slash");
    }

    @Test
    void keysAreOrderedByValue() {
        assertThat(SessionKey.of("agent:a")).isLessThan(SessionKey.of("agent:b"));
    }
}
