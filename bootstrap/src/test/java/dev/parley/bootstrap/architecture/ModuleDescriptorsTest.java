package dev.parley.bootstrap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a module shows to others is decided in {@code src/test/resources/descriptors}, not in passing. */
class ModuleDescriptorsTest {
    private static final Path AGREED = Path.of("src", "test", "resources", "descriptors");

    static List<ModuleDescriptor> modules() {
        return Codebase.modules().stream()
                .filter(Codebase.Module::isJavaModule)
                .map(Codebase.Module::descriptor)
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("modules")
    void theDescriptorIsTheOneAgreedOn(ModuleDescriptor module) {
        assertThat(AGREED.resolve(module.name() + ".txt"))
                .as("what %s requires, exports, opens, uses and provides; write it there", module.name())
                .isRegularFile()
                .hasContent(lines(module));
    }

    @Test
    void everyAgreementIsOfAModule() throws IOException {
        try (Stream<Path> files = Files.list(AGREED)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(modules().stream()
                            .map(module -> module.name() + ".txt")
                            .toList());
        }
    }

    @Test
    void everyKindOfLineIsWritten() {
        ModuleDescriptor module = ModuleDescriptor.newOpenModule("a")
                .requires(Set.of(ModuleDescriptor.Requires.Modifier.TRANSITIVE), "d")
                .requires("b")
                .exports("a.shown")
                .exports("a.lent", Set.of("e", "d"))
                .uses("a.Asked")
                .provides("a.Given", List.of("a.Second", "a.First"))
                .build();

        assertThat(lines(module)).isEqualTo("""
                open module a
                requires b
                requires transitive d
                exports a.lent to d, e
                exports a.shown
                uses a.Asked
                provides a.Given with a.Second, a.First
                """);
        assertThat(lines(ModuleDescriptor.newModule("a")
                        .packages(Set.of("a.seen"))
                        .opens("a.seen", Set.of("b"))
                        .build()))
                .isEqualTo("module a\nopens a.seen to b\n");
    }

    private static String lines(ModuleDescriptor module) {
        return Stream.of(
                        Stream.of((module.isOpen() ? "open module " : "module ") + module.name()),
                        module.requires().stream()
                                .filter(required -> !required.name().equals("java.base"))
                                .map(required -> "requires " + words(required.modifiers()) + required.name())
                                .sorted(),
                        module.exports().stream()
                                .map(exported -> "exports " + exported.source() + to(exported.targets()))
                                .sorted(),
                        module.opens().stream()
                                .map(opened -> "opens " + opened.source() + to(opened.targets()))
                                .sorted(),
                        module.uses().stream().map(used -> "uses " + used).sorted(),
                        module.provides().stream()
                                .map(provided -> "provides " + provided.service() + " with "
                                        + String.join(", ", provided.providers()))
                                .sorted())
                .flatMap(lines -> lines)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String words(Set<? extends Enum<?>> modifiers) {
        return modifiers.stream()
                .map(modifier -> modifier.name().toLowerCase(Locale.ROOT) + " ")
                .sorted()
                .collect(Collectors.joining());
    }

    private static String to(Set<String> targets) {
        return targets.isEmpty() ? "" : targets.stream().sorted().collect(Collectors.joining(", ", " to ", ""));
    }
}
