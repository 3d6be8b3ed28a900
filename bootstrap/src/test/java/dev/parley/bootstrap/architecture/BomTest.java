package dev.parley.bootstrap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Who imports the BOM must find every module in it, at the version of this build. */
class BomTest {

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");
    private static final Pattern PARENT = Pattern.compile("(?s)<parent>.*?</parent>");
    private static final Pattern VERSION = Pattern.compile("<version>([^<$]+)</version>");

    @Test
    void theBomManagesEveryModule() throws IOException {
        List<String> managed = ARTIFACT.matcher(read(Path.of("..", "bom", "pom.xml")))
                .results()
                .map(match -> match.group(1))
                .filter(artifact -> artifact.startsWith("parley-") && !artifact.equals("parley-bom"))
                .toList();
        List<String> built = Codebase.modules().stream()
                .map(module -> artifact(module.directory().resolve("pom.xml")))
                .toList();

        assertThat(managed).containsExactlyInAnyOrderElementsOf(built);
    }

    @Test
    void theBomHasTheVersionOfTheBuild() throws IOException {
        assertThat(firstVersion(Path.of("..", "bom", "pom.xml"))).isEqualTo(firstVersion(Path.of("..", "pom.xml")));
    }

    private static String artifact(Path pom) {
        try {
            return ARTIFACT.matcher(PARENT.matcher(read(pom)).replaceFirst(""))
                    .results()
                    .findFirst()
                    .orElseThrow()
                    .group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String firstVersion(Path pom) throws IOException {
        return VERSION.matcher(read(pom)).results().findFirst().orElseThrow().group(1);
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file);
    }
}
