package dev.parley.bootstrap.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The lines of a file of UTF-8 text, of which one is held at a time and each can be read again. What can be read only once is written
 * into a file of its own first, which goes when this is closed. For one thread.
 */
final class ImportLines implements AutoCloseable {
    private final SeekableByteChannel file;

    /**
     * Where a line stands.
     *
     * @param number its number, from 1
     * @param from its first byte
     * @param length how many bytes it has, without the end of the line
     */
    record Line(int number, long from, int length) {}

    /** Takes a line. */
    @FunctionalInterface
    interface Reader {
        void read(Line line, String text);
    }

    private ImportLines(SeekableByteChannel file) {
        this.file = file;
    }

    /** Opens a file. */
    static ImportLines of(Path file) throws IOException {
        if (Files.isRegularFile(file)) {
            return new ImportLines(Files.newByteChannel(file));
        }
        try (InputStream in = Files.newInputStream(file)) {
            return of(in);
        }
    }

    /** Opens what a stream has, which only its owner can read meanwhile. */
    static ImportLines of(InputStream in) throws IOException {
        Path kept = Files.createTempFile("parley-import-", ".jsonl");
        try {
            SeekableByteChannel file = Files.newByteChannel(
                    kept, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            in.transferTo(Channels.newOutputStream(file));
            return new ImportLines(file);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(kept);
            throw e;
        }
    }

    /** Returns how many bytes there are. */
    long size() throws IOException {
        return file.size();
    }

    /**
     * Reads all lines in order.
     *
     * @throws CharacterCodingException where one is not UTF-8
     */
    void forEach(Reader reader) throws IOException {
        file.position(0);
        BufferedInputStream in = new BufferedInputStream(Channels.newInputStream(file));
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        long from = 0;
        int number = 0;
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next != '\n') {
                line.write(next);
                continue;
            }
            give(++number, from, line, reader);
            from += line.size() + 1L;
            line.reset();
        }
        give(++number, from, line, reader);
    }

    private static void give(int number, long from, ByteArrayOutputStream line, Reader reader) throws IOException {
        reader.read(new Line(number, from, line.size()), text(ByteBuffer.wrap(line.toByteArray())));
    }

    /** Reads a line once more; shorter than it was where the file has become shorter. */
    String text(Line line) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(line.length());
        file.position(line.from());
        while (bytes.hasRemaining() && file.read(bytes) >= 0) {
            // The next part follows.
        }
        return text(bytes.flip());
    }

    private static String text(ByteBuffer bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
