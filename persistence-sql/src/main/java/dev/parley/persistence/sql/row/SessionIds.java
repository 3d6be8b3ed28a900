package dev.parley.persistence.sql.row;

import dev.parley.domain.session.SessionId;
import java.util.Optional;

/** Session ids as columns hold them. */
public final class SessionIds {
    private SessionIds() {}

    /** Returns the id; absent for null and for a text that Parley does not accept as one. */
    public static Optional<SessionId> read(Optional<String> column) {
        return column.filter(SessionId::isSafe).map(SessionId::of);
    }
}
