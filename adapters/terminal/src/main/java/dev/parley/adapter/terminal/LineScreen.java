package dev.parley.adapter.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.UncheckedIOException;

/** Input and output without a terminal: one message a line, and nothing but text. A backslash at the end continues a line. */
final class LineScreen implements Screen {
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
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!Continued.is(line)) {
                    return new Typed.Message(text.append(line).toString());
                }
                text.append(Continued.without(line)).append('\n');
            }
            return text.isEmpty()
                    ? new Typed.End()
                    : new Typed.Message(text.toString().stripTrailing());
        } catch (IOException | UncheckedIOException closed) {
            return new Typed.End();
        }
    }

    @Override
    public synchronized void stream(String piece) {
        out.print(piece);
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
        out.println(text);
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
