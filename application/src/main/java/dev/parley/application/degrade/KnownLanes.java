package dev.parley.application.degrade;

import dev.parley.application.port.Lanes;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that are known of a primary. All of them are learnt in one walk that may go on beside commits; until it has ended a
 * lane that is not among them may exist all the same. What a batch says of a lane counts, not what was read of it meanwhile. Safe
 * for concurrent use.
 */
final class KnownLanes {
    private PackedLanes lanes = new PackedLanes();
    private boolean complete;
    /** Removed while not every lane was known, so that nobody who remembers them brings them back. */
    private final Set<SessionKey> removed = new HashSet<>();
    /** Known from what others remembered of the primary, and not of itself. */
    private final Set<SessionKey> assumed = new HashSet<>();
    /** How many batches that concern a lane are being committed. */
    private final Map<SessionKey, Integer> committing = new HashMap<>();

    private final Set<Look> looks = new HashSet<>();
    private @Nullable Walk walk;

    /** A read of one lane that is under way. */
    final class Look implements AutoCloseable {
        private final SessionKey key;
        private boolean outdated;

        private Look(SessionKey key) {
            this.key = key;
            this.outdated = committing.containsKey(key);
        }

        /** Takes note of what was read, unless a batch that concerns the lane was committed beside it. */
        void saw(Optional<Lane> read) {
            synchronized (KnownLanes.this) {
                if (!outdated) {
                    read.ifPresent(KnownLanes.this::know);
                }
            }
        }

        @Override
        public void close() {
            synchronized (KnownLanes.this) {
                looks.remove(this);
            }
        }
    }

    /** A walk through all lanes of the primary that is under way. */
    final class Walk {
        private final PackedLanes into;
        /** The lanes that batches concerned since it began: what it sees of them may be from before. */
        private final Set<SessionKey> concerned = new HashSet<>(committing.keySet());

        private final Set<SessionKey> skipped = new HashSet<>();
        private long seen;

        private Walk(PackedLanes into) {
            this.into = into;
        }

        /**
         * Takes note of a lane.
         *
         * @return false once the walk was given up
         */
        boolean saw(Lane lane) {
            synchronized (KnownLanes.this) {
                if (walk != this) {
                    return false;
                }
                seen++;
                if (concerned.contains(lane.key())) {
                    skipped.add(lane.key());
                } else {
                    into.put(lane);
                    assumed.remove(lane.key());
                }
                return true;
            }
        }

        /** Takes note that a lane that was passed over does not exist any more. */
        void isGone(SessionKey key) {
            synchronized (KnownLanes.this) {
                skipped.remove(key);
            }
        }

        /** Returns the lanes that were passed over and that nothing else has told of: each is to be read by itself. */
        List<SessionKey> missed() {
            synchronized (KnownLanes.this) {
                return skipped.stream()
                        .filter(key -> !removed.contains(key) && lanes.find(key).isEmpty())
                        .toList();
            }
        }

        /**
         * Ends it: every lane is known then. Does nothing where it was given up.
         *
         * @return whether it was still under way
         */
        boolean end() {
            synchronized (KnownLanes.this) {
                if (walk != this) {
                    return false;
                }
                walk = null;
                if (into != lanes) {
                    concerned.forEach(key -> lanes.find(key).ifPresentOrElse(into::put, () -> {
                        if (removed.contains(key)) {
                            into.remove(key);
                        }
                    }));
                    lanes = into;
                }
                forgetAssumed();
                complete = true;
                removed.clear();
                return true;
            }
        }
    }

    /** Lanes that others remembered and that the walk has not seen do not exist. */
    private void forgetAssumed() {
        if (!assumed.isEmpty()) {
            PackedLanes read = new PackedLanes();
            lanes.walk().forEach(lane -> {
                if (!assumed.contains(lane.key())) {
                    read.put(lane);
                }
            });
            lanes = read;
            assumed.clear();
        }
    }

    /** Returns the lanes that a batch puts, touches or removes. */
    static Set<SessionKey> concernedBy(List<Change> changes) {
        Set<SessionKey> keys = new HashSet<>();
        for (Change change : changes) {
            if (change instanceof Change.PutLane put) {
                keys.add(put.lane().key());
            } else if (change instanceof Change.TouchLane touch) {
                keys.add(touch.lane());
            } else if (change instanceof Change.RemoveLane remove) {
                keys.add(remove.lane());
            }
        }
        return keys;
    }

    /** A batch that concerns these lanes is about to be committed. */
    synchronized void begins(Set<SessionKey> keys) {
        for (SessionKey key : keys) {
            committing.merge(key, 1, Integer::sum);
            Walk now = walk;
            if (now != null) {
                now.concerned.add(key);
            }
        }
        looks.stream().filter(look -> keys.contains(look.key)).forEach(look -> look.outdated = true);
    }

    /** The batch was committed and noted, or not committed. */
    synchronized void ends(Set<SessionKey> keys) {
        keys.forEach(key -> committing.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1));
    }

    /** Reads a lane of the primary and takes note of it, as long as not every lane is known. */
    Optional<Lane> read(Lanes primary, SessionKey key) {
        if (isLearnt()) {
            return primary.find(key);
        }
        try (Look look = look(key)) {
            Optional<Lane> found = primary.find(key);
            look.saw(found);
            return found;
        }
    }

    private synchronized boolean isLearnt() {
        return complete && walk == null;
    }

    private synchronized Look look(SessionKey key) {
        Look look = new Look(key);
        looks.add(look);
        return look;
    }

    /** Begins to walk through all lanes; the walk before, if one is under way, is given up. */
    synchronized Walk walk() {
        Walk next = new Walk(complete ? new PackedLanes() : lanes);
        walk = next;
        return next;
    }

    /**
     * Gives up the walk that is under way; what it has seen so far is known where not every lane was known before.
     *
     * @return whether one was
     */
    synchronized boolean giveUp() {
        boolean was = walk != null;
        walk = null;
        return was;
    }

    /** Returns whether a lane that is not known does not exist. */
    synchronized boolean isComplete() {
        return complete;
    }

    /** Returns how many lanes were read so far; absent where every lane is known. */
    synchronized Optional<Long> seen() {
        Walk now = walk;
        return complete ? Optional.empty() : Optional.of(now == null ? 0L : now.seen);
    }

    synchronized Optional<Lane> find(SessionKey key) {
        return lanes.find(key);
    }

    synchronized Optional<Lane> ofSession(SessionId session) {
        return lanes.ofSession(session);
    }

    /** Notes a lane as it is. */
    synchronized void know(Lane lane) {
        removed.remove(lane.key());
        assumed.remove(lane.key());
        lanes.put(lane);
    }

    /** Notes a lane that is not known better. */
    synchronized void assume(Lane lane) {
        if (!removed.contains(lane.key()) && lanes.find(lane.key()).isEmpty()) {
            lanes.put(lane);
            assumed.add(lane.key());
        }
    }

    /** Notes that there is no such lane any more. */
    synchronized void forget(SessionKey key) {
        lanes.remove(key);
        if (!complete || walk != null) {
            removed.add(key);
        }
    }

    /** Hands out every known lane, by key, as they are now; nothing waits for the consumer. */
    void forEach(Consumer<Lane> each) {
        now().forEach(each);
    }

    /** Returns how many lanes are known. */
    long count() {
        return now().count();
    }

    private synchronized PackedLanes.Walk now() {
        return lanes.walk();
    }
}
