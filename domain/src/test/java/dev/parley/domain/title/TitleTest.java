package dev.parley.domain.title;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.domain.text.Blanks;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Storage 3.3: how a title is cleaned. */
class TitleTest {
    private static final String ROCKET = "\uD83D\uDE80";

    @ParameterizedTest(name = "[{index}]")
    @DisplayName("storage 3.3: the examples of the rule are cleaned as it says")
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "'  hello   world '|hello world",
                "'hello\t\nworld'|hello world",
                "'hello\r\nworld'|hello world",
                "'hello\u0000world'|helloworld",
                "'a\u000Bb'|ab",
                "'a\u000Cb'|ab",
                "'a\u0085b'|a b",
                "'a\u00A0\u00A0b'|a b",
                "'a\u2007b'|a b",
                "'a\u202Fb'|a b",
                "'a\u3000b'|a b",
                "'a\u2028b'|ab",
                "'a\u2029b'|ab",
                "'\u0007\btest\u001b'|test",
                "'hello\u200bworld'|helloworld",
                "'hello\u202eworld'|helloworld",
                "'a\u2066b\u2069c'|abc",
                "'a\uFFFCb'|ab",
                "'a\uFEFFb'|ab",
                "'\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67'|\uD83D\uDC68\uD83D\uDC69\uD83D\uDC67",
                "'a \u200b b'|a b",
            })
    void examplesAreCleaned(String given, String expected) {
        assertThat(Title.clean(given)).contains(expected);
    }

    @ParameterizedTest(name = "[{index}]")
    @DisplayName("storage 3.3: what only looks like white space or control stays")
    @ValueSource(
            strings = {
                "a\u0080b",
                "a\u009Fb",
                "a\u00ADb",
                "a\u061Cb",
                "a\u180Eb",
                "a\uFE0Fb",
                "a\uFFFDb",
                "a\uE000b",
                "a\uDB40\uDC41b",
                "Fix #2"
            })
    void othersStay(String given) {
        assertThat(Title.clean(given)).contains(given);
    }

    @ParameterizedTest(name = "[{index}]")
    @DisplayName("storage 3.3: where nothing remains there is no title")
    @ValueSource(strings = {"", "   \t\n  ", "\u200F", "\u0000\u0001\u200b\ufeff", "\u3000\u2029\u00A0"})
    void nothingRemains(String given) {
        assertThat(Title.clean(given)).isEmpty();
    }

    @Test
    @DisplayName("storage 3.3: a hundred characters are code points, counted after cleaning, and one more is refused")
    void theLimitCountsCodePointsAfterCleaning() {
        assertThat(Title.clean(" ".repeat(50) + "A".repeat(100) + " ".repeat(50)))
                .contains("A".repeat(100));
        assertThat(Title.clean(ROCKET.repeat(100))).contains(ROCKET.repeat(100));
        assertThatThrownBy(() -> Title.clean(ROCKET.repeat(101)))
                .isInstanceOf(TitleTooLong.class)
                .hasMessage("Title too long (101 chars, max 100)");
    }

    @Test
    @DisplayName(
            "storage 3.3: whatever is given, the result is clean, short enough, and stays as it is when cleaned again")
    void anyTextBecomesClean() {
        Random random = new Random(33);
        String alphabet =
                "aB#9 \t\n\r\u0000\u0007\u000b\u001c\u007f\u0085\u00a0\u00ad\u1680\u180e\u2000\u200a\u200b\u200f"
                        + "\u2028\u202e\u202f\u205f\u2060\u2069\u3000\ufe0f\ufeff\ufff9\ufffc\ufffd\ud83d\ude80\ud800\udc00";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder given = new StringBuilder();
            int length = random.nextInt(140);
            for (int i = 0; i < length; i++) {
                given.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            Optional<String> cleaned;
            try {
                cleaned = Title.clean(given.toString());
            } catch (TitleTooLong tooLong) {
                assertThat(tooLong.length()).isGreaterThan(100).isLessThanOrEqualTo(given.length());
                continue;
            }
            cleaned.ifPresent(title -> {
                assertThat(title.codePointCount(0, title.length())).isBetween(1, 100);
                assertThat(Blanks.trim(title)).isEqualTo(title);
                assertThat(title).doesNotContain("  ", "\t", "\n", "\u200b", "\u2028", "\ufeff", "\u0000");
                assertThat(Title.clean(title)).contains(title);
            });
        }
    }
}
