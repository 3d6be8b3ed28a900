package dev.parley.domain.change;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One line of a lane's history: what changed, why, and what the decision stood on. Stored in the batch that makes the
 * change.
 *
 * @param lane the lane
 * @param at when
 * @param kind what happened
 * @param from the session before; absent where there was none
 * @param to the session after; absent if the lane has no session then
 * @param reason why, as a short stable word: idle, daily, suspended, new, stop, resume, crash, ...
 * @param inputs what the decision stood on, by name and in order: clock, zone, policy, where the policy came from, last
 *     activity, flags
 */
public record LaneEvent(
        SessionKey lane,
        Instant at,
        Kind kind,
        Optional<SessionId> from,
        Optional<SessionId> to,
        String reason,
        Map<String, String> inputs) {

    public LaneEvent {
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    }

    /** What happened to a lane. */
    public enum Kind {
        /** The first session of the lane, or one after the lane was gone. */
        CREATED,
        /** A policy or a suspension ended the session and began another. */
        RESET,
        /** A person ended the session and began another. */
        RENEWED,
        /** The lane went to a session that existed before. */
        SWITCHED,
        /** The session continues under another id after compression. */
        CONTINUED,
        /** The next message will begin a new session. */
        SUSPENDED,
        /** A turn was cut off; the next access keeps the session. */
        MARKED,
        /** A resumed turn has succeeded. */
        CLEARED,
        /** The expiry watcher finalised the session. */
        FINALISED,
        /** The lane was removed. */
        REMOVED,
        /** The chat continues under another id, and the lane under another key. */
        MOVED;

        /** Returns the word used in output. */
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
