package org.example.batchlog;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Change;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * A file of records that is only appended to: a line that names the format, then records. A record is a head of 16 bytes (a mark,
 * the length, the checksum of the content, the checksum of the twelve bytes before) and the content, filled up with zeros to a
 * multiple of 16, so that no head lies across two sectors.
 *
 * <p>What a power failure or a kill leaves half-written can only be the last record, and nobody was told that it is stored: it is
 * cut off at the next opening for writing. Anything else that does not fit is damage, and the file is left as it is.
 */
final class LogFile implements Closeable {
    private static final String NAME = "batchlog ";
    static final String FORMAT = NAME + "1, changes " + Change.VERSION + "\n";
    private static final byte[] FIRST_LINE = firstLine();
    private static final int MARK = 0x50424C31;
    private static final int UNIT = 16;

    private final BatchLogSettings settings;
    private final RandomAccessFile file;
    private final Closeable ownership;
    private final boolean writable;
    private final Object identity;
    private long end;
    private boolean inDoubt;

    private LogFile(BatchLogSettings settings, RandomAccessFile file, Closeable ownership, boolean writable)
            throws IOException {
        this.settings = settings;
        this.file = file;
        this.ownership = ownership;
        this.writable = writable;
        this.identity = identity(settings.file());
    }

    private static byte[] firstLine() {
        byte[] line = FORMAT.getBytes(StandardCharsets.US_ASCII);
        byte[] padded = Arrays.copyOf(line, padded(line.length));
        Arrays.fill(padded, line.length - 1, padded.length - 1, (byte) ' ');
        padded[padded.length - 1] = '\n';
        return padded;
    }

    private static int padded(int length) {
        return (length + UNIT - 1) / UNIT * UNIT;
    }

    /** Opens the log to be read and appended to; made where there is none. */
    static LogFile write(BatchLogSettings settings) {
        Path path = settings.file();
        try {
            Files.createDirectories(path.getParent());
            FileOwnership ownership = FileOwnership.take(path);
            try {
                RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
                if (isUnfinished(file)) {
                    begin(file, path);
                }
                return new LogFile(settings, file, ownership::close, true);
            } catch (IOException | RuntimeException e) {
                ownership.close();
                throw e;
            }
        } catch (IOException e) {
            throw unavailable(path, "opened", e);
        }
    }

    /** Opens the log to be read; it may be appended to meanwhile. */
    static LogFile read(BatchLogSettings settings) {
        try {
            if (!Files.exists(settings.file())) {
                throw new NoSuchFileException(settings.file().toString(), null, "there is none");
            }
            return new LogFile(settings, new RandomAccessFile(settings.file().toFile(), "r"), () -> {}, false);
        } catch (IOException e) {
            throw unavailable(settings.file(), "opened", e);
        }
    }

    /** A file that was being made when its process died holds the beginning of the first line, or nothing. */
    private static boolean isUnfinished(RandomAccessFile file) throws IOException {
        if (file.length() >= FIRST_LINE.length) {
            return false;
        }
        byte[] there = new byte[(int) file.length()];
        file.readFully(there);
        return Arrays.equals(there, Arrays.copyOf(FIRST_LINE, there.length));
    }

    private static void begin(RandomAccessFile file, Path path) throws IOException {
        file.seek(0);
        file.write(FIRST_LINE);
        file.getFD().sync();
        try (FileChannel directory = FileChannel.open(path.getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /** Hands every record to {@code each}, in order; cuts off what was left half-written where this may write. */
    void forEachRecord(Consumer<byte[]> each) {
        try {
            end = scan(settings.file(), each);
            if (writable && file.length() > end) {
                settings.warnings()
                        .accept("The log " + settings.file() + " ends in the middle of a batch that nobody was told is"
                                + " stored; its " + (file.length() - end) + " bytes were cut off.");
                cut();
            }
        } catch (IOException e) {
            throw unavailable(settings.file(), "read", e);
        }
    }

    // docs: append
    /** Appends a record; on return the medium has it. Where it fails, nothing of it stays. */
    void append(byte[] content) {
        if (!writable) {
            throw new StorageUnavailable(
                    "The log " + settings.file() + " was opened to be read only; open it for writing.", null);
        }
        if (content.length > settings.maxBatchBytes()) {
            throw new InvalidRequest("A batch of " + content.length + " bytes is larger than the "
                    + settings.maxBatchBytes() + " that storage.options.max_batch_bytes allows; raise it.");
        }
        byte[] record = record(content);
        try {
            checkIdentity();
            if (inDoubt) {
                cut();
            }
            inDoubt = true;
            file.seek(end);
            file.write(record);
            if (settings.sync()) {
                file.getFD().sync();
            }
            inDoubt = false;
            end += record.length;
        } catch (IOException e) {
            throw unavailable(settings.file(), "written", e);
        }
    }
    // docs: end

    /** A log that was moved or deleted takes writes, but nobody will find them. */
    private void checkIdentity() throws IOException {
        if (!Objects.equals(identity(settings.file()), identity)) {
            throw new IOException("another file has taken its place");
        }
    }

    private static Object identity(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path : key;
    }

    private void cut() throws IOException {
        file.setLength(end);
        file.getFD().sync();
        inDoubt = false;
    }

    long size() {
        return end;
    }

    /** Returns what is wrong with a log as it is stored; empty where nothing is. */
    static List<String> damage(Path path) {
        try {
            scan(path, record -> {});
            return List.of();
        } catch (StorageCorrupt e) {
            return List.of(e.getMessage());
        } catch (IOException e) {
            throw unavailable(path, "read", e);
        }
    }

    /** Returns where the last whole record ends. */
    private static long scan(Path path, Consumer<byte[]> each) throws IOException {
        long size = Files.size(path);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 16))) {
            byte[] first = in.readNBytes(FIRST_LINE.length);
            if (!Arrays.equals(first, FIRST_LINE)) {
                String line = new String(first, StandardCharsets.US_ASCII)
                        .lines()
                        .findFirst()
                        .orElse("");
                throw line.startsWith(NAME)
                        ? new StorageCorrupt(
                                "The log " + path + " is \"" + line.strip() + "\", and this version reads \""
                                        + FORMAT.strip()
                                        + "\"; open it with the version that wrote it, and take what it holds over with"
                                        + " `parley storage copy`.",
                                null)
                        : corrupt(path, "does not begin with \"" + FORMAT.strip() + "\"");
            }
            long at = FIRST_LINE.length;
            while (size - at >= UNIT) {
                ByteBuffer head = ByteBuffer.wrap(in.readNBytes(UNIT));
                if (head.getInt(0) != MARK || head.getInt(12) != checksum(head.array(), 12)) {
                    if (isZero(head.array()) && isZero(in)) {
                        return at;
                    }
                    throw corrupt(path, "holds something that is no record at byte " + at);
                }
                int length = head.getInt(4);
                long next = at + UNIT + padded(length);
                if (next > size) {
                    return at;
                }
                byte[] content = in.readNBytes(padded(length));
                if (head.getInt(8) != checksum(content, length)) {
                    if (next == size) {
                        return at;
                    }
                    throw corrupt(path, "holds a record that was changed at byte " + at);
                }
                each.accept(Arrays.copyOf(content, length));
                at = next;
            }
            return at;
        }
    }

    private static boolean isZero(byte[] bytes) {
        for (byte b : bytes) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZero(InputStream rest) throws IOException {
        for (byte[] bytes = rest.readNBytes(1 << 16); bytes.length > 0; bytes = rest.readNBytes(1 << 16)) {
            if (!isZero(bytes)) {
                return false;
            }
        }
        return true;
    }

    private static byte[] record(byte[] content) {
        ByteBuffer record = ByteBuffer.allocate(UNIT + padded(content.length));
        record.putInt(MARK).putInt(content.length).putInt(checksum(content, content.length));
        record.putInt(checksum(record.array(), 12)).put(content);
        return record.array();
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static StorageCorrupt corrupt(Path path, String what) {
        return new StorageCorrupt(
                "The log " + path + " " + what + "; it was left as it is: restore a copy, or name another file.", null);
    }

    private static StorageUnavailable unavailable(Path path, String what, IOException e) {
        return new StorageUnavailable(
                "The log " + path + " cannot be " + what + " (" + reason(e)
                        + "); check the disk's space and the file's permissions.",
                e);
    }

    private static String reason(IOException e) {
        String message = e instanceof NoSuchFileException ? "no such file" : String.valueOf(e.getMessage());
        return message.lines().findFirst().orElse(e.getClass().getSimpleName());
    }

    /** Does nothing the second time. */
    @Override
    public void close() {
        try {
            file.close();
            ownership.close();
        } catch (IOException e) {
            settings.warnings().accept("Closing the log " + settings.file() + " failed (" + reason(e) + ").");
        }
    }
}
