package dev.parley.bootstrap.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Newcomer;
import dev.parley.domain.turn.LifeId;
import dev.parley.testing.memory.MemoryStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All nodes have one token: whoever comes to others takes theirs. */
class SharedTokensTest {
    private final Cluster cluster = MemoryStorage.shared(InstantSource.fixed(Instant.parse("2026-03-10T12:00:00Z")))
            .cluster()
            .orElseThrow();

    @TempDir
    Path one;

    @TempDir
    Path other;

    private String token(Path home) throws Exception {
        return Files.readString(home.resolve("http-token")).strip();
    }

    private void adopt(Path home) {
        new SharedTokens(cluster).adopt(home.resolve("http-token"));
    }

    private void somebodyLives() {
        cluster.join(
                new LifeId("one#1"),
                new Newcomer("one", "1", "", Newcomer.Kind.NODE, new TreeMap<>()),
                Duration.ofSeconds(5));
    }

    @Test
    void theFirstNodeMakesATokenAndTheOthersTakeIt() throws Exception {
        adopt(one);
        somebodyLives();
        adopt(other);

        assertThat(token(one)).hasSizeGreaterThan(40).isEqualTo(token(other));
        assertThat(Files.getPosixFilePermissions(other.resolve("http-token")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void aNodeThatComesToOthersWithATokenOfItsOwnTakesTheirs() throws Exception {
        adopt(one);
        somebodyLives();
        Files.writeString(other.resolve("http-token"), "mine\n");
        adopt(other);

        assertThat(token(other)).isEqualTo(token(one)).isNotEqualTo("mine");
    }

    @Test
    void aNodeThatFindsNobodyAliveBringsItsOwnForAll() throws Exception {
        adopt(one);
        Files.writeString(one.resolve("http-token"), "changed\n");
        adopt(one);
        somebodyLives();
        adopt(other);

        assertThat(token(one)).isEqualTo("changed");
        assertThat(token(other)).isEqualTo("changed");
    }
}
