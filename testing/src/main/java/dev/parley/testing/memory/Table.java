package dev.parley.testing.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Rows by key, in the order they were first stored; every change can be taken back. */
final class Table<K, V> {
    private final UndoLog undo;
    private final Map<K, Long> places = new HashMap<>();
    private final NavigableMap<Long, V> rows = new TreeMap<>();
    private long lastPlace;

    Table(UndoLog undo) {
        this.undo = undo;
    }

    Optional<V> get(K key) {
        return Optional.ofNullable(places.get(key)).map(rows::get);
    }

    boolean has(K key) {
        return places.containsKey(key);
    }

    /** Returns the row's place: rising in the order rows were first stored, never used twice. */
    long put(K key, V value) {
        @Nullable Long place = places.get(key);
        if (place == null) {
            long next = ++lastPlace;
            places.put(key, next);
            rows.put(next, value);
            undo.add(() -> {
                places.remove(key);
                rows.remove(next);
            });
            return next;
        }
        V before = rows.put(place, value);
        undo.add(() -> rows.put(place, before));
        return place;
    }

    void remove(K key) {
        @Nullable Long place = places.remove(key);
        if (place != null) {
            V before = rows.remove(place);
            undo.add(() -> {
                places.put(key, place);
                rows.put(place, before);
            });
        }
    }

    void removeIf(Predicate<V> condition) {
        List<K> matching = new ArrayList<>();
        places.forEach((key, place) -> {
            if (condition.test(rows.get(place))) {
                matching.add(key);
            }
        });
        matching.forEach(this::remove);
    }

    List<V> rows() {
        return List.copyOf(rows.values());
    }

    Map<K, V> byKey() {
        Map<K, V> all = new HashMap<>();
        places.forEach((key, place) -> get(key).ifPresent(value -> all.put(key, value)));
        return all;
    }

    int size() {
        return rows.size();
    }
}
