package dev.parley.bootstrap.docs;

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

/**
 * The code in the guides is the code of the examples: a block behind {@code <!-- from FILE NAME -->} says what stands in that file of
 * {@code docs/examples} between {@code docs: NAME} and {@code docs: end}. With the system property {@code parley.docs.write} the
 * guides are written instead of compared.
 */
class SnippetsTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern QUOTED =
            Pattern.compile("(?s)(<!-- from (\\S+) (\\S+) -->\n```\\w+\n)(.*?)(?<=\n)```");

    @Test
    void quotedCodeIsTheCodeOfTheExamples() throws IOException {
        List<String> quoted = new ArrayList<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            String right = QUOTED.matcher(text).replaceAll(match -> {
                quoted.add(match.group(2) + " " + match.group(3));
                return Matcher.quoteReplacement(match.group(1) + code(match.group(2), match.group(3)) + "```");
            });
            if (Boolean.getBoolean("parley.docs.write")) {
                Files.writeString(page, right);
            } else {
                assertThat(text).as(page.toString()).isEqualTo(right);
            }
        }

        assertThat(quoted).as("blocks that were compared").hasSizeGreaterThan(5).doesNotHaveDuplicates();
    }

    private static String code(String file, String name) {
        List<String> lines;
        try {
            lines = Files.readAllLines(DOCS.resolve("examples").resolve(file));
        } catch (IOException e) {
            throw new AssertionError("No such file in docs/examples: " + file, e);
        }
        List<String> code = lines.stream()
                .dropWhile(line -> !line.matches(".*docs: " + Pattern.quote(name) + "( -->)?"))
                .skip(1)
                .takeWhile(line -> !line.matches(".*docs: end( -->)?"))
                .toList();
        assertThat(code).as("%s of %s", name, file).isNotEmpty();
        int indent = code.stream()
                .filter(line -> !line.isBlank())
                .mapToInt(line -> line.length() - line.stripLeading().length())
                .min()
                .orElse(0);
        StringBuilder text = new StringBuilder();
        code.forEach(line ->
                text.append(line.isBlank() ? "" : line.substring(indent)).append('\n'));
        return text.toString();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(DOCS)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
