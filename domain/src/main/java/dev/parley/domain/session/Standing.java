package dev.parley.domain.session;

import java.time.Instant;
import java.util.Optional;

/** How a lane's session stands, which decides what the next message does to it before any policy is asked (G3.1). */
public sealed interface Standing {
    /** Returns the ordinary state. */
    static Standing open() {
        return new Open();
    }

    /** Returns the mark to be resumed, also where it lies under a suspension. */
    default Optional<ResumePending> resumePending() {
        return Optional.empty();
    }

    /** The ordinary state. */
    record Open() implements Standing {}

    /**
     * The last turn was cut off: the next access keeps the session (G3.3).
     *
     * @param reason why; absent where the stored mark has none
     * @param markedAt when; absent where the stored mark has none that can be read
     */
    record ResumePending(Optional<ResumeReason> reason, Optional<Instant> markedAt) implements Standing {
        @Override
        public Optional<ResumePending> resumePending() {
            return Optional.of(this);
        }
    }

    /**
     * The next access starts a new session; nothing else is looked at (G3.2).
     *
     * @param under a mark to be resumed that was there before; it has no effect (O4.4)
     */
    record Suspended(Optional<ResumePending> under) implements Standing {
        @Override
        public Optional<ResumePending> resumePending() {
            return under;
        }
    }
}
