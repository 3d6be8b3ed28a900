package dev.parley.adapter.openai;

import java.util.Optional;

/** Puts the lines of server-sent events together; only their data matters here. */
final class EventLines {
    private final StringBuilder data = new StringBuilder();
    private boolean any;

    /** Takes a line; returns the data of the event that it ends. */
    Optional<String> line(String line) {
        if (line.isEmpty()) {
            return end();
        }
        if (line.startsWith("data:")) {
            if (any) {
                data.append('\n');
            }
            data.append(line, line.startsWith("data: ") ? 6 : 5, line.length());
            any = true;
        }
        return Optional.empty();
    }

    /** Returns how many characters of an event that has not ended are held. */
    int size() {
        return data.length();
    }

    /** Returns the data of an event that nothing ended. */
    Optional<String> end() {
        if (!any) {
            return Optional.empty();
        }
        String event = data.toString();
        data.setLength(0);
        any = false;
        return Optional.of(event);
    }
}
