package dev.parley.bootstrap.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.InvalidRequest;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is expected of the outcomes of a scenario: JSON Lines, each to be matched, in order, by an outcome that contains at least its
 * fields; {@code {"never":{…}}} must match no outcome, {@code {"count":n,"of":{…}}} exactly n, wherever they stand.
 *
 * <p>A value contains another where it is equal to it; an object where it contains the other's fields; a list where it has as many
 * items and each contains its counterpart. Null is contained in what is not there, and times are compared as times.
 */
public final class Expectations {
    private static final int SHOWN = 3;

    private final List<Expectation> expectations;

    private Expectations(List<Expectation> expectations) {
        this.expectations = expectations;
    }

    /**
     * Reads expectations.
     *
     * @param name the file's name, for messages
     * @throws InvalidRequest where a line is none, naming file and line
     */
    public static Expectations read(String name, List<String> lines) {
        List<Expectation> read = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.isBlank()) {
                read.add(Expectation.of(JsonLine.parse(name + ":" + (i + 1), line)));
            }
        }
        return new Expectations(List.copyOf(read));
    }

    /** Returns the first expectation that is not met and what comes nearest to it, in lines of text; absent where all are met. */
    public Optional<String> firstDifference(List<JsonNode> outcomes) {
        int next = 0;
        for (Expectation expectation : expectations) {
            List<Integer> matching = matching(expectation, outcomes);
            if (expectation.count() >= 0) {
                if (matching.size() != expectation.count()) {
                    return Optional.of(counted(expectation, matching, outcomes));
                }
            } else {
                int from = next;
                Optional<Integer> match =
                        matching.stream().filter(m -> m >= from).findFirst();
                if (match.isEmpty()) {
                    return Optional.of(missing(expectation, from, matching, outcomes));
                }
                next = match.get() + 1;
            }
        }
        return Optional.empty();
    }

    private static List<Integer> matching(Expectation expectation, List<JsonNode> outcomes) {
        List<Integer> matching = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            if (difference(expectation.fields(), outcomes.get(i), "").isEmpty()) {
                matching.add(i);
            }
        }
        return matching;
    }

    private static String counted(Expectation expectation, List<Integer> matching, List<JsonNode> outcomes) {
        StringBuilder text = new StringBuilder(expectation.where())
                .append(": expected ")
                .append(expectation.count() == 0 ? "never" : expectation.count() + " times")
                .append(", but there are ")
                .append(matching.size())
                .append(": ")
                .append(expectation.fields());
        matching.stream().limit(SHOWN).forEach(i -> show(text, i, outcomes.get(i)));
        if (matching.size() < expectation.count()) {
            nearest(text, expectation, 0, outcomes);
        }
        return text.toString();
    }

    private static String missing(Expectation expectation, int from, List<Integer> matching, List<JsonNode> outcomes) {
        StringBuilder text = new StringBuilder(expectation.where())
                .append(": no outcome ")
                .append(from == 0 ? "" : "after line " + from + " ")
                .append("matches ")
                .append(expectation.fields());
        if (!matching.isEmpty()) {
            text.append("\n  too early:");
            matching.stream().limit(SHOWN).forEach(i -> show(text, i, outcomes.get(i)));
        }
        nearest(text, expectation, from, outcomes);
        return text.toString();
    }

    private static void show(StringBuilder text, int index, JsonNode outcome) {
        text.append("\n  line ").append(index + 1).append(": ").append(outcome);
    }

    /** Shows the outcomes that share most fields with what is expected. */
    private static void nearest(StringBuilder text, Expectation expectation, int from, List<JsonNode> outcomes) {
        List<Integer> candidates = new ArrayList<>();
        for (int i = from; i < outcomes.size(); i++) {
            if (common(expectation.fields(), outcomes.get(i)) > 0
                    && difference(expectation.fields(), outcomes.get(i), "").isPresent()) {
                candidates.add(i);
            }
        }
        candidates.sort((a, b) -> {
            int nearer = Integer.compare(
                    common(expectation.fields(), outcomes.get(b)), common(expectation.fields(), outcomes.get(a)));
            return nearer != 0 ? nearer : Integer.compare(a, b);
        });
        if (!candidates.isEmpty()) {
            text.append("\n  nearest:");
        }
        candidates.stream().limit(SHOWN).forEach(i -> {
            show(text, i, outcomes.get(i));
            difference(expectation.fields(), outcomes.get(i), "")
                    .ifPresent(d -> text.append("\n    ").append(d));
        });
    }

    private static int common(JsonNode expected, JsonNode outcome) {
        int common = 0;
        for (Map.Entry<String, JsonNode> field : expected.properties()) {
            if (outcome.has(field.getKey())
                    && difference(field.getValue(), outcome.get(field.getKey()), "")
                            .isEmpty()) {
                common += field.getKey().equals("event") ? 2 : 1;
            }
        }
        return common;
    }

    /** Returns how the outcome differs from what it must contain; absent where it contains it. */
    static Optional<String> difference(JsonNode expected, JsonNode outcome, String path) {
        if (expected.isObject() && outcome.isObject()) {
            for (Map.Entry<String, JsonNode> field : expected.properties()) {
                String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
                JsonNode found = outcome.get(field.getKey());
                if (found == null && field.getValue().isNull()) {
                    continue;
                }
                Optional<String> difference = found == null
                        ? Optional.of(name + " is missing, expected " + field.getValue())
                        : difference(field.getValue(), found, name);
                if (difference.isPresent()) {
                    return difference;
                }
            }
            return Optional.empty();
        }
        if (expected.isArray() && outcome.isArray() && expected.size() == outcome.size()) {
            Iterator<JsonNode> found = outcome.iterator();
            int index = 0;
            for (JsonNode item : expected) {
                Optional<String> difference = difference(item, found.next(), path + "[" + index++ + "]");
                if (difference.isPresent()) {
                    return difference;
                }
            }
            return Optional.empty();
        }
        return isEqual(expected, outcome, path)
                ? Optional.empty()
                : Optional.of(path + " is " + outcome + ", expected " + expected);
    }

    private static boolean isEqual(JsonNode expected, JsonNode outcome, String path) {
        if (expected.isNumber() && outcome.isNumber()) {
            return expected.decimalValue().compareTo(outcome.decimalValue()) == 0;
        }
        if (path.equals("at") && expected.isTextual() && outcome.isTextual()) {
            Optional<LocalDateTime> time = LocalTimes.read(expected.textValue());
            return expected.equals(outcome) || (time.isPresent() && time.equals(LocalTimes.read(outcome.textValue())));
        }
        return expected.equals(outcome);
    }

    /**
     * One expectation.
     *
     * @param where where it stands
     * @param fields what an outcome must contain
     * @param count how many outcomes; negative for one in order
     */
    private record Expectation(String where, JsonNode fields, long count) {
        static Expectation of(JsonLine line) {
            if (line.has("never")) {
                ObjectNode never = line.as(Never.class, "\"never\"").never();
                return new Expectation(line.where(), line.needed("never", never, "an object with fields"), 0);
            }
            if (line.has("count") || line.has("of")) {
                Counted counted = line.as(Counted.class, "\"count\"");
                String example = "{\"count\":n,\"of\":{…}}";
                return new Expectation(
                        line.where(),
                        line.needed("of", counted.of(), example),
                        line.needed("count", counted.count(), example).value());
            }
            return new Expectation(line.where(), line.node(), -1);
        }
    }

    private record Never(@Nullable ObjectNode never) {}

    private record Counted(
            JsonLine.@Nullable Count count, @Nullable ObjectNode of) {}
}
