package dev.parley.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.degrade.Fallback;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Change;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The store beside a fallback's journal, where another team's backend keeps it. */
class JournalFallbackTest {
    @TempDir
    private Path home;

    /** A backend that makes its directory, and then does not open. */
    private record Failing(Throwable failure) implements StorageProvider {
        @Override
        public String scheme() {
            return "failing";
        }

        @Override
        public int changeVersion() {
            return Change.VERSION;
        }

        @Override
        public Set<String> options() {
            return Set.of();
        }

        @Override
        public Storage open(StorageSettings settings) {
            try {
                Files.createDirectories(settings.home().resolve(settings.address()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        }
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new StorageUnavailable("No room.", null), new IllegalStateException(), new StackOverflowError());
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whatAStoreHasMadeThatDoesNotOpenIsRemovedWhateverItThrows(Throwable failure) {
        try (GatewayHome gateway = GatewayHome.take(home, Clock.systemUTC(), warning -> {})) {
            StorageAt journal =
                    new StorageAt(new Failing(failure), gateway.storage("kept").build());
            Fallback fallback = journal.fallbackOf(journal);

            assertThatThrownBy(fallback::openOverlay).isSameAs(failure);
        }
        assertThat(home.resolve("kept.overlay")).doesNotExist();
    }
}
