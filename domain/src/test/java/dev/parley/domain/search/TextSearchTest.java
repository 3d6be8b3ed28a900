package dev.parley.domain.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries as they are looked for in texts without an index (storage 1.4, 5). */
class TextSearchTest {
    @ParameterizedTest(name = "{0} in \"{1}\": {2}")
    @DisplayName("storage 5.2: what a query finds in a text")
    @CsvSource({
        "cafe, a Café!, true",
        "CAFÉ, a cafe, true",
        "caf*, Cafe\u0301s, true",
        "caf, Café, false",
        "cafe, Cafe\u0301, true",
        "deploy, deployed, false",
        "deploy*, deployed, true",
        "chat-send, chat  send, true",
        "chat-send, send chat, false",
        "chat send, send the chat, true",
        "chat NOT send, send the chat, false",
        "chat OR none, the chat, true",
        "sp_new, sp new1, false",
        "sp_new*, sp new1, true",
        "stra, Straße, false",
        "stra*, Straße, true",
        "x², a x² b, true",
        "大别山, 去大别山吧, true",
        "大别山, 去大别吧, false",
        "大别山项目, Agent大别山项目, true",
        "漓江, 去漓江, true",
        "agent的聊天, AGENT的聊天, true"
    })
    void whatAQueryFinds(String query, String text, boolean found) {
        assertThat(new SearchedText(TextSearch.of(query).orElseThrow(), text).matches())
                .isEqualTo(found);
    }

    @Test
    void aQueryThatAsksForNothingIsNone() {
        assertThat(TextSearch.of("***")).isEmpty();
        assertThat(TextSearch.of(" ")).isEmpty();
    }

    @Test
    void everyOccurrenceOfAPhraseIsCounted() {
        TextSearch search = TextSearch.of("\"docker build\"").orElseThrow();
        SearchedText text = new SearchedText(search, "Docker build, docker run, docker BUILD");
        assertThat(text.occurrences(search.wanted().get(0))).isEqualTo(2);
        assertThat(text.size()).isEqualTo(6);
    }

    @Test
    @DisplayName("storage 5.4: a snippet is about forty words around the matches, with the matches marked")
    void aSnippetShowsTheMatches() {
        TextSearch search = TextSearch.of("needle").orElseThrow();
        assertThat(new SearchedText(search, "one Needle two").snippet()).isEqualTo("one >>>Needle<<< two");
        String hay = "hay ".repeat(100);
        String snippet = new SearchedText(search, hay + "needle " + hay).snippet();
        assertThat(snippet).startsWith("...").endsWith("...").contains(">>>needle<<<");
        assertThat(snippet.split(" ")).hasSize(40);
    }
}
