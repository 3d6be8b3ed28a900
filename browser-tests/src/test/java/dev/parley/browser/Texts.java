package dev.parley.browser;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes JSON, of texts alone. */
final class Texts {
    private Texts() {}

    static String json(Map<String, String> fields) {
        return new TreeMap<>(fields)
                .entrySet().stream()
                        .map(field -> quoted(field.getKey()) + ":" + quoted(field.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
    }

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\' || c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
