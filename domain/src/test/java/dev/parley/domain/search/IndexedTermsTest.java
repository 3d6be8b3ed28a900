package dev.parley.domain.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IndexedTermsTest {
    private static final String[] PIECES = {
        "docker",
        "Docker",
        "deploy",
        "café",
        "CAFE\u0301",
        "foo_bar",
        "a1",
        "x",
        "übung",
        "\u0301",
        "…",
        "-",
        ".",
        "%",
        "\"",
        "大",
        "大别",
        "大别山项目",
        "漓江",
        "한국어",
        "ひら",
        "カタ",
        "。",
        "agent通信",
        "100%完成",
        "𠀀𠀁",
        "\uD83D\uDE00",
        "*",
        "^大"
    };
    private static final String[] BETWEEN = {" ", " ", "", "-", ".", " AND ", " OR ", " NOT ", "\n"};

    @Test
    void aTextIsItsWordsFoldedAndTheCharactersAndPairsOfScriptsWithoutBlanks() {
        assertThat(IndexedTerms.of("Café au-lait 大别山 x"))
                .containsExactlyInAnyOrder("cafe", "au", "lait", "大别山", "x", "^大", "^别", "^山", "^大别", "^别山");
    }

    @Test
    void aQueryAsksForWhatEveryMatchHas() {
        assertThat(asked("docker deploy*"))
                .isEqualTo(new IndexedQuery.All(
                        List.of(new IndexedQuery.Has("docker", false), new IndexedQuery.Has("deploy", true))));
        assertThat(asked("大别山项"))
                .isEqualTo(new IndexedQuery.All(List.of(
                        new IndexedQuery.Has("^大别", false),
                        new IndexedQuery.Has("^别山", false),
                        new IndexedQuery.Has("^山项", false))));
        assertThat(asked("大")).isEqualTo(new IndexedQuery.Has("^大", false));
        assertThat(asked("docker OR 大")).isEqualTo(new IndexedQuery.Everything());
        assertThat(asked("docker NOT deploy")).isEqualTo(new IndexedQuery.Has("docker", false));
    }

    @Test
    void aLongWordIsLookedUpByItsBeginning() {
        String word = "a".repeat(5_000);

        assertThat(IndexedTerms.of(word)).containsExactly("a".repeat(200));
        assertThat(asked(word)).isEqualTo(new IndexedQuery.Has("a".repeat(200), false));
    }

    @Test
    void whateverMatchesPassesTheIndex() {
        Random random = new Random(20260310);
        int matches = 0;
        int passed = 0;
        for (int i = 0; i < 40_000; i++) {
            String text = text(random, 1 + random.nextInt(8));
            TextSearch search =
                    TextSearch.of(text(random, 1 + random.nextInt(3))).orElse(null);
            if (search == null) {
                continue;
            }
            boolean passes = passes(IndexedTerms.of(search), IndexedTerms.of(text));
            boolean match = new SearchedText(search, text).matches();
            matches += match ? 1 : 0;
            passed += passes ? 1 : 0;
            assertThat(passes || !match).as("%s in %s", search.terms(), text).isTrue();
        }
        assertThat(matches).as("matches, so that there was something to miss").isGreaterThan(2_000);
        assertThat(passed).as("texts that the index lets pass").isLessThan(4 * matches);
    }

    private static IndexedQuery asked(String query) {
        return IndexedTerms.of(TextSearch.of(query).orElseThrow());
    }

    private static boolean passes(IndexedQuery query, Set<String> terms) {
        if (query instanceof IndexedQuery.Has has) {
            return has.prefix()
                    ? terms.stream().anyMatch(term -> term.startsWith(has.term()))
                    : terms.contains(has.term());
        }
        if (query instanceof IndexedQuery.All all) {
            return all.parts().stream().allMatch(part -> passes(part, terms));
        }
        if (query instanceof IndexedQuery.Any any) {
            return any.parts().stream().anyMatch(part -> passes(part, terms));
        }
        return true;
    }

    private static String text(Random random, int pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pieces; i++) {
            text.append(i == 0 ? "" : BETWEEN[random.nextInt(BETWEEN.length)]);
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }
}
