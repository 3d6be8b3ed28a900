package dev.parley.application.port;

import java.util.Map;
import java.util.Optional;

/** Reads the named values of a store. Consistent with the last commit of this process; safe for concurrent use. */
public interface Meta {
    /** Returns the value, or nothing. */
    Optional<String> get(String key);

    /** Returns all values, by name. */
    Map<String, String> all();
}
