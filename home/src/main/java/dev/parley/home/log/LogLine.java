package dev.parley.home.log;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One line of a log.
 *
 * @param level how important it is
 * @param pairs what machines read of it, by name and in order: {@code event} first
 * @param text what people read of it
 * @param cause what was thrown, without foreign messages
 */
public record LogLine(System.Logger.Level level, Map<String, Object> pairs, String text, Optional<Throwable> cause) {
    /** A line; its pairs are copied. */
    public LogLine {
        pairs = Collections.unmodifiableMap(new LinkedHashMap<>(pairs));
    }

    /** Where lines are written. Safe for concurrent use. */
    public interface Sink {
        /** Returns whether lines of this level are written at all. */
        boolean takes(System.Logger.Level level);

        /** Writes a line; throws nothing. */
        void write(LogLine line);
    }
}
