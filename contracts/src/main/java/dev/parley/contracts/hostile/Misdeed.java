package dev.parley.contracts.hostile;

/**
 * One way for a plug-in to misbehave. What makes no sense where it is drawn is not done: a call that returns no object cannot return
 * null, and only answers come late.
 */
public enum Misdeed {
    /** The call throws an exception and does nothing. */
    THROW,
    /** The call throws an {@code Error} and does nothing, as a plug-in built for another release does. */
    THROW_ERROR,
    /** The call does what it should, then throws an exception. */
    THROW_AFTERWARDS,
    /** The call does nothing and returns null. */
    RETURN_NULL,
    /** The call does what it should twice; an answer is given twice. */
    TWICE,
    /** An answer is given some time after it should have been. */
    LATE,
    /** An agent streams ten million characters before what it should report, of a turn or a summary. */
    ENDLESS,
    /** The call does not return before {@link HostilePlugIns#release}; an answer is never given. */
    HANG
}
