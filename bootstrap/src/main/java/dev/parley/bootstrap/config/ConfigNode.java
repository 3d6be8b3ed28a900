package dev.parley.bootstrap.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A piece of a configuration file, with the line it begins in (from 1; 0 where there are no lines). */
sealed interface ConfigNode {
    /** Returns the line. */
    int line();

    /** Names and what stands behind them, in order. */
    record Section(Map<String, ConfigNode> entries, int line) implements ConfigNode {
        public Section {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }
    }

    /** A list. */
    record Sequence(List<ConfigNode> items, int line) implements ConfigNode {
        public Sequence {
            items = List.copyOf(items);
        }
    }

    /**
     * A text, a number, a boolean or null.
     *
     * @param value what it is
     * @param line the line
     * @param written how it stands in the file, where that may differ: YAML has six words for false
     */
    record Scalar(
            @Nullable Object value, int line, @Nullable String written) implements ConfigNode {
        Scalar(@Nullable Object value, int line) {
            this(value, line, null);
        }

        private String quoted() {
            if (written == null || written.equalsIgnoreCase(String.valueOf(value))) {
                return "\"" + value + "\"";
            }
            return "\"" + written + "\" (which YAML reads as " + value + "; where the word is meant, put it in quotes)";
        }
    }

    /** Returns what this is, for messages. */
    default String kind() {
        if (this instanceof Section) {
            return "a section";
        }
        if (this instanceof Sequence) {
            return "a list";
        }
        return this instanceof Scalar s && s.value() != null ? s.quoted() : "nothing";
    }
}
