package dev.parley.persistence.jsonl.journal;

import dev.parley.application.port.Journal;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Batch;
import dev.parley.persistence.jsonl.record.RecordFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A journal of batches in a directory: one file that is appended to, and files that were put aside. A line is a batch with its
 * place, or the place up to which everything was put aside. Safe for concurrent use.
 */
public final class JsonlJournal implements Journal {
    /** The name of files that were put aside: the first and the last place in them. */
    private static final Pattern ASIDE = Pattern.compile("aside-([0-8]\\d{18})-([0-8]\\d{18})\\.jsonl");

    private static final String CURRENT = "spill.jsonl";

    /** Space that is put by for the time when the disk is full. */
    private static final long PUT_BY = 1024L * 1024;

    private static final RecordFormat<JournalLine> FORMAT = RecordFormat.of(JournalLine.class);

    /** A line: either a batch at a place, or everything up to the place put aside. */
    public record JournalLine(long place, Optional<Batch> batch) {}

    /** Where a batch lies in the file. */
    private record Extent(long from, long to) {}

    private final Path directory;
    private final DirectoryLock lock;
    private LogFile file;
    private long first;
    private final List<Extent> extents = new ArrayList<>();
    private long aside;

    /**
     * Opens the journal in a directory, which is made where it is not there.
     *
     * @throws StorageUnavailable where it cannot be used now
     * @throws StorageCorrupt where a line of it is damaged
     */
    public JsonlJournal(Path directory) {
        this.directory = directory;
        try {
            PrivateFiles.createDirectories(directory);
            this.lock = DirectoryLock.take(directory.resolve("lock"));
            boolean opened = false;
            try {
                this.file = open();
                if (!extents.isEmpty() && aside >= lastPlace()) {
                    startAnew(lastPlace());
                }
                opened = true;
            } finally {
                if (!opened) {
                    lock.close();
                }
            }
        } catch (DamagedFileException e) {
            throw new StorageCorrupt(
                    "The journal is damaged: " + e.getMessage() + ". Move it aside to go on without it.", e);
        } catch (IOException e) {
            throw unavailable("cannot be opened", e);
        }
    }

    private LogFile open() throws IOException {
        aside = lastAside();
        first = aside + 1;
        Path current = directory.resolve(CURRENT);
        return prepared(Files.exists(current) ? LogFile.open(current, this::known) : LogFile.create(current));
    }

    /** A journal is needed when a disk may be full already. */
    private static LogFile prepared(LogFile file) {
        file.prepare(PUT_BY);
        return file;
    }

    /**
     * Returns how many batches of the journal in a directory are not put aside; changes nothing and needs no lock, so the journal may
     * be in use. Damage behind the first lines is left to the opening.
     *
     * @throws StorageUnavailable where it cannot be read now
     */
    public static long waiting(Path directory) {
        Path current = directory.resolve(CURRENT);
        if (Files.notExists(current)) {
            return 0;
        }
        List<Long> places = new ArrayList<>();
        long[] aside = new long[1];
        try {
            LogFile.read(current, (json, from, to) -> {
                JournalLine line = FORMAT.fromBytes(json);
                if (line.batch().isEmpty()) {
                    aside[0] = Math.max(aside[0], line.place());
                } else {
                    places.add(line.place());
                }
            });
        } catch (DamagedFileException damaged) {
            // What stands before the damage waits in any case.
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The journal in " + directory + " cannot be read: " + Reasons.of(e) + ". Check its permissions.",
                    e);
        }
        return places.stream().filter(place -> place > aside[0]).count();
    }

    private void known(byte[] json, long from, long to) throws IOException {
        JournalLine line = FORMAT.fromBytes(json);
        if (line.batch().isEmpty()) {
            aside = Math.max(aside, line.place());
            return;
        }
        if (extents.isEmpty()) {
            first = line.place();
        }
        extents.add(new Extent(from, to));
    }

    private long lastAside() throws IOException {
        long last = 0;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path each : (Iterable<Path>) files::iterator) {
                Matcher name = ASIDE.matcher(each.getFileName().toString());
                if (name.matches()) {
                    last = Math.max(last, Long.parseLong(name.group(2)));
                }
            }
        }
        return last;
    }

    private long lastPlace() {
        return first + extents.size() - 1;
    }

    @Override
    public synchronized long append(Batch batch) {
        long place = first + extents.size();
        try {
            long from = file.next();
            long to = file.append(List.of(FORMAT.toBytes(new JournalLine(place, Optional.of(batch)))))[0];
            extents.add(new Extent(from, to));
            return place;
        } catch (IOException e) {
            throw unavailable("cannot take a batch", e);
        }
    }

    @Override
    public synchronized List<Entry> read(long after, int limit) {
        List<Entry> entries = new ArrayList<>();
        long from = Math.max(Math.max(after, aside) + 1, first);
        try {
            for (long place = from; place < first + extents.size() && entries.size() < limit; place++) {
                Extent extent = extents.get((int) (place - first));
                JournalLine line = FORMAT.fromBytes(file.lineAt(extent.from, extent.to));
                entries.add(new Entry(line.place(), line.batch().orElseThrow()));
            }
        } catch (IOException e) {
            throw new StorageCorrupt(
                    "The journal " + file.path() + " cannot be read back: " + e.getMessage()
                            + ". Keep the file: it holds what was said.",
                    e);
        }
        return entries;
    }

    @Override
    public synchronized long size() {
        return Math.max(0, lastPlace() - Math.max(aside, first - 1));
    }

    @Override
    public synchronized void putAside(long upTo) {
        long last = lastPlace();
        long to = Math.min(upTo, last);
        if (to <= aside || extents.isEmpty()) {
            return;
        }
        try {
            file.append(List.of(FORMAT.toBytes(new JournalLine(to, Optional.empty()))));
            aside = to;
            if (to == last) {
                startAnew(last);
            }
        } catch (IOException e) {
            throw unavailable("cannot be put aside", e);
        }
    }

    private void startAnew(long last) throws IOException {
        file.close();
        Path current = directory.resolve(CURRENT);
        Files.move(current, directory.resolve(String.format("aside-%019d-%019d.jsonl", first, last)));
        file = prepared(LogFile.create(current));
        extents.clear();
        first = last + 1;
    }

    @Override
    public synchronized void close() {
        try (lock) {
            file.close();
        } catch (IOException e) {
            throw unavailable("cannot be closed", e);
        }
    }

    private StorageUnavailable unavailable(String what, IOException cause) {
        return Reasons.unavailable(
                "The journal in " + directory + " " + what + ": " + Reasons.of(cause)
                        + ". Check the disk's space and permissions.",
                cause);
    }
}
