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

/** Who reads the documentation must get where its links point. */
class DocsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");

    @Test
    void everyRelativeLinkResolves() throws IOException {
        List<String> broken = new ArrayList<>();
        int seen = 0;
        for (Path page : pages()) {
            String text = CODE.matcher(Files.readString(page)).replaceAll("");
            Matcher link = LINK.matcher(text);
            while (link.find()) {
                String target = link.group(1);
                if (target.contains("://") || target.startsWith("mailto:")) {
                    continue;
                }
                seen++;
                if (!Files.exists(page.resolveSibling(target))) {
                    broken.add(page + " -> " + target);
                }
            }
        }

        assertThat(broken).isEmpty();
        assertThat(seen).as("links that were looked at").isGreaterThan(10);
    }

    @Test
    void everyDecisionHasItsOwnNumber() throws IOException {
        Path decisions = ROOT.resolve("docs").resolve("decisions");
        List<String> records;
        try (Stream<Path> files = Files.list(decisions)) {
            records = files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("README.md"))
                    .sorted()
                    .toList();
        }

        assertThat(records.stream().map(name -> name.substring(0, 4))).doesNotHaveDuplicates();
        assertThat(records).isNotEmpty();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CHANGELOG.md")));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }
}
