package dev.parley.bootstrap.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the build has compiled, of all modules: found on disk, so that a new module is seen without being listed. */
final class Codebase {

    /** One Maven module that is published; a Java module too unless its libraries keep it from being one. */
    record Module(Path directory) {

        Path classes() {
            return directory.resolve("target").resolve("classes");
        }

        Path testClasses() {
            return directory.resolve("target").resolve("test-classes");
        }

        boolean isJavaModule() {
            return Files.exists(directory.resolve("src/main/java/module-info.java"));
        }

        private boolean isForTheClassPath() {
            try {
                return Files.isDirectory(directory.resolve("src/main/java"))
                        && Files.readString(directory.resolve("pom.xml")).contains("<Automatic-Module-Name>");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        ModuleDescriptor descriptor() {
            try (InputStream in = Files.newInputStream(classes().resolve("module-info.class"))) {
                return ModuleDescriptor.read(in);
            } catch (IOException e) {
                throw new UncheckedIOException(directory + " is not compiled: build the whole tree first", e);
            }
        }
    }

    private static final List<Module> MODULES = findModules();

    private Codebase() {}

    static List<Module> modules() {
        return MODULES;
    }

    /** The classes that are shipped. */
    static JavaClasses main() {
        return Main.CLASSES;
    }

    /** The classes of the tests. */
    static JavaClasses tests() {
        return Tests.CLASSES;
    }

    private static List<Module> findModules() {
        Path root = Path.of("").toAbsolutePath().getParent();
        if (root == null) {
            throw new IllegalStateException("the tests run in the directory of their module");
        }
        try (Stream<Path> above = Files.list(root);
                Stream<Path> adapters = Files.list(root.resolve("adapters"))) {
            return Stream.concat(above, adapters)
                    .sorted()
                    .map(Module::new)
                    .filter(module -> module.isJavaModule() || module.isForTheClassPath())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Read when they are first asked for: not every test needs them, and each process that runs tests reads its own. */
    private static final class Main {
        static final JavaClasses CLASSES = new ClassFileImporter()
                .importPaths(MODULES.stream().map(Module::classes).toList());
    }

    /** Read when they are first asked for. */
    private static final class Tests {
        static final JavaClasses CLASSES = new ClassFileImporter()
                .importPaths(MODULES.stream()
                        .map(Module::testClasses)
                        .filter(Files::isDirectory)
                        .toList());
    }
}
