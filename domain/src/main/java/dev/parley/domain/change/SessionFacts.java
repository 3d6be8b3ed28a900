package dev.parley.domain.change;

import dev.parley.domain.session.SessionId;

/**
 * What a store says about its sessions.
 *
 * @param <E> what reading the store may throw
 */
public interface SessionFacts<E extends Exception> {
    /** Returns whether the session is stored. */
    boolean exists(SessionId session) throws E;

    /** Returns whether a session other than {@code by} has exactly this title. */
    boolean isTitleTaken(String title, SessionId by) throws E;
}
