package dev.parley.application.recovery;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.port.Cursor;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Page;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.Transition;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.context.SystemNotes;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Sets right, before anything else runs, what the process before left behind (P7.1 to P7.29). */
public final class RecoverAfterRestart {
    /** Lanes are read so many at a time. */
    private static final int PAGE = 200;

    private final Storage storage;
    private final BatchWriter writer;
    private final Consumer<LaneEvent> told;
    private final Consumer<Turn> ended;
    private final Instant now;

    /**
     * Prepares a recovery.
     *
     * @param told told every line of history once it is stored
     * @param ended told every turn that it ends once that is stored
     */
    public RecoverAfterRestart(
            Storage storage, BatchWriter writer, Consumer<LaneEvent> told, Consumer<Turn> ended, Instant now) {
        this.storage = storage;
        this.writer = writer;
        this.told = told;
        this.ended = ended;
        this.now = now;
    }

    /**
     * Ends every turn that was claimed and not finished as interrupted and marks its lane to be resumed, however long the turn
     * had run; leaves all other lanes alone. The mark carries the time of the last thing that the turn has stored, so that work
     * which was cut off long ago is not taken for fresh because the gateway comes back now.
     *
     * @param dead whether the process that claimed a turn is gone
     * @return the lanes, by key
     */
    public SortedSet<SessionKey> markCutOffTurns(Predicate<Turn> dead) {
        SortedSet<SessionKey> lanes = new TreeSet<>();
        for (Turn turn : storage.queue().claimed()) {
            if (!dead.test(turn)) {
                continue;
            }
            CutOff cut = CutOff.of(storage, turn, now);
            if (commit(cut.preconditions(), cut.changes())) {
                lanes.add(turn.lane());
                ended.accept(cut.turn());
                cut.history().forEach(told);
            }
        }
        return lanes;
    }

    /** Suspends lanes that restarts cut off again and again (P7.12), and forgets their counts. */
    public void suspendStuckLanes(RestartCounts counts, int threshold) {
        List<SessionKey> seen = new ArrayList<>();
        for (SessionKey key : counts.stuck(threshold)) {
            Optional<Lane> lane = storage.lanes().find(key);
            if (lane.isEmpty()) {
                continue;
            }
            seen.add(key);
            if (lane.get().entry().isSuspended()) {
                continue;
            }
            Transition suspending = SessionTransitions.suspend(lane.get(), now, "stuck_loop");
            if (commit(suspending.preconditions(), suspending.changes())) {
                suspending.history().forEach(told);
            }
        }
        counts.forget(seen);
    }

    /**
     * A lane that is to be resumed.
     *
     * @param key the lane
     * @param platform where it lives
     */
    public record Candidate(SessionKey key, Platform platform) {}

    /**
     * Returns the lanes that get a turn of their own (P7.20, P7.21), by key: marked with a reason of our own, not suspended, of
     * known origin, and with a fresh mark.
     *
     * @param window how old a mark may be; zero or less: any age (D12)
     * @param wanted asked last, for what only the gateway knows
     */
    public List<Candidate> toBeResumed(Duration window, BiPredicate<SessionKey, SessionEntry> wanted) {
        List<Candidate> candidates = new ArrayList<>();
        LaneQuery marked = LaneQuery.first(PAGE).standing(LaneQuery.Stand.RESUME_PENDING);
        Optional<Cursor> after = Optional.empty();
        do {
            Page<Lane> page = storage.lanes().page(marked.after(after));
            page.rows().stream()
                    .filter(lane -> isToBeResumed(lane.entry(), window) && wanted.test(lane.key(), lane.entry()))
                    .forEach(lane -> lane.entry()
                            .origin()
                            .ifPresent(origin -> candidates.add(new Candidate(lane.key(), origin.platform()))));
            after = page.next();
        } while (after.isPresent());
        candidates.sort(Comparator.comparing(Candidate::key));
        return List.copyOf(candidates);
    }

    private boolean isToBeResumed(SessionEntry entry, Duration window) {
        Optional<Standing.ResumePending> mark = entry.toBeResumed();
        return mark.isPresent()
                && mark.get()
                        .reason()
                        .filter(ResumeReason::isResumedAutomatically)
                        .isPresent()
                && entry.origin().isPresent()
                && SystemNotes.isFresh(mark.get().markedAt().or(() -> Optional.of(entry.updatedAt())), now, window);
    }

    private boolean commit(List<Precondition> preconditions, List<Change> changes) {
        return storage.ledger().commit(writer.next(preconditions, changes)).isCommitted();
    }
}
