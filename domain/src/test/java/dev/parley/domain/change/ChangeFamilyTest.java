package dev.parley.domain.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A backend that was made for one version is refused by another one at the start, so the version rises with everything that it would meet
 * for the first time at run time: a change, a precondition, an edit, a part of one.
 */
class ChangeFamilyTest {
    @Test
    void theVersionRisesWithWhateverABackendWouldMeetForTheFirstTime() throws IOException {
        assertThat(family())
                .as(
                        "the changes and preconditions of version %s. Where they differ from the file on purpose, raise"
                                + " Change.VERSION and write the file of the new version; a released one stays as it is",
                        Change.VERSION)
                .containsExactlyElementsOf(pinned());
    }

    private static List<String> pinned() throws IOException {
        String name = "changes-" + Change.VERSION + ".txt";
        try (InputStream in = ChangeFamilyTest.class.getResourceAsStream("/changes/" + name)) {
            assertThat(in).as("src/test/resources/changes/%s", name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** Returns a line for each kind of change and precondition, and for each record, family and enum of the domain that they are made of. */
    private static List<String> family() {
        TreeMap<String, String> lines = new TreeMap<>();
        Deque<Class<?>> left = new ArrayDeque<>(List.of(Change.class, Precondition.class));
        while (!left.isEmpty()) {
            Class<?> type = left.remove();
            if (lines.containsKey(name(type))) {
                continue;
            }
            if (type.isSealed()) {
                lines.put(
                        name(type),
                        "one of "
                                + Stream.of(type.getPermittedSubclasses())
                                        .map(ChangeFamilyTest::name)
                                        .sorted()
                                        .collect(Collectors.joining(", ")));
                left.addAll(List.of(type.getPermittedSubclasses()));
            } else if (type.isRecord()) {
                lines.put(
                        name(type),
                        Stream.of(type.getRecordComponents())
                                .map(part -> part.getName() + ": "
                                        + part.getGenericType().getTypeName().replaceAll("[a-z]+\\.(?:[a-z]+\\.)*", ""))
                                .collect(Collectors.joining(", ")));
                Stream.of(type.getRecordComponents())
                        .flatMap(part -> classesIn(part.getGenericType()))
                        .forEach(left::add);
            } else if (type.isEnum()) {
                lines.put(
                        name(type),
                        Arrays.stream(type.getEnumConstants())
                                .map(String::valueOf)
                                .collect(Collectors.joining(", ")));
            }
        }
        return lines.entrySet().stream()
                .map(line -> (line.getKey() + " = " + line.getValue()).strip())
                .toList();
    }

    /** Returns the classes of the domain in a type, such as that of the items of a list. */
    private static Stream<Class<?>> classesIn(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            return Stream.of(parameterized.getActualTypeArguments()).flatMap(ChangeFamilyTest::classesIn);
        }
        return type instanceof Class<?> plain && plain.getName().startsWith("dev.parley.domain.")
                ? Stream.of(plain)
                : Stream.empty();
    }

    private static String name(Class<?> type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }
}
