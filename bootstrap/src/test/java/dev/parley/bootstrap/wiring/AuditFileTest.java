package dev.parley.bootstrap.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators do is kept, for the owner of the home, and read again. */
class AuditFileTest {
    @TempDir
    private Path home;

    private final List<String> warnings = new ArrayList<>();
    private Instant now = Instant.parse("2026-03-10T09:00:00Z");

    private AuditFile audit() {
        return new AuditFile(home, () -> now, warnings::add);
    }

    private static GatewayEvent.OperatorActed act(String target) {
        return new GatewayEvent.OperatorActed("token", "operator", "127.0.0.1", "reset", target, "done");
    }

    @Test
    void theLastActsAreReadNewestFirst() {
        for (int i = 1; i <= 5; i++) {
            audit().on(act("lane-" + i));
            now = now.plusSeconds(60);
        }

        List<GatewayInspection.AuditLine> lines = AuditFile.latest(home, 2);

        assertThat(lines)
                .containsExactly(
                        new GatewayInspection.AuditLine(Instant.parse("2026-03-10T09:04:00Z"), act("lane-5")),
                        new GatewayInspection.AuditLine(Instant.parse("2026-03-10T09:03:00Z"), act("lane-4")));
        assertThat(warnings).isEmpty();
    }

    @Test
    void aHomeWithoutAnAuditHasNoActsAndALineThatIsCutIsLeftOut() throws Exception {
        assertThat(AuditFile.latest(home, 10)).isEmpty();

        audit().on(act("lane-1"));
        Files.writeString(home.resolve("audit.jsonl"), "{\"at\":\"2026-0", StandardOpenOption.APPEND);

        assertThat(AuditFile.latest(home, 10))
                .singleElement()
                .satisfies(line -> assertThat(line.act().target()).isEqualTo("lane-1"));
    }

    @Test
    void theFileIsItsOwnersAndAFullOneIsPutAsideAndStillRead() throws Exception {
        audit().on(act("first"));
        Path file = home.resolve("audit.jsonl");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        String filler = "x".repeat(1 << 20) + "\n";
        String full =
                String.join("", IntStream.range(0, 10).mapToObj(i -> filler).toList());
        Files.writeString(file, full + Files.readString(file));

        audit().on(act("second"));

        assertThat(home.resolve("audit.jsonl.1")).exists();
        assertThat(Files.readAllLines(file)).hasSize(1);
        assertThat(AuditFile.latest(home, 10))
                .extracting(line -> line.act().target())
                .containsExactly("second", "first");
    }

    @Test
    void whatCannotBeWrittenIsTold() throws Exception {
        Files.createDirectory(home.resolve("audit.jsonl"));

        audit().on(act("lane-1"));

        assertThat(warnings).singleElement().asString().contains("audit.jsonl", "check the disk");
    }
}
