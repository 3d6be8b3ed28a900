package dev.parley.bootstrap.cli;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The items of an option that takes several. */
final class Items {
    private Items() {}

    /** Returns the items, each once, blank ones left out, so that an empty text is an empty list. */
    static List<String> of(String @Nullable [] values) {
        return values == null
                ? List.of()
                : Arrays.stream(values)
                        .map(String::strip)
                        .filter(v -> !v.isEmpty())
                        .distinct()
                        .toList();
    }
}
