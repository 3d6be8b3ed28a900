package dev.parley.bootstrap.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example's build for Gradle names what its build for Maven names, which is built and run. */
class GradleExampleTest {
    private static final Path EXAMPLE = Path.of("..", "docs", "examples", "custom-gateway");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "(?s)<dependency>\\s*<groupId>dev\\.parley</groupId>\\s*<artifactId>([^<]+)</artifactId>(.*?)</dependency>");
    private static final Pattern NAMED =
            Pattern.compile("(\\w+)\\((platform\\()?\"dev\\.parley:([a-z0-9-]+)(:[^\"]+)?\"\\)");
    private static final Map<String, String> SCOPES = Map.of(
            "implementation", "compile",
            "runtimeOnly", "runtime",
            "testImplementation", "test");

    @Test
    void theDependenciesAreThoseOfTheBuildForMaven() throws IOException {
        String maven = Files.readString(EXAMPLE.resolve("pom.xml"));
        String gradle = Files.readString(EXAMPLE.resolve("build.gradle.kts"));
        assertThat(named(gradle)).isEqualTo(declared(maven));
        assertThat(gradle)
                .contains("\"dev.parley:parley-bom:" + property(maven, "parley.version") + "\"")
                .contains("\"org.junit.jupiter:junit-jupiter:" + property(maven, "junit.version") + "\"")
                .contains("\"org.junit.platform:junit-platform-launcher:"
                        + property(maven, "junit.version").replaceFirst("5", "1") + "\"")
                .contains("JavaLanguageVersion.of(" + property(maven, "maven.compiler.release") + ")");
    }

    @Test
    void theMainClassIsThere() throws IOException {
        String gradle = Files.readString(EXAMPLE.resolve("build.gradle.kts"));
        Matcher main = Pattern.compile("mainClass = \"([^\"]+)\"").matcher(gradle);
        assertThat(main.find()).isTrue();
        assertThat(EXAMPLE.resolve("src/main/java").resolve(main.group(1).replace('.', '/') + ".java"))
                .isRegularFile();
        Matcher module = Pattern.compile("mainModule = \"([^\"]+)\"").matcher(gradle);
        assertThat(module.find()).isTrue();
        assertThat(EXAMPLE.resolve("src/main/java/module-info.java"))
                .content()
                .contains("module " + module.group(1) + " {");
    }

    private static Map<String, Set<String>> declared(String maven) {
        Map<String, Set<String>> declared = new TreeMap<>();
        Matcher each = DEPENDENCY.matcher(maven);
        while (each.find()) {
            Matcher scope = Pattern.compile("<scope>(\\w+)</scope>").matcher(each.group(2));
            declared.computeIfAbsent(scope.find() ? scope.group(1) : "compile", s -> new TreeSet<>())
                    .add(each.group(1));
        }
        return declared;
    }

    private static Map<String, Set<String>> named(String gradle) {
        Map<String, Set<String>> named = new TreeMap<>();
        Matcher each = NAMED.matcher(gradle);
        while (each.find()) {
            String scope = each.group(2) != null ? "import" : SCOPES.get(each.group(1));
            named.computeIfAbsent(scope, s -> new TreeSet<>()).add(each.group(3));
        }
        return named;
    }

    private static String property(String maven, String name) {
        Matcher value = Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)<").matcher(maven);
        assertThat(value.find()).as(name).isTrue();
        return value.group(1);
    }
}
