package dev.parley.persistence.jsonl.state;

import dev.parley.application.scan.Digest;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.jsonl.journal.DamagedFileException;
import dev.parley.persistence.jsonl.journal.Directories;
import dev.parley.persistence.jsonl.journal.LogFile;
import dev.parley.persistence.jsonl.record.RecordFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;

/**
 * Everything a store knew at one place of its journal, beside the messages, so that the journal before it is not needed. The one
 * before the newest is kept with its journals, so that a damaged checkpoint loses nothing.
 */
final class Checkpoint {
    private static final RecordFormat<CheckpointLine> LINE = RecordFormat.of(CheckpointLine.class);
    private static final RecordFormat<IndexLine> INDEX = RecordFormat.of(IndexLine.class);
    private static final int VERSION = 1;
    private static final int KEPT = 2;

    private final Layout layout;
    private final long place;
    private final long sequence;
    private final Set<String> doomed;
    private final Set<String> unsynced;
    private final List<CheckpointLine> values = new ArrayList<>();
    private final List<Lane> lanes;
    private final List<IndexLine> index = new ArrayList<>();

    /** What a list shows of a session, as long as its file has this name and length. */
    public record IndexLine(SessionId session, String file, long length, Digest digest) {}

    private Checkpoint(Layout layout, long place, Store store) {
        this.layout = layout;
        this.place = place;
        this.sequence = store.nextSequence();
        this.doomed = Set.copyOf(store.doomed());
        this.unsynced = store.takeUnsynced();
        Tables tables = store.tables();
        this.lanes = List.copyOf(tables.lanes());
        for (StoredSession each : store.allStored()) {
            values.add(new CheckpointLine.OneSession(each.row()));
            index.add(new IndexLine(each.id(), each.file, each.length, each.digest));
        }
        lanes.forEach(lane -> values.add(new CheckpointLine.OneLane(lane)));
        tables.events().forEach(event -> values.add(new CheckpointLine.OneEvent(event)));
        tables.inbound().forEach(inbound -> values.add(new CheckpointLine.OneInbound(inbound)));
        for (Map.Entry<SessionKey, Long> each : tables.ordinals().entrySet()) {
            values.add(new CheckpointLine.Ordinal(each.getKey(), each.getValue()));
        }
        tables.turns().forEach(turn -> values.add(new CheckpointLine.OneTurn(turn)));
        tables.outgoing().forEach(outgoing -> values.add(new CheckpointLine.OneOutgoing(outgoing)));
        tables.meta().forEach((key, value) -> values.add(new CheckpointLine.Named(key, value)));
        tables.cursors().forEach((name, value) -> values.add(new CheckpointLine.OneCursor(name, value)));
        tables.holds().forEach((lane, hold) -> values.add(new CheckpointLine.OneHold(lane, hold)));
        tables.usage().values().forEach(slot -> values.add(new CheckpointLine.OneSlot(slot)));
        tables.writers().forEach((writer, last) -> values.add(new CheckpointLine.Writer(writer, last)));
    }

    /** Takes a picture of the store, by its writer, once every batch up to {@code place} is applied. */
    static Checkpoint of(Layout layout, long place, Store store) {
        return new Checkpoint(layout, place, store);
    }

    Set<String> unsynced() {
        return unsynced;
    }

    Set<String> doomed() {
        return doomed;
    }

    List<Lane> lanes() {
        return lanes;
    }

    /**
     * Writes the picture down and removes what it makes needless; returns its size. Durable on return: first the session files and
     * their names, removed ones too, then the picture that relies on them.
     *
     * @param threads of which a few sync files
     */
    long write(ThreadFactory threads) throws IOException {
        new FileSync(threads)
                .sync(unsynced.stream().map(layout.directory()::resolve).toList());
        Directories.sync(layout.directory().resolve("any"));
        Path finished = layout.checkpoint(place);
        Path begun = finished.resolveSibling(finished.getFileName() + ".tmp");
        Stream<CheckpointLine> head = Stream.of(new CheckpointLine.Head(VERSION, place, sequence, List.copyOf(doomed)));
        Stream<CheckpointLine> end = Stream.of(new CheckpointLine.End(values.size() + 1L));
        LogFile.write(
                begun,
                Stream.of(head, values.stream(), end).flatMap(lines -> lines).map(LINE::toBytes));
        move(begun, finished);
        for (String file : doomed) {
            Files.deleteIfExists(layout.directory().resolve(file));
        }
        writeIndex();
        removeOld();
        return Files.size(finished);
    }

    /** Writes the index again. */
    void writeIndex() throws IOException {
        Path begun = layout.index().resolveSibling(layout.index().getFileName() + ".tmp");
        LogFile.write(begun, index.stream().map(INDEX::toBytes));
        move(begun, layout.index());
    }

    private void removeOld() throws IOException {
        List<Long> places = new ArrayList<>(layout.checkpoints().keySet());
        if (places.size() < KEPT) {
            return;
        }
        long oldest = places.get(places.size() - KEPT);
        for (long each : places.subList(0, places.size() - KEPT)) {
            Files.deleteIfExists(layout.checkpoint(each));
        }
        List<Long> journals = new ArrayList<>(layout.journals().keySet());
        for (int i = 0; i + 1 < journals.size(); i++) {
            if (journals.get(i + 1) - 1 <= oldest) {
                Files.deleteIfExists(layout.journal(journals.get(i)));
            }
        }
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Directories.sync(to);
    }

    /**
     * Fills an empty store from the newest checkpoint that is whole.
     *
     * @param problems takes a line for each that is not
     * @return the place of the checkpoint, 0 if no checkpoint is whole
     */
    static long load(Layout layout, Store store, List<String> problems) throws IOException {
        List<Long> newestFirst = new ArrayList<>(layout.checkpoints().keySet());
        Collections.reverse(newestFirst);
        for (long place : newestFirst) {
            List<CheckpointLine> lines = new ArrayList<>();
            try {
                LogFile.read(layout.checkpoint(place), (json, from, to) -> lines.add(LINE.fromBytes(json)));
            } catch (DamagedFileException damaged) {
                lines.clear();
            }
            if (!lines.isEmpty()
                    && lines.get(lines.size() - 1) instanceof CheckpointLine.End end
                    && end.lines() == lines.size() - 1L) {
                lines.forEach(line -> fill(store, line));
                return place;
            }
            problems.add("The checkpoint " + layout.checkpoint(place) + " is damaged; the one before it is used.");
        }
        return 0;
    }

    private static void fill(Store store, CheckpointLine line) {
        Tables tables = store.tables();
        if (line instanceof CheckpointLine.Head head) {
            store.nextSequence(head.sequence());
            store.doomed().addAll(head.doomed());
        } else if (line instanceof CheckpointLine.OneSession each) {
            store.install(new StoredSession(each.row()));
        } else if (line instanceof CheckpointLine.OneLane each) {
            tables.put(each.lane());
        } else if (line instanceof CheckpointLine.OneEvent each) {
            tables.append(each.event());
        } else if (line instanceof CheckpointLine.OneInbound each) {
            tables.put(each.inbound());
        } else if (line instanceof CheckpointLine.Ordinal each) {
            tables.putOrdinal(each.lane(), each.ordinal());
        } else if (line instanceof CheckpointLine.OneTurn each) {
            tables.put(each.turn());
        } else if (line instanceof CheckpointLine.OneOutgoing each) {
            tables.put(each.outgoing());
        } else if (line instanceof CheckpointLine.Named each) {
            tables.put(each.key(), each.value());
        } else if (line instanceof CheckpointLine.Writer each) {
            tables.putWriter(each.writer(), each.sequence());
        } else if (line instanceof CheckpointLine.OneCursor each) {
            tables.put(new Change.PutCursor(each.name(), Optional.of(each.value())));
        } else if (line instanceof CheckpointLine.OneHold each) {
            tables.put(each.lane(), each.hold());
        } else if (line instanceof CheckpointLine.OneSlot each) {
            tables.put(each.slot());
        }
    }

    /** Reads the index; what is not there or not whole is simply missing. */
    static Map<SessionId, IndexLine> readIndex(Layout layout) {
        Map<SessionId, IndexLine> known = new HashMap<>();
        try {
            if (Files.exists(layout.index())) {
                LogFile.read(layout.index(), (json, from, to) -> {
                    IndexLine line = INDEX.fromBytes(json);
                    known.put(line.session(), line);
                });
            }
        } catch (IOException derived) {
            // The session files say the same.
            return new HashMap<>();
        }
        return known;
    }
}
