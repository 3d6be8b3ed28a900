package dev.parley.adapter.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Input and output without a terminal: one message a line, and nothing but text. A backslash at the end continues a line. What is
 * read of a message is limited, so that an endless line takes no endless memory.
 */
final class LineScreen implements Screen {
    private static final int MOST_CHARACTERS = 1 << 20;

    private final BufferedReader in;
    private final PrintWriter out;
    private boolean midLine;

    LineScreen(Reader in, PrintWriter out) {
        this.in = new BufferedReader(in);
        this.out = out;
    }

    @Override
    public Typed read() {
        try {
            StringBuilder text = new StringBuilder();
            boolean tooLong = false;
            for (String line = line(); line != null; line = line()) {
                tooLong |= line.length() > MOST_CHARACTERS - text.length();
                if (!Continued.is(line)) {
                    return tooLong
                            ? new Typed.TooLong(MOST_CHARACTERS)
                            : new Typed.Message(text.append(line).toString());
                }
                if (!tooLong) {
                    text.append(Continued.without(line)).append('\n');
                }
            }
            if (tooLong) {
                return new Typed.TooLong(MOST_CHARACTERS);
            }
            return text.isEmpty()
                    ? new Typed.End()
                    : new Typed.Message(text.toString().stripTrailing());
        } catch (IOException | UncheckedIOException closed) {
            return new Typed.End();
        }
    }

    /** Returns the next line, or null at the end of the input; of one that is too long, its end, longer than the limit. */
    private @Nullable String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
            if (line.length() > 2 * MOST_CHARACTERS) {
                line.delete(0, MOST_CHARACTERS);
            }
        }
        if (line.length() > 0 && line.charAt(line.length() - 1) == '\r') {
            line.setLength(line.length() - 1);
        }
        return line.toString();
    }

    @Override
    public synchronized void stream(String piece) {
        out.print(Printable.of(piece));
        out.flush();
        midLine = true;
    }

    @Override
    public synchronized void endStream() {
        if (midLine) {
            out.println();
            out.flush();
            midLine = false;
        }
    }

    @Override
    public synchronized void show(String text) {
        endStream();
        out.println(Printable.of(text));
        out.flush();
    }

    @Override
    public void note(String text) {
        show(text);
    }

    @Override
    public void onInterrupt(Runnable action) {
        // Without a terminal, Ctrl-C is a signal to the whole process.
    }

    @Override
    public boolean isInteractive() {
        return false;
    }

    @Override
    public synchronized void close() {
        out.flush();
    }
}
