package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway writes to its log at the lowest level: when, and neither what people say nor what must stay secret. */
class LogIT {
    private static final String SAID = "xylophone-of-marked-text";

    @TempDir
    Path directory;

    @Test
    void noTextOfPeopleAndNoSecretIsInTheLogAtAnyLevel() throws Exception {
        Path home = Files.createTempDirectory(directory, "home");
        Files.writeString(
                home.resolve("parley.yaml"), "platforms:\n  http:\n    port: 0\nstorage:\n  fallback: jsonl:spill\n");
        try (ParleyProcess gateway = ParleyProcess.gateway(home, "TRACE")) {
            Caller caller = new Caller(gateway.ready(), home);
            assertThat(caller.say("c1", "please say " + SAID, "m1").status()).isEqualTo(200);
            assertThat(caller.say("c1", "/title " + SAID, "m2").status()).isEqualTo(200);
            assertThat(caller.say("c1", "/nosuchcommand " + SAID, "m3").status())
                    .isEqualTo(200);
            assertThat(caller.say("c1", "/new " + SAID, "m4").status()).isEqualTo(200);
            assertThat(caller.say("c1", "again " + SAID, "m5").status()).isEqualTo(200);
            assertThat(gateway.terminate()).isZero();

            String log = gateway.errors();
            assertThat(log).containsPattern("20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d\\d\\d");
            assertThat(log).contains("DEBUG").doesNotContain(SAID);
            assertThat(log)
                    .doesNotContain(Files.readString(home.resolve("http-token")).strip());
        }
    }
}
