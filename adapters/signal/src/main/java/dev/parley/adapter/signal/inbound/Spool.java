package dev.parley.adapter.signal.inbound;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.port.StorageUnavailable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the daemon has handed over and the gateway has not stored yet. The daemon keeps nothing of it, so each event is on disk before it
 * is handed in: one line of JSON in a file of the home, which is emptied once all is settled. What a killed process leaves in it is handed
 * in again, and what was stored already is recognised. Safe for concurrent use.
 */
final class Spool {
    private static final int MOST = 10_000;
    /** As many wait where they are not on disk. */
    private static final int MOST_IN_MEMORY = 100;

    private static final long MOST_BYTES = 64L << 20;
    /** Settled lines that take more than this are cut off the file. */
    private static final long SETTLED_BYTES = 1L << 20;

    private final Path file;
    private final Consumer<String> warnings;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private @Nullable FileChannel channel;
    private long next;
    private long end;
    private long settled;
    private long waiting;
    private boolean failing;

    /**
     * An event that waits.
     *
     * @param number counts events
     * @param event what the daemon handed over
     * @param bytes how long its line is
     */
    record Entry(long number, JsonNode event, int bytes) {}

    /**
     * A spool that is not open yet.
     *
     * @param file its file, in a directory that exists
     * @param warnings takes one line for everything an operator should know
     */
    Spool(Path file, Consumer<String> warnings) {
        this.file = file;
        this.warnings = warnings;
    }

    /**
     * Reads what an earlier process left. A line that it had not written to its end was never handed over as a whole, and is left out.
     *
     * @throws StorageUnavailable where the file cannot be read or written; nothing of it is changed then
     */
    synchronized void open() {
        try {
            if (Files.exists(file)) {
                for (String line : Files.readString(file).split("\n", -1)) {
                    read(line);
                }
            }
            end = channel().size();
            if (end > 0 && !Files.readString(file).endsWith("\n")) {
                // The next line begins on its own.
                write(new byte[] {'\n'});
            }
        } catch (IOException e) {
            throw new StorageUnavailable(
                    file + " cannot be read or written (" + e.getClass().getSimpleName()
                            + "); it holds messages of Signal that are not stored yet.",
                    e);
        }
    }

    private void read(String line) {
        if (line.isBlank()) {
            return;
        }
        try {
            entries.add(
                    new Entry(next++, Json.MAPPER.readTree(line), line.getBytes(StandardCharsets.UTF_8).length + 1));
            waiting += entries.getLast().bytes();
        } catch (JsonProcessingException cutOff) {
            warnings.accept("A line of " + file.getFileName() + " was cut off and is left out.");
        }
    }

    private FileChannel channel() throws IOException {
        FileChannel open = channel;
        if (open == null || !open.isOpen()) {
            open = opened(file);
            channel = open;
        }
        return open;
    }

    private static FileChannel opened(Path file) throws IOException {
        FileAttribute<?>[] ownersOnly =
                file.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        return FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), ownersOnly);
    }

    /** Adds an event; where it cannot be on disk, it waits in memory alone. */
    synchronized void add(JsonNode event) {
        byte[] line = (event + "\n").getBytes(StandardCharsets.UTF_8);
        entries.add(new Entry(next++, event, line.length));
        waiting += line.length;
        try {
            write(line);
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                warnings.accept("The home does not take what Signal hands over ("
                        + e.getClass().getSimpleName() + "): it waits in memory alone until it is stored.");
            }
            failing = true;
        }
    }

    private void write(byte[] line) throws IOException {
        FileChannel open = channel();
        try {
            ByteBuffer rest = ByteBuffer.wrap(line);
            long at = end;
            while (rest.hasRemaining()) {
                at += open.write(rest, at);
            }
            open.force(false);
            end = at;
        } catch (IOException e) {
            // Half a line must not stand before the next one.
            open.truncate(end);
            throw e;
        }
    }

    /** Returns the events that have waited longest, in order. */
    synchronized List<Entry> first(int most) {
        List<Entry> first = new ArrayList<>();
        for (Entry entry : entries) {
            if (first.size() == most) {
                break;
            }
            first.add(entry);
        }
        return first;
    }

    /** Takes the first so many events out. */
    synchronized void settle(int many) {
        for (int i = 0; i < many; i++) {
            Entry entry = entries.remove();
            settled += entry.bytes();
            waiting -= entry.bytes();
        }
        try {
            if (many > 0 && entries.isEmpty()) {
                channel().truncate(0);
                end = 0;
                settled = 0;
            } else if (settled > SETTLED_BYTES && settled > waiting) {
                rewrite();
            }
        } catch (IOException e) {
            // What is settled stands in the file a while longer; it is recognised where it is handed in again.
        }
    }

    private void rewrite() throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".part");
        StringBuilder lines = new StringBuilder();
        entries.forEach(entry -> lines.append(entry.event()).append('\n'));
        Files.deleteIfExists(fresh);
        try (FileChannel out = opened(fresh)) {
            ByteBuffer all = StandardCharsets.UTF_8.encode(lines.toString());
            while (all.hasRemaining()) {
                out.write(all);
            }
            out.force(true);
        }
        close();
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        end = channel().size();
        settled = 0;
    }

    synchronized boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Returns whether no more can be kept until some of it is settled. */
    synchronized boolean isFull() {
        return entries.size() >= (failing ? MOST_IN_MEMORY : MOST) || waiting >= MOST_BYTES;
    }

    /** Closes the file; what waits stays in it. */
    synchronized void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // Every line in it was synced.
        }
    }
}
