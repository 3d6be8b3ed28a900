package dev.parley.persistence.jsonl.state;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.scan.Digest;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.jsonl.journal.Directories;
import dev.parley.persistence.jsonl.journal.LogFile;
import dev.parley.persistence.jsonl.journal.PrivateFiles;
import dev.parley.persistence.jsonl.record.RecordFormat;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds a store's state again: the newest checkpoint, and everything the journal has behind it. */
final class Opening {
    static final RecordFormat<JournalEntry> ENTRY = RecordFormat.of(JournalEntry.class);

    private final Layout layout;
    private final boolean readOnly;
    private final Consumer<String> warnings;
    private final Store store;
    private final List<JournalEntry> entries = new ArrayList<>();
    private final Map<String, Long> touched = new LinkedHashMap<>();
    private final Map<SessionId, Long> moved = new HashMap<>();
    /** The place of the last deletion of each session that the journal deletes. */
    private final Map<SessionId, Long> deleted = new HashMap<>();

    private final List<String> problems = new ArrayList<>();
    private @Nullable LogFile journal;
    private long place;

    Opening(Layout layout, boolean readOnly, String agent, Consumer<String> warnings) {
        this.layout = layout;
        this.readOnly = readOnly;
        this.warnings = warnings;
        this.store = new Store(layout.directory(), readOnly, agent, warnings);
    }

    /** Reads everything; what was applied only in part is applied again, unless the store is only read. */
    Store open() throws IOException {
        place = Checkpoint.load(layout, store, problems);
        readJournals();
        lookAhead();
        if (!readOnly) {
            finishMoves();
            cutBack();
        }
        settleLengths();
        redo();
        if (!readOnly) {
            store.removeDoomed();
        }
        problems.forEach(warnings);
        return store;
    }

    /** Returns the place of the last batch. */
    long place() {
        return place;
    }

    /** Returns the journal to append to; absent if none exists yet. */
    Optional<LogFile> journal() {
        return Optional.ofNullable(journal);
    }

    /** Returns whether anything was done again that no whole checkpoint has. */
    boolean hasDoneAgain() {
        return !entries.isEmpty();
    }

    /** Returns the files whose length before the journal's first append stands in the journal. */
    Set<String> touched() {
        return new HashSet<>(touched.keySet());
    }

    private void readJournals() throws IOException {
        List<Map.Entry<Long, Path>> files = new ArrayList<>(layout.journals().entrySet());
        long checkpoint = place;
        for (int i = 0; i < files.size(); i++) {
            boolean last = i + 1 == files.size();
            if (!last && files.get(i + 1).getKey() - 1 <= checkpoint) {
                continue;
            }
            LogFile.Reader reader = (json, from, to) -> take(ENTRY.fromBytes(json), checkpoint);
            if (last && !readOnly) {
                journal = LogFile.open(files.get(i).getValue(), reader);
            } else {
                LogFile.read(files.get(i).getValue(), reader);
            }
        }
    }

    private void take(JournalEntry entry, long checkpoint) {
        if (entry.place() <= checkpoint) {
            return;
        }
        if (entry.place() != place + 1) {
            throw new StorageCorrupt(
                    "The journal in " + layout.own() + " goes on with " + entry.place() + " where " + (place + 1)
                            + " is due, and no checkpoint covers what is missing. Restore the folder from a backup; or move it"
                            + " aside, then sessions are read from their files, without lanes and queue.",
                    null);
        }
        place = entry.place();
        entries.add(entry);
    }

    private void lookAhead() {
        for (JournalEntry entry : entries) {
            entry.batch()
                    .ifPresent(batch -> batch.changes().forEach(change -> {
                        if (change instanceof Change.DeleteSession deletion) {
                            deleted.put(deletion.session(), entry.place());
                        } else if (change instanceof Change.CreateSession creation) {
                            // What a batch deletes and creates again stays.
                            deleted.computeIfPresent(
                                    creation.session().id(), (id, place) -> Math.min(place, entry.place() - 1));
                        }
                    }));
        }
        store.allStored().forEach(stored -> stored.leaving = deleted.containsKey(stored.id()));
        for (JournalEntry entry : entries) {
            for (JournalEntry.Touched each : entry.touched()) {
                if (!isLeaving(each.session(), entry)) {
                    touched.putIfAbsent(each.file(), each.length());
                }
            }
            entry.moved().ifPresent(each -> {
                moved.put(each.row().session().id(), entry.place());
                touched.remove(each.before());
                touched.remove(each.row().file());
                if (!isLeaving(each.row().session().id(), entry)) {
                    touched.put(each.row().file(), each.row().length());
                }
            });
        }
    }

    /** Returns whether the journal deletes the session with this entry or a later one. */
    private boolean isLeaving(SessionId session, JournalEntry entry) {
        return deleted.getOrDefault(session, 0L) >= entry.place();
    }

    private void finishMoves() throws IOException {
        for (JournalEntry entry : entries) {
            if (entry.moved().filter(each -> !each.written().isEmpty()).isPresent()) {
                JournalEntry.Moved move = entry.moved().get();
                Path written = layout.directory().resolve(move.written());
                Path file = layout.directory().resolve(move.row().file());
                if (Files.exists(written)) {
                    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                }
                boolean renamed = !move.before().equals(move.row().file()) && Files.exists(file);
                if (renamed && !isLeaving(move.row().session().id(), entry)) {
                    Files.deleteIfExists(layout.directory().resolve(move.before()));
                }
            }
        }
        for (String file : store.doomed()) {
            Files.deleteIfExists(layout.directory().resolve(file));
        }
        store.doomed().clear();
        for (Path each : layout.unfinished()) {
            Files.deleteIfExists(each);
        }
    }

    private void cutBack() throws IOException {
        for (Map.Entry<String, Long> each : touched.entrySet()) {
            Path file = layout.directory().resolve(each.getKey());
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                if (channel.size() > each.getValue()) {
                    channel.truncate(each.getValue());
                }
            } catch (NoSuchFileException gone) {
                if (each.getValue() == 0) {
                    PrivateFiles.create(file);
                }
            }
        }
        if (!touched.isEmpty()) {
            Directories.sync(layout.directory().resolve("any"));
        }
    }

    private void settleLengths() throws IOException {
        Map<SessionId, Checkpoint.IndexLine> index = Checkpoint.readIndex(layout);
        for (StoredSession stored : List.copyOf(store.allStored())) {
            if (moved.containsKey(stored.id()) || stored.leaving) {
                continue;
            }
            measure(stored);
            Checkpoint.IndexLine known = index.get(stored.id());
            if (known != null && known.file().equals(stored.file) && known.length() == stored.length) {
                stored.digest = known.digest();
            } else if (!stored.missing) {
                stored.digest = Digest.of(store.passingMessages(stored.id()));
            }
        }
    }

    /** Makes what is known of a file's length and what is there agree. */
    private void measure(StoredSession stored) throws IOException {
        stored.length = touched.getOrDefault(stored.file, stored.length);
        Path file = layout.directory().resolve(stored.file);
        long size = Files.exists(file) ? Files.size(file) : -1;
        if (size >= stored.length) {
            return;
        }
        if (size < 0 && !touched.containsKey(stored.file)) {
            stored.missing = true;
            problems.add("The file " + file + " of session " + stored.id()
                    + " is gone. Put it back from a backup, or delete the session.");
            return;
        }
        problems.add("The file " + file + " of session " + stored.id() + " is shorter than it was: " + Math.max(0, size)
                + " bytes of " + stored.length + ". What the journal has since the last checkpoint is written again.");
        stored.length = Math.max(0, size);
        if (size <= 0) {
            if (!readOnly) {
                Files.deleteIfExists(file);
                PrivateFiles.create(file);
            }
            stored.pending.writeBytes(store.metaOf(stored).toBytes());
            store.flush(stored);
        }
    }

    private void redo() throws IOException {
        for (JournalEntry entry : entries) {
            store.nextSequence(entry.sequence());
            store.apply(entry, after(moved, entry.place() + 1), after(deleted, entry.place()));
            if (entry.moved().isPresent()
                    && moved.getOrDefault(entry.moved().get().row().session().id(), 0L) == entry.place()) {
                install(entry.moved().get(), entry);
            }
        }
    }

    /** The sessions with this place or a later one. */
    private static Set<SessionId> after(Map<SessionId, Long> places, long first) {
        Set<SessionId> found = new HashSet<>();
        places.forEach((id, place) -> {
            if (place >= first) {
                found.add(id);
            }
        });
        return found;
    }

    private void install(JournalEntry.Moved move, JournalEntry entry) throws IOException {
        StoredSession stored = new StoredSession(move.row());
        stored.leaving = isLeaving(stored.id(), entry);
        if (readOnly
                && Files.exists(layout.directory().resolve(move.written()))
                && !move.written().isEmpty()) {
            stored.file = move.written();
        }
        store.install(stored);
        if (stored.leaving) {
            return;
        }
        measure(stored);
        stored.digest = Digest.of(store.passingMessages(stored.id()));
    }
}
