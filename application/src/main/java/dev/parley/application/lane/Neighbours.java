package dev.parley.application.lane;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.util.List;

/** What a lane asks of the others. Safe for concurrent use. */
public interface Neighbours {
    /** Returns the other lanes of a source's thread whose turn is running, by key; none where it is in no thread. */
    List<SessionKey> runningBeside(SessionKey lane, SessionSource source);

    /** Stops a lane's task because somebody else in its thread asked for it (Z12.2); returns at once. */
    void stopFor(SessionKey lane, SessionSource other);
}
