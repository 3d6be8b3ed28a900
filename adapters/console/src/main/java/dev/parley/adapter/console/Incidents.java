package dev.parley.adapter.console;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.text.OneLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What befell the gateway and is told by no storage: its starts, and the times in which the storage was degraded. The last
 * {@value #KEPT} of each are kept in {@code incidents.log} of the home, a line for each event, beside the storage since they tell
 * of it. A file that cannot be written is told once, and what happens is known until the gateway stops. Safe for concurrent use.
 */
final class Incidents {
    static final String FILE = "incidents.log";
    private static final int KEPT = 20;
    private static final int MOST_LINES = 500;
    private static final int REASON = 400;
    private static final String STARTED = "started";
    private static final String DEGRADED = "degraded";
    private static final String HEALED = "healed";

    private final InstantSource clock;
    private final Path file;
    private final Consumer<String> warnings;
    private final Deque<Start> starts = new ArrayDeque<>();
    private final Deque<Degraded> degraded = new ArrayDeque<>();
    private boolean started;
    private boolean failed;
    private int lines;

    /**
     * A start of the gateway.
     *
     * @param at when it had set right what the process before left behind
     * @param report what it did
     */
    record Start(Instant at, GatewayEvent.Started report) {}

    /**
     * A time in which the storage was degraded.
     *
     * @param since when it began
     * @param why what the storage said
     * @param healed how it ended; absent while it lasts, and where the gateway stopped meanwhile
     * @param lasts whether it lasts
     */
    record Degraded(Instant since, String why, Optional<Healed> healed, boolean lasts) {}

    /**
     * The end of such a time.
     *
     * @param at when
     * @param report what was merged back
     */
    record Healed(Instant at, GatewayEvent.Healed report) {}

    /** Goes on with what gateways before have kept in the home. */
    Incidents(ProviderSettings settings) {
        this.clock = settings.clock();
        this.file = settings.home().resolve(FILE);
        this.warnings = settings.warnings();
        try (Stream<String> kept = Files.lines(file)) {
            kept.forEach(this::read);
            endOfProcess();
        } catch (NoSuchFileException none) {
            // Nothing has happened yet.
        } catch (IOException | java.io.UncheckedIOException e) {
            warn(e.toString());
        }
    }

    synchronized void on(GatewayEvent event) {
        Instant now = clock.instant();
        if (take(now, event)) {
            write(line(now, event));
        }
    }

    private boolean take(Instant at, GatewayEvent event) {
        if (event instanceof GatewayEvent.Started start) {
            starts.addFirst(new Start(at, start));
            shorten(starts);
            started = true;
        } else if (event instanceof GatewayEvent.Degraded began) {
            endOfProcess();
            degraded.addFirst(new Degraded(at, OneLine.of(began.why(), REASON), Optional.empty(), true));
            shorten(degraded);
        } else if (event instanceof GatewayEvent.Healed healed && !degraded.isEmpty()) {
            Degraded last = degraded.removeFirst();
            degraded.addFirst(new Degraded(last.since(), last.why(), Optional.of(new Healed(at, healed)), false));
        } else {
            return false;
        }
        return true;
    }

    /** What lasted when its process ended lasts no more; whether it is so again is told anew. */
    private void endOfProcess() {
        if (!degraded.isEmpty() && degraded.getFirst().lasts()) {
            Degraded last = degraded.removeFirst();
            degraded.addFirst(new Degraded(last.since(), last.why(), last.healed(), false));
        }
    }

    private static void shorten(Deque<?> all) {
        if (all.size() > KEPT) {
            all.removeLast();
        }
    }

    private static String line(Instant at, GatewayEvent event) {
        if (event instanceof GatewayEvent.Started start) {
            return String.join(
                    "\t", at.toString(), STARTED, start.took().toString(), "" + start.cutOff(), "" + start.resumed());
        }
        if (event instanceof GatewayEvent.Healed healed) {
            return String.join("\t", at.toString(), HEALED, "" + healed.batches(), "" + healed.messages());
        }
        String why = event instanceof GatewayEvent.Degraded began ? began.why() : "";
        return String.join(
                "\t", at.toString(), DEGRADED, OneLine.of(why, REASON).replace('\t', ' '));
    }

    /** Reads a line; one that is cut or was written by somebody else is left out. */
    private synchronized void read(String line) {
        lines++;
        String[] parts = line.split("\t", -1);
        try {
            Instant at = Instant.parse(parts[0]);
            if (parts.length == 5 && parts[1].equals(STARTED)) {
                take(
                        at,
                        new GatewayEvent.Started(
                                Duration.parse(parts[2]), Integer.parseInt(parts[3]), Integer.parseInt(parts[4])));
                started = false;
            } else if (parts.length == 4 && parts[1].equals(HEALED)) {
                take(at, new GatewayEvent.Healed(Integer.parseInt(parts[2]), Integer.parseInt(parts[3])));
            } else if (parts.length == 3 && parts[1].equals(DEGRADED)) {
                take(at, new GatewayEvent.Degraded(parts[2]));
            }
        } catch (DateTimeException | NumberFormatException unreadable) {
            // The other lines say what they say.
        }
    }

    private void write(String line) {
        try {
            if (lines >= MOST_LINES) {
                rewrite();
                return;
            }
            append(file, line);
            lines++;
        } catch (IOException e) {
            warn(e.toString());
        }
    }

    /** Writes what is kept, and nothing of what came before. */
    private void rewrite() throws IOException {
        record Line(Instant at, String text) {}
        List<Line> kept = new ArrayList<>();
        starts.forEach(start -> kept.add(new Line(start.at(), line(start.at(), start.report()))));
        degraded.forEach(span -> {
            kept.add(new Line(span.since(), line(span.since(), new GatewayEvent.Degraded(span.why()))));
            span.healed().ifPresent(end -> kept.add(new Line(end.at(), line(end.at(), end.report()))));
        });
        kept.sort(Comparator.comparing(Line::at));
        Path next = file.resolveSibling(FILE + ".new");
        Files.deleteIfExists(next);
        append(next, String.join("\n", kept.stream().map(Line::text).toList()));
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        lines = kept.size();
    }

    private static void append(Path to, String text) throws IOException {
        FileAttribute<?>[] owner =
                to.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        try (FileChannel out = FileChannel.open(
                to, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND), owner)) {
            ByteBuffer bytes = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
    }

    private void warn(String why) {
        if (!failed) {
            failed = true;
            warnings.accept("When the gateway starts and when its storage is degraded cannot be kept in " + file + " ("
                    + why + "); the console forgets it at the next start. Check the disk.");
        }
    }

    /** Returns the start of this gateway; absent where it is still starting. */
    synchronized Optional<Start> start() {
        return started ? Optional.of(starts.getFirst()) : Optional.empty();
    }

    /** Returns the last starts, latest first. */
    synchronized List<Start> starts() {
        return List.copyOf(starts);
    }

    /** Returns the last times in which the storage was degraded, latest first. */
    synchronized List<Degraded> degraded() {
        return List.copyOf(degraded);
    }
}
