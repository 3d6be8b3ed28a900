package dev.parley.application.spi;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.transcript.Message;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads one session file by its path, also one of another program (storage 7.5). Found as a service. */
public interface TranscriptFileReader {
    /** Returns the ending of the names of such files, such as {@code .jsonl}. */
    String ending();

    /**
     * Reads a file; changes nothing.
     *
     * @throws StorageUnavailable where it cannot be read
     * @throws StorageCorrupt where its first line tells neither what the file is nor anything that was said
     */
    TranscriptFile read(Path file);

    /**
     * What a session file holds.
     *
     * @param meta what the file says of itself
     * @param metaMissing whether the line about the file itself was lost, so that {@code meta} was taken from the file's name as
     *     far as it tells
     * @param context the messages from the last compaction on, its summary first; ids and times are made up where the file has
     *     none
     * @param archived how many messages stand before the last compaction
     * @param skipped the lines that could not be read, in order
     */
    record TranscriptFile(
            FileMeta meta, boolean metaMissing, List<Message> context, int archived, List<SkippedLine> skipped) {
        public TranscriptFile {
            context = List.copyOf(context);
            skipped = List.copyOf(skipped);
        }
    }

    /**
     * What a session file says of itself.
     *
     * @param agent the agent
     * @param createdBy who the agent talks to
     * @param createdAt when it was created, as it stands there; absent where the line was lost
     * @param title its title, possibly empty
     * @param uptimeSecs for how long the agent worked in it, in seconds
     */
    record FileMeta(String agent, String createdBy, Optional<String> createdAt, String title, long uptimeSecs) {}

    /**
     * A line that could not be read.
     *
     * @param line its number, from 1
     * @param why why
     */
    record SkippedLine(long line, String why) {}
}
