package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.home.HomeDirectory;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;

/**
 * The file that a command writes what it found to. A regular file is put in place once it is whole, readable by its owner only, and
 * keeps what it held where that fails; a link names the file it leads to; a device or a pipe is written into.
 */
final class OutputFile {
    private static final int MOST_LINKS = 40;
    private static final List<Path> PLACES_OF_DEVICES = List.of(Path.of("/dev"), Path.of("/proc"));

    private final Path named;

    OutputFile(Path named) {
        this.named = named;
    }

    /**
     * Writes the file.
     *
     * @throws InvalidRequest where there can be no such file
     * @throws StorageUnavailable where there is no room for it
     */
    void write(Consumer<PrintStream> body) {
        if (Files.isDirectory(named)) {
            throw new InvalidRequest("The export " + named + " is a directory; name a file with -o.");
        }
        try {
            if (isWrittenInto()) {
                fill(named, body, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            } else {
                replace(followed(), body);
            }
        } catch (IOException e) {
            throw new InvalidRequest("The export " + named + " cannot be written (" + HomeDirectory.reason(e)
                    + "); name another file with -o.");
        }
    }

    /** What is no regular file stays what it is; {@code /dev/stdout} too, which may lead to one that others write to. */
    private boolean isWrittenInto() {
        Path place = named.toAbsolutePath().normalize();
        return Files.exists(named)
                && (!Files.isRegularFile(named) || PLACES_OF_DEVICES.stream().anyMatch(place::startsWith));
    }

    private Path followed() throws IOException {
        Path path = named;
        for (int links = 0; Files.isSymbolicLink(path); links++) {
            if (links == MOST_LINKS) {
                throw new IOException("Too many links lead from " + named);
            }
            path = path.resolveSibling(Files.readSymbolicLink(path));
        }
        return path;
    }

    private void replace(Path target, Consumer<PrintStream> body) throws IOException {
        if (Files.exists(target) && !Files.isWritable(target)) {
            throw new java.nio.file.AccessDeniedException(target.toString());
        }
        // A temporary file is made for its owner only, with a name that nobody else has.
        Path temporary = Files.createTempFile(target.toAbsolutePath().getParent(), ".export", ".tmp");
        try {
            fill(temporary, body, StandardOpenOption.WRITE);
            Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private void fill(Path path, Consumer<PrintStream> body, OpenOption... how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, java.util.Set.of(how));
                OutputStream bytes = new BufferedOutputStream(Channels.newOutputStream(channel));
                PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            body.accept(out);
            if (out.checkError()) {
                throw new StorageUnavailable(
                        "The export " + named + " cannot be written; check the disk's free space.", null);
            }
            if (Files.isRegularFile(path)) {
                channel.force(true);
            }
        }
    }
}
