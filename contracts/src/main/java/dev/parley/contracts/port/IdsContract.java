package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Ids;
import dev.parley.contracts.level.Concurrent;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.NoSilencedTests;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link Ids}. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface IdsContract {
    /** Returns the ids. */
    Ids ids();

    @Core
    default void aSuffixIsEightHexDigitsAndChanges() {
        Ids ids = ids();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            String suffix = ids.sessionSuffix();
            assertThat(suffix).as("E2.3").matches("[0-9a-f]{8}");
            seen.add(suffix);
        }
        assertThat(seen).hasSizeGreaterThan(95);
    }

    @Core
    default void aUniqueTextBeginsWithItsPrefix() {
        assertThat(ids().unique("turn")).startsWith("turn-").hasSizeGreaterThan("turn-".length());
    }

    @Concurrent
    default void noTwoCallsReturnTheSame() {
        Ids ids = ids();
        Set<String> seen = ConcurrentHashMap.newKeySet();

        IntStream.range(0, 5000).parallel().forEach(i -> seen.add(ids.unique("x")));

        assertThat(seen).hasSize(5000);
    }

    @Core
    default void chanceStaysBetweenItsBounds() {
        Ids ids = ids();
        Duration least = Duration.ofMillis(20);
        Duration most = Duration.ofMillis(150);
        Set<Duration> seen = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            Duration jitter = ids.jitter(least, most);
            assertThat(jitter).isBetween(least, most);
            seen.add(jitter);
        }
        assertThat(seen).hasSizeGreaterThan(10);
        assertThat(ids.jitter(least, least)).isEqualTo(least);
    }
}
