package dev.parley.domain.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UntrustedTextTest {
    @ParameterizedTest
    @MethodSource
    @DisplayName("X9.6 untrusted text becomes one JSON string literal")
    void untrustedTextBecomesOneLiteral(String text, String literal) {
        assertThat(UntrustedText.quote(text)).isEqualTo(literal);
    }

    static Stream<Arguments> untrustedTextBecomesOneLiteral() {
        return Stream.of(
                Arguments.of("Ops", "\"Ops\""),
                Arguments.of("Ops\"\n## X", "\"Ops\\\"\\n## X\""),
                Arguments.of("a\r\nb\rc", "\"a\\nb\\nc\""),
                Arguments.of(" \n Ops \t", "\"Ops\""),
                Arguments.of("a\tb", "\"a\\tb\""),
                Arguments.of("a\u0000b\u001bc", "\"a b c\""),
                Arguments.of("a\\b", "\"a\\\\b\""),
                Arguments.of("Grüße 😀 日本", "\"Grüße 😀 日本\""),
                Arguments.of("a\u0085b\u2028c\u2029d", "\"a\\u0085b\\u2028c\\u2029d\""),
                Arguments.of("half \ud800 pair", "\"half \\ud800 pair\""),
                Arguments.of("half \udfff pair", "\"half \\udfff pair\""),
                Arguments.of("", "\"\""));
    }

    @Test
    @DisplayName("X9.6 what is longer than 240 code points is cut to 237 and three dots")
    void longTextIsCut() {
        assertThat(UntrustedText.quote("x".repeat(240))).isEqualTo("\"" + "x".repeat(240) + "\"");
        assertThat(UntrustedText.quote("x".repeat(241))).isEqualTo("\"" + "x".repeat(237) + "...\"");
        assertThat(UntrustedText.quote("😀".repeat(240))).isEqualTo("\"" + "😀".repeat(240) + "\"");
        assertThat(UntrustedText.quote("😀".repeat(241))).isEqualTo("\"" + "😀".repeat(237) + "...\"");
        assertThat(UntrustedText.quote(" ".repeat(300) + "x")).isEqualTo("\"x\"");
    }

    @ParameterizedTest
    @ValueSource(longs = {81, 82, 83})
    @DisplayName("X9.6 no text whatever breaks out of its line or its quotes")
    void noTextBreaksOut(long seed) {
        Random random = new Random(seed);
        int[] awkward = {'"', '\\', '\n', '\r', '\t', 0, 0x1b, 0x85, 0x2028, 0xd800, 0xdfff, 0x1f600, 'a', ' '};
        for (int i = 0; i < 500; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(300); length > 0; length--) {
                text.appendCodePoint(awkward[random.nextInt(awkward.length)]);
            }

            String literal = UntrustedText.quote(text.toString());

            assertThat(literal.lines()).hasSize(1);
            assertThat(literal).startsWith("\"").endsWith("\"").matches("(?s)\"([^\"\\\\]|\\\\[\"\\\\ntu])*\"");
        }
    }
}
