package dev.parley.adapter.kit.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Takes an account's secrets out of texts before anybody sees them, also where they stand within an address. */
public final class Secrets {
    private static final String HIDDEN = "***";

    private final List<String> values;

    /** The secrets of one account; blank ones are no secrets. */
    public Secrets(String... values) {
        // Longer ones first: one may be the beginning of another.
        this.values = Stream.of(values)
                .filter(v -> !v.isBlank())
                .flatMap(v -> Stream.of(v, URLEncoder.encode(v, StandardCharsets.UTF_8)))
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** Returns the text with every secret replaced by three stars. */
    public String scrub(String text) {
        String scrubbed = text;
        for (String value : values) {
            scrubbed = scrubbed.replace(value, HIDDEN);
        }
        return scrubbed;
    }

    @Override
    public String toString() {
        return HIDDEN;
    }
}
