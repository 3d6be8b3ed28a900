package dev.parley.bootstrap.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No class of domain and application needs one that needs it for a constant either. The compiler writes a constant into the class that
 * uses it, so {@link ClassCirclesTest} does not see where it comes from: here it is read in the sources.
 */
class ConstantCirclesTest {
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*|\"(?:\\\\.|[^\"\\\\])*\"");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (dev\\.parley\\.[\\w.]+)\\.(\\w+);");
    private static final Pattern CONSTANT =
            Pattern.compile("(?<![\\w.])([A-Z]\\w*)(?:\\.[A-Z]\\w*)*\\.[A-Z][A-Z0-9_]+\\b");

    @Test
    void noClassesDependOnEachOtherInACircleByTheirConstants() {
        JavaClasses classes =
                Codebase.main().that(resideInAnyPackage("dev.parley.domain..", "dev.parley.application.."));
        Map<String, Set<String>> needs = byClassFiles(classes);
        assertThat(needs).as("classes that the rule sees").hasSizeGreaterThan(200);
        Map<String, Set<String>> constants = byConstants(needs.keySet());
        assertThat(constants.values().stream().mapToInt(Set::size).sum())
                .as("uses of constants that the rule sees")
                .isGreaterThan(200);
        constants.forEach((user, owners) -> needs.merge(user, owners, (some, more) -> {
            some.addAll(more);
            return some;
        }));

        assertThat(circles(needs)).isEmpty();
    }

    @Test
    void aConstantIsSeenWhereItIsUsedAndNowhereElse() {
        String source = """
                package dev.parley.domain.hen;
                import dev.parley.domain.egg.Egg;
                /** Not {@link Other#SIZE}, nor Other.SIZE here. */
                class Hen {
                    int size = Egg.SIZE + Chick.Kind.SMALL.ordinal() + "Other.SIZE".length(); // Other.SIZE
                }
                """;
        assertThat(constants(source, "dev.parley.domain.hen"))
                .containsExactlyInAnyOrder("dev.parley.domain.egg.Egg", "dev.parley.domain.hen.Chick");
    }

    @Test
    void aMadeUpCircleIsFound() {
        assertThat(circles(Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("b"), "d", Set.of("a"))))
                .containsExactly(Set.of("b", "c"));
    }

    private static Map<String, Set<String>> byClassFiles(JavaClasses classes) {
        Map<String, Set<String>> needs = new TreeMap<>();
        for (JavaClass type : classes) {
            needs.computeIfAbsent(topLevel(type), name -> new TreeSet<>())
                    .addAll(type.getDirectDependenciesFromSelf().stream()
                            .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                            .filter(target -> classes.contain(target.getName()))
                            .map(ConstantCirclesTest::topLevel)
                            .collect(Collectors.toSet()));
        }
        needs.forEach((name, others) -> others.remove(name));
        return needs;
    }

    private static String topLevel(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static Map<String, Set<String>> byConstants(Set<String> known) {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (Codebase.Module module : Codebase.modules()) {
            for (String name : known) {
                Path source = module.directory().resolve("src/main/java").resolve(name.replace('.', '/') + ".java");
                if (Files.exists(source)) {
                    Set<String> owners =
                            new TreeSet<>(constants(read(source), name.substring(0, name.lastIndexOf('.'))));
                    owners.retainAll(known);
                    owners.remove(name);
                    uses.put(name, owners);
                }
            }
        }
        return uses;
    }

    /** Returns the classes of whose constants a source speaks, or that look like it. */
    private static Set<String> constants(String source, String itsPackage) {
        String code = COMMENT.matcher(source).replaceAll(" ");
        Map<String, String> imported = IMPORT.matcher(code)
                .results()
                .collect(Collectors.toMap(found -> found.group(2), found -> found.group(1) + "." + found.group(2)));
        Set<String> owners = new TreeSet<>();
        Matcher found = CONSTANT.matcher(code);
        while (found.find()) {
            owners.add(imported.getOrDefault(found.group(1), itsPackage + "." + found.group(1)));
        }
        return owners;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the classes that need each other, a set for each circle. */
    private static List<Set<String>> circles(Map<String, Set<String>> needs) {
        Map<String, Set<String>> needed =
                needs.keySet().stream().collect(Collectors.toMap(Function.identity(), name -> reachable(name, needs)));
        List<Set<String>> circles = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        for (String name : new TreeSet<>(needs.keySet())) {
            if (!seen.contains(name) && needed.getOrDefault(name, Set.of()).contains(name)) {
                Set<String> circle = Stream.concat(Stream.of(name), needed.getOrDefault(name, Set.of()).stream())
                        .filter(other -> needed.getOrDefault(other, Set.of()).contains(name))
                        .collect(Collectors.toCollection(TreeSet::new));
                seen.addAll(circle);
                circles.add(circle);
            }
        }
        return circles;
    }

    private static Set<String> reachable(String from, Map<String, Set<String>> needs) {
        Set<String> found = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(needs.getOrDefault(from, Set.of()));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (found.add(next)) {
                open.addAll(needs.getOrDefault(next, Set.of()));
            }
        }
        return found;
    }
}
