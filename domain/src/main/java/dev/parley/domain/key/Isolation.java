package dev.parley.domain.key;

/**
 * Who shares a session outside of direct messages.
 *
 * @param groupSessionsPerUser whether each user of a group or channel has a session of their own (K5.7)
 * @param threadSessionsPerUser whether each user of a thread has a session of their own (K5.8)
 */
public record Isolation(boolean groupSessionsPerUser, boolean threadSessionsPerUser) {
    /** Groups per user, threads shared. */
    public static final Isolation DEFAULT = new Isolation(true, false);
}
