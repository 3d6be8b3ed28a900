package dev.parley.persistence.jsonl.journal;

import dev.parley.application.port.KnowledgeLog;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Change;
import dev.parley.persistence.jsonl.record.RecordFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What is remembered of a storage, as lines in two files that take turns: the full one before is forgotten when the current one is
 * full. Written without waiting for the disk. Safe for concurrent use.
 */
public final class JsonlKnowledgeLog implements KnowledgeLog {
    /** How large a file grows: what the last ten thousand messages or so leave behind. */
    public static final long MOST_BYTES = 4L * 1024 * 1024;

    private static final String CURRENT = "recollection.jsonl";
    private static final String BEFORE = "recollection.before.jsonl";
    private static final RecordFormat<Line> FORMAT = RecordFormat.of(Line.class);

    /** A line: what one batch left to be remembered. */
    public record Line(List<Change> changes) {}

    private final Path directory;
    private final long mostBytes;
    private FileChannel file;
    private long size;
    /** Whether the last line has no end: then the next one must not be taken for its rest. */
    private boolean torn;

    /**
     * Opens it in a directory that exists.
     *
     * @param mostBytes how large a file grows
     * @throws StorageUnavailable where it cannot be used now
     */
    public JsonlKnowledgeLog(Path directory, long mostBytes) {
        this.directory = directory;
        this.mostBytes = mostBytes;
        try {
            this.file = open();
        } catch (IOException e) {
            throw unavailable("opened", e);
        }
    }

    /** Behind a line that was torn a new one is begun with the next note, so that only the torn one is lost. */
    private FileChannel open() throws IOException {
        FileChannel channel = PrivateFiles.open(
                directory.resolve(CURRENT),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        size = channel.size();
        torn = size > 0 && !endsWithLine(channel);
        return channel;
    }

    private static boolean endsWithLine(FileChannel channel) throws IOException {
        ByteBuffer last = ByteBuffer.allocate(1);
        return channel.read(last, channel.size() - 1) == 1 && last.get(0) == '\n';
    }

    private void write(FileChannel channel, byte[] bytes) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        long at = size;
        while (rest.hasRemaining()) {
            at += channel.write(rest, at);
        }
        size = at;
    }

    @Override
    public void note(List<Change> changes) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        line.writeBytes(FORMAT.toBytes(new Line(changes)));
        line.write('\n');
        note(line.toByteArray());
    }

    private synchronized void note(byte[] line) {
        boolean interrupted = Thread.interrupted();
        try {
            if (!file.isOpen()) {
                file = open();
            }
            if (size > 0 && size + line.length > mostBytes) {
                turn();
            }
            if (torn) {
                write(file, new byte[] {'\n'});
                torn = false;
            }
            write(file, line);
        } catch (IOException e) {
            throw unavailable("written", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void turn() throws IOException {
        file.close();
        try {
            Files.move(directory.resolve(CURRENT), directory.resolve(BEFORE), StandardCopyOption.REPLACE_EXISTING);
        } finally {
            file = open();
        }
    }

    @Override
    public synchronized void recall(Consumer<Change> each) {
        try {
            for (String name : List.of(BEFORE, CURRENT)) {
                recall(directory.resolve(name), each);
            }
        } catch (IOException e) {
            throw unavailable("read", e);
        }
    }

    private static void recall(Path file, Consumer<Change> each) throws IOException {
        // Bytes that are no UTF-8 spoil their line only, which then is no JSON either.
        String text;
        try {
            text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return;
        }
        try (Stream<String> lines = text.lines()) {
            lines.forEach(line -> {
                try {
                    FORMAT.fromBytes(line.getBytes(StandardCharsets.UTF_8))
                            .changes()
                            .forEach(each);
                } catch (IOException torn) {
                    // What cannot be read back is not remembered.
                }
            });
        }
    }

    @Override
    public synchronized void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw unavailable("closed", e);
        }
    }

    private StorageUnavailable unavailable(String what, IOException cause) {
        return Reasons.unavailable(
                "The knowledge log in " + directory + " cannot be " + what + ": " + Reasons.of(cause)
                        + ". Check the disk's space and permissions.",
                cause);
    }
}
