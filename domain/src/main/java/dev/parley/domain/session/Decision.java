package dev.parley.domain.session;

import dev.parley.domain.reset.ResetReason;

/** What a message does to its lane (G3.1–G3.6). */
public sealed interface Decision {
    /** The word used in output and history: create, reuse, resume or reset. */
    String text();

    /**
     * A new session on a lane that has none that can be used.
     *
     * @param why why there is none
     */
    record Create(Why why) implements Decision {
        /** Why a lane has no session that can be used. */
        public enum Why {
            /** The lane does not exist. */
            FIRST_MESSAGE,
            /** The caller asked for a new session. */
            FORCED,
            /** The lane's session was ended by someone else. */
            ENDED_ELSEWHERE
        }

        @Override
        public String text() {
            return "create";
        }
    }

    /** The current session is kept. */
    record Reuse() implements Decision {
        @Override
        public String text() {
            return "reuse";
        }
    }

    /**
     * The current session is kept because a turn of it was cut off; the mark stays until a turn succeeds (G3.3).
     *
     * @param mark the mark
     */
    record Resume(Standing.ResumePending mark) implements Decision {
        @Override
        public String text() {
            return "resume";
        }
    }

    /**
     * The current session ends and a new one begins.
     *
     * @param reason why
     */
    record Reset(ResetReason reason) implements Decision {
        @Override
        public String text() {
            return "reset";
        }
    }
}
