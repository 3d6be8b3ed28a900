package dev.parley.persistence.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.domain.title.Title;
import dev.parley.domain.title.TitleLineage;
import dev.parley.domain.title.TitleTooLong;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Titles of any bytes: clean or too long, and clean titles stay what they are (storage 3.3, 3.4). */
class TitleFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void anyTitleIsCleaned(byte[] typed) {
        String text = new String(typed, StandardCharsets.UTF_8);
        try {
            Title.clean(text).ifPresent(TitleFuzzTest::assertStays);
        } catch (TitleTooLong refused) {
            assertThat(refused).hasMessageContaining("max " + Title.MAX_LENGTH);
        }
    }

    private static void assertStays(String clean) {
        assertThat(Title.clean(clean)).contains(clean);
        assertThat(clean.codePointCount(0, clean.length())).isBetween(1, Title.MAX_LENGTH);
        assertThat(TitleLineage.next(clean, List.of(clean))).isNotEqualTo(clean);
    }
}
