package dev.parley.contracts.storage;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Records in which each text, number or time is another one. */
final class Rewritten {
    private Rewritten() {}

    /** Returns a record, a list, an optional or a map with what {@code leaf} makes of everything else in it. */
    static Object of(Object value, UnaryOperator<Object> leaf) {
        if (value instanceof Optional<?> maybe) {
            return maybe.map(inner -> of(inner, leaf));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(each -> of(each, leaf)).toList();
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> next = new LinkedHashMap<>();
            map.forEach((key, each) -> next.put(key, of(each, leaf)));
            return next;
        }
        return value instanceof Record record ? remade(record, leaf) : leaf.apply(value);
    }

    private static Object remade(Record value, UnaryOperator<Object> leaf) {
        RecordComponent[] components = value.getClass().getRecordComponents();
        try {
            Object[] parts = new Object[components.length];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = of(components[i].getAccessor().invoke(value), leaf);
            }
            return value.getClass()
                    .getConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(parts);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(value + " cannot be made anew.", e);
        }
    }
}
