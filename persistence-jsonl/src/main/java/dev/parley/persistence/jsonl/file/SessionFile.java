package dev.parley.persistence.jsonl.file;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Walks through the lines of a session file as bytes. */
public final class SessionFile {
    private SessionFile() {}

    /** Takes lines one after the other. */
    public interface LineReader {
        /**
         * Takes a line without its line feed.
         *
         * @param number its number, from 1
         * @param from where it begins
         * @param line the line
         */
        void line(long number, long from, byte[] line) throws IOException;
    }

    /** Returns the first line of a file without its line feed; nothing where the file is empty. */
    public static Optional<byte[]> firstLine(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            ByteArrayOutputStream line = new ByteArrayOutputStream(256);
            int c = in.read();
            if (c < 0) {
                return Optional.empty();
            }
            while (c >= 0 && c != '\n') {
                line.write(c);
                c = in.read();
            }
            return Optional.of(line.toByteArray());
        }
    }

    /** Hands every line to {@code reader}; the last one also where it has no line feed. */
    public static void forEachLine(InputStream in, LineReader reader) throws IOException {
        byte[] buffer = new byte[1 << 14];
        ByteArrayOutputStream begun = new ByteArrayOutputStream();
        long number = 1;
        long from = 0;
        int n = in.read(buffer);
        while (n >= 0) {
            int start = 0;
            for (int i = 0; i < n; i++) {
                if (buffer[i] == '\n') {
                    byte[] line = Arrays.copyOfRange(buffer, start, i);
                    if (begun.size() > 0) {
                        begun.writeBytes(line);
                        line = begun.toByteArray();
                        begun.reset();
                    }
                    reader.line(number++, from, line);
                    from += line.length + 1L;
                    start = i + 1;
                }
            }
            begun.write(buffer, start, n - start);
            n = in.read(buffer);
        }
        if (begun.size() > 0) {
            reader.line(number, from, begun.toByteArray());
        }
    }

    /** Returns the line without a carriage return at its end. */
    public static byte[] withoutReturn(byte[] line) {
        return line.length > 0 && line[line.length - 1] == '\r' ? Arrays.copyOf(line, line.length - 1) : line;
    }
}
