package dev.parley.application.codec;

import dev.parley.application.port.StrippedFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The bytes of a record, for stores that keep batches as they are: its components in order. Everything a {@link
 * dev.parley.domain.change.Batch} is made of is a record of records, sealed families of them, enums, texts, numbers, instants, optionals,
 * lists and maps by text, so their declarations say all there is to know. Reading what was written gives an equal record; halves of
 * surrogate pairs, which UTF-8 cannot hold, become U+FFFD.
 *
 * <p>The bytes name the members of families and the constants of enums, and nothing else: they are read only by a release whose {@link
 * dev.parley.domain.change.Change#VERSION} is that of the one that wrote them, so a store keeps that number beside them and looks at it
 * first. Safe for concurrent use.
 *
 * @param <T> the type
 */
public final class RecordCodec<T> {
    private static final byte[] REPLACEMENT = "\uFFFD".getBytes(StandardCharsets.UTF_8);

    private final Map<Type, Form> forms = new ConcurrentHashMap<>();
    private final Class<T> type;
    private final Form form;

    private RecordCodec(Class<T> type) {
        this.type = type;
        forms.put(String.class, form((out, text) -> writeText(out, (String) text), RecordCodec::readText));
        put(
                boolean.class,
                Boolean.class,
                form((out, v) -> out.writeBoolean((Boolean) v), DataInputStream::readBoolean));
        put(int.class, Integer.class, form((out, v) -> out.writeInt((Integer) v), DataInputStream::readInt));
        put(long.class, Long.class, form((out, v) -> out.writeLong((Long) v), DataInputStream::readLong));
        put(double.class, Double.class, form((out, v) -> out.writeDouble((Double) v), DataInputStream::readDouble));
        forms.put(
                Instant.class,
                form(
                        (out, v) -> writeInstant(out, (Instant) v),
                        in -> Instant.ofEpochSecond(in.readLong(), in.readInt())));
        this.form = formOf(type);
    }

    private void put(Class<?> primitive, Class<?> boxed, Form both) {
        forms.put(primitive, both);
        forms.put(boxed, both);
    }

    /**
     * Returns the codec of a type.
     *
     * @param type a public record in an exported package, or a sealed family of such records
     * @throws IllegalStateException where the type is made of something else than this codec knows
     */
    public static <T> RecordCodec<T> of(Class<T> type) {
        return new RecordCodec<>(type);
    }

    /** Returns the bytes of a record. */
    public byte[] write(T value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            form.write(out, value);
        } catch (IOException e) {
            throw new IllegalStateException("Writing to memory failed.", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Returns the record with these bytes.
     *
     * @throws IOException where the bytes are not those of such a record, or are more
     */
    public T read(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            T value = type.cast(form.read(in));
            if (in.available() > 0) {
                throw new IOException(in.available() + " bytes too many for a " + type.getSimpleName());
            }
            return value;
        } catch (IllegalArgumentException | NegativeArraySizeException | DateTimeException e) {
            throw new IOException("not a " + type.getSimpleName() + ": " + StrippedFailure.told(e), e);
        }
    }

    /** How values of one type are written and read. */
    private interface Form {
        void write(DataOutputStream out, Object value) throws IOException;

        Object read(DataInputStream in) throws IOException;
    }

    private interface Writing {
        void write(DataOutputStream out, Object value) throws IOException;
    }

    private interface Reading {
        Object read(DataInputStream in) throws IOException;
    }

    private static Form form(Writing writing, Reading reading) {
        return new Form() {
            @Override
            public void write(DataOutputStream out, Object value) throws IOException {
                writing.write(out, value);
            }

            @Override
            public Object read(DataInputStream in) throws IOException {
                return reading.read(in);
            }
        };
    }

    private Form formOf(Type type) {
        Form known = forms.get(type);
        if (known == null) {
            known = make(type);
            forms.put(type, known);
        }
        return known;
    }

    private Form make(Type type) {
        if (type instanceof ParameterizedType generic) {
            Form last = formOf(generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1]);
            if (generic.getRawType() == Optional.class) {
                return optional(last);
            }
            if (generic.getRawType() == List.class) {
                return list(last);
            }
            if (generic.getRawType() == Map.class && generic.getActualTypeArguments()[0] == String.class) {
                return map(last);
            }
        }
        if (type instanceof Class<?> plain && plain.isEnum()) {
            return constant(plain);
        }
        if (type instanceof Class<?> plain && plain.isRecord()) {
            return composite(plain);
        }
        if (type instanceof Class<?> plain && plain.isSealed()) {
            return family(plain);
        }
        throw new IllegalStateException("No form is known for " + type.getTypeName() + ".");
    }

    private static void writeInstant(DataOutputStream out, Instant instant) throws IOException {
        out.writeLong(instant.getEpochSecond());
        out.writeInt(instant.getNano());
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        if (text.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
            byte[] plain = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(plain.length);
            out.write(plain);
            return;
        }
        CharsetEncoder utf8 = StandardCharsets.UTF_8
                .newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .replaceWith(REPLACEMENT);
        ByteBuffer bytes = utf8.encode(CharBuffer.wrap(text));
        out.writeInt(bytes.remaining());
        out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    private static Form optional(Form inner) {
        return form(
                (out, value) -> {
                    Optional<?> maybe = (Optional<?>) value;
                    out.writeBoolean(maybe.isPresent());
                    if (maybe.isPresent()) {
                        inner.write(out, maybe.get());
                    }
                },
                in -> in.readBoolean() ? Optional.of(inner.read(in)) : Optional.empty());
    }

    private static Form list(Form inner) {
        return form(
                (out, value) -> {
                    List<?> all = (List<?>) value;
                    out.writeInt(all.size());
                    for (Object each : all) {
                        inner.write(out, each);
                    }
                },
                in -> {
                    List<Object> all = new ArrayList<>();
                    for (int left = in.readInt(); left > 0; left--) {
                        all.add(inner.read(in));
                    }
                    return all;
                });
    }

    private static Form map(Form inner) {
        return form(
                (out, value) -> {
                    Map<?, ?> all = (Map<?, ?>) value;
                    out.writeInt(all.size());
                    for (Map.Entry<?, ?> each : all.entrySet()) {
                        writeText(out, (String) each.getKey());
                        inner.write(out, each.getValue());
                    }
                },
                in -> {
                    Map<String, Object> all = new LinkedHashMap<>();
                    for (int left = in.readInt(); left > 0; left--) {
                        all.put(readText(in), inner.read(in));
                    }
                    return all;
                });
    }

    private static Form constant(Class<?> type) {
        return form((out, value) -> writeText(out, ((Enum<?>) value).name()), in -> {
            String name = readText(in);
            return Arrays.stream(type.getEnumConstants())
                    .filter(constant -> ((Enum<?>) constant).name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IOException("\"" + name + "\" is no " + type.getSimpleName()));
        });
    }

    /** One of several records: its name, then itself. */
    private Form family(Class<?> type) {
        Map<String, Class<?>> members = new LinkedHashMap<>();
        for (Class<?> member : type.getPermittedSubclasses()) {
            members.put(member.getSimpleName(), member);
        }
        return form(
                (out, value) -> {
                    writeText(out, value.getClass().getSimpleName());
                    formOf(value.getClass()).write(out, value);
                },
                in -> {
                    String name = readText(in);
                    Class<?> member = Optional.ofNullable(members.get(name))
                            .orElseThrow(() -> new IOException("\"" + name + "\" is no " + type.getSimpleName()));
                    return formOf(member).read(in);
                });
    }

    private Form composite(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Form[] forms = new Form[components.length];
        for (int i = 0; i < forms.length; i++) {
            forms[i] = formOf(components[i].getGenericType());
        }
        Constructor<?> canonical = canonical(type);
        return form(
                (out, value) -> {
                    for (int i = 0; i < forms.length; i++) {
                        forms[i].write(out, part(components[i], value));
                    }
                },
                in -> {
                    Object[] parts = new Object[forms.length];
                    for (int i = 0; i < forms.length; i++) {
                        parts[i] = forms[i].read(in);
                    }
                    return make(canonical, parts);
                });
    }

    private static Constructor<?> canonical(Class<?> type) {
        try {
            return type.getConstructor(Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " cannot be made: is it public and exported?", e);
        }
    }

    private static Object part(RecordComponent component, Object record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " cannot be read: is its record public and exported?", e);
        }
    }

    private static Object make(Constructor<?> canonical, Object[] parts) {
        try {
            return canonical.newInstance(parts);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw new IllegalArgumentException(cause == null ? e.toString() : cause.getMessage(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(canonical + " cannot be called: is its record public and exported?", e);
        }
    }
}
