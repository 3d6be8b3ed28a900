package dev.parley.adapter.terminal;

import java.io.IOError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Consumer;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/** A terminal with line editing, history and colours. Alt-Enter and a backslash at the end of a line begin a new one. */
final class TerminalScreen implements Screen {
    private static final AttributedStyle PROMPT = AttributedStyle.BOLD.foreground(AttributedStyle.CYAN);
    private static final AttributedStyle NOTE = AttributedStyle.DEFAULT.faint();

    private final Terminal terminal;
    private final LineReader reader;
    private final boolean colours;
    private boolean midLine;

    /** Takes hold of a terminal; lines that were typed are kept in {@code history}, readable by its owner only. */
    TerminalScreen(Terminal terminal, Path history, boolean colours, Consumer<String> warnings) {
        this.terminal = terminal;
        this.colours = colours;
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("parley")
                .parser(new MessageParser())
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, "… ")
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .option(LineReader.Option.HISTORY_IGNORE_SPACE, true)
                .option(LineReader.Option.HISTORY_TIMESTAMPED, false);
        if (isOwnersOnly(history, warnings)) {
            builder.variable(LineReader.HISTORY_FILE, history);
        }
        this.reader = builder.build();
    }

    private static boolean isOwnersOnly(Path history, Consumer<String> warnings) {
        try {
            if (history.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        history, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            return true;
        } catch (FileAlreadyExistsException kept) {
            return true;
        } catch (IOException e) {
            warnings.accept("What is typed is not remembered: " + history + " cannot be written (" + e + ").");
            return false;
        }
    }

    @Override
    public Typed read() {
        try {
            return new Typed.Message(MessageParser.message(reader.readLine(styled("> ", PROMPT))));
        } catch (UserInterruptException ctrlC) {
            // JLine stops reading by an interrupt; what is left of it would stop the next reading as well.
            Thread.interrupted();
            return new Typed.Interrupted();
        } catch (EndOfFileException | UncheckedIOException | IllegalStateException | IOError ctrlDOrClosed) {
            return new Typed.End();
        }
    }

    @Override
    public synchronized void stream(String piece) {
        terminal.writer().print(Printable.of(piece));
        terminal.flush();
        midLine = true;
    }

    @Override
    public synchronized void endStream() {
        if (midLine) {
            terminal.writer().println();
            terminal.flush();
            midLine = false;
        }
    }

    @Override
    public void show(String text) {
        print(Printable.of(text));
    }

    @Override
    public void note(String text) {
        print(styled(Printable.of(text), NOTE));
    }

    private synchronized void print(String text) {
        endStream();
        if (reader.isReading()) {
            reader.printAbove(text);
        } else {
            terminal.writer().println(text);
            terminal.flush();
        }
    }

    private String styled(String text, AttributedStyle style) {
        return colours ? new AttributedString(text, style).toAnsi(terminal) : text;
    }

    @Override
    public void onInterrupt(Runnable action) {
        terminal.handle(Terminal.Signal.INT, signal -> action.run());
    }

    @Override
    public boolean isInteractive() {
        return true;
    }

    @Override
    public void close() {
        try {
            terminal.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The terminal cannot be let go of", e);
        }
    }

    /** Takes a line as it is: no quotes, no escapes but the one that continues it. */
    private static final class MessageParser implements Parser {
        /** Returns what was meant by a text that was entered. */
        static String message(String entered) {
            StringBuilder message = new StringBuilder();
            List<String> lines = entered.lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                boolean last = i == lines.size() - 1;
                String line = lines.get(i);
                message.append(!last && Continued.is(line) ? Continued.without(line) : line)
                        .append(last ? "" : "\n");
            }
            return message.toString();
        }

        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            if (context == ParseContext.ACCEPT_LINE && Continued.is(line)) {
                throw new EOFError(-1, -1, "The line goes on");
            }
            return new Whole(line, cursor);
        }

        @Override
        public boolean isEscapeChar(char ch) {
            return false;
        }
    }

    private record Whole(String line, int cursor) implements CompletingParsedLine {
        @Override
        public String word() {
            return line;
        }

        @Override
        public int wordCursor() {
            return cursor;
        }

        @Override
        public int wordIndex() {
            return 0;
        }

        @Override
        public List<String> words() {
            return List.of(line);
        }

        @Override
        public CharSequence escape(CharSequence candidate, boolean complete) {
            return candidate;
        }

        @Override
        public int rawWordCursor() {
            return cursor;
        }

        @Override
        public int rawWordLength() {
            return line.length();
        }
    }
}
