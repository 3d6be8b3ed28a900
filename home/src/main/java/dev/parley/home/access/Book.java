package dev.parley.home.access;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.source.Platform;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What is written about pairing.
 *
 * @param pending who asked and waits for the operator
 * @param paired who was let in
 * @param wrong wrong codes the operator typed, by platform
 */
record Book(List<Pending> pending, List<Paired> paired, Map<Platform, Wrong> wrong) {
    static final Book EMPTY = new Book(List.of(), List.of(), Map.of());

    Book {
        pending = List.copyOf(pending);
        paired = List.copyOf(paired);
        wrong = Map.copyOf(wrong);
    }

    /**
     * Wrong codes in a row.
     *
     * @param count how many
     * @param last when the last one was typed
     */
    record Wrong(int count, Instant last) {}

    Book withPending(List<Pending> next) {
        return new Book(next, paired, wrong);
    }

    Book withPaired(List<Paired> next) {
        return new Book(pending, next, wrong);
    }

    Book withWrong(Platform platform, Optional<Wrong> next) {
        Map<Platform, Wrong> all = new LinkedHashMap<>(wrong);
        all.remove(platform);
        next.ifPresent(value -> all.put(platform, value));
        return new Book(pending, paired, all);
    }

    Book withoutPending(Predicate<Pending> gone) {
        return withPending(pending.stream().filter(gone.negate()).toList());
    }

    /** Returns the JSON form. */
    Map<String, Object> write() {
        Map<String, Object> book = new LinkedHashMap<>();
        book.put("format", 1);
        List<Map<String, Object>> waiting = new ArrayList<>();
        pending.forEach(each -> {
            Map<String, Object> row = person(each.who());
            row.put("salt", each.salt());
            row.put("hash", each.hash());
            row.put("asked_at", each.askedAt().toString());
            waiting.add(row);
        });
        List<Map<String, Object>> in = new ArrayList<>();
        paired.forEach(each -> {
            Map<String, Object> row = person(each.who());
            row.put("paired_at", each.at().toString());
            in.add(row);
        });
        Map<String, Object> typed = new TreeMap<>();
        wrong.forEach((platform, each) -> typed.put(
                platform.name(),
                Map.of("count", each.count(), "last", each.last().toString())));
        book.put("pending", waiting);
        book.put("paired", in);
        book.put("wrong_codes", typed);
        return book;
    }

    private static Map<String, Object> person(Person who) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("platform", who.platform().name());
        row.put("user", who.user());
        who.name().ifPresent(name -> row.put("name", name));
        return row;
    }

    /**
     * Reads the JSON form.
     *
     * @throws IllegalArgumentException where it is another one
     */
    static Book read(JsonNode book) {
        if (book.path("format").asInt() != 1) {
            throw new IllegalArgumentException("it has no \"format\": 1");
        }
        try {
            List<Pending> pending = new ArrayList<>();
            book.path("pending")
                    .forEach(row -> pending.add(
                            new Pending(person(row), text(row, "salt"), text(row, "hash"), time(row, "asked_at"))));
            List<Paired> paired = new ArrayList<>();
            book.path("paired").forEach(row -> paired.add(new Paired(person(row), time(row, "paired_at"))));
            Map<Platform, Wrong> wrong = new LinkedHashMap<>();
            book.path("wrong_codes")
                    .properties()
                    .forEach(each -> wrong.put(
                            Platform.of(each.getKey()),
                            new Wrong(each.getValue().path("count").asInt(), time(each.getValue(), "last"))));
            return new Book(pending, paired, wrong);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("it holds a time that is none", e);
        }
    }

    private static Person person(JsonNode row) {
        return new Person(
                Platform.of(text(row, "platform")),
                text(row, "user"),
                Optional.of(row.path("name").asText("")).filter(name -> !name.isEmpty()));
    }

    private static String text(JsonNode row, String name) {
        if (!row.path(name).isTextual()) {
            throw new IllegalArgumentException("an entry lacks \"" + name + "\"");
        }
        return row.path(name).textValue();
    }

    private static Instant time(JsonNode row, String name) {
        return Instant.parse(text(row, name));
    }
}
