package dev.parley.domain.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is done to a typed query before it is matched (storage 5.2). */
class SanitisedQueryTest {
    /** The whole table of storage 5.2. */
    static Stream<Arguments> table() {
        return Stream.of(
                Arguments.of("hello world", "hello world"),
                Arguments.of("  spaced   out  ", "spaced   out"),
                Arguments.of("", ""),
                Arguments.of("   ", ""),
                Arguments.of("C++", "C"),
                Arguments.of("C#", "C#"),
                Arguments.of("\"unterminated", "unterminated"),
                Arguments.of("(problem", "problem"),
                Arguments.of("{test}", "test"),
                Arguments.of("^foo", "foo"),
                Arguments.of("foo^2", "foo 2"),
                Arguments.of("a + b", "a   b"),
                Arguments.of("\"a\" + \"b\"", "\"a\"   \"b\""),
                Arguments.of("a\"b", "a b"),
                Arguments.of("a \"b c\" \"d", "a \"b c\"  d"),
                Arguments.of("\"exact phrase\"", "\"exact phrase\""),
                Arguments.of("\"docker networking\" setup", "\"docker networking\" setup"),
                Arguments.of("\"hello world\" OR \"foo bar\"", "\"hello world\" OR \"foo bar\""),
                Arguments.of("\"\" foo", "\"\" foo"),
                Arguments.of("\"docker deploy\"*", "\"docker deploy\"*"),
                Arguments.of("hello AND", "hello"),
                Arguments.of("hello and", "hello"),
                Arguments.of("OR world", "world"),
                Arguments.of("NOT java", "java"),
                Arguments.of("not working", "working"),
                Arguments.of("android", "android"),
                Arguments.of("AND", ""),
                Arguments.of("AND AND foo", "AND foo"),
                Arguments.of("OR OR", "OR"),
                Arguments.of("hello AND NOT", "hello AND"),
                Arguments.of("a AND OR b", "a AND OR b"),
                Arguments.of("AND-gate", "-gate"),
                Arguments.of("python NOT java", "python NOT java"),
                Arguments.of("(python OR docker) AND java", "python OR docker  AND java"),
                Arguments.of("NEAR(a b, 5)", "NEAR a b, 5"),
                Arguments.of("deploy*", "deploy*"),
                Arguments.of("***", ""),
                Arguments.of("* foo", "foo"),
                Arguments.of("foo * bar", "foo  bar"),
                Arguments.of("foo**", "foo*"),
                Arguments.of("docker*deploy", "docker*deploy"),
                Arguments.of("chat-send", "\"chat-send\""),
                Arguments.of("\"chat-send\"", "\"chat-send\""),
                Arguments.of("\"my chat-send thing\"", "\"my chat-send thing\""),
                Arguments.of("fix chat-send bug", "fix \"chat-send\" bug"),
                Arguments.of("docker-compose-up", "\"docker-compose-up\""),
                Arguments.of("chat-send OR deploy-prod", "\"chat-send\" OR \"deploy-prod\""),
                Arguments.of("P2.2", "\"P2.2\""),
                Arguments.of("simulate.p2.test.ts", "\"simulate.p2.test.ts\""),
                Arguments.of("my-app.config.ts", "\"my-app.config.ts\""),
                Arguments.of("sp_new", "\"sp_new\""),
                Arguments.of("docker-compose_up", "\"docker-compose_up\""),
                Arguments.of("foo-bar*", "\"foo-bar\"*"),
                Arguments.of("a.b.", "\"a.b\"."),
                Arguments.of(".env", ".env"),
                Arguments.of("-foo", "-foo"),
                Arguments.of("foo-", "foo-"),
                Arguments.of("--verbose", "--verbose"),
                Arguments.of("foo--bar", "foo--bar"),
                Arguments.of("__init__", "\"__init__\""),
                Arguments.of("_foo", "_foo"),
                Arguments.of("foo_", "foo_"),
                Arguments.of("naïve-café", "\"naïve-café\""),
                Arguments.of("sp_new and 血管瘤", "\"sp_new\" and 血管瘤"),
                Arguments.of("通信_协议", "\"通信_协议\""),
                Arguments.of("user@example.com", "user@\"example.com\""),
                Arguments.of("path/to/file.py", "path/to/\"file.py\""),
                Arguments.of("don't", "don't"),
                Arguments.of("what?", "what?"),
                Arguments.of("a,b", "a,b"),
                Arguments.of("50%", "50%"),
                Arguments.of("#123", "#123"),
                Arguments.of("TODO: fix", "TODO: fix"),
                Arguments.of("content:todo", "content:todo"),
                Arguments.of("a;b", "a;b"),
                Arguments.of("$HOME", "$HOME"),
                Arguments.of("a!", "a!"),
                Arguments.of("🚀 launch", "🚀 launch"));
    }

    @ParameterizedTest(name = "«{0}» becomes «{1}»")
    @MethodSource("table")
    void aQueryIsSanitisedAsTheTableSays(String typed, String sanitised) {
        assertThat(SearchSyntax.sanitise(typed)).isEqualTo(sanitised);
    }

    @Test
    void aQueryWithNulCannotForgeAPhrase() {
        assertThat(SearchSyntax.sanitise("\u0000Q0\u0000 \"a b\" (x)")).isEqualTo("\u0000Q0\u0000 \"a b\"  x");
    }

    @Test
    void aPhraseCountsAsNoWordBesideANameOrAnOperator() {
        assertThat(SearchSyntax.sanitise("AND\"x y\"")).isEqualTo("\"x y\"");
        assertThat(SearchSyntax.sanitise("\"x\"a-b")).isEqualTo("\"x\"\"a-b\"");
        assertThat(SearchSyntax.sanitise("\"x\"*")).isEqualTo("\"x\"*");
    }

    @Test
    void whitespaceOfAnyKindSeparates() {
        assertThat(SearchSyntax.sanitise("\u00a0foo\u3000AND\u2028")).isEqualTo("foo");
        assertThat(SearchSyntax.sanitise("\u0085*foo")).isEqualTo("foo");
    }

    @Test
    void charactersBeyondTheBasicPlaneAreWhole() {
        assertThat(SearchSyntax.sanitise("\ud801\udc00-\ud801\udc01")).isEqualTo("\"\ud801\udc00-\ud801\udc01\"");
        assertThat(SearchSyntax.sanitise("\ud83d\ude80-\ud83d\ude80")).isEqualTo("\ud83d\ude80-\ud83d\ude80");
    }

    @Test
    void aQueryNobodyTypesIsCut() {
        assertThat(SearchSyntax.sanitise("x".repeat(100_000))).isEqualTo("x".repeat(2048));
    }

    @Test
    void whateverIsTypedTheResultIsTrimmedAndItsQuotesAreBalanced() {
        Random random = new Random(52);
        String alphabet = "ab_.-*\"()+{}^ \t\n:'#,\u0000\u3000é大AND OR NOT not ";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder typed = new StringBuilder();
            for (int n = random.nextInt(30); n > 0; n--) {
                typed.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String sanitised = SearchSyntax.sanitise(typed.toString());
            assertThat(sanitised.chars().filter(c -> c == '"').count() % 2)
                    .as("quotes of «%s» from «%s»", sanitised, typed)
                    .isZero();
            assertThat(outsidePhrases(sanitised)).as("from «%s»", typed).doesNotContainPattern("[+{}()^]|\\*\\*");
        }
    }

    private static String outsidePhrases(String sanitised) {
        return sanitised.replaceAll("\"[^\"]*\"", "\"\"");
    }
}
