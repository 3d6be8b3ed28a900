package dev.parley.fakes.proof;

import java.util.LinkedHashMap;
import java.util.Map;

/** What happened in a run, in numbers with names, in the order they were first counted. */
public final class Figures {
    private final Map<String, Long> values = new LinkedHashMap<>();

    /** Nothing is counted yet. */
    public Figures() {}

    /** Counts something once more. */
    public void count(String name) {
        add(name, 1);
    }

    /** Adds to a number. */
    public void add(String name, long value) {
        values.merge(name, value, Long::sum);
    }

    /** Keeps the greater one of a number. */
    public void most(String name, long value) {
        values.merge(name, value, Math::max);
    }

    /** Returns a number; 0 where it was never counted. */
    public long of(String name) {
        return values.getOrDefault(name, 0L);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> text.append(String.format("%,10d  %s%n", value, name)));
        return text.toString();
    }
}
