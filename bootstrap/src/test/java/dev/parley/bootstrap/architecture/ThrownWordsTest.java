package dev.parley.bootstrap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is said of things that were thrown. It is looked for in the sources, since compiled code does not show how texts are joined. */
class ThrownWordsTest {
    /** What any code may throw, as a parameter or where it is caught; alone or as one of several. */
    private static final Pattern ANY_FAILURE =
            Pattern.compile("[(,|]\\s*(?:@Nullable )?(?:RuntimeException|Exception|Throwable|Error) (\\w+)\\s*[),]");

    @Test
    void noTextIsMadeOfWhatAnyCodeThrows() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources()) {
            joined(Files.readString(source)).forEach(each -> found.add(source + ": " + each));
        }
        assertThat(found)
                .as("its message may quote what people wrote, or a secret; StrippedFailure tells type and place")
                .isEmpty();
    }

    @Test
    void itSeesATextOfWhatIsCaughtAndOfWhatIsHandedOn() {
        assertThat(joined("try { a(); } catch (IOException | RuntimeException e) { if (b) { c(\"x\" + e); } }"))
                .containsExactly("e");
        assertThat(joined("void a(String b, @Nullable Throwable why) { c(\"x\"\n    + why + b); }"))
                .containsExactly("why");
        assertThat(joined("try { a(); } catch (Exception e) { b(\"x\" + e.code()); } c(\"x\" + e);"))
                .isEmpty();
    }

    /** Returns the names under which failures are joined to texts. */
    private static List<String> joined(String source) {
        List<String> joined = new ArrayList<>();
        Matcher failure = ANY_FAILURE.matcher(source);
        while (failure.find()) {
            String name = failure.group(1);
            if (Pattern.compile("\\+\\s*" + name + "\\b(?!\\s*[.(])")
                    .matcher(block(source, failure.end()))
                    .find()) {
                joined.add(name);
            }
        }
        return joined;
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Codebase.Module module : Codebase.modules()) {
            try (Stream<Path> files = Files.walk(module.directory().resolve("src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    /** Returns the block of code that begins next; the rest where it has no end. */
    private static String block(String text, int from) {
        int begin = text.indexOf('{', from);
        int depth = 0;
        for (int i = Math.max(begin, 0); i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return text.substring(Math.max(begin, 0), i + 1);
            }
        }
        return text.substring(from);
    }
}
