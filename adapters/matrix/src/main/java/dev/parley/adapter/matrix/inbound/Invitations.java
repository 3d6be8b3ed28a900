package dev.parley.adapter.matrix.inbound;

import java.util.Locale;
import java.util.Set;

/**
 * Which rooms the bot joins when it is invited. What it does not join it leaves unanswered.
 *
 * @param policy whose invitations count
 * @param allowed who may talk to the gateway: user ids, {@code *} for everybody, {@code chat:} with a room's id
 * @param pairing whether somebody unknown may ask to be let in, for which a direct room is needed
 */
public record Invitations(Policy policy, Set<String> allowed, boolean pairing) {
    /** Copies the list. */
    public Invitations {
        allowed = Set.copyOf(allowed);
    }

    /** Whose invitations count. */
    public enum Policy {
        /** Those of people who may talk. */
        ALLOWED,
        /** Everybody's. */
        ALL,
        /** Nobody's. */
        NONE;

        /** Returns the policy of that name, in lower case. */
        public static Policy of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * Returns whether the bot joins a room.
     *
     * @param direct whether the room is meant for the bot and one person
     */
    public boolean isAccepted(String inviter, String room, boolean direct) {
        return switch (policy) {
            case ALL -> true;
            case NONE -> false;
            case ALLOWED ->
                allowed.contains("*")
                        || allowed.contains(inviter)
                        || allowed.contains("chat:" + room)
                        || (pairing && direct);
        };
    }
}
