package dev.parley.domain.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnicodeTest {
    private static final String HIGH = "\ud83d";
    private static final String LOW = "\ude80";

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "\ud83d\ude80", "a\ud83d\ude80b\ud83d\ude80"})
    @DisplayName("Storage 4.1: a text of whole characters stays the same object")
    void whatIsWellFormedStays(String text) {
        assertThat(Unicode.isWellFormed(text)).isTrue();
        assertThat(Unicode.wellFormed(text)).isSameAs(text);
    }

    @Test
    @DisplayName("Storage 4.1: each half of a pair that stands alone becomes U+FFFD, and no whole pair does")
    void halvesAreReplaced() {
        assertThat(Unicode.wellFormed(HIGH)).isEqualTo("\ufffd");
        assertThat(Unicode.wellFormed(LOW)).isEqualTo("\ufffd");
        assertThat(Unicode.wellFormed(LOW + HIGH)).isEqualTo("\ufffd\ufffd");
        assertThat(Unicode.wellFormed(HIGH + HIGH + LOW + LOW)).isEqualTo("\ufffd" + HIGH + LOW + "\ufffd");
        assertThat(Unicode.wellFormed("a" + HIGH + "b")).isEqualTo("a\ufffdb");
        assertThat(Unicode.isWellFormed("a" + HIGH + "b")).isFalse();
    }

    @Test
    @DisplayName("Storage 3.5: only ASCII letters are folded")
    void asciiLetters() {
        assertThat(Ascii.lower("ABC xyz ÄÉ \u212a")).isEqualTo("abc xyz ÄÉ \u212a");
        assertThat(Ascii.lower("done")).isEqualTo("done");
    }
}
