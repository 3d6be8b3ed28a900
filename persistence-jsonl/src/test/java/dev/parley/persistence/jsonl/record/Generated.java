package dev.parley.persistence.jsonl.record;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Makes records of any type from chance: every component gets ordinary and odd values. */
public final class Generated {
    private static final Set<String> NEVER_STORED = Set.of("isBot", "roleAuthorized", "deliveredViaUpstreamRelay");
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "hello",
            "\0",
            "a\0json:[1]",
            "line\nbreak\r\ttab",
            "\"quoted\" \\ back",
            "日本語 🚀 é",
            "\uFEFFmark",
            "\u2028\u2029\u0085",
            "{\"compact\":\"x\"}",
            "{not json",
            "null",
            "0");
    private static final List<Instant> TIMES = List.of(
            Instant.EPOCH,
            Instant.MIN,
            Instant.MAX,
            Instant.parse("2026-03-10T12:00:00.123456789Z"),
            Instant.parse("1969-12-31T23:59:59.999999999Z"),
            Instant.parse("2026-03-10T12:00:00Z"));
    private static final double[] REALS = {
        0.0, -0.0, 1.5, 1e-300, 0.1, Double.NaN, Double.POSITIVE_INFINITY, Double.MAX_VALUE
    };

    private final Random random;
    private final Map<Class<?>, List<?>> pools;

    /** Makes values from this chance. */
    public Generated(Random random) {
        this(random, Map.of());
    }

    /** Makes values from this chance, those of some types from pools, numbers small where there are pools. */
    public Generated(Random random, Map<Class<?>, List<?>> pools) {
        this.random = random;
        this.pools = pools;
    }

    /** Makes a value of a type. */
    public <T> T make(Class<T> type) {
        return type.cast(any(type));
    }

    private Object any(Type type) {
        List<?> pool = type instanceof Class<?> plain ? pools.get(plain) : null;
        if (pool != null) {
            return pool.get(random.nextInt(pool.size()));
        }
        if (type == String.class) {
            return text();
        } else if (type == Instant.class) {
            return TIMES.get(random.nextInt(TIMES.size()));
        } else if (type == boolean.class || type == Boolean.class) {
            return random.nextBoolean();
        } else if (type == int.class || type == Integer.class) {
            return pools.isEmpty() && random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(5);
        } else if (type == long.class || type == Long.class) {
            return pools.isEmpty() && random.nextInt(5) == 0 ? Long.MAX_VALUE : (long) random.nextInt(1_000);
        } else if (type == double.class || type == Double.class) {
            return REALS[random.nextInt(REALS.length)];
        } else if (type instanceof ParameterizedType generic) {
            return collection(generic);
        }
        return made((Class<?>) type);
    }

    private String text() {
        return random.nextBoolean() ? TEXTS.get(random.nextInt(TEXTS.size())) : "t" + random.nextInt(100);
    }

    private Object collection(ParameterizedType type) {
        Type[] arguments = type.getActualTypeArguments();
        if (type.getRawType() == Optional.class) {
            return random.nextBoolean() ? Optional.of(any(arguments[0])) : Optional.empty();
        }
        int size = random.nextInt(4);
        if (type.getRawType() == Map.class) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < size; i++) {
                map.put(any(arguments[0]), any(arguments[1]));
            }
            return map;
        }
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            list.add(any(arguments[0]));
        }
        return list;
    }

    private Object made(Class<?> type) {
        if (type.isEnum()) {
            Object[] constants = type.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        if (type.isSealed()) {
            Class<?>[] members = type.getPermittedSubclasses();
            return any(members[random.nextInt(members.length)]);
        }
        for (int i = 0; i < 1_000; i++) {
            Optional<Object> record = tried(type);
            if (record.isPresent()) {
                return record.get();
            }
        }
        throw new AssertionError("No " + type + " could be made.");
    }

    /** A record, or nothing where chance chose values that the record refuses. */
    private Optional<Object> tried(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = NEVER_STORED.contains(components[i].getName()) ? false : any(components[i].getGenericType());
        }
        try {
            Constructor<?> canonical = type.getConstructor(types);
            return Optional.of(canonical.newInstance(values));
        } catch (InvocationTargetException refused) {
            return Optional.empty();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
