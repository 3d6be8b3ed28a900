package dev.parley.persistence.sqlite.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a query is taken apart and which path answers it (storage 5.1, 5.5). */
class SearchTermsTest {

    /** The table of storage 5.5. */
    @ParameterizedTest
    @CsvSource({
        "大别山项目, trigram",
        "记忆, like",
        "山, like",
        "。, like",
        "Agent通信, like",
        "agent的聊天, trigram",
        "100%完成, like",
        "Agent 聊天记录, trigram",
        "大别山 OR 断裂连接, trigram",
        "大别山 NOT 计划书, trigram",
        "通信 旅游, like",
        "通信_协议, trigram",
        "漓江, like",
        "截图, like",
        "项目 docker, like",
        "docker, fts",
        "docker\u3000deploy, like",
        "ＡＢＣ，, fts",
    })
    void aQueryIsRoutedByItsShortestChineseWord(String query, String path) {
        SearchPlan plan = SearchPlan.of(query, Optional.of(IndexForm.SHARED));

        String taken = plan instanceof SearchPlan.Match match
                ? match.table().equals(SearchIndex.WORDS) ? "fts" : "trigram"
                : "like";
        assertThat(taken).isEqualTo(path);
    }

    /** storage 5.5: a phrase is one term, spaces included, and a trailing star falls away. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "大别山 通信协议, \"大别山\" \"通信协议\"",
                "大别山 NOT 计划书, \"大别山\" NOT \"计划书\"",
                "\"甲乙丙\" OR \"丁戊己\", \"甲乙丙\" OR \"丁戊己\"",
                "\"通信 协议\", \"通信 协议\"",
                "大别山*, \"大别山\"",
                "大别山 and 计划书, \"大别山\" \"and\" \"计划书\"",
                "大别山 AND NOT 计划书, \"大别山\" NOT \"计划书\"",
                "大别山 OR OR 计划书, \"大别山\" OR \"计划书\"",
            })
    void theIndexOfSubstringsIsAskedForPhrases(String query, String match) {
        assertThat(SearchPlan.of(query, Optional.of(IndexForm.SHARED)))
                .isEqualTo(new SearchPlan.Match(SearchIndex.TRIGRAMS, match, Optional.empty()));
    }

    /** storage 5.1: what the index may not understand is asked again with every term quoted. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "don't, \"don't\"",
                "path/to/file.py, \"path/to/file.py\"",
                "AND AND foo, \"foo\"",
                "a AND OR b, \"a\" AND \"b\"",
                "deploy* TODO:, \"deploy\"* \"TODO:\"",
                "\"docker deploy\"* what?, \"docker deploy\"* \"what?\"",
                "C#, \"C#\"",
                "foo -- bar, \"foo\" \"bar\"",
            })
    void theRetryQuotesEveryTerm(String query, String retry) {
        assertThat(SearchPlan.of(query, Optional.of(IndexForm.SHARED)))
                .isInstanceOfSatisfying(
                        SearchPlan.Match.class,
                        match -> assertThat(match.retry()).contains(retry));
    }

    @Test
    void aQueryOfSignsOnlyHasNoRetry() {
        assertThat(SearchPlan.of("-- ?!", Optional.of(IndexForm.SHARED)))
                .isEqualTo(new SearchPlan.Match(SearchIndex.WORDS, "-- ?!", Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {"`   `", "***", "\"\"", "AND", "\"  \""})
    void aQueryWithoutAnyTermAsksNothing(String query) {
        assertThat(SearchPlan.of(query, Optional.of(IndexForm.SHARED))).isEqualTo(new SearchPlan.Nothing());
    }
}
