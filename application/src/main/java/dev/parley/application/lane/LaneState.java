package dev.parley.application.lane;

import dev.parley.domain.change.Change;
import dev.parley.domain.session.Lane;
import dev.parley.domain.turn.Inbound;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a lane: what is stored of it, and what goes on there.
 *
 * @param lane the lane as stored; absent where it does not exist
 * @param waiting its queue
 * @param slot what it works on
 * @param lastAck when somebody was last told that their message met a running agent
 * @param compressed whether its conversation was compressed for the turn that is next
 */
record LaneState(Optional<Lane> lane, Waiting waiting, TurnSlot slot, Optional<Instant> lastAck, boolean compressed) {
    /** The command that a lane gives itself where its conversation is about to outgrow its model (Z12.11). */
    static final String COMPRESS = "/compress";

    static final LaneState UNKNOWN =
            new LaneState(Optional.empty(), Waiting.NOTHING, TurnSlot.free(), Optional.empty(), false);

    LaneState with(Optional<Lane> next) {
        return new LaneState(next, waiting, slot, lastAck, compressed);
    }

    LaneState with(Waiting next) {
        return new LaneState(lane, next, slot, lastAck, compressed);
    }

    LaneState with(TurnSlot next) {
        return new LaneState(lane, waiting, next, lastAck, compressed);
    }

    LaneState acknowledged(Instant at) {
        return new LaneState(lane, waiting, slot, Optional.of(at), compressed);
    }

    LaneState compressed(boolean next) {
        return new LaneState(lane, waiting, slot, lastAck, next);
    }

    /** Returns this with the working turn's agent asked to end; unchanged where none works. */
    LaneState interrupted(Cause cause) {
        return slot.working().map(turn -> working(turn.interrupted(cause))).orElse(this);
    }

    /** Returns this with the working turn changed; unchanged where none works. */
    LaneState working(TurnWork next) {
        return slot.working().isPresent() ? with(new TurnSlot.Working(next)) : this;
    }

    /** Returns this after these changes of the lane were stored: those that replace it, and those that note its use. */
    LaneState storing(List<Change> changes) {
        Optional<Lane> next = lane;
        for (Change change : changes) {
            if (change instanceof Change.PutLane put && isThis(put.lane())) {
                next = Optional.of(put.lane());
            } else if (change instanceof Change.TouchLane touch) {
                next = next.filter(l -> l.key().equals(touch.lane()))
                        .map(l -> new Lane(touch.applyTo(l.entry()), l.epoch()))
                        .or(() -> lane);
            }
        }
        return with(next);
    }

    private boolean isThis(Lane other) {
        return lane.map(l -> l.key().equals(other.key())).orElse(true);
    }

    /** Returns this without messages that wait no more. */
    LaneState without(List<Inbound> gone) {
        return with(waiting.without(gone));
    }

    /** Returns whether a message is the command to compress that the lane gave itself. */
    boolean isOwn(Inbound message) {
        return compressed
                && message.text().equals(COMPRESS)
                && message.platformMessage().isEmpty();
    }
}
