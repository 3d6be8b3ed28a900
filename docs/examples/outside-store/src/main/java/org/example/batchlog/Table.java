package org.example.batchlog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Rows by key, in the order they were first stored. What is written is staged until it is kept, or dropped. */
final class Table<K, V> {
    private final Set<Table<?, ?>> touched;
    private final Map<K, V> rows = new LinkedHashMap<>();
    private final Map<K, Optional<V>> staged = new LinkedHashMap<>();

    /**
     * Makes an empty table.
     *
     * @param touched where it enters itself when something is staged
     */
    Table(Set<Table<?, ?>> touched) {
        this.touched = touched;
    }

    Optional<V> get(K key) {
        Optional<V> next = staged.get(key);
        return next == null ? Optional.ofNullable(rows.get(key)) : next;
    }

    boolean has(K key) {
        return get(key).isPresent();
    }

    void put(K key, V value) {
        stage(key, Optional.of(value));
    }

    void remove(K key) {
        stage(key, Optional.empty());
    }

    private void stage(K key, Optional<V> value) {
        staged.put(key, value);
        touched.add(this);
    }

    void removeIf(Predicate<V> condition) {
        byKey().forEach((key, value) -> {
            if (condition.test(value)) {
                remove(key);
            }
        });
    }

    Map<K, V> byKey() {
        Map<K, V> all = new LinkedHashMap<>(rows);
        write(all);
        return all;
    }

    List<V> rows() {
        return new ArrayList<>(staged.isEmpty() ? rows.values() : byKey().values());
    }

    int size() {
        return staged.isEmpty() ? rows.size() : byKey().size();
    }

    void keep() {
        write(rows);
        staged.clear();
    }

    void drop() {
        staged.clear();
    }

    private void write(Map<K, V> target) {
        staged.forEach((key, value) -> value.ifPresentOrElse(v -> target.put(key, v), () -> target.remove(key)));
    }
}
