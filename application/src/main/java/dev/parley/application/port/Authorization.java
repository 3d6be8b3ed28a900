package dev.parley.application.port;

import dev.parley.domain.source.SessionSource;

/** Decides who may talk to the gateway. */
public interface Authorization {
    /** Returns whether messages from this source are taken. */
    boolean mayTalk(SessionSource source);

    /** Returns whether this source is a configured admin, who may look across chats. */
    boolean isAdmin(SessionSource source);
}
