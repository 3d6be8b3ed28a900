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
    private Whose whose = new Whose.Nobodys();

    /** Whose a lane is, as far as this gateway knows. */
    private sealed interface Whose {
        /** Nobody's that is known. */
        record Nobodys() implements Whose {}

        /** Another gateway's. */
        record Others(LifeId holder) implements Whose {}

        /** This gateway's, before everything is set right that another life has left of it; {@code cutOff} is whether a turn was cut off. */
        record Taken(Tenure.Mine tenure, boolean cutOff) implements Whose {}

        /** This gateway's, with nothing left to be set right. */
        record Ours(Tenure.Mine tenure) implements Whose {}

        /** Returns how this gateway holds the lane; absent where it does not. */
        default Optional<Tenure.Mine> mine() {
            if (this instanceof Taken taken) {
                return Optional.of(taken.tenure());
            }
            return this instanceof Ours ours ? Optional.of(ours.tenure()) : Optional.empty();
        }
    }

    LaneHold(SessionKey lane, Membership nodes) {
        this.lane = lane;
        this.nodes = nodes;
    }

    /** Returns whether the lane is held; always, for a gateway that is alone. */
    boolean isMine() {
        return !nodes.isShared() || isKept();
    }

    /** Returns whether the lane is to be given back some time. */
    boolean isKept() {
        return whose.mine().isPresent();
    }

    /** Returns whether the lane is held and nothing of it is left to be set right; always, for a gateway that is alone. */
    boolean isSetRight() {
        return !nodes.isShared() || whose instanceof Whose.Ours;
    }

    /** A turn of the lane was cut off that another life has left. */
    void cutOff() {
        whose = new Whose.Taken(whose.mine().orElseThrow(), true);
    }

    /** Returns whether a turn was cut off since the lane was taken, however often a step of setting it right was repeated. */
    boolean isCutOff() {
        return whose instanceof Whose.Taken taken && taken.cutOff();
    }

    /** Everything of the lane is set right. */
    void setRight() {
        whose = new Whose.Ours(whose.mine().orElseThrow());
    }

    /** Returns who worked on the lane when it was tried to be taken; absent where it is this gateway's. */
    Optional<LifeId> elsewhere() {
        return whose instanceof Whose.Others others ? Optional.of(others.holder()) : Optional.empty();
    }

    /** Returns how many lives in a row died with a turn of the lane. */
    int deaths() {
        return whose.mine().map(Tenure.Mine::deaths).orElse(0);
    }

    /** Takes the lane; returns false where another gateway works on it. */
    boolean take() {
        Tenure tenure = nodes.take(lane);
        if (tenure instanceof Tenure.Mine mine) {
            whose = new Whose.Taken(mine, false);
        } else if (tenure instanceof Tenure.Elsewhere other) {
            whose = new Whose.Others(other.holder());
        } else {
            whose = new Whose.Nobodys();
        }
        return isKept();
    }

    /**
     * Returns what a batch of the lane requires beside what its step does.
     *
     * @param last the greatest ordinal that is known of the lane
     */
    List<Precondition> fence(List<? extends Change> changes, long last) {
        Optional<Tenure.Mine> mine = whose.mine();
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
        Optional<Tenure.Mine> mine = whose.mine();
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
        boolean free = nodes.giveBack(lane, whose.mine().orElseThrow().token(), last);
        if (free) {
            whose = new Whose.Nobodys();
        }
        return free;
    }

    /** The lane is held no more. */
    void lose() {
        whose.mine().ifPresent(held -> nodes.lose(lane, held.token()));
        whose = new Whose.Nobodys();
    }
}
