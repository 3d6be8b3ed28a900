package dev.parley.application.transfer;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.degrade.StoreId;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.transfer.CopyProgress.Phase;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.title.TitleLineage;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.usage.UsageSlot;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Copies everything from one store to another through the ports alone, so between any two backends: sessions, messages in their one
 * order with the hidden ones, lanes, history, queue, named values, cursors of platforms and what was used. Who holds a lane is of the
 * moment and stays behind. Batches are of bounded size, and each carries how far the copy
 * has come, so that a copy that was killed goes on where it stopped, without anything twice.
 *
 * <p>Nobody else may write to either store meanwhile. The source is only read. One copy per object.
 */
public final class StorageCopy {
    /** The named value of the target that says how far a copy has come. */
    public static final String MARKER = "parley_copy";

    private static final int MOST_CHANGES = 500;
    private static final long MOST_CHARACTERS = 4_000_000;
    private static final Instant FAR = Instant.parse("2200-01-01T00:00:00Z");

    private final Storage from;
    private final Storage to;
    private final InstantSource clock;
    private final BatchWriter writer;
    private final int mostChanges;
    private ForeignLanes foreignLanes = ForeignLanes.NONE;
    private final Set<SessionId> renamed = new HashSet<>();

    /** What a copy may find in the target. */
    public enum Into {
        /** Nothing: a target with sessions or lanes is refused. */
        EMPTY,
        /**
         * Anything: what the target has stays as it is, what it lacks is added. A lane the target has keeps its session; a title
         * another session has there gets the next number.
         */
        MERGE,
        /** What an interrupted copy from the same source left. */
        RESUME
    }

    /**
     * What a copy did in this run.
     *
     * @param sessions sessions added
     * @param messages messages handed over, those skipped in the target included
     * @param lanes lanes added
     * @param keptLanes lanes that the target had, and kept
     * @param foreignLanes lanes added from a file
     * @param renamed sessions whose title got another number
     */
    public record Outcome(long sessions, long messages, long lanes, long keptLanes, long foreignLanes, int renamed) {}

    /**
     * Makes a copy that has not begun.
     *
     * @param from the source
     * @param to the target
     * @param clock time, for rates
     * @param ids names the batches
     */
    public StorageCopy(Storage from, Storage to, InstantSource clock, Ids ids) {
        this(from, to, clock, ids, MOST_CHANGES);
    }

    /**
     * Makes a copy with smaller or larger batches.
     *
     * @param mostChanges how many rows a batch has at most
     */
    public StorageCopy(Storage from, Storage to, InstantSource clock, Ids ids, int mostChanges) {
        this.mostChanges = mostChanges;
        this.from = from;
        this.to = to;
        this.clock = clock;
        this.writer = new BatchWriter(ids.unique("copy"));
    }

    /** Adds lanes of a file, once everything else is copied. Where the copy is resumed they must be the same again. */
    public StorageCopy with(ForeignLanes lanes) {
        foreignLanes = lanes;
        return this;
    }

    /**
     * Copies everything; all of it is stored on return.
     *
     * @param into what the target may hold
     * @param progress told after each batch
     * @throws InvalidRequest where the target is not as it may be; nothing is changed then
     */
    public Outcome copy(Into into, Consumer<CopyProgress> progress) {
        Optional<CopyMark> mark = to.meta().get(MARKER).flatMap(CopyMark::parse);
        CopyMark start = begin(into, mark);
        boolean merging = into == Into.MERGE || start.merging();
        Run run = new Run(start, merging, progress);
        run.sessions();
        run.messages();
        run.parents();
        run.lanes();
        run.history();
        run.queue();
        run.values();
        run.foreignLanes();
        run.finish();
        return run.outcome();
    }

    private CopyMark begin(Into into, Optional<CopyMark> mark) {
        String source = from.location();
        boolean unfinished = mark.filter(m -> !m.isFinished()).isPresent();
        if (into == Into.RESUME) {
            return mark.filter(m -> !m.isFinished() && m.source().equals(source))
                    .orElseThrow(() -> new InvalidRequest("There is no interrupted copy from " + source + " in "
                            + to.location() + "; copy without resuming."));
        }
        if (unfinished) {
            throw new InvalidRequest("A copy from " + mark.get().source() + " into " + to.location()
                    + " was interrupted; resume it, or begin with an empty target.");
        }
        if (into == Into.EMPTY
                && (to.sessions().count(Optional.empty()) > 0 || to.lanes().count() > 0)) {
            throw new InvalidRequest(
                    "The target " + to.location() + " is not empty; merge into it, or take another one.");
        }
        if (!to.sessions().keepsTitles()) {
            from.sessions().forEach(session -> {
                if (session.title().isPresent()) {
                    throw new InvalidRequest(
                            "The target " + to.location() + " keeps no titles, and sessions of " + source
                                    + " have some, such as " + session.id()
                                    + "; take another target, or remove the titles before.");
                }
            });
        }
        return new CopyMark(source, Phase.SESSIONS.name(), 0, into == Into.MERGE);
    }

    /**
     * Compares both stores: how many sessions, messages, lanes and waiting items each has, and every session with all its messages by
     * digest. Sessions that only the target has do not matter, nor do titles that this object gave another number.
     *
     * @param progress told after each session
     * @return the differences, one line each; empty where there are none
     */
    public List<String> verify(Consumer<CopyProgress> progress) {
        return new StorageComparison(from, to, renamed, clock).differences(progress);
    }

    /** One run through all phases. What a former run has stored is read again and passed over. */
    private final class Run {
        private final CopyMark start;
        private final boolean merging;
        private final Consumer<CopyProgress> progress;
        private final List<Change> pending = new ArrayList<>();
        private PhaseProgress pace;
        private Phase phase = Phase.SESSIONS;
        private long seen;
        private long skip;
        private long characters;
        private long addedSessions;
        private long addedMessages;
        private long addedLanes;
        private long keptLanes;
        private long addedForeignLanes;

        Run(CopyMark start, boolean merging, Consumer<CopyProgress> progress) {
            this.start = start;
            this.merging = merging;
            this.progress = progress;
            this.pace = new PhaseProgress(Phase.SESSIONS, Optional.empty(), progress, clock);
        }

        private void enter(Phase next, Optional<Long> total) {
            phase = next;
            seen = 0;
            skip = next.name().equals(start.phase())
                    ? start.done()
                    : next.compareTo(start.at()) < 0 ? Long.MAX_VALUE : 0;
            pace = new PhaseProgress(next, total, progress, clock);
        }

        /** Returns whether the next item still has to be stored. */
        private boolean isNew() {
            seen++;
            return seen > skip;
        }

        private void add(Change change, long size) {
            pending.add(change);
            characters += size;
            if (pending.size() >= mostChanges || characters >= MOST_CHARACTERS) {
                flush();
            }
        }

        private void flush() {
            if (!pending.isEmpty()) {
                long stored = pending.size();
                pending.add(
                        new Change.PutMeta(MARKER, new CopyMark(start.source(), phase.name(), seen, merging).format()));
                commit(pending);
                pending.clear();
                characters = 0;
                pace.stored(stored);
            }
        }

        void sessions() {
            enter(Phase.SESSIONS, Optional.of(from.sessions().count(Optional.empty())));
            from.sessions().forEach(session -> {
                if (isNew()) {
                    boolean known = merging && to.sessions().find(session.id()).isPresent();
                    addedSessions += known ? 0 : 1;
                    Session copy = session.toBuilder().parent(null).build();
                    add(new Change.CreateSession(merging && !known ? withFreeTitle(copy) : copy), 0);
                }
            });
            flush();
        }

        /** A batch before this one may have taken the title, so what is pending is stored first. */
        private Session withFreeTitle(Session session) {
            if (session.title().isEmpty()) {
                return session;
            }
            String title = session.title().get();
            if (to.sessions().findByTitle(title).isEmpty()) {
                return session;
            }
            flush();
            List<String> taken = new ArrayList<>();
            to.sessions()
                    .titledLike(TitleLineage.base(title))
                    .forEach(s -> s.title().ifPresent(taken::add));
            from.sessions()
                    .titledLike(TitleLineage.base(title))
                    .forEach(s -> s.title().ifPresent(taken::add));
            renamed.add(session.id());
            return session.toBuilder().title(TitleLineage.next(title, taken)).build();
        }

        void messages() {
            long before = to.transcripts().countAll();
            enter(Phase.MESSAGES, Optional.of(from.transcripts().countAll()));
            List<StoredMessage> part = new ArrayList<>();
            long[] size = {0};
            from.transcripts().forEach(message -> {
                if (isNew()) {
                    part.add(message);
                    size[0] += message.message().content().plainText().length();
                    if (part.size() >= mostChanges || size[0] >= MOST_CHARACTERS) {
                        store(part);
                        size[0] = 0;
                    }
                }
            });
            store(part);
            addedMessages = to.transcripts().countAll() - before;
        }

        private void store(List<StoredMessage> part) {
            if (!part.isEmpty()) {
                commit(List.of(
                        new Change.ImportMessages(part),
                        new Change.PutMeta(
                                MARKER, new CopyMark(start.source(), phase.name(), seen, merging).format())));
                pace.stored(part.size());
                part.clear();
            }
        }

        void parents() {
            enter(Phase.PARENTS, Optional.of(from.sessions().count(Optional.empty())));
            from.sessions().forEach(session -> {
                if (isNew() && session.parent().isPresent() && mayHaveParent(session)) {
                    add(new Change.EditSession(session.id(), new SessionEdit.Parent(session.parent())), 0);
                }
            });
            flush();
        }

        private boolean mayHaveParent(Session session) {
            return session.parent().flatMap(to.sessions()::find).isPresent()
                    && to.sessions()
                            .find(session.id())
                            .filter(s -> s.parent().isEmpty())
                            .isPresent();
        }

        void lanes() {
            enter(Phase.LANES, Optional.of(from.lanes().count()));
            from.lanes().forEach(lane -> {
                if (isNew()) {
                    if (merging && to.lanes().find(lane.key()).isPresent()) {
                        keptLanes++;
                    } else {
                        addedLanes++;
                        add(new Change.PutLane(lane), 0);
                    }
                }
            });
            flush();
        }

        void history() {
            enter(Phase.HISTORY, Optional.empty());
            from.lanes().forEachEvent(Instant.EPOCH, event -> {
                if (isNew()) {
                    add(new Change.AppendHistory(event), 0);
                }
            });
            flush();
        }

        void queue() {
            enter(Phase.QUEUE, Optional.empty());
            from.queue()
                    .forEach(
                            Instant.EPOCH,
                            inbound -> {
                                if (isNew()) {
                                    add(
                                            new Change.PutInbound(inbound),
                                            inbound.text().length());
                                }
                            },
                            turn -> {
                                if (isNew()) {
                                    add(new Change.PutTurn(turn), 0);
                                }
                            },
                            outgoing -> {
                                if (isNew()) {
                                    add(
                                            new Change.PutOutgoing(outgoing),
                                            outgoing.text().length());
                                }
                            });
            flush();
        }

        void values() {
            enter(Phase.VALUES, Optional.empty());
            Set<String> own = Set.of(MARKER, StoreId.NAME);
            Map<String, String> there = to.meta().all();
            from.meta().all().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(value -> {
                        if (isNew()
                                && !own.contains(value.getKey())
                                && !(merging && there.containsKey(value.getKey()))) {
                            add(new Change.PutMeta(value.getKey(), value.getValue()), 0);
                        }
                    });
            cursors();
            usage();
            flush();
        }

        private void cursors() {
            from.meta().cursors().forEach((name, value) -> {
                if (isNew() && !(merging && to.meta().cursor(name).isPresent())) {
                    add(new Change.PutCursor(name, Optional.of(value)), 0);
                }
            });
        }

        /** Slots come after the turns that they were added up from, so what is set here stays. */
        private void usage() {
            Set<UsageSlot.Key> there = new HashSet<>();
            if (merging) {
                to.sessions().usage(Instant.EPOCH, FAR).forEach(slot -> there.add(slot.key()));
            }
            for (UsageSlot slot : from.sessions().usage(Instant.EPOCH, FAR)) {
                if (isNew() && !there.contains(slot.key())) {
                    add(new Change.PutUsage(slot), 0);
                }
            }
        }

        void foreignLanes() {
            enter(Phase.FOREIGN_LANES, Optional.of((long) foreignLanes.entries().size()));
            for (SessionEntry entry : foreignLanes.entries()) {
                if (isNew()) {
                    List<Change> changes = foreignLanes.changes(foreignLanes.rekeyed(entry), to, clock.instant());
                    addedForeignLanes += changes.isEmpty() ? 0 : 1;
                    pending.addAll(changes);
                    flush();
                }
            }
        }

        void finish() {
            commit(List.of(
                    new Change.PutMeta(MARKER, new CopyMark(start.source(), CopyMark.FINISHED, 0, merging).format())));
        }

        Outcome outcome() {
            return new Outcome(addedSessions, addedMessages, addedLanes, keptLanes, addedForeignLanes, renamed.size());
        }
    }

    private void commit(List<Change> changes) {
        CommitResult result = to.ledger().commit(writer.next(List.of(), changes));
        if (!result.isCommitted()) {
            throw new StorageUnavailable(
                    "The target " + to.location() + " did not take a batch of the copy; resume the copy.", null);
        }
    }
}
