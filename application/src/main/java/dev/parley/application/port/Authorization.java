package dev.parley.application.port;

import dev.parley.domain.source.SessionSource;
import java.util.Optional;

/** Decides who may talk to the gateway. */
public interface Authorization {
    /** Returns whether messages from this source are taken. Called by the platform's thread that hands them in, and holds it: returns at once. */
    boolean mayTalk(SessionSource source);

    /**
     * Returns what somebody who may not talk is told in a direct chat, such as how to be let in; absent where nobody answers them. Asked
     * once for each message that was refused, and notes that it was: whoever writes often is not answered each time.
     */
    default Optional<String> invitation(SessionSource source) {
        return Optional.empty();
    }

    /** Returns whether this source is a configured admin, who may look across chats; nobody is while it takes longer than twenty seconds. */
    boolean isAdmin(SessionSource source);
}
