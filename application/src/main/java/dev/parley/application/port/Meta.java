package dev.parley.application.port;

import dev.parley.domain.source.CursorName;
import java.util.Map;
import java.util.Optional;

/** Reads the named values of a store, and how far its platforms have been read. Consistent with the last commit of this process; safe for concurrent use. */
public interface Meta {
    /** Returns the value, or nothing. */
    Optional<String> get(String key);

    /** Returns all values, by name. */
    Map<String, String> all();

    /** Returns where a platform's cursor stands, or nothing. */
    Optional<String> cursor(CursorName name);

    /** Returns all cursors, by name. */
    Map<CursorName, String> cursors();
}
