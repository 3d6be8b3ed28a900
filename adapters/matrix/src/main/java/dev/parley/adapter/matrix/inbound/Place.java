package dev.parley.adapter.matrix.inbound;

import java.time.Instant;
import java.util.Optional;

/**
 * Up to where an account's rooms have been read.
 *
 * @param token the homeserver's own name for it; absent before the first sync, and where the homeserver does not know it any more
 * @param at when that was; without a token what was written earlier counts as read
 */
public record Place(Optional<String> token, Instant at) {
    /** Returns the place as a cursor has it. */
    public String text() {
        return at.getEpochSecond() + "@" + token.orElse("");
    }

    /** Reads a cursor; absent where it is none. */
    public static Optional<Place> of(String text) {
        int mark = text.indexOf('@');
        try {
            Instant at = Instant.ofEpochSecond(Long.parseLong(text.substring(0, Math.max(mark, 0))));
            return Optional.of(new Place(Optional.of(text.substring(mark + 1)).filter(t -> !t.isEmpty()), at));
        } catch (IllegalArgumentException | java.time.DateTimeException notOurs) {
            return Optional.empty();
        }
    }

    /** Returns this without the homeserver's name for it. */
    Place untold() {
        return new Place(Optional.empty(), at);
    }
}
