package dev.parley.persistence.jsonl.record;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.turn.Outgoing;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes the shape of a type from its declaration. Shapes are made once and kept. */
final class Shapes {
    /** Components that are never stored (S1.11). */
    private static final Map<Class<?>, Set<String>> NEVER_STORED =
            Map.of(SessionSource.class, Set.of("isBot", "roleAuthorized", "deliveredViaUpstreamRelay"));

    /** Components whose own components stand beside those of the record they are part of. */
    private static final Map<Class<?>, Set<String>> INLINED = Map.of(Outgoing.class, Set.of("to", "delivery"));

    private static final Map<Type, Shape> KNOWN = new ConcurrentHashMap<>();

    static {
        KNOWN.put(String.class, new Text());
        KNOWN.put(Instant.class, new Time());
        for (Class<?> c : List.of(boolean.class, Boolean.class)) {
            KNOWN.put(c, new Flag());
        }
        for (Class<?> c : List.of(int.class, Integer.class)) {
            KNOWN.put(c, new Whole(c.isPrimitive(), Math::toIntExact));
        }
        for (Class<?> c : List.of(long.class, Long.class)) {
            KNOWN.put(c, new Whole(c.isPrimitive(), value -> value));
        }
        for (Class<?> c : List.of(double.class, Double.class)) {
            KNOWN.put(c, new Real());
        }
    }

    private Shapes() {}

    static Shape of(Type type) {
        Shape known = KNOWN.get(type);
        if (known == null) {
            known = make(type);
            KNOWN.put(type, known);
        }
        return known;
    }

    private static Shape make(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            if (generic.getRawType() == Optional.class) {
                return new Maybe(of(arguments[0]));
            }
            if (generic.getRawType() == List.class) {
                return new Many(of(arguments[0]));
            }
            if (generic.getRawType() == Map.class && arguments[0] == String.class) {
                return new Named(of(arguments[1]));
            }
        } else if (type instanceof Class<?> plain) {
            if (plain.isEnum()) {
                return new Constant(plain);
            }
            if (plain.isRecord()) {
                return isOneText(plain) ? OneText.of(plain) : new Composite(plain);
            }
            if (plain.isSealed()) {
                return new Family(plain);
            }
        }
        throw new IllegalStateException("No JSON form is known for " + type.getTypeName() + ".");
    }

    private static boolean isOneText(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        return components.length == 1 && components[0].getType() == String.class;
    }

    private static final class Text implements Shape {
        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            json.writeString(Unicode.wellFormed((String) value));
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            RecordFormat.expect(json, JsonToken.VALUE_STRING);
            return json.getText();
        }
    }

    private static final class Time implements Shape {
        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            json.writeString(value.toString());
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            RecordFormat.expect(json, JsonToken.VALUE_STRING);
            return Times.instant(json.getText());
        }
    }

    private static final class Flag implements Shape {
        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            json.writeBoolean((Boolean) value);
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            return json.getBooleanValue();
        }

        @Override
        public Object absent() {
            return false;
        }
    }

    private record Whole(boolean primitive, Function<Long, Object> narrow) implements Shape {
        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            json.writeNumber(((Number) value).longValue());
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            RecordFormat.expect(json, JsonToken.VALUE_NUMBER_INT);
            return narrow.apply(json.getLongValue());
        }

        @Override
        public @Nullable Object absent() {
            return primitive ? narrow.apply(0L) : null;
        }
    }

    private static final class Real implements Shape {
        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            json.writeNumber((Double) value);
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            return json.currentToken() == JsonToken.VALUE_STRING
                    ? Double.valueOf(json.getText())
                    : (Object) json.getDoubleValue();
        }

        @Override
        public Object absent() {
            return 0.0;
        }
    }

    private record Constant(Class<?> type, Map<String, Object> byName) implements Shape {
        Constant(Class<?> type) {
            this(type, new HashMap<>());
            for (Object constant : type.getEnumConstants()) {
                byName.put(((Enum<?>) constant).name(), constant);
            }
        }

        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            json.writeString(((Enum<?>) value).name());
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            Object constant = byName.get(json.getText());
            if (constant == null) {
                throw new IOException("\"" + json.getText() + "\" is no " + type.getSimpleName());
            }
            return constant;
        }
    }

    private record Maybe(Shape inner) implements Shape {
        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            Optional<?> maybe = (Optional<?>) value;
            if (maybe.isPresent()) {
                inner.write(json, maybe.get());
            } else {
                json.writeNull();
            }
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            return json.currentToken() == JsonToken.VALUE_NULL ? Optional.empty() : Optional.of(inner.read(json));
        }

        @Override
        public Object absent() {
            return Optional.empty();
        }
    }

    private record Many(Shape inner) implements Shape {
        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            json.writeStartArray();
            for (Object each : (List<?>) value) {
                inner.write(json, each);
            }
            json.writeEndArray();
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            RecordFormat.expect(json, JsonToken.START_ARRAY);
            List<Object> all = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                all.add(inner.read(json));
            }
            return all;
        }

        @Override
        public Object absent() {
            return List.of();
        }
    }

    private record Named(Shape inner) implements Shape {
        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            json.writeStartObject();
            for (Map.Entry<?, ?> each : ((Map<?, ?>) value).entrySet()) {
                json.writeFieldName(Unicode.wellFormed((String) each.getKey()));
                inner.write(json, each.getValue());
            }
            json.writeEndObject();
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            RecordFormat.expect(json, JsonToken.START_OBJECT);
            Map<String, Object> all = new LinkedHashMap<>();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                json.nextToken();
                all.put(name, inner.read(json));
            }
            return all;
        }

        @Override
        public Object absent() {
            return Map.of();
        }
    }

    private record OneText(MethodHandle make, MethodHandle get) implements Shape {
        static OneText of(Class<?> type) {
            return new OneText(
                    maker(type).asType(MethodType.methodType(Object.class, Object.class)),
                    getter(type.getRecordComponents()[0]));
        }

        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            json.writeString(Unicode.wellFormed((String) call(get, value)));
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            RecordFormat.expect(json, JsonToken.VALUE_STRING);
            return call(make, json.getText());
        }
    }

    /** A place among the values of a record that is read or written. */
    private record Component(String name, int index, Shape shape, MethodHandle get) {}

    /**
     * A record as an object of its components. The components of an inlined one stand beside the others: their values are read into
     * places of their own, and the inlined record is made of them before the record itself.
     */
    private static final class Composite implements Shape {
        private final String name;
        private final MethodHandle make;
        private final int width;
        private final List<Component> components = new ArrayList<>();
        private final Map<String, Component> byName = new HashMap<>();
        private final List<Inlined> inlined = new ArrayList<>();
        private final @Nullable Object[] blank;
        private final @Nullable Object absent;

        /** A component that is a record whose components stand in the same object. */
        private record Inlined(int index, Composite shape, int from, MethodHandle get) {}

        Composite(Class<?> type) {
            name = type.getSimpleName();
            RecordComponent[] declared = type.getRecordComponents();
            width = declared.length;
            make = maker(type)
                    .asSpreader(Object[].class, declared.length)
                    .asType(MethodType.methodType(Object.class, Object.class));
            List<@Nullable Object> absentValues = new ArrayList<>();
            List<Component> behind = new ArrayList<>();
            Set<String> neverStored = NEVER_STORED.getOrDefault(type, Set.of());
            Set<String> inline = INLINED.getOrDefault(type, Set.of());
            int places = declared.length;
            for (int i = 0; i < declared.length; i++) {
                Shape shape = Shapes.of(declared[i].getGenericType());
                absentValues.add(shape.absent());
                if (inline.contains(declared[i].getName())) {
                    Inlined part = new Inlined(i, (Composite) shape, places, getter(declared[i]));
                    inlined.add(part);
                    for (Component each : part.shape.components) {
                        MethodHandle get = MethodHandles.filterReturnValue(part.get, each.get);
                        behind.add(new Component(each.name, part.from + each.index, each.shape, get));
                    }
                    places += part.shape.width;
                } else if (!neverStored.contains(declared[i].getName())) {
                    components.add(new Component(declared[i].getName(), i, shape, getter(declared[i])));
                }
            }
            inlined.forEach(part -> absentValues.addAll(Arrays.asList(part.shape.blank)));
            components.addAll(behind);
            components.forEach(component -> byName.put(component.name, component));
            blank = absentValues.toArray();
            absent = none(type);
        }

        /** Returns the value that a type declares for nothing: its constant {@code NONE}; null where it has none. */
        private static @Nullable Object none(Class<?> type) {
            try {
                Field none = type.getField("NONE");
                return none.getType() == type ? none.get(null) : null;
            } catch (NoSuchFieldException undeclared) {
                return null;
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(type.getName() + " cannot be read: is it public and exported?", e);
            }
        }

        @Override
        public @Nullable Object absent() {
            return absent;
        }

        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            json.writeStartObject();
            for (Component component : components) {
                Object part = call(component.get, value);
                if (!part.equals(blank[component.index])) {
                    json.writeFieldName(component.name);
                    component.shape.write(json, part);
                }
            }
            json.writeEndObject();
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            RecordFormat.expect(json, JsonToken.START_OBJECT);
            @Nullable Object[] parts = blank.clone();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                Component component = byName.get(json.currentName());
                json.nextToken();
                if (component == null) {
                    json.skipChildren();
                } else {
                    parts[component.index] = component.shape.read(json);
                }
            }
            for (Component component : components) {
                if (parts[component.index] == null) {
                    throw new IOException(name + " lacks \"" + component.name + "\"");
                }
            }
            for (Inlined each : inlined) {
                parts[each.index] =
                        call(each.shape.make, Arrays.copyOfRange(parts, each.from, each.from + each.shape.width));
            }
            return call(make, parts.length == width ? parts : Arrays.copyOf(parts, width));
        }
    }

    /** One of several records, by its name. */
    private static final class Family implements Shape {
        private final String name;
        private final Map<String, Shape> byName = new HashMap<>();
        private final Map<Class<?>, String> names = new HashMap<>();

        Family(Class<?> type) {
            name = type.getSimpleName();
            for (Class<?> member : type.getPermittedSubclasses()) {
                byName.put(member.getSimpleName(), Shapes.of(member));
                names.put(member, member.getSimpleName());
            }
        }

        @Override
        public void write(JsonGenerator json, Object value) throws IOException {
            String member = names.get(value.getClass());
            if (member == null) {
                throw new IllegalStateException(value.getClass().getName() + " is no " + name + ".");
            }
            json.writeStartObject();
            json.writeFieldName(member);
            shape(member).write(json, value);
            json.writeEndObject();
        }

        @Override
        public Object read(JsonParser json) throws IOException {
            RecordFormat.expect(json, JsonToken.START_OBJECT);
            json.nextToken();
            RecordFormat.expect(json, JsonToken.FIELD_NAME);
            Shape member = shape(json.currentName());
            json.nextToken();
            Object value = member.read(json);
            json.nextToken();
            RecordFormat.expect(json, JsonToken.END_OBJECT);
            return value;
        }

        private Shape shape(String member) throws IOException {
            Shape shape = byName.get(member);
            if (shape == null) {
                throw new IOException("\"" + member + "\" is no " + name);
            }
            return shape;
        }
    }

    private static MethodHandle maker(Class<?> type) {
        RecordComponent[] declared = type.getRecordComponents();
        Class<?>[] types = new Class<?>[declared.length];
        for (int i = 0; i < declared.length; i++) {
            types[i] = declared[i].getType();
        }
        try {
            Constructor<?> canonical = type.getConstructor(types);
            return MethodHandles.lookup().unreflectConstructor(canonical);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " cannot be made: is it public and exported?", e);
        }
    }

    private static MethodHandle getter(RecordComponent component) {
        try {
            return MethodHandles.lookup()
                    .unreflect(component.getAccessor())
                    .asType(MethodType.methodType(Object.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " cannot be read: is its record public and exported?", e);
        }
    }

    /** Calls a handle; what it throws is a fault of the value, not of the call. */
    private static Object call(MethodHandle handle, Object argument) {
        try {
            return (Object) handle.invokeExact(argument);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
