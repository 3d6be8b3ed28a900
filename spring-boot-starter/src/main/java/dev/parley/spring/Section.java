package dev.parley.spring;

import dev.parley.application.port.InvalidRequest;
import dev.parley.domain.text.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The properties of one platform or agent under the names that it knows: {@code base-url}, {@code baseUrl} and {@code base_url} are one name,
 * and the items of a list are one value, a line each.
 */
record Section(String path, Map<String, String> values) {
    private static final String BELOW = ".*";

    Section {
        values = Map.copyOf(values);
    }

    /**
     * Reads a section.
     *
     * @throws InvalidRequest for a name that is not known
     */
    static Section of(String path, Map<String, String> properties, Set<String> known) {
        Map<String, String> official = known.stream()
                .filter(name -> !name.endsWith(BELOW))
                .collect(Collectors.toMap(Section::canonical, name -> name, (one, other) -> one));
        Map<String, String> values = new TreeMap<>();
        new TreeMap<>(properties).forEach((property, value) -> {
            String name = property.replaceFirst("\\[\\d+]$", "");
            String found = Optional.ofNullable(official.get(canonical(name)))
                    .or(() -> Optional.of(name).filter(each -> isBelow(each, known)))
                    .orElseThrow(() -> new InvalidRequest(path + "." + name + " is no setting"
                            + Nearest.to(name, new TreeSet<>(known))
                                    .map(near -> "; did you mean " + near + "?")
                                    .orElse("; there are " + String.join(", ", new TreeSet<>(known)) + ".")));
            values.merge(found, value, (one, other) -> one + "\n" + other);
        });
        return new Section(path, values);
    }

    private static boolean isBelow(String name, Set<String> known) {
        return known.stream()
                .filter(each -> each.endsWith(BELOW))
                .anyMatch(each -> name.startsWith(each.substring(0, each.length() - 1)));
    }

    private static String canonical(String name) {
        return name.replaceAll("[_-]", "").toLowerCase(Locale.ROOT);
    }

    /** Returns a list of words, which stand in lines or between commas. */
    List<String> words(String name) {
        List<String> words = new ArrayList<>();
        for (String word : values.getOrDefault(name, "").split("[,\n]", -1)) {
            if (!word.isBlank()) {
                words.add(word.strip());
            }
        }
        return words;
    }

    /** Returns whether something holds that is {@code true} or {@code false}. */
    boolean flag(String name, boolean otherwise) {
        String value = values.getOrDefault(name, "").strip().toLowerCase(Locale.ROOT);
        return switch (value) {
            case "" -> otherwise;
            case "true" -> true;
            case "false" -> false;
            default -> throw new InvalidRequest(path + "." + name + " is \"" + value + "\"; write true or false.");
        };
    }

    /** Returns the values without those of these names. */
    Map<String, String> without(Set<String> names) {
        return values.entrySet().stream()
                .filter(entry -> !names.contains(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
