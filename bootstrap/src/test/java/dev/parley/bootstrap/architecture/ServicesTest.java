package dev.parley.bootstrap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A service must be found on the module path and on the class path alike. */
class ServicesTest {
    /** Found on the class path only: as a service of a module it would be drawn into the module graph of its users' tests. */
    private static final String CLASS_PATH_ONLY = "dev.parley.testing";

    @Test
    void whatADescriptorProvidesStandsUnderMetaInfServicesToo() throws IOException {
        for (Codebase.Module module : javaModules()) {
            Map<String, List<String>> provided = new TreeMap<>();
            for (ModuleDescriptor.Provides provides : module.descriptor().provides()) {
                provided.put(provides.service(), provides.providers());
            }
            if (module.descriptor().name().equals(CLASS_PATH_ONLY)) {
                continue;
            }
            assertThat(listed(module))
                    .as("META-INF/services of %s", module.descriptor().name())
                    .isEqualTo(provided);
        }
    }

    @Test
    void theStoreForTestsIsFoundOnTheClassPathOnly() throws IOException {
        for (Codebase.Module module : javaModules()) {
            if (module.descriptor().name().equals(CLASS_PATH_ONLY)) {
                assertThat(module.descriptor().provides()).isEmpty();
                assertThat(listed(module)).containsOnlyKeys("dev.parley.application.spi.StorageProvider");
                return;
            }
        }
        throw new AssertionError(CLASS_PATH_ONLY + " is no module any more");
    }

    private static List<Codebase.Module> javaModules() {
        return Codebase.modules().stream().filter(Codebase.Module::isJavaModule).toList();
    }

    private static Map<String, List<String>> listed(Codebase.Module module) throws IOException {
        Path directory = module.classes().resolve("META-INF").resolve("services");
        Map<String, List<String>> listed = new TreeMap<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    List<String> providers = Files.readAllLines(file).stream()
                            .map(line -> line.replaceFirst("#.*", "").strip())
                            .filter(line -> !line.isEmpty())
                            .toList();
                    if (!providers.isEmpty()) {
                        listed.put(file.getFileName().toString(), providers);
                    }
                }
            }
        }
        return listed;
    }
}
