package dev.parley.domain.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("storage 5.2 and 5.5: what a query means")
class SearchSyntaxTest {

    @ParameterizedTest
    @MethodSource("queries")
    void aQueryIsSanitisedAsTheTableSays(String typed, String sanitised, Outcome outcome) {
        assertThat(SearchSyntax.sanitise(typed)).isEqualTo(sanitised);
        assertThat(SearchSyntax.parse(sanitised).isPresent()).isEqualTo(outcome == Outcome.RUNS);
    }

    @ParameterizedTest
    @CsvSource({
        "大别山项目, TRIGRAMS",
        "记忆, SCAN",
        "山, SCAN",
        "。, SCAN",
        "Agent通信, SCAN",
        "agent的聊天, TRIGRAMS",
        "100%完成, SCAN",
        "Agent 聊天记录, TRIGRAMS",
        "大别山 OR 断裂连接, TRIGRAMS",
        "通信 旅游, SCAN",
        "通信_协议, TRIGRAMS",
        "漓江, SCAN",
        "项目 docker, SCAN",
        "docker\u3000deploy, SCAN",
        "docker, WORDS"
    })
    void aQueryIsComparedByWordsOrCharacters(String typed, SearchSyntax.Route route) {
        assertThat(SearchSyntax.route(SearchSyntax.sanitise(typed))).isEqualTo(route);
    }

    @Test
    void aBlankBindsTighterThanNotThanAndThanOr() {
        assertThat(SearchSyntax.parse("a b NOT c AND d OR e"))
                .contains(new SearchTerms.Either(
                        new SearchTerms.Both(
                                new SearchTerms.Without(
                                        new SearchTerms.Together(List.of(word("a"), word("b"))), word("c")),
                                word("d")),
                        word("e")));
    }

    @Test
    void aStarMakesThePrefixOfAWordOrOfTheLastWordOfAPhrase() {
        assertThat(SearchSyntax.parse("foo*")).contains(new SearchTerms.Phrase("foo", true));
        assertThat(SearchSyntax.parse("\"docker deploy\"*")).contains(new SearchTerms.Phrase("docker deploy", true));
    }

    @Test
    void aRefusedQueryIsReadAsPhrasesWithOperatorsOnlyBetweenThem() {
        assertThat(SearchSyntax.parseLeniently("AND don't OR a,b* NOT"))
                .contains(new SearchTerms.Either(word("don't"), new SearchTerms.Phrase("a,b", true)));
        assertThat(SearchSyntax.parseLeniently("OR")).isEmpty();
    }

    @Test
    void ofSeveralOperatorsInARowNotCountsElseTheFirst() {
        assertThat(SearchSyntax.parseLeniently("a AND NOT b,"))
                .contains(new SearchTerms.Without(word("a"), word("b,")));
        assertThat(SearchSyntax.parseLeniently("a OR AND b,")).contains(new SearchTerms.Either(word("a"), word("b,")));
    }

    @Test
    void aPhraseStaysWholeWhereAQueryIsReadLeniently() {
        assertThat(SearchSyntax.parseLeniently("\"docker deploy\"* what?"))
                .contains(new SearchTerms.Together(
                        java.util.List.of(new SearchTerms.Phrase("docker deploy", true), word("what?"))));
        assertThat(SearchSyntax.parseLeniently("path/to/\"file.py\"")).contains(word("path/to/file.py"));
    }

    @Test
    void quotedPhrasesOfCharactersStayWhole() {
        assertThat(SearchSyntax.parseSubstrings("\"甲乙 丙\" OR \"丁戊己\"", false))
                .contains(new SearchTerms.Either(word("甲乙 丙"), word("丁戊己")));
        assertThat(SearchSyntax.parseSubstrings("大别山*", false)).contains(word("大别山"));
    }

    @Test
    void aBlankBetweenShortCharactersAsksForEither() {
        assertThat(SearchSyntax.parseSubstrings("通信 旅游", true))
                .contains(new SearchTerms.Either(word("通信"), word("旅游")));
        assertThat(SearchSyntax.parseSubstrings("通信 AND 旅游", true))
                .contains(new SearchTerms.Both(word("通信"), word("旅游")));
    }

    @Test
    void unwantedPhrasesAreNotAmongTheWanted() {
        assertThat(SearchSyntax.parse("a OR b NOT c").orElseThrow().wantedPhrases())
                .containsExactly(new SearchTerms.Phrase("a", false), new SearchTerms.Phrase("b", false));
    }

    @Test
    void noTextMakesTheReaderFail() {
        Random random = new Random(5);
        String alphabet = "ab \"*+-._ANDORT(){}^:大别山\t\u0000\uD83D\uDE80";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder typed = new StringBuilder();
            for (int n = random.nextInt(14); n > 0; n--) {
                typed.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String sanitised = SearchSyntax.sanitise(typed.toString());
            SearchSyntax.route(sanitised);
            SearchSyntax.parse(sanitised)
                    .ifPresent(terms -> assertThat(terms.wantedPhrases()).isNotEmpty());
            SearchSyntax.parseLeniently(sanitised);
            SearchSyntax.parseSubstrings(sanitised, true);
        }
    }

    private static SearchTerms.Phrase word(String text) {
        return new SearchTerms.Phrase(text, false);
    }

    private enum Outcome {
        RUNS,
        WRONG,
        EMPTY
    }

    private static Stream<Arguments> queries() {
        return Stream.of(
                arguments("hello world", "hello world", Outcome.RUNS),
                arguments("  spaced   out  ", "spaced   out", Outcome.RUNS),
                arguments("", "", Outcome.EMPTY),
                arguments("   ", "", Outcome.EMPTY),
                arguments("C++", "C", Outcome.RUNS),
                arguments("C#", "C#", Outcome.WRONG),
                arguments("\"unterminated", "unterminated", Outcome.RUNS),
                arguments("(problem", "problem", Outcome.RUNS),
                arguments("{test}", "test", Outcome.RUNS),
                arguments("^foo", "foo", Outcome.RUNS),
                arguments("foo^2", "foo 2", Outcome.RUNS),
                arguments("a + b", "a   b", Outcome.RUNS),
                arguments("\"a\" + \"b\"", "\"a\"   \"b\"", Outcome.RUNS),
                arguments("a\"b", "a b", Outcome.RUNS),
                arguments("a \"b c\" \"d", "a \"b c\"  d", Outcome.RUNS),
                arguments("\"exact phrase\"", "\"exact phrase\"", Outcome.RUNS),
                arguments("\"docker networking\" setup", "\"docker networking\" setup", Outcome.RUNS),
                arguments("\"hello world\" OR \"foo bar\"", "\"hello world\" OR \"foo bar\"", Outcome.RUNS),
                arguments("\"\" foo", "\"\" foo", Outcome.RUNS),
                arguments("\"docker deploy\"*", "\"docker deploy\"*", Outcome.RUNS),
                arguments("hello AND", "hello", Outcome.RUNS),
                arguments("hello and", "hello", Outcome.RUNS),
                arguments("OR world", "world", Outcome.RUNS),
                arguments("NOT java", "java", Outcome.RUNS),
                arguments("not working", "working", Outcome.RUNS),
                arguments("android", "android", Outcome.RUNS),
                arguments("AND", "", Outcome.EMPTY),
                arguments("AND AND foo", "AND foo", Outcome.WRONG),
                arguments("OR OR", "OR", Outcome.WRONG),
                arguments("hello AND NOT", "hello AND", Outcome.WRONG),
                arguments("a AND OR b", "a AND OR b", Outcome.WRONG),
                arguments("AND-gate", "-gate", Outcome.WRONG),
                arguments("python NOT java", "python NOT java", Outcome.RUNS),
                arguments("(python OR docker) AND java", "python OR docker  AND java", Outcome.RUNS),
                arguments("NEAR(a b, 5)", "NEAR a b, 5", Outcome.WRONG),
                arguments("deploy*", "deploy*", Outcome.RUNS),
                arguments("***", "", Outcome.EMPTY),
                arguments("* foo", "foo", Outcome.RUNS),
                arguments("foo * bar", "foo  bar", Outcome.RUNS),
                arguments("foo**", "foo*", Outcome.RUNS),
                arguments("docker*deploy", "docker*deploy", Outcome.RUNS),
                arguments("chat-send", "\"chat-send\"", Outcome.RUNS),
                arguments("\"chat-send\"", "\"chat-send\"", Outcome.RUNS),
                arguments("\"my chat-send thing\"", "\"my chat-send thing\"", Outcome.RUNS),
                arguments("fix chat-send bug", "fix \"chat-send\" bug", Outcome.RUNS),
                arguments("docker-compose-up", "\"docker-compose-up\"", Outcome.RUNS),
                arguments("chat-send OR deploy-prod", "\"chat-send\" OR \"deploy-prod\"", Outcome.RUNS),
                arguments("P2.2", "\"P2.2\"", Outcome.RUNS),
                arguments("simulate.p2.test.ts", "\"simulate.p2.test.ts\"", Outcome.RUNS),
                arguments("my-app.config.ts", "\"my-app.config.ts\"", Outcome.RUNS),
                arguments("sp_new", "\"sp_new\"", Outcome.RUNS),
                arguments("docker-compose_up", "\"docker-compose_up\"", Outcome.RUNS),
                arguments("foo-bar*", "\"foo-bar\"*", Outcome.RUNS),
                arguments("a.b.", "\"a.b\".", Outcome.WRONG),
                arguments(".env", ".env", Outcome.WRONG),
                arguments("-foo", "-foo", Outcome.WRONG),
                arguments("foo-", "foo-", Outcome.WRONG),
                arguments("--verbose", "--verbose", Outcome.WRONG),
                arguments("foo--bar", "foo--bar", Outcome.WRONG),
                arguments("__init__", "\"__init__\"", Outcome.RUNS),
                arguments("_foo", "_foo", Outcome.RUNS),
                arguments("foo_", "foo_", Outcome.RUNS),
                arguments("naïve-café", "\"naïve-café\"", Outcome.RUNS),
                arguments("sp_new and 血管瘤", "\"sp_new\" and 血管瘤", Outcome.RUNS),
                arguments("通信_协议", "\"通信_协议\"", Outcome.RUNS),
                arguments("user@example.com", "user@\"example.com\"", Outcome.WRONG),
                arguments("path/to/file.py", "path/to/\"file.py\"", Outcome.WRONG),
                arguments("don't", "don't", Outcome.WRONG),
                arguments("what?", "what?", Outcome.WRONG),
                arguments("a,b", "a,b", Outcome.WRONG),
                arguments("50%", "50%", Outcome.WRONG),
                arguments("#123", "#123", Outcome.WRONG),
                arguments("TODO: fix", "TODO: fix", Outcome.WRONG),
                arguments("content:todo", "content:todo", Outcome.RUNS),
                arguments("a;b", "a;b", Outcome.WRONG),
                arguments("$HOME", "$HOME", Outcome.WRONG),
                arguments("a!", "a!", Outcome.WRONG),
                arguments("🚀 launch", "🚀 launch", Outcome.RUNS));
    }
}
