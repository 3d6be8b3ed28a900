package org.example.batchlog;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** A table for each group: the messages of a session, the history of a lane. Rows come in the order of their places. */
final class Groups<G, K, V> {
    private final Set<Table<?, ?>> touched;
    private final Comparator<V> order;
    private final Map<G, Table<K, V>> groups = new HashMap<>();

    Groups(Set<Table<?, ?>> touched, ToLongFunction<V> place) {
        this.touched = touched;
        this.order = Comparator.comparingLong(place);
    }

    /** Returns the group's table, made where there is none. */
    Table<K, V> of(G group) {
        return groups.computeIfAbsent(group, g -> new Table<>(touched));
    }

    List<V> rows(G group) {
        return Optional.ofNullable(groups.get(group)).map(this::ordered).orElse(List.of());
    }

    List<V> rows() {
        return groups.values().stream()
                .flatMap(table -> table.rows().stream())
                .sorted(order)
                .toList();
    }

    void forEach(Consumer<Table<K, V>> each) {
        groups.values().forEach(each);
    }

    private List<V> ordered(Table<K, V> table) {
        return table.rows().stream().sorted(order).toList();
    }
}
