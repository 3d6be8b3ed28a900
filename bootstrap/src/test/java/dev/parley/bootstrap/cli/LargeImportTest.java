package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.transfer.SessionImport;
import dev.parley.domain.transcript.StoredMessage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file with more sessions than are held is read twice, and stored in steps. */
class LargeImportTest {
    private static final SessionImport.Limits ONE =
            new SessionImport.Limits(1, Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    @TempDir
    Path directory;

    @Test
    void moreSessionsThanAreHeldAreAllImported() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i <= ImportFile.HELD.sessions(); i++) {
            lines.append("{\"id\":\"s").append(i).append("\",\"started_at\":1.5");
            lines.append(i % 1000 == 7 ? ",\"messages\":[{\"role\":\"user\",\"content\":\"大别山 " + i + "\"}]" : "");
            lines.append("}\n");
        }
        Path archive = Files.writeString(directory.resolve("large.jsonl"), lines);
        CommandLineProgram program = new CommandLineProgram(Files.createDirectory(directory.resolve("home")));

        CommandLineProgram.Result imported = program.run("sessions", "import", archive.toString());
        assertThat(imported.code()).as(imported.err()).isZero();
        assertThat(imported.out()).contains("5001 sessions with 5 messages imported, 0 were there already");

        assertThat(program.run("sessions", "search", "大别山 3007").out()).contains("s3007");
        assertThat(program.runWith(lines.toString(), "sessions", "import", "-").out())
                .contains("0 sessions with 0 messages imported, 5001 were there already");
    }

    @Test
    void moreThanIsHeldIsCheckedBeforeAnythingIsStored() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i <= ImportFile.HELD.sessions(); i++) {
            lines.append("{\"id\":\"s").append(i).append("\"}\n");
        }
        lines.append("{\"id\":\"s0\"}\n");
        CommandLineProgram program = new CommandLineProgram(Files.createDirectory(directory.resolve("home")));

        CommandLineProgram.Result refused = program.runWith(lines.toString(), "sessions", "import", "-");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("session s0: The session s0 is there twice");
        assertThat(program.run("sessions", "export").out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\n\n \n"})
    void eachSessionIsReadAgainAsItWasReadFirst(String end) throws Exception {
        List<String> sessions = List.of(
                "{\"id\":\"a\",\"messages\":[{\"role\":\"user\",\"content\":\"大别山\"},{\"role\":\"user\",\"content\":\"😀\"}]}",
                "{\"id\":\"b\",\"title\":\"é\",\"messages\":[{\"role\":\"user\",\"content\":\"x\",\"id\":7}]}",
                "{\"id\":\"c\"}");
        byte[] text = String.join(end, sessions).getBytes(StandardCharsets.UTF_8);
        try (ImportLines lines = ImportLines.of(new ByteArrayInputStream(text))) {
            ImportFile read = new ImportFile(Instant.EPOCH, ONE);
            ImportFile held = new ImportFile(Instant.EPOCH, ImportFile.HELD);
            lines.forEach(read::read);
            lines.forEach(held::read);

            assertThat(read.isHeld()).isFalse();
            assertThat(read.items()).isEmpty();
            assertThat(held.isHeld()).isTrue();
            List<SessionImport.Item> again = new ArrayList<>();
            for (int place : List.of(2, 0, 1)) {
                again.add(read.readAgain(place, lines));
            }
            assertThat(again)
                    .containsExactly(
                            held.items().get(2),
                            held.items().get(0),
                            held.items().get(1));
            assertThat(again.get(1).messages())
                    .extracting(StoredMessage::sequence)
                    .containsExactly(1L, 2L);
        }
    }

    @Test
    void aFileThatIsChangedMeanwhileIsNoticed() throws Exception {
        Path archive = Files.writeString(directory.resolve("a.jsonl"), "{\"id\":\"a\"}\n{\"id\":\"b\"}\n");
        try (ImportLines lines = ImportLines.of(archive)) {
            ImportFile read = new ImportFile(Instant.EPOCH, ONE);
            lines.forEach(read::read);
            Files.writeString(archive, "{\"id\":\"c\"}\n{\"id\"");

            assertThatThrownBy(() -> read.readAgain(0, lines))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("line 1");
            assertThatThrownBy(() -> read.readAgain(1, lines))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("was changed");
        }
    }
}
