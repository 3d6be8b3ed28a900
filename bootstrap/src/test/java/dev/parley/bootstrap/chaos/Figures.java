package dev.parley.bootstrap.chaos;

import java.util.LinkedHashMap;
import java.util.Map;

/** What happened in a run, in numbers with names, in the order they were first counted. */
final class Figures {
    private final Map<String, Long> values = new LinkedHashMap<>();

    void count(String name) {
        add(name, 1);
    }

    void add(String name, long value) {
        values.merge(name, value, Long::sum);
    }

    void most(String name, long value) {
        values.merge(name, value, Math::max);
    }

    long of(String name) {
        return values.getOrDefault(name, 0L);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> text.append(String.format("%,10d  %s%n", value, name)));
        return text.toString();
    }
}
