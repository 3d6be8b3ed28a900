package dev.parley.adapter.metrics;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The meters of one name, by the values of their labels. Each is made when it is first asked for and then kept, so that what happens often
 * builds nothing and registers nothing. The values are words from lists that end. Safe for concurrent use.
 *
 * @param <M> the meters
 */
final class Kept<M> {
    private final List<String> labels;
    private final Function<Tags, M> making;
    private final Map<Object, M> meters = new ConcurrentHashMap<>();

    /**
     * Keeps none yet.
     *
     * @param labels the names of the labels
     * @param making makes and registers a meter
     */
    Kept(List<String> labels, Function<Tags, M> making) {
        this.labels = labels;
        this.making = making;
    }

    /** Returns the meter of a value for each label, in the order of the labels. */
    M of(String... values) {
        Object key = values.length == 1 ? values[0] : List.of(values);
        M meter = meters.get(key);
        return meter == null ? meters.computeIfAbsent(key, unknown -> made(values)) : meter;
    }

    private M made(String... values) {
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            tags.add(Tag.of(labels.get(i), values[i]));
        }
        return making.apply(Tags.of(tags));
    }
}
