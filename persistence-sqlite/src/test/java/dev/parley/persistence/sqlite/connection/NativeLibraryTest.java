package dev.parley.persistence.sqlite.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The library is taken out of its jar once, not at each start. */
@Isolated("sets properties of the system")
class NativeLibraryTest {
    private static final String PATH = "org.sqlite.lib.path";
    private static final String NAME = "org.sqlite.lib.name";

    @TempDir
    Path home;

    private Optional<String> path = Optional.empty();
    private Optional<String> name = Optional.empty();

    @BeforeEach
    void forgetWhatIsSet() {
        path = Optional.ofNullable(System.clearProperty(PATH));
        name = Optional.ofNullable(System.clearProperty(NAME));
    }

    @AfterEach
    void restore() {
        System.clearProperty(PATH);
        System.clearProperty(NAME);
        path.ifPresent(value -> System.setProperty(PATH, value));
        name.ifPresent(value -> System.setProperty(NAME, value));
    }

    private List<Path> libraries() throws IOException {
        if (Files.notExists(home.resolve("native"))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(home.resolve("native"))) {
            return files.toList();
        }
    }

    private static Path used() {
        return Path.of(System.getProperty(PATH), System.getProperty(NAME));
    }

    @Test
    void itIsTakenOutOnceAndUsedAgain() throws IOException {
        NativeLibrary.use(home, true);
        Path library = used();
        Object first = Files.getLastModifiedTime(library);
        forgetWhatIsSet();

        NativeLibrary.use(home, false);

        assertThat(used()).isEqualTo(library).isNotEmptyFile();
        assertThat(Files.getLastModifiedTime(library)).isEqualTo(first);
        assertThat(libraries()).containsExactly(library);
    }

    @Test
    void oneThatIsNotWholeOrOfAnotherReleaseIsReplaced() throws IOException {
        NativeLibrary.use(home, true);
        Path library = used();
        long size = Files.size(library);
        Files.write(library, new byte[] {1});
        Files.write(library.resolveSibling("sqlite-0.1-lib.so"), new byte[] {1});
        forgetWhatIsSet();

        NativeLibrary.use(home, true);

        assertThat(library).hasSize(size);
        assertThat(libraries()).containsExactly(library);
    }

    @Test
    void whoeverOnlyReadsWritesNothing() throws IOException {
        NativeLibrary.use(home, false);

        assertThat(System.getProperty(PATH)).isNull();
        assertThat(libraries()).isEmpty();
    }
}
