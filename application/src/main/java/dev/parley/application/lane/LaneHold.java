package dev.parley.application.lane;

import dev.parley.application.nodes.Membership;
import dev.parley.application.port.Tenure;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a lane is this gateway's to work on. Where several gateways share a store the lane is taken before anything is read of it, and
 * every batch of it carries its token from then on. Used by the lane's own tasks.
 */
final class LaneHold {
    private final SessionKey lane;
    private final Membership nodes;
    private Optional<Tenure.Mine> mine = Optional.empty();
    private Optional<LifeId> elsewhere = Optional.empty();

    LaneHold(SessionKey lane, Membership nodes) {
        this.lane = lane;
        this.nodes = nodes;
    }

    /** Returns whether the lane is held; always, for a gateway that is alone. */
    boolean isMine() {
        return !nodes.isShared() || mine.isPresent();
    }

    /** Returns whether the lane is to be given back some time. */
    boolean isKept() {
        return mine.isPresent();
    }

    /** Returns who worked on the lane when it was tried to be taken; absent where it is this gateway's. */
    Optional<LifeId> elsewhere() {
        return elsewhere;
    }

    /** Returns how many lives in a row died with a turn of the lane. */
    int deaths() {
        return mine.map(Tenure.Mine::deaths).orElse(0);
    }

    /** Takes the lane; returns false where another gateway works on it. */
    boolean take() {
        Tenure tenure = nodes.take(lane);
        mine = tenure instanceof Tenure.Mine taken ? Optional.of(taken) : Optional.empty();
        elsewhere = tenure instanceof Tenure.Elsewhere other ? Optional.of(other.holder()) : Optional.empty();
        return mine.isPresent();
    }

    /**
     * Returns what a batch of the lane requires beside what its step does.
     *
     * @param last the greatest ordinal that is known of the lane
     */
    List<Precondition> fence(List<? extends Change> changes, long last) {
        if (mine.isEmpty()) {
            return List.of();
        }
        List<Precondition> fence = new ArrayList<>();
        fence.add(new Precondition.HeldBy(lane, mine.get().token()));
        boolean admits = changes.stream()
                .anyMatch(change -> change instanceof Change.PutInbound put
                        && put.inbound().lane().equals(lane)
                        && put.inbound().ordinal() > last);
        if (admits) {
            // Another gateway may have posted a message meanwhile: no place is given twice.
            fence.add(new Precondition.LastOrdinal(lane, last));
        }
        return fence;
    }

    /** Returns the changes with their turns under the lane's token. */
    List<Change> marked(List<? extends Change> changes) {
        return changes.stream()
                .<Change>map(change -> change instanceof Change.PutTurn put
                                && mine.isPresent()
                                && put.turn().token() == 0
                        ? new Change.PutTurn(put.turn().under(mine.get().token()))
                        : change)
                .toList();
    }

    /** Returns whether nothing of the lane is on its way, so that it may be given back. */
    boolean isUnused() {
        return !nodes.isUsed(lane);
    }

    /** Gives the lane back; returns false where a message came that is not known. */
    boolean giveBack(long last) {
        boolean free = nodes.giveBack(lane, mine.orElseThrow().token(), last);
        if (free) {
            mine = Optional.empty();
        }
        return free;
    }

    /** The lane is held no more. */
    void lose() {
        mine.ifPresent(held -> nodes.lose(lane, held.token()));
        mine = Optional.empty();
    }
}
