package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Homes that version 1 of the changes left, killed while a turn of the chat {@code busy} ran ({@code queued 1}) and three messages
 * waited behind it.
 */
class OldHomesIT {
    @TempDir
    Path directory;

    @BeforeEach
    void theHomesAreThere() throws Exception {
        Path homes = Path.of(
                OldHomesIT.class.getResource("/fixtures/homes-v1.tar.gz").toURI());
        Process tar = new ProcessBuilder("tar", "xzf", homes.toString(), "-C", directory.toString())
                .inheritIO()
                .start();
        assertThat(tar.waitFor(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isTrue();
        assertThat(tar.exitValue()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "jsonl"})
    @DisplayName("A home of version 1 opens, goes on, loses nothing and answers in order; then it opens again")
    void aHomeOfVersion1GoesOn(String store) throws Exception {
        Path home = directory.resolve(store);
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            gateway.until(
                    "what waited is answered",
                    () -> caller.sent("busy").stream().anyMatch(text -> text.contains("queued 4")));

            String session = caller.lane("busy").path("session_id").asText();
            List<String> said = caller.transcript(session).stream()
                    .filter(line -> line.startsWith("user: ") && line.contains("queued"))
                    .toList();
            assertThat(String.join("\n", said)).containsSubsequence("queued 1", "queued 2", "queued 3", "queued 4");
            assertThat(caller.sent("ada")).anyMatch(text -> text.contains("harbour plan 3"));
            assertThat(caller.say("ada", "go on", "m-new").body().path("reply").asText())
                    .isEqualTo("go on");
            assertThat(caller.say("ada", "harbour plan 1", "a1")
                            .body()
                            .path("reply")
                            .asText())
                    .as("a message that version 1 had taken is recognised")
                    .doesNotContain("harbour plan 1");
        }
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            assertThat(caller.say("ada", "once more", "m-newer")
                            .body()
                            .path("reply")
                            .asText())
                    .isEqualTo("once more");
        }
        ParleyProcess.Ended check = ParleyProcess.run(home, "", "storage", "check");
        assertThat(check.code()).as(check.out() + check.err()).isZero();
    }
}
