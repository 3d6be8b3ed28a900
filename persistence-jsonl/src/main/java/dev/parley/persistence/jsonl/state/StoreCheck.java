package dev.parley.persistence.jsonl.state;

import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.scan.Digest;
import dev.parley.persistence.jsonl.file.SessionFile;
import dev.parley.persistence.jsonl.journal.DamagedFileException;
import dev.parley.persistence.jsonl.journal.LogFile;
import dev.parley.persistence.jsonl.journal.Reasons;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Looks after an open store: what it is, whether its files are whole, and what can be put right without losing anything. */
public final class StoreCheck {
    private final OpenStore open;
    private final Store store;
    private final Layout layout;

    /** Looks after this store. */
    public StoreCheck(OpenStore open) {
        this.open = open;
        this.store = open.store();
        this.layout = open.layout();
    }

    /** Returns what there is to say, by name. */
    public Map<String, String> status() {
        return open.alone(() -> store.read(() -> {
            Map<String, String> status = new LinkedHashMap<>();
            status.put("format", "jsonl 1");
            status.put("mode", store.isReadOnly() ? "read-only" : "read-write");
            status.put("directory", layout.directory().toString());
            status.put("sessions", Integer.toString(store.allStored().size()));
            status.put(
                    "messages",
                    Long.toString(store.allStored().stream()
                            .mapToLong(each -> each.digest.rows())
                            .sum()));
            status.put("lanes", Integer.toString(store.tables().lanes().size()));
            status.put("bytes", Long.toString(bytes()));
            return status;
        }));
    }

    /** Checks every file and changes nothing; returns a line for each problem. */
    public List<String> check(BiConsumer<Long, Long> progress) {
        return open.alone(() -> store.read(() -> {
            List<String> problems = new ArrayList<>();
            long total = store.allStored().size() + 1L;
            long done = 0;
            checkOwnFiles(problems);
            progress.accept(++done, total);
            for (StoredSession each : store.allStored()) {
                check(each, problems);
                progress.accept(++done, total);
            }
            return problems;
        }));
    }

    private void checkOwnFiles(List<String> problems) {
        List<Path> files = new ArrayList<>();
        try {
            files.addAll(layout.checkpoints().values());
            files.addAll(layout.journals().values());
            if (Files.exists(layout.index())) {
                files.add(layout.index());
            }
        } catch (IOException e) {
            problems.add("The folder " + layout.own() + " cannot be read: " + Reasons.of(e) + ".");
        }
        for (Path file : files) {
            try {
                LogFile.read(file, (json, from, to) -> {});
            } catch (DamagedFileException e) {
                problems.add(e.getMessage() + ". Restore it from a backup.");
            } catch (IOException e) {
                problems.add(file + " cannot be read: " + Reasons.of(e) + ". Check its permissions.");
            }
        }
    }

    private void check(StoredSession stored, List<String> problems) {
        Path file = layout.directory().resolve(stored.file);
        TranscriptReading reading = new TranscriptReading(stored.id(), stored.session.startedAt(), stored.foreign);
        try (InputStream in = new Bounded(Files.newInputStream(file), stored.length)) {
            SessionFile.forEachLine(in, reading);
        } catch (NoSuchFileException e) {
            problems.add(file + " is gone. Put it back from a backup, or delete session " + stored.id() + ".");
            return;
        } catch (IOException e) {
            problems.add(file + " cannot be read: " + Reasons.of(e) + ". Check its permissions.");
            return;
        }
        if (reading.meta().isEmpty() && stored.length > 0) {
            problems.add(file + ": line 1 does not tell what the file is. \"storage upgrade\" writes it again.");
        }
        reading.bad()
                .forEach(bad -> problems.add(file + ": line " + bad.line() + " is passed over: " + bad.why()
                        + ". Correct or remove the line."));
        try {
            if (!Digest.of(store.passingMessages(stored.id())).equals(stored.digest)) {
                problems.add("The index does not agree with " + file + ". \"storage upgrade\" makes it again.");
            }
        } catch (ParleyException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    /** Makes the index again, writes lost first lines again, and brings every file to the form other readers expect. */
    public List<String> repair(BiConsumer<Long, Long> progress) {
        writable();
        List<String> done = open.alone(() -> {
            store.writeLock().lock();
            try {
                return repaired(progress);
            } finally {
                store.writeLock().unlock();
            }
        });
        open.checkpoint();
        return done;
    }

    private List<String> repaired(BiConsumer<Long, Long> progress) {
        List<String> done = new ArrayList<>();
        long total = store.allStored().size();
        long count = 0;
        for (StoredSession stored : store.allStored()) {
            progress.accept(++count, total);
            if (stored.missing) {
                continue;
            }
            Digest derived = Digest.of(store.passingMessages(stored.id()));
            if (!derived.equals(stored.digest)) {
                stored.digest = derived;
                done.add("The index entry of session " + stored.id() + " was made again.");
            }
            if (lacksMeta(stored)) {
                stored.settled = false;
                done.add("The first line of " + stored.file + " was written again.");
            }
        }
        return done;
    }

    private boolean lacksMeta(StoredSession stored) {
        TranscriptReading reading = new TranscriptReading(stored.id(), stored.session.startedAt(), stored.foreign);
        try (InputStream in =
                new Bounded(Files.newInputStream(layout.directory().resolve(stored.file)), stored.length)) {
            SessionFile.forEachLine(in, reading);
        } catch (IOException e) {
            return false;
        }
        return reading.meta().isEmpty() && stored.length > 0;
    }

    /** Writes files anew without what was replaced, drops old journals; returns the bytes given back. */
    public long compact() {
        writable();
        long before = bytes();
        open.checkpoint();
        open.checkpoint();
        return Math.max(0, before - bytes());
    }

    private void writable() {
        if (store.isReadOnly()) {
            throw new StorageUnavailable(
                    "The store " + layout.directory() + " is opened for reading only; open it for writing.", null);
        }
    }

    private long bytes() {
        try (Stream<Path> files = Files.walk(layout.directory())) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> {
                        try {
                            return Files.size(file);
                        } catch (IOException gone) {
                            return 0;
                        }
                    })
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
