package dev.parley.domain.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class OneLineTest {
    @Test
    void aQuotedValueStaysOnOneLine() {
        assertThat(OneLine.quoted("a\r\nb\u0000c\u2028d\u0085e")).isEqualTo("'a  b c d e'");
    }

    @Test
    void aQuotedValueIsCutAfterEightyCodePoints() {
        assertThat(OneLine.quoted("x".repeat(80))).isEqualTo("'" + "x".repeat(80) + "'");
        assertThat(OneLine.quoted("x".repeat(81))).isEqualTo("'" + "x".repeat(77) + "...'");
    }

    @Test
    void aCutCountsCodePointsAndNeverSplitsAPair() {
        assertThat(OneLine.cut("😀😀😀😀😀", 5)).isEqualTo("😀😀😀😀😀");
        assertThat(OneLine.cut("😀😀😀😀😀😀", 5)).isEqualTo("😀😀...");
    }

    @Test
    void theShortestCutIsThreeDots() {
        assertThat(OneLine.cut("abcd", 3)).isEqualTo("...");
        assertThat(OneLine.cut("abc", 3)).isEqualTo("abc");
    }

    @Test
    void aCutNeedsRoomForItsDots() {
        assertThatIllegalArgumentException().isThrownBy(() -> OneLine.cut("abc", 2));
    }
}
