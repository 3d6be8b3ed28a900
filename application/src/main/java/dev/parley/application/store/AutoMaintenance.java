package dev.parley.application.store;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.ParleyException;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.StoredTime;
import dev.parley.domain.session.SessionId;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Deletes ended sessions that began long ago and gives their space back, at most once in an interval, however often it is called
 * (storage 3.8). Sessions that are not ended, and those a lane is in, stay. Never throws: what fails is told.
 */
public final class AutoMaintenance {
    /** The named value that holds when this was last done, as seconds since 1970. */
    public static final String STAMP = "last_auto_prune";

    private final Storage storage;
    private final Ledger ledger;
    private final InstantSource clock;
    private final Consumer<String> warnings;
    private final BatchWriter writer;

    /**
     * How it is done.
     *
     * @param retention how long ago an ended session must have begun to be deleted
     * @param interval how long nothing is done after it was done
     * @param vacuum whether space is given back where sessions were deleted
     */
    public record Settings(Duration retention, Duration interval, boolean vacuum) {
        /** Ninety days, once a day, with space given back. */
        public static final Settings DEFAULT = new Settings(Duration.ofDays(90), Duration.ofHours(24), true);
    }

    /**
     * What was done.
     *
     * @param skipped whether it was done too recently to be done again
     * @param pruned how many sessions were deleted
     * @param vacuumed whether space was given back
     * @param error why it was broken off; absent where it was not
     */
    public record Outcome(boolean skipped, int pruned, boolean vacuumed, Optional<String> error) {}

    /**
     * Maintains a storage.
     *
     * @param storage what is maintained
     * @param clock says what is long ago
     * @param ids names the writer of the changes
     * @param warnings told in one line where space could not be given back
     */
    public AutoMaintenance(Storage storage, InstantSource clock, Ids ids, Consumer<String> warnings) {
        this(storage, storage.ledger(), clock, ids, warnings);
    }

    /**
     * Looks after this storage through a ledger of its own.
     *
     * @param ledger takes the changes, such as one that leaves room for others between them
     */
    public AutoMaintenance(Storage storage, Ledger ledger, InstantSource clock, Ids ids, Consumer<String> warnings) {
        this.storage = storage;
        this.ledger = ledger;
        this.clock = clock;
        this.warnings = warnings;
        this.writer = new BatchWriter(ids.unique("maintenance"));
    }

    /** Does it, unless it was done within the interval. For one thread at a time. */
    public Outcome run(Settings settings) {
        int pruned = 0;
        try {
            Instant now = StoredTime.now(clock);
            if (isRecent(now, settings.interval())) {
                return new Outcome(true, 0, false, Optional.empty());
            }
            for (SessionId id : storage.sessions().endedBefore(now.minus(settings.retention()), Optional.empty())) {
                pruned += delete(id) ? 1 : 0;
            }
            boolean vacuumed = settings.vacuum() && pruned > 0 && vacuum();
            commit(List.of(), new Change.PutMeta(STAMP, seconds(now)));
            return new Outcome(false, pruned, vacuumed, Optional.empty());
        } catch (ParleyException e) {
            return new Outcome(false, pruned, false, Optional.of(String.valueOf(e.getMessage())));
        }
    }

    /**
     * Deletes the ended sessions begun before a time where there are exactly as many as were counted. For one thread at a time.
     *
     * @param before the time
     * @param counted how many are expected
     * @return how many there were, and how many were deleted; none where as many were not expected
     * @throws ParleyException where the store cannot be read or written; what was deleted stays deleted
     */
    public GatewayInspection.Pruned prune(Instant before, long counted) {
        List<SessionId> ended = storage.sessions().endedBefore(before, Optional.empty());
        long deleted = 0;
        if (ended.size() == counted) {
            for (SessionId id : ended) {
                deleted += delete(id) ? 1 : 0;
            }
        }
        return new GatewayInspection.Pruned(ended.size(), deleted);
    }

    /** A stamp that is no number counts as none. */
    private boolean isRecent(Instant now, Duration interval) {
        try {
            return storage.meta()
                    .get(STAMP)
                    .map(text -> new BigDecimal(text.strip()))
                    .filter(stamp -> stamp.compareTo(new BigDecimal(seconds(now.minus(interval)))) > 0)
                    .isPresent();
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private boolean delete(SessionId id) {
        boolean deleted = commit(
                List.of(new Precondition.SessionExists(id), new Precondition.NotCurrent(id)),
                new Change.DeleteSession(id));
        if (deleted) {
            storage.maintenance().finishDeletions((done, total) -> {});
        }
        return deleted;
    }

    private boolean vacuum() {
        try {
            storage.maintenance().compact();
            return true;
        } catch (ParleyException e) {
            warnings.accept("Space could not be given back after old sessions were deleted: " + e.getMessage());
            return false;
        }
    }

    private boolean commit(List<Precondition> conditions, Change change) {
        return ledger.commit(writer.next(conditions, List.of(change))).isCommitted();
    }

    private static String seconds(Instant instant) {
        return BigDecimal.valueOf(instant.getEpochSecond())
                .add(BigDecimal.valueOf(instant.getNano(), 9))
                .setScale(6)
                .toPlainString();
    }
}
