package dev.parley.application.degrade;

import dev.parley.application.port.Recollection;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.PlatformMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is known of a primary that cannot be read, from beside it: the mirror of its lanes, and the recollection of what was
 * received and how lanes moved since the mirror was written.
 */
final class LastKnown {
    /** For how long a message is recognised when it is delivered again (commit rule 3). */
    private static final Duration RECOGNISED = Duration.ofDays(7);

    private final Map<SessionKey, Lane> lanes = new TreeMap<>();
    private final Map<PlatformMessage, Inbound> received = new LinkedHashMap<>();
    private final Instant oldest;
    private final boolean mirrored;
    private boolean recollected;
    private Optional<String> storeId = Optional.empty();

    private LastKnown(Instant now, boolean mirrored, boolean recollected) {
        this.oldest = now.minus(RECOGNISED);
        this.mirrored = mirrored;
        this.recollected = recollected;
    }

    /**
     * Gathers it.
     *
     * @param mirror the lanes of the mirror; the epoch {@link Lane#ABSENT} stands for one that is not told
     */
    static LastKnown of(Optional<List<Lane>> mirror, Optional<Recollection> recollection, Instant now) {
        LastKnown known = new LastKnown(now, mirror.isPresent(), recollection.isPresent());
        mirror.ifPresent(lanes -> lanes.forEach(lane -> known.lanes.put(lane.key(), lane)));
        try {
            recollection.ifPresent(r -> r.recall(known::recalled));
        } catch (StorageUnavailable e) {
            known.recollected = false;
        }
        known.lanes.replaceAll(
                (key, lane) -> lane.epoch() == Lane.ABSENT ? new Lane(lane.entry(), Lane.ABSENT + 1) : lane);
        return known;
    }

    /**
     * Where mirror and recollection name one epoch the mirror is kept: it has the activity since. A greater epoch of the mirror
     * is of a later move.
     */
    private void recalled(Change change) {
        if (change instanceof Change.PutLane put) {
            lanes.merge(put.lane().key(), put.lane(), (there, here) -> here.epoch() > there.epoch() ? here : there);
        } else if (change instanceof Change.RemoveLane remove) {
            lanes.remove(remove.lane());
        } else if (change instanceof Change.PutInbound put) {
            if (!put.inbound().receivedAt().isBefore(oldest)) {
                put.inbound().platformMessage().ifPresent(m -> received.put(m, put.inbound()));
            }
        } else if (change instanceof Change.PutMeta put && put.key().equals(DegradingStorage.STORE_ID)) {
            storeId = Optional.of(put.value());
        }
    }

    Collection<Lane> lanes() {
        return lanes.values();
    }

    /**
     * Returns whether a lane that is not among them does not exist: there is a mirror, or no store was ever used. Otherwise
     * unreadable must not be mistaken for empty.
     */
    boolean hasEveryLane() {
        return mirrored || (recollected && storeId.isEmpty());
    }

    /** Returns what was received, oldest first. */
    Collection<Inbound> received() {
        return received.values();
    }

    /** Returns the id of the store that was used last; absent where none is remembered. */
    Optional<String> storeId() {
        return storeId;
    }

    /**
     * Returns what of a batch is worth remembering: where lanes moved to, and messages as they came, without what was said in
     * them.
     */
    static List<Change> memorable(List<Change> changes) {
        List<Change> kept = new ArrayList<>();
        for (Change change : changes) {
            if (change instanceof Change.PutLane || change instanceof Change.RemoveLane) {
                kept.add(change);
            } else if (change instanceof Change.PutMeta put && put.key().equals(DegradingStorage.STORE_ID)) {
                kept.add(change);
            } else if (change instanceof Change.PutInbound put
                    && put.inbound().platformMessage().isPresent()
                    && isFirst(put.inbound())) {
                kept.add(new Change.PutInbound(put.inbound().withoutContent()));
            }
        }
        return kept;
    }

    /** A message is stored first as admitted, and one that takes effect at once without ever belonging to a turn. */
    private static boolean isFirst(Inbound inbound) {
        return inbound.state() == Inbound.State.ADMITTED || inbound.turn().isEmpty();
    }

    /** Notes changes in a recollection; what cannot be noted is less to know later, and no reason to refuse a message now. */
    static Optional<StorageUnavailable> note(Optional<Recollection> recollection, List<Change> changes) {
        List<Change> kept = memorable(changes);
        if (recollection.isPresent() && !kept.isEmpty()) {
            try {
                recollection.get().note(kept);
            } catch (StorageUnavailable e) {
                return Optional.of(e);
            }
        }
        return Optional.empty();
    }
}
