package dev.parley.home.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.text.Unicode;
import dev.parley.home.HomeDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.function.Function;

/**
 * The book of pairing as a file of the home, readable by its owner only. Several processes may use it at once: each change is made
 * under a lock, on what the file holds then, and replaces the file as a whole. A file that cannot be read is never replaced.
 */
final class PairingFile {
    private static final String NAME = "pairing.json";
    private static final String LOCK = "pairing.lock";

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Within one process a file lock cannot be waited for. */
    private static final Object ONE_AT_A_TIME = new Object();

    private final Path home;
    private volatile Optional<Seen> seen = Optional.empty();

    PairingFile(HomeDirectory home) {
        this.home = home.path();
    }

    /** What was read, and which file it was. */
    private record Seen(FileTime changed, long size, Optional<Object> file, Book book) {
        boolean isStill(BasicFileAttributes now) {
            return changed.equals(now.lastModifiedTime())
                    && size == now.size()
                    && file.equals(Optional.ofNullable(now.fileKey()));
        }
    }

    /** What a change makes of the book, and what is answered. */
    record Change<T>(Book after, T answer) {}

    /**
     * Returns what the file holds now; nothing where there is none. Reads it again only where it has changed.
     *
     * @throws StorageUnavailable where it cannot be read
     * @throws StorageCorrupt where it is not what this class wrote
     */
    Book read() {
        try {
            BasicFileAttributes now = Files.readAttributes(file(), BasicFileAttributes.class);
            Optional<Seen> known = seen.filter(before -> before.isStill(now));
            if (known.isPresent()) {
                return known.get().book();
            }
            Book book = Book.read(parse(Files.readString(file())));
            seen = Optional.of(new Seen(now.lastModifiedTime(), now.size(), Optional.ofNullable(now.fileKey()), book));
            return book;
        } catch (NoSuchFileException nobodyYet) {
            return Book.EMPTY;
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The file " + file() + " cannot be read (" + HomeDirectory.reason(e) + ").", e);
        } catch (IllegalArgumentException e) {
            throw new StorageCorrupt(
                    "The file " + file() + " cannot be understood: " + e.getMessage()
                            + "; repair it, or remove it, which forgets who was let in.",
                    e);
        }
    }

    /** Changes what the file holds, on disk on return; an unchanged book is not written. */
    <T> T change(Function<Book, Change<T>> how) {
        synchronized (ONE_AT_A_TIME) {
            try (FileChannel channel =
                            FileChannel.open(home.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                HomeDirectory.ownersOnly(home.resolve(LOCK));
                Book before = read();
                Change<T> change = how.apply(before);
                if (lock.isValid() && !change.after().equals(before)) {
                    write(change.after());
                }
                return change.answer();
            } catch (IOException e) {
                throw new StorageUnavailable(
                        "The file " + file() + " cannot be written (" + HomeDirectory.reason(e)
                                + "); check the permissions of the home and the disk's free space.",
                        e);
            }
        }
    }

    private void write(Book book) throws IOException {
        Path temporary = Files.createTempFile(home, NAME, ".tmp");
        try {
            HomeDirectory.ownersOnly(temporary);
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(pretty(book).getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static JsonNode parse(String text) {
        try {
            JsonNode node = JSON.readTree(text);
            if (node == null || node.isMissingNode()) {
                throw new IllegalArgumentException("there is no JSON here");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("line " + e.getLocation().getLineNr() + " is not JSON", e);
        }
    }

    private static String pretty(Book book) throws JsonProcessingException {
        return Unicode.wellFormed(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(book.write()));
    }

    private Path file() {
        return home.resolve(NAME);
    }
}
