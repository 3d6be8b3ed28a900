package dev.parley.bootstrap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A release publishes libraries with the scope runtime, but for those that the API of their module shows. */
class PublishedPomsTest {
    private static final Pattern SHOWN =
            Pattern.compile("requires transitive (?!java\\.|jdk\\.|dev\\.parley\\.)([a-z0-9.]+);");
    private static final Pattern LIBRARIES =
            Pattern.compile("<parley\\.api\\.libraries>([^<]+)</parley\\.api\\.libraries>");

    @Test
    void aLibraryThatADescriptorPassesOnIsPublishedForCompiling() throws IOException {
        List<String> hidden = new ArrayList<>();
        int shown = 0;
        for (Codebase.Module module : Codebase.modules()) {
            if (module.isJavaModule()) {
                Path pom = module.directory().resolve("pom.xml");
                Matcher libraries = LIBRARIES.matcher(Files.readString(pom));
                // The name of a Java module ends with that of its artifact.
                Pattern named = Pattern.compile("(.*-)?(" + (libraries.find() ? libraries.group(1) : "none") + ")");
                Matcher required =
                        SHOWN.matcher(Files.readString(module.directory().resolve("src/main/java/module-info.java")));
                for (; required.find(); shown++) {
                    if (!named.matcher(required.group(1).replace('.', '-')).matches()) {
                        hidden.add(pom + ": " + required.group(1));
                    }
                }
            }
        }
        assertThat(hidden).as("not named by parley.api.libraries").isEmpty();
        assertThat(shown).isPositive();
    }
}
