package dev.parley.adapter.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What this module shows to others is decided here, not in passing. */
class ModuleDescriptorTest {

    @Test
    void theDescriptorIsTheOneAgreedOn() throws IOException {
        assertThat(descriptor()).isEqualTo("""
                module dev.parley.adapter.langchain4j
                requires static org.jspecify
                requires transitive dev.parley.application
                requires transitive langchain4j.core
                exports dev.parley.adapter.langchain4j
                """);
    }

    private static String descriptor() throws IOException {
        try (InputStream in = Files.newInputStream(Path.of("target", "classes", "module-info.class"))) {
            ModuleDescriptor module = ModuleDescriptor.read(in);
            return Stream.of(
                            Stream.of((module.isOpen() ? "open module " : "module ") + module.name()),
                            module.requires().stream()
                                    .filter(r -> !r.name().equals("java.base"))
                                    .map(r -> "requires " + words(r.modifiers()) + r.name())
                                    .sorted(),
                            module.exports().stream()
                                    .map(e -> "exports " + e.source() + to(e.targets()))
                                    .sorted(),
                            module.opens().stream()
                                    .map(o -> "opens " + o.source() + to(o.targets()))
                                    .sorted(),
                            module.uses().stream().map(u -> "uses " + u).sorted(),
                            module.provides().stream()
                                    .map(p -> "provides " + p.service() + " with " + String.join(", ", p.providers()))
                                    .sorted())
                    .flatMap(lines -> lines)
                    .collect(Collectors.joining("\n", "", "\n"));
        }
    }

    private static String words(Set<? extends Enum<?>> modifiers) {
        return modifiers.stream()
                .map(m -> m.name().toLowerCase(Locale.ROOT) + " ")
                .sorted()
                .collect(Collectors.joining());
    }

    private static String to(Set<String> targets) {
        return targets.isEmpty() ? "" : targets.stream().sorted().collect(Collectors.joining(", ", " to ", ""));
    }
}
