package dev.parley.bootstrap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The deciders of a lane, as the architecture names them, can be read and changed one by one. */
class DecidersTest {
    private static final Path LANE =
            Path.of("..", "application", "src", "main", "java", "dev", "parley", "application", "lane");
    private static final Pattern NAMED = Pattern.compile("and effects\\. Those are ([^.]+)\\.");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");

    /** What a decider may not have: fields that change, and what stores, calls, waits or sends. */
    private static final Pattern ACTING = Pattern.compile(
            "\\b(Ledger|Storage|Executor|Timers|Deliveries|WorkingAgent|LaneWork|volatile|synchronized)\\b");

    private static List<String> deciders() throws IOException {
        Matcher named = NAMED.matcher(Files.readString(Path.of("..", "docs", "architecture.md")));
        assertThat(named.find())
                .as("the list of deciders in docs/architecture.md")
                .isTrue();
        return Pattern.compile("`(\\w+)`")
                .matcher(named.group(1))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String code(String type) throws IOException {
        return COMMENT.matcher(Files.readString(LANE.resolve(type + ".java"))).replaceAll(" ");
    }

    @Test
    void theyDoNotKnowEachOther() throws IOException {
        List<String> deciders = deciders();
        assertThat(deciders).hasSizeGreaterThan(8);
        for (String decider : deciders) {
            String others = String.join(
                    "|",
                    deciders.stream().filter(other -> !other.equals(decider)).toList());
            assertThat(found("\\b(" + others + ")\\b", code(decider)))
                    .as("other deciders that %s names", decider)
                    .isEmpty();
        }
    }

    @Test
    void theyHoldAndDoNothing() throws IOException {
        for (String decider : deciders()) {
            assertThat(ACTING.matcher(code(decider)).results().map(MatchResult::group))
                    .as("what acts in %s", decider)
                    .isEmpty();
        }
    }

    @Test
    void whoKnowsAnotherOneIsSeen() throws IOException {
        assertThat(found("\\b(Claiming|Posting)\\b", code("NextItem"))).contains("Claiming");
        assertThat(ACTING.matcher(code("NextDriver")).results()).isNotEmpty();
    }

    private static List<String> found(String pattern, String code) {
        return Pattern.compile(pattern)
                .matcher(code)
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
    }
}
