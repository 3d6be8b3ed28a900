package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.home.HomeDirectory;
import dev.parley.home.access.Pairing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code parley pairing}. */
class PairingCommandTest {
    private static final SessionSource ANN = SessionSource.builder(Platform.TELEGRAM, "17")
            .userId("17")
            .userName("Ann")
            .build();

    @TempDir
    Path directory;

    private CommandLineProgram program;
    private Pairing gateway;

    @BeforeEach
    void aProgram() throws Exception {
        Path home = Files.createTempDirectory(directory, "home");
        program = new CommandLineProgram(home);
        gateway = new Pairing(new HomeDirectory(home), () -> Instant.ofEpochSecond(1_772_000_000L));
    }

    @Test
    void somebodyIsListedLetInAndLetInNoLonger() {
        String code = gateway.ask(ANN).orElseThrow();
        assertThat(program.run("pairing", "list").out())
                .contains("telegram", "17", "Ann", "pending")
                .doesNotContain(code);

        Result approved = program.run("pairing", "approve", "telegram", code);
        assertThat(approved.code()).isZero();
        assertThat(approved.out()).contains("Ann (17) may talk on telegram now.");
        assertThat(gateway.isPaired(ANN)).isTrue();
        assertThat(program.run("pairing", "list", "--json").out()).contains("\"state\" : \"paired\"");

        Result revoked = program.run("pairing", "revoke", "telegram", "17");
        assertThat(revoked.code()).isZero();
        assertThat(gateway.isPaired(ANN)).isFalse();
    }

    @Test
    void aListOfAHomeThatIsNotThereIsEmptyAndMakesNone() {
        Path nowhere = directory.resolve("nowhere");

        Result listed = new CommandLineProgram(nowhere).run("pairing", "list");

        assertThat(listed.code()).isZero();
        assertThat(nowhere).doesNotExist();
    }

    @Test
    void aWrongCodeIsOneLineThatSaysHowManyMoreAreTaken() {
        Result wrong = program.run("pairing", "approve", "telegram", "ABCDEFGH");

        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.errors()).singleElement().asString().contains("4 more tries");
    }

    @Test
    void afterTooManyWrongCodesTheOperatorReadsWhenCodesAreTakenAgain() {
        for (int i = 0; i < 4; i++) {
            program.run("pairing", "approve", "telegram", "ABCDEFGH");
        }

        assertThat(program.run("pairing", "approve", "telegram", "ABCDEFGH").errors())
                .singleElement()
                .asString()
                .contains("too many wrong codes for telegram");
    }

    @Test
    void revokingSomebodyUnknownIsAnAnswerOfNo() {
        assertThat(program.run("pairing", "revoke", "telegram", "17").code()).isEqualTo(1);
    }
}
