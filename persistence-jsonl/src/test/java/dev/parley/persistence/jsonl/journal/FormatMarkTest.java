package dev.parley.persistence.jsonl.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.domain.change.Batch;
import dev.parley.persistence.jsonl.record.RecordFormat;
import dev.parley.persistence.jsonl.state.CheckpointLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormatMarkTest {
    /** A line of a journal as version 1 read it: keys that it did not know were left out. */
    public record LineOfVersion1(long place, Optional<Batch> batch) {}

    private static final byte[] LINE = "{\"place\":1}".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path directory;

    private static String refusal(Class<?> read) {
        try {
            RecordFormat.of(read).fromBytes(FormatMark.line());
            return "read";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static List<String> linesOf(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        LogFile.read(file, (json, from, to) -> lines.add(new String(json, StandardCharsets.UTF_8)));
        return lines;
    }

    @Test
    void version1RefusesAJournalAndACheckpointAndSaysWhatToDo() {
        assertThat(refusal(LineOfVersion1.class)).contains("version 2: use the Parley that wrote it", "is no Change");
        assertThat(refusal(CheckpointLine.class))
                .contains("version 2: use the Parley that wrote it", "is no CheckpointLine");
    }

    @Test
    void everyFileBeginsWithTheMarkAndNoReaderIsHandedIt() throws IOException {
        Path journal = directory.resolve("journal");
        try (LogFile file = LogFile.create(journal)) {
            file.append(List.of(LINE));
        }
        Path checkpoint = directory.resolve("checkpoint");
        LogFile.write(checkpoint, List.of(LINE).stream());

        assertThat(Files.readAllLines(journal).get(0)).contains("a file of version 2");
        assertThat(Files.readAllLines(checkpoint).get(0)).contains("a file of version 2");
        assertThat(linesOf(journal)).containsExactly("{\"place\":1}");
        assertThat(linesOf(checkpoint)).containsExactly("{\"place\":1}");
    }

    @Test
    void aFileOfVersion1IsMarkedBeforeTheFirstLineThatIsWrittenToIt() throws IOException {
        Path journal = directory.resolve("journal");
        String crc = "{\"crc\":\"" + LogFile.sum("00000000", LINE) + "\",";
        Files.writeString(journal, crc + new String(LINE, StandardCharsets.UTF_8).substring(1) + "\n");

        try (LogFile file = LogFile.open(journal, (json, from, to) -> {})) {
            assertThat(Files.readAllLines(journal)).hasSize(1);
            file.append(List.of(LINE));
            file.append(List.of(LINE));
        }

        assertThat(Files.readAllLines(journal)).hasSize(4);
        assertThat(Files.readAllLines(journal).get(1)).contains("a file of version 2");
        assertThat(linesOf(journal)).hasSize(3);
    }

    @Test
    void aLaterVersionIsRefusedInOneLine() throws IOException {
        byte[] later = new String(FormatMark.line(), StandardCharsets.UTF_8)
                .replace("version 2", "version 3")
                .getBytes(StandardCharsets.UTF_8);
        Path journal = directory.resolve("journal");
        try (LogFile file = LogFile.create(journal)) {
            file.append(List.of(later));
        }

        assertThatThrownBy(() -> LogFile.read(journal, (json, from, to) -> {}))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the file journal was written by a newer Parley (it has version 3, this one knows 2); use that"
                                + " one");
    }
}
