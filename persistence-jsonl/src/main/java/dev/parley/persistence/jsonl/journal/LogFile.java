package dev.parley.persistence.jsonl.journal;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * A file of JSON lines that is appended to durably. Each line begins with a check sum over itself and the check sum of the line
 * before, so that a line that was torn, or is left over from a write that failed, is told from one that was written. Space is taken
 * ahead and filled with zeros, so that a full disk is noticed before a line is begun. An appended line ends with how much of the file
 * was durable before it: a bad line before that place is damage, and is left as it is; one behind it was never durable, and is written
 * over. A line of its own, which is handed to no reader, says the version of what stands behind it. Not safe for concurrent use.
 */
public final class LogFile implements AutoCloseable {
    private static final long AHEAD = 256 * 1024;
    private static final long FARTHEST_AHEAD = 8 * 1024 * 1024;
    private static final long SHARE = 4;
    private static final byte[] OPENING = "{\"crc\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD = OPENING.length + 8 + 2;
    private static final Pattern DURABLE = Pattern.compile(",\"durable\":(\\d{1,18})}\n$");
    private static final int LONGEST_DURABLE = 32;
    private static final String START = "00000000";

    private final Path path;
    private FileChannel channel;
    private boolean closed;
    private long end;
    private long space;
    private long dirtyTo;
    private String lastSum;
    private boolean marked;

    /** Takes the lines of a file as they are read back. */
    public interface Reader {
        /** Takes the object that was written as a line, and where it begins and ends in the file. */
        void line(byte[] json, long from, long to) throws IOException;
    }

    /** Where the whole lines of a file end. */
    private record Extent(long end, String lastSum, boolean marked) {}

    private LogFile(Path path, FileChannel channel, Extent extent) throws IOException {
        this.path = path;
        this.channel = channel;
        this.end = extent.end;
        this.lastSum = extent.lastSum;
        this.marked = extent.marked;
        channel.truncate(end);
        // What is read from now on counts as durable; a killed process may have left it to the system to write.
        channel.force(true);
        this.space = end;
        this.dirtyTo = end;
    }

    /** Makes a file that must not exist, and makes its name durable. */
    public static LogFile create(Path path) throws IOException {
        FileChannel channel = PrivateFiles.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        Directories.sync(path);
        return new LogFile(path, channel, new Extent(0, START, false));
    }

    /**
     * Opens a file to append to it, handing its whole lines to {@code reader}.
     *
     * @throws DamagedFileException where a line is damaged that was written whole once
     */
    public static LogFile open(Path path, Reader reader) throws IOException {
        Extent extent = scan(path, reader);
        return new LogFile(path, FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE), extent);
    }

    /**
     * Hands the whole lines of a file to {@code reader}; changes nothing.
     *
     * @throws DamagedFileException where a line is damaged that was written whole once
     */
    public static void read(Path path, Reader reader) throws IOException {
        scan(path, reader);
    }

    /** Writes a whole file of objects, each a line, in the place of what stands under this name. Durable on return. */
    public static void write(Path path, Stream<byte[]> objects) throws IOException {
        try (FileChannel channel = PrivateFiles.open(
                path, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            String sum = writeLine(out, START, FormatMark.line());
            for (byte[] body : (Iterable<byte[]>) objects::iterator) {
                sum = writeLine(out, sum, body);
            }
            out.flush();
            channel.force(true);
        }
        Directories.sync(path);
    }

    /** Returns an object with how much of the file is durable before it. Earlier versions leave the key out. */
    private static byte[] withDurable(byte[] object, long durable) {
        byte[] key = key(durable);
        byte[] line = Arrays.copyOf(object, object.length - 1 + key.length);
        System.arraycopy(key, 0, line, object.length - 1, key.length);
        return line;
    }

    private static byte[] key(long durable) {
        return (",\"durable\":" + durable + "}").getBytes(StandardCharsets.US_ASCII);
    }

    /** Writes a line and returns its check sum. */
    private static String writeLine(OutputStream out, String before, byte[] body) throws IOException {
        String sum = sum(before, body);
        out.write(OPENING);
        out.write((sum + "\",").getBytes(StandardCharsets.US_ASCII));
        out.write(body, 1, body.length - 1);
        out.write('\n');
        return sum;
    }

    /**
     * Appends objects, each a line, with one write. Durable on return; where it throws, whether they are stored is not known, and
     * the next append takes their place.
     *
     * @return where each of them ends
     */
    public long[] append(List<byte[]> objects) throws IOException {
        return uninterrupted(() -> appended(objects));
    }

    private long[] appended(List<byte[]> objects) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        long[] ends = new long[objects.size()];
        String sum = marked ? lastSum : writeLine(lines, lastSum, withDurable(FormatMark.line(), end));
        for (int i = 0; i < ends.length; i++) {
            sum = writeLine(lines, sum, withDurable(objects.get(i), end));
            ends[i] = end + lines.size();
        }
        long to = end + lines.size();
        reserve(to);
        byte[] bytes = lines.toByteArray();
        if (dirtyTo > to) {
            bytes = Arrays.copyOf(bytes, Math.toIntExact(dirtyTo - end));
        }
        dirtyTo = end + bytes.length;
        write(ByteBuffer.wrap(bytes), end);
        channel.force(false);
        end = to;
        dirtyTo = to;
        lastSum = sum;
        marked = true;
        return ends;
    }

    /**
     * Takes space ahead for so many bytes, unless the disk has little more than that: what is left then is needed by others, such
     * as the database that is to be whole again. A missing one is reported when it is needed.
     */
    public void prepare(long bytes) {
        try {
            if (Files.getFileStore(path).getUsableSpace() >= SHARE * bytes) {
                uninterrupted(() -> {
                    reserve(end + bytes);
                    return end;
                });
            }
        } catch (IOException scarce) {
            // An append tells it.
        }
    }

    /** Returns where the next line begins: behind the mark of this version, which is written where the file has none. */
    public long next() throws IOException {
        if (!marked) {
            append(List.of());
        }
        return end;
    }

    /** Returns where the last whole line ends. */
    public long end() {
        return end;
    }

    /** Returns the file. */
    public Path path() {
        return path;
    }

    /** Reads a line by its place. */
    public byte[] lineAt(long from, long to) throws IOException {
        return uninterrupted(() -> lineRead(from, to));
    }

    private byte[] lineRead(long from, long to) throws IOException {
        ByteBuffer line = ByteBuffer.allocate(Math.toIntExact(to - from));
        long at = from;
        while (line.hasRemaining()) {
            int n = channel.read(line, at);
            if (n < 0) {
                throw new DamagedFileException(path, "it is shorter than it was");
            }
            at += n;
        }
        return object(line.array());
    }

    /** Gives back the space taken ahead, and closes the file; does nothing the second time. */
    @Override
    public void close() throws IOException {
        closed = true;
        try (FileChannel open = channel) {
            if (open.isOpen() && open.size() > end) {
                open.truncate(end);
            }
        }
    }

    /** What is done with the open file. */
    private interface Work<T> {
        T done() throws IOException;
    }

    /** Does something to the end on a thread that is interrupted, too: there, the system closes the file under everybody else. */
    private <T> T uninterrupted(Work<T> work) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                if (!channel.isOpen() && !closed) {
                    channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                }
                try {
                    return work.done();
                } catch (ClosedChannelException e) {
                    if (closed) {
                        throw e;
                    }
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void reserve(long to) throws IOException {
        if (to <= space) {
            return;
        }
        long least = (to / AHEAD + 1) * AHEAD;
        long wanted = least + Math.min(end / 4, FARTHEST_AHEAD) / AHEAD * AHEAD;
        if (wanted > least) {
            try {
                takeSpace(wanted);
                return;
            } catch (IOException full) {
                // There may be room for less.
            }
        }
        takeSpace(least);
    }

    private void takeSpace(long wanted) throws IOException {
        try {
            write(ByteBuffer.allocate(Math.toIntExact(wanted - space)), space);
            channel.force(true);
        } catch (IOException full) {
            channel.truncate(Math.max(end, Math.min(space, channel.size())));
            space = channel.size();
            throw full;
        }
        space = wanted;
    }

    private void write(ByteBuffer bytes, long at) throws IOException {
        long next = at;
        while (bytes.hasRemaining()) {
            next += channel.write(bytes, next);
        }
    }

    private static Extent scan(Path path, Reader reader) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
                InputStream in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16)) {
            long at = 0;
            String sum = START;
            boolean marked = false;
            while (true) {
                byte[] line = line(in);
                if (!isWhole(line, sum)) {
                    if ((endsWithLine(line) || wasDurable(in, line, at)) && isStill(channel, at, line)) {
                        throw new DamagedFileException(
                                path, "the line at byte " + at + " is damaged, though it was written whole once");
                    }
                    return new Extent(at, sum, marked);
                }
                sum = storedSum(line);
                byte[] body = body(line, line.length - 1);
                if (FormatMark.isMark(path, body)) {
                    marked = true;
                } else {
                    hand(path, reader, line, at);
                }
                at += line.length;
            }
        }
    }

    private static void hand(Path path, Reader reader, byte[] line, long at) throws IOException {
        try {
            reader.line(object(line), at, at + line.length);
        } catch (DamagedFileException e) {
            throw e;
        } catch (IOException e) {
            throw new DamagedFileException(
                    path, "the line at byte " + at + " has a check sum that fits, but is " + e.getMessage());
        }
    }

    /**
     * Returns whether a bad line that has no end was durable once: then a line behind it says so, or, where it is of a version that
     * did not say so, is whole. What is behind a torn line was written together with it, or is empty.
     */
    private static boolean wasDurable(InputStream in, byte[] bad, long at) throws IOException {
        byte[] before = bad;
        while (true) {
            byte[] line = nextLine(in);
            if (line.length == 0) {
                return false;
            }
            if (endsWithLine(line)) {
                long durable = durable(line);
                boolean behind = before.length > HEAD && looksWritten(before) && isSummed(line, storedSum(before));
                if (durable > at || (durable < 0 && behind)) {
                    return true;
                }
            }
            before = line;
        }
    }

    /** Returns whether a bad line is still as it was read: it may have been read while it was written. */
    private static boolean isStill(FileChannel channel, long at, byte[] line) throws IOException {
        ByteBuffer again = ByteBuffer.allocate(line.length + 1);
        long next = at;
        int n = channel.read(again, next);
        while (n > 0 && again.hasRemaining()) {
            next += n;
            n = channel.read(again, next);
        }
        boolean same =
                again.position() >= line.length && Arrays.equals(again.array(), 0, line.length, line, 0, line.length);
        return same && (endsWithLine(line) || again.position() == line.length || again.get(line.length) == 0);
    }

    /** Returns how much was durable when a line was written; -1 where it does not say so. */
    private static long durable(byte[] line) {
        int from = Math.max(0, line.length - LONGEST_DURABLE);
        Matcher end = DURABLE.matcher(new String(line, from, line.length - from, StandardCharsets.US_ASCII));
        return end.find() ? Long.parseLong(end.group(1)) : -1;
    }

    /** Reads up to and with the next line feed, or up to zeros, or to the end. */
    private static byte[] line(InputStream in) throws IOException {
        return line(in, in.read());
    }

    /** Reads as {@link #line(InputStream)} does, but passes over zeros; nothing is only at the end. */
    private static byte[] nextLine(InputStream in) throws IOException {
        int c = in.read();
        while (c == 0) {
            c = in.read();
        }
        return line(in, c);
    }

    private static byte[] line(InputStream in, int first) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        int c = first;
        while (c > 0) {
            line.write(c);
            if (c == '\n') {
                break;
            }
            c = in.read();
        }
        return line.toByteArray();
    }

    private static boolean endsWithLine(byte[] line) {
        return line.length > 0 && line[line.length - 1] == '\n';
    }

    private static boolean isWhole(byte[] line, String before) {
        return endsWithLine(line) && isSummed(line, before);
    }

    private static boolean looksWritten(byte[] line) {
        for (int i = 0; i < OPENING.length; i++) {
            if (line[i] != OPENING[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSummed(byte[] line, String before) {
        return line.length > HEAD
                && looksWritten(line)
                && sum(before, body(line, line.length - 1)).equals(storedSum(line));
    }

    private static String storedSum(byte[] line) {
        return new String(line, OPENING.length, 8, StandardCharsets.US_ASCII);
    }

    /** Returns the object that a line was made of. */
    private static byte[] object(byte[] line) {
        byte[] body = body(line, line.length - 1);
        long durable = durable(line);
        if (durable < 0) {
            return body;
        }
        byte[] object = Arrays.copyOf(body, body.length - key(durable).length + 1);
        object[object.length - 1] = '}';
        return object;
    }

    private static byte[] body(byte[] line, int length) {
        byte[] body = new byte[length - HEAD + 1];
        System.arraycopy(line, HEAD, body, 1, body.length - 1);
        body[0] = '{';
        return body;
    }

    static String sum(String before, byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(before.getBytes(StandardCharsets.US_ASCII));
        crc.update(body);
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
