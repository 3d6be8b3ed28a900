package dev.parley.persistence.jsonl.state;

import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.StrippedFailure;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.jsonl.journal.LogFile;
import dev.parley.persistence.jsonl.journal.Reasons;
import dev.parley.persistence.jsonl.record.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Commits batches to the journal. Batches that arrive while others are being made durable are gathered and made durable together:
 * each is a line of the journal, and is applied to memory and to the session files once that line is safe.
 */
final class JsonlLedger implements Ledger {
    private static final RecordFormat<Batch> BATCH = RecordFormat.of(Batch.class);
    private static final int TOGETHER = 256;

    private final Layout layout;
    private final Store store;
    private final Checkpoints checkpoints;
    private final Settling settling;
    private final Idle idle;
    private final ReentrantLock turn = new ReentrantLock();
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private final Set<String> touched;
    private LogFile journal;
    private long place;
    /** Whether older journals have what no whole checkpoint has. */
    private boolean ahead;

    private @Nullable Throwable broken;
    private boolean closed;

    /** A batch whose caller waits, as it will be read back, so that memory never differs from what is stored. */
    private static final class Waiting {
        private final byte[] json;
        private final Batch batch;
        private @Nullable CommitResult result;
        private @Nullable RuntimeException failure;

        /** What the batch is answered; does nothing where it was answered. */
        void fail(RuntimeException why) {
            if (!isDone()) {
                failure = why;
            }
        }

        Waiting(Batch given) {
            try {
                json = BATCH.toBytes(given);
                batch = BATCH.fromBytes(json);
            } catch (IOException | RuntimeException | Error e) {
                throw Ledger.refusal(given.id(), e);
            }
        }

        boolean isDone() {
            return result != null || failure != null;
        }
    }

    /** Batches that are made durable together: none reads or changes what another one changes. */
    private static final class Group {
        private final List<Waiting> waiting = new ArrayList<>();
        private final List<Plan> plans = new ArrayList<>();
        private final Map<String, Long> writers = new HashMap<>();
        private final Set<Object> footprint = new HashSet<>();

        boolean hasWritten(Batch batch) {
            return batch.id().sequence() <= writers.getOrDefault(batch.id().writer(), 0L);
        }

        boolean overlaps(Plan plan) {
            return !Collections.disjoint(footprint, plan.footprint());
        }

        void add(Waiting each, Plan plan) {
            waiting.add(each);
            plans.add(plan);
            footprint.addAll(plan.footprint());
            writers.merge(each.batch.id().writer(), each.batch.id().sequence(), Math::max);
        }
    }

    JsonlLedger(Layout layout, Store store, LogFile journal, Opening opening, Checkpoints checkpoints, Idle idle) {
        this.layout = layout;
        this.store = store;
        this.journal = journal;
        this.place = opening.place();
        this.touched = opening.touched();
        this.ahead = opening.hasDoneAgain();
        this.checkpoints = checkpoints;
        this.settling = new Settling(layout, store);
        this.idle = idle;
    }

    @Override
    public CommitResult commit(Batch batch) {
        boolean interrupted = Thread.interrupted();
        try {
            return committed(batch);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private CommitResult committed(Batch batch) {
        Waiting mine = new Waiting(batch);
        synchronized (queue) {
            queue.add(mine);
        }
        turn.lock();
        try {
            while (!mine.isDone()) {
                work();
            }
        } finally {
            turn.unlock();
        }
        if (mine.failure != null) {
            throw mine.failure;
        }
        return Objects.requireNonNull(mine.result);
    }

    /** Answers some batches, at least the first of the queue, also if a step throws. */
    private void work() {
        List<Waiting> left = new ArrayList<>();
        synchronized (queue) {
            while (!queue.isEmpty() && left.size() < TOGETHER) {
                left.add(queue.remove());
            }
        }
        Group group = new Group();
        try {
            while (!left.isEmpty() && fits(left.get(0), group)) {
                left.remove(0);
            }
            if (!group.waiting.isEmpty()) {
                store(group);
            }
        } catch (RuntimeException | Error e) {
            // How far it came is not known, so nothing more is written before the store was opened again.
            broken = e;
            group.waiting.forEach(each -> each.fail(brokenStore()));
            left.stream().limit(1).forEach(each -> each.fail(brokenStore()));
            left.removeIf(Waiting::isDone);
        } finally {
            synchronized (queue) {
                Collections.reverse(left);
                left.forEach(queue::addFirst);
            }
        }
    }

    /** Decides a batch or puts it into the group; returns false where that depends on what the group does first. */
    private boolean fits(Waiting each, Group group) {
        Batch batch = each.batch;
        if (closed || broken != null) {
            each.failure = closed
                    ? new StorageUnavailable("The store " + layout.directory() + " is closed.", broken)
                    : brokenStore();
            return true;
        }
        if (batch.id().sequence()
                <= store.tables().writers().getOrDefault(batch.id().writer(), 0L)) {
            each.result = new CommitResult.Committed();
            return true;
        }
        if (group.hasWritten(batch)) {
            return false;
        }
        Plan plan = new Plan(store, batch);
        try {
            Optional<Precondition> failed = plan.failed();
            if (failed.isEmpty()) {
                plan.prepare();
            }
            if (group.overlaps(plan)) {
                return false;
            }
            if (failed.isPresent()) {
                each.result = new CommitResult.Conflict(failed.get());
            } else {
                group.add(each, plan);
            }
        } catch (RuntimeException | Error refused) {
            if (group.overlaps(plan)) {
                return false;
            }
            each.failure = Ledger.refusal(batch.id(), refused);
        }
        return true;
    }

    private StorageUnavailable brokenStore() {
        Throwable why = Objects.requireNonNull(broken);
        return new StorageUnavailable(
                "The store " + layout.directory() + " failed while it was written (" + StrippedFailure.told(why)
                        + "); open it again, and repeat what may or may not be stored.",
                StrippedFailure.of(why));
    }

    private void store(Group group) {
        List<String> made = new ArrayList<>();
        List<JournalEntry> entries;
        try {
            try {
                entries = entries(group, made);
            } catch (RuntimeException | Error e) {
                made.forEach(this::remove);
                storeApart(group, e);
                return;
            }
            append(entries, group.waiting.stream().map(each -> each.json).toList());
        } catch (IOException e) {
            made.forEach(this::remove);
            StorageUnavailable unavailable = unavailable(e);
            group.waiting.forEach(each -> each.failure = unavailable);
            return;
        }
        store.writeLock().lock();
        try {
            for (JournalEntry entry : entries) {
                store.apply(entry, Set.of(), Set.of());
            }
            store.removeDoomed();
        } catch (RuntimeException | Error e) {
            broken = e;
        } finally {
            store.writeLock().unlock();
        }
        for (Waiting each : group.waiting) {
            if (broken == null) {
                each.result = new CommitResult.Committed();
            } else {
                each.failure = brokenStore();
            }
        }
        if (broken == null) {
            settle(retitled(group));
            group.plans.forEach(idle::saw);
            settle(idle.next().stream().toList());
            if (checkpoints.isDue(journal.end(), store.unsyncedCount())) {
                flushAll();
                if (store.isFlushed()) {
                    checkpoint();
                }
            }
        }
    }

    /** Nothing of the group is stored. Alone, each batch gets what it deserves. */
    private void storeApart(Group group, Throwable why) {
        if (group.waiting.size() == 1) {
            Waiting guilty = group.waiting.get(0);
            guilty.failure = Ledger.refusal(guilty.batch.id(), why);
            return;
        }
        for (int i = 0; i < group.waiting.size(); i++) {
            if (broken != null) {
                group.waiting.get(i).failure = brokenStore();
                continue;
            }
            Group alone = new Group();
            alone.add(group.waiting.get(i), group.plans.get(i));
            store(alone);
        }
    }

    private void flushAll() {
        store.writeLock().lock();
        try {
            store.flushAll();
        } finally {
            store.writeLock().unlock();
        }
    }

    private List<JournalEntry> entries(Group group, List<String> made) throws IOException {
        List<JournalEntry> entries = new ArrayList<>();
        long sequence = store.nextSequence();
        long next = place;
        Set<String> begun = new HashSet<>();
        for (Plan plan : group.plans) {
            List<JournalEntry.Touched> files = new ArrayList<>();
            for (Session session : plan.created().values()) {
                String file = store.files().create(store.namesOf(session));
                made.add(file);
                files.add(new JournalEntry.Touched(session.id(), file, 0));
                begun.add(file);
            }
            for (SessionId id : plan.appended()) {
                store.stored(id)
                        .filter(stored -> !plan.created().containsKey(id)
                                && !touched.contains(stored.file)
                                && begun.add(stored.file))
                        .ifPresent(stored -> files.add(new JournalEntry.Touched(id, stored.file, stored.length)));
            }
            entries.add(new JournalEntry(
                    ++next, sequence, Optional.of(plan.batch()), plan.known(), files, Optional.empty(), plan.used()));
            sequence = plan.sequenceAfter(sequence);
        }
        return entries;
    }

    private void append(List<JournalEntry> entries) throws IOException {
        append(entries, List.of());
    }

    /** Appends entries; those with batches bring the JSON that these were read from. */
    private void append(List<JournalEntry> entries, List<byte[]> batches) throws IOException {
        List<byte[]> lines = new ArrayList<>(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            JournalEntry entry = entries.get(i);
            lines.add(
                    entry.batch().isEmpty()
                            ? Opening.ENTRY.toBytes(entry)
                            : joined(Opening.ENTRY.toBytes(entry.withoutBatch()), batches.get(i)));
        }
        journal.append(lines);
        place += entries.size();
        for (JournalEntry entry : entries) {
            entry.touched().forEach(each -> touched.add(each.file()));
        }
    }

    /** The object with one more member. */
    private static byte[] joined(byte[] entry, byte[] batch) {
        byte[] name = ",\"batch\":".getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(entry.length + name.length + batch.length)
                .put(entry, 0, entry.length - 1)
                .put(name)
                .put(batch)
                .put((byte) '}')
                .array();
    }

    private void remove(String file) {
        try {
            Files.deleteIfExists(layout.directory().resolve(file));
        } catch (IOException e) {
            store.warnings().accept("The empty file " + file + " is left over: " + Reasons.of(e) + ".");
        }
    }

    private StorageUnavailable unavailable(IOException e) {
        return Reasons.unavailable(
                "The store " + layout.directory() + " cannot be written: " + Reasons.of(e)
                        + ". Check the disk's space and permissions.",
                e);
    }

    private List<StoredSession> retitled(Group group) {
        Set<SessionId> ids = new LinkedHashSet<>();
        for (Plan plan : group.plans) {
            for (Change change : plan.batch().changes()) {
                if (change instanceof Change.EditSession edit && edit.edit() instanceof SessionEdit.Retitle) {
                    ids.add(edit.session());
                }
            }
        }
        return ids.stream().flatMap(id -> store.stored(id).stream()).toList();
    }

    /** Writes files anew whose first line or hidden messages stand otherwise than other readers should see them. */
    private void settle(List<StoredSession> candidates) {
        List<StoredSession> due = candidates.stream()
                .filter(stored -> !stored.settled && !stored.missing && stored.pending.size() == 0)
                .toList();
        try {
            List<JournalEntry> entries = new ArrayList<>();
            for (StoredSession stored : due) {
                long at = place + entries.size() + 1;
                entries.add(JournalEntry.of(at, store.nextSequence(), settling.write(stored, at)));
            }
            if (!entries.isEmpty()) {
                append(entries);
                entries.forEach(entry -> entry.moved().ifPresent(moved -> {
                    touched.remove(moved.before());
                    touched.remove(moved.row().file());
                }));
                settling.finish(entries);
            }
        } catch (IOException e) {
            store.warnings()
                    .accept("A session file was not brought up to date: " + Reasons.of(e)
                            + ". Nothing is lost; it is tried again when the store is closed.");
        }
    }

    /** Takes a session in whose file another program wrote, or wrote to. */
    void adopt(List<JournalEntry.Moved> found) throws IOException {
        turn.lock();
        try {
            List<JournalEntry> entries = new ArrayList<>();
            for (JournalEntry.Moved each : found) {
                entries.add(JournalEntry.of(place + entries.size() + 1, store.nextSequence(), each));
            }
            if (!entries.isEmpty()) {
                append(entries);
            }
        } finally {
            turn.unlock();
        }
    }

    /** Writes a checkpoint in the background and continues in a new journal. */
    private void checkpoint() {
        try {
            if (journal.end() > 0) {
                LogFile before = journal;
                journal = LogFile.create(layout.journal(place + 1));
                touched.clear();
                before.close();
            }
            ahead = false;
            checkpoints.start(Checkpoint.of(layout, place, store));
        } catch (IOException e) {
            store.warnings()
                    .accept("A checkpoint was not begun: " + Reasons.of(e) + ". Nothing is lost; the journal goes on.");
        }
    }

    /** Writes a checkpoint now, and everything that waits before it. */
    void checkpointNow(int settledAtMost) {
        turn.lock();
        try {
            flushAll();
            settle(store.allStored().stream()
                    .filter(stored -> !stored.settled)
                    .sorted((one, other) -> Store.NEWEST_FIRST.compare(one.session, other.session))
                    .limit(settledAtMost)
                    .toList());
            checkpoints.await();
            if ((journal.end() > 0 || ahead) && store.isFlushed() && broken == null) {
                checkpoint();
                checkpoints.await();
            }
        } finally {
            turn.unlock();
        }
    }

    /** Runs something while nothing is committed. */
    <T> T alone(java.util.function.Supplier<T> body) {
        turn.lock();
        try {
            return body.get();
        } finally {
            turn.unlock();
        }
    }

    void close() {
        checkpointNow(500);
        turn.lock();
        try {
            closed = true;
            journal.close();
        } catch (IOException e) {
            store.warnings().accept("The journal was not closed in order: " + Reasons.of(e) + ". Nothing is lost.");
        } finally {
            turn.unlock();
        }
    }
}
