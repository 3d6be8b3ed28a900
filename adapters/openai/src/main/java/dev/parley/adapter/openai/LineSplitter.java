package dev.parley.adapter.openai;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Cuts bytes into lines of UTF-8, wherever the network cut them. */
final class LineSplitter {
    private final int longest;
    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();

    /** Takes lines of at most so many bytes. */
    LineSplitter(int longest) {
        this.longest = longest;
    }

    /**
     * Takes bytes; returns the lines that they end.
     *
     * @throws IllegalStateException where a line is longer than that
     */
    List<String> take(List<ByteBuffer> buffers) {
        List<String> lines = new ArrayList<>();
        for (ByteBuffer buffer : buffers) {
            while (buffer.hasRemaining()) {
                byte next = buffer.get();
                if (next == '\n') {
                    lines.add(line());
                } else {
                    rest.write(next);
                }
            }
        }
        if (rest.size() > longest) {
            throw new IllegalStateException("a line is longer than " + longest + " bytes");
        }
        return lines;
    }

    /** Returns a last line that nothing ended. */
    Optional<String> end() {
        return rest.size() == 0 ? Optional.empty() : Optional.of(line());
    }

    private String line() {
        String line = rest.toString(StandardCharsets.UTF_8);
        rest.reset();
        return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    }
}
