package dev.parley.domain.turn;

import java.util.Optional;

/**
 * Which gateway works on a lane. The gateway that takes a lane gets a greater token than any before, and each batch that stands on the
 * token is refused once another one has taken it: no clock decides.
 *
 * @param holder the gateway; absent while the lane is free
 * @param token rises by one whenever the lane is taken; 0 for a lane that never was
 */
public record Hold(Optional<LifeId> holder, long token) {
    /** The hold of a lane that nobody ever took. */
    public static final Hold NONE = new Hold(Optional.empty(), 0);

    /** Returns whether the lane is held under this token. */
    public boolean isHeldUnder(long seen) {
        return holder.isPresent() && token == seen;
    }

    /** Returns whether the lane is free and its last token was this one. */
    public boolean isFreeSince(long seen) {
        return holder.isEmpty() && token == seen;
    }

    /** Returns the hold after a gateway has taken the lane, also from another gateway. */
    public Hold takenBy(LifeId life) {
        return new Hold(Optional.of(life), token + 1);
    }

    /** Returns the hold after the lane was given back; its token stays used. */
    public Hold left() {
        return new Hold(Optional.empty(), token);
    }
}
