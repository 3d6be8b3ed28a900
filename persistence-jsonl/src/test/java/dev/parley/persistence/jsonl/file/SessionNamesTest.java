package dev.parley.persistence.jsonl.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.InvalidRequest;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("storage 7.2, 7.3: names of session files")
class SessionNamesTest {
    private static final SessionNames NAMES = SessionNames.of("crab", "tg-1");

    static Stream<Arguments> recordedSlugs() throws IOException {
        return Expected.stream("slugs")
                .map(pair -> Arguments.of(pair.get(0).asText(), pair.get(1).asText()));
    }

    @ParameterizedTest
    @MethodSource("recordedSlugs")
    void aSlugIsTheOneThatWasRecorded(String text, String slug) {
        assertThat(SessionNames.slugOf(text)).isEqualTo(slug);
    }

    @ParameterizedTest
    @CsvSource({"a::b,a-b", ":::,''", "A_B,a-b", "..,''", "ÉCOLE,École", "x²,x²", "日本 太郎,日本-太郎"})
    void aSlugKeepsLettersAndDigitsAndJoinsThemByHyphens(String text, String slug) {
        assertThat(SessionNames.slugOf(text)).isEqualTo(slug);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "a\\b", "a\0"})
    void anAgentThatCannotBePartOfANameIsRefused(String agent) {
        assertThatThrownBy(() -> SessionNames.of(agent, "user")).isInstanceOf(InvalidRequest.class);
    }

    @ParameterizedTest
    @CsvSource({
        "crab_tg-1_1.jsonl,My Chat!,crab_tg-1_1_my-chat.jsonl",
        "crab_tg-1_1_my-chat.jsonl,other,crab_tg-1_1_other.jsonl",
        "crab_tg-1_1_my-chat.jsonl,!!!,crab_tg-1_1.jsonl",
        "crab_tg-1_1_my-chat_older.jsonl,new,crab_tg-1_1_new.jsonl"
    })
    void aTitleTakesThePlaceOfTheOneBefore(String name, String title, String titled) {
        assertThat(NAMES.titled(name, title)).isEqualTo(titled);
    }

    @Test
    void aLongTitleIsCutBetweenCharacters() {
        assertThat(NAMES.titled("crab_tg-1_1.jsonl", "a".repeat(100)))
                .isEqualTo("crab_tg-1_1_" + "a".repeat(60) + ".jsonl");
        assertThat(NAMES.titled("crab_tg-1_1.jsonl", "日".repeat(100)))
                .isEqualTo("crab_tg-1_1_" + "日".repeat(50) + ".jsonl");
    }

    @ParameterizedTest
    @CsvSource({
        "crab_tg-1_12abc.jsonl,12",
        "crab_tg-1_007.jsonl,7",
        "crab_tg-1_4294967295.jsonl,4294967295",
        "crab_tg-1_0_title.jsonl,0"
    })
    void theNumberIsTheRunOfDigitsBehindThePrefix(String name, long number) {
        assertThat(NAMES.numberOf(name)).hasValue(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "crab_tg-1_x.jsonl",
                "crab_tg-1_4294967296.jsonl",
                "crab_tg-1_1.txt",
                "crab_tg-1_1.jsonl.bak",
                "Crab_tg-1_1.jsonl",
                "crab_tg-12_1.jsonl"
            })
    void otherNamesHaveNoNumber(String name) {
        assertThat(NAMES.numberOf(name)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "crab_tg-1_1.jsonl,crab,tg-1",
        "crab_tg-1_1_my-chat.jsonl,crab,tg-1",
        "crab__1.jsonl,crab,''",
        "anything.jsonl,'',''"
    })
    void aNameTellsAgentAndSender(String name, String agent, String slug) {
        assertThat(SessionNames.partsOf(name)).containsExactly(agent, slug);
    }

    /** What the original program answered, kept with the tests. */
    static final class Expected {
        private Expected() {}

        static Stream<JsonNode> stream(String part) throws IOException {
            try (var in = SessionNamesTest.class.getResourceAsStream("/session-files-expected.json")) {
                JsonNode list = new com.fasterxml.jackson.databind.ObjectMapper()
                        .readTree(in)
                        .get(part);
                return Stream.iterate(0, i -> i < list.size(), i -> i + 1).map(list::get);
            }
        }
    }
}
