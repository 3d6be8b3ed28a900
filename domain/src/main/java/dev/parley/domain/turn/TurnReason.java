package dev.parley.domain.turn;

import java.util.Locale;

/** Why a turn ended without an answer, or was cut off. */
public enum TurnReason {
    /** The model or its server failed. */
    MODEL,
    /** The conversation is too large for the model. */
    CONTEXT_TOO_LARGE,
    /** The agent compressed the conversation and it was still too large. */
    COMPRESSION_EXHAUSTED,
    /** The agent cannot work as it is configured. */
    CONFIGURATION,
    /** The agent broke its contract: it threw, or ended twice. */
    AGENT,
    /** The agent ended without saying anything. */
    NO_ANSWER,
    /** Nothing was heard of the agent for too long. */
    TIMEOUT,
    /** What the turn did could not be stored. */
    STORAGE,
    /** A newer message took its place. */
    NEWER_MESSAGE,
    /** A person ended it with a command, such as {@code /new} or {@code /stop}. */
    SUPERSEDED,
    /** An operator ended it. */
    OPERATOR,
    /** The gateway stopped in order. */
    RESTART,
    /** The gateway died. */
    CRASH,
    /** Another gateway has taken the lane. */
    LANE_TAKEN;

    /** Returns the word used in output. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
