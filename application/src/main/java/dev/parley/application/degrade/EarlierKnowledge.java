package dev.parley.application.degrade;

import dev.parley.application.port.KnowledgeLog;
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
 * What earlier processes knew of the primary, as it stands beside it: the lanes as they are mirrored, and the knowledge log of
 * what was received and how lanes moved since the mirror was written.
 */
final class EarlierKnowledge {
    /** Nothing is known. */
    static final EarlierKnowledge NONE = new EarlierKnowledge(Instant.EPOCH, true);

    /** For how long a message is recognised when it is delivered again (commit rule 3). */
    private static final Duration RECOGNISED = Duration.ofDays(7);

    private final Map<SessionKey, Lane> lanes = new TreeMap<>();
    private final Map<PlatformMessage, Inbound> received = new LinkedHashMap<>();
    private final List<Inbound> ofStore = new ArrayList<>();
    private final Instant oldest;
    private final boolean mirrored;
    private boolean recalled;
    private Optional<String> storeId = Optional.empty();
    private Optional<String> formerStoreId = Optional.empty();

    private EarlierKnowledge(Instant oldest, boolean mirrored) {
        this.oldest = oldest;
        this.mirrored = mirrored;
    }

    /**
     * Gathers it.
     *
     * @param mirror the lanes of the mirror; the epoch {@link Lane#ABSENT} means that it is not known
     */
    static EarlierKnowledge of(Optional<List<Lane>> mirror, Optional<KnowledgeLog> log, Instant now) {
        EarlierKnowledge known = new EarlierKnowledge(now.minus(RECOGNISED), mirror.isPresent());
        mirror.ifPresent(lanes -> lanes.forEach(lane -> known.lanes.put(lane.key(), lane)));
        try {
            log.ifPresent(l -> l.recall(known::take));
            known.recalled = log.isPresent();
        } catch (StorageUnavailable e) {
            // What cannot be recalled is less to know.
        }
        known.lanes.replaceAll(
                (key, lane) -> lane.epoch() == Lane.ABSENT ? new Lane(lane.entry(), Lane.ABSENT + 1) : lane);
        return known;
    }

    /**
     * Where mirror and log name one epoch the mirror is kept: it has the activity since. A greater epoch of the mirror is of a
     * later move.
     */
    private void take(Change change) {
        if (change instanceof Change.PutLane put) {
            lanes.merge(put.lane().key(), put.lane(), (there, here) -> here.epoch() > there.epoch() ? here : there);
        } else if (change instanceof Change.RemoveLane remove) {
            lanes.remove(remove.lane());
        } else if (change instanceof Change.PutInbound put) {
            if (!put.inbound().receivedAt().isBefore(oldest)) {
                put.inbound().platformMessage().ifPresent(m -> {
                    received.put(m, put.inbound());
                    ofStore.add(put.inbound());
                });
            }
        } else if (change instanceof Change.PutMeta put && put.key().equals(StoreId.NAME)) {
            if (storeId.filter(id -> !id.equals(put.value())).isPresent()) {
                formerStoreId = storeId;
                ofStore.clear();
            }
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
        return mirrored || (recalled && storeId.isEmpty());
    }

    /** Returns what was received in the last seven days, oldest first. */
    Collection<Inbound> received() {
        return received.values();
    }

    /** Returns what was received last into the store that was used last, at most so many, oldest first. */
    List<Inbound> lastReceived(int most) {
        return List.copyOf(ofStore.subList(Math.max(0, ofStore.size() - most), ofStore.size()));
    }

    /** Returns the id of the store that was used last; absent where none is remembered. */
    Optional<String> storeId() {
        return storeId;
    }

    /**
     * Returns the id of the store that was used before this one; absent where there was none, or where something was received into
     * this one before {@code now}.
     */
    Optional<String> justReplaced(Instant now) {
        return formerStoreId.filter(
                id -> ofStore.stream().noneMatch(i -> i.receivedAt().isBefore(now)));
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
            } else if (change instanceof Change.PutMeta put && put.key().equals(StoreId.NAME)) {
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
}
