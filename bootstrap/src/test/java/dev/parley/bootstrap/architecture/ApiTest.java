package dev.parley.bootstrap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is API is told: of each package that a published module exports to everybody, the guide says whether others may build on it. */
class ApiTest {
    private static final Path ROOT = Path.of("..");
    private static final String NOT_API = "Not part of the API";
    private static final Pattern EXPORT = Pattern.compile("^\\s*exports\\s+([a-z0-9.]+)\\s*;", Pattern.MULTILINE);
    private static final Pattern ROW =
            Pattern.compile("^\\| `(dev\\.parley\\.[a-z0-9.]+)` \\| (yes|no) \\|", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("dev\\.parley\\.[a-z0-9.]+(?=\\.[A-Z])");
    /** Servers for tests of our own. */
    private static final Set<String> WITHOUT_TABLE = Set.of("adapters/fakes");

    @Test
    void theGuideSaysOfEachExportedPackageWhetherItIsApi() throws IOException {
        assertThat(told().keySet()).containsExactlyElementsOf(exported().keySet());
    }

    @Test
    void aPackageThatIsNoApiSaysSoItself() throws IOException {
        Map<String, Boolean> told = told();
        for (Map.Entry<String, Path> each : exported().entrySet()) {
            String source = Files.readString(each.getValue().resolve("package-info.java"));
            assertThat(source.contains(NOT_API))
                    .as("%s says \"%s\"", each.getKey(), NOT_API)
                    .isEqualTo(Boolean.FALSE.equals(told.get(each.getKey())));
        }
    }

    @Test
    void nothingOfTheApiNeedsWhatIsNone() throws Exception {
        Map<String, Boolean> told = told();
        Map<String, Path> exported = exported();
        List<String> leaks = new ArrayList<>();
        for (Map.Entry<String, Path> each : exported.entrySet()) {
            if (Boolean.TRUE.equals(told.get(each.getKey()))) {
                for (Class<?> type : types(each.getKey(), each.getValue())) {
                    for (String needed : signatures(type)) {
                        for (Matcher name = NAME.matcher(needed); name.find(); ) {
                            if (!Boolean.TRUE.equals(told.get(name.group()))) {
                                leaks.add(type.getName() + ": " + needed);
                            }
                        }
                    }
                }
            }
        }
        assertThat(leaks).isEmpty();
    }

    private static Map<String, Boolean> told() throws IOException {
        Map<String, Boolean> told = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/guide/api.md")));
        while (row.find()) {
            told.put(row.group(1), row.group(2).equals("yes"));
        }
        return told;
    }

    /** Returns the exported packages and the directories of their sources. */
    private static Map<String, Path> exported() throws IOException {
        Map<String, Path> exported = new TreeMap<>();
        try (Stream<Path> files = Files.find(
                ROOT,
                6,
                (path, facts) -> path.endsWith(Path.of("src", "main", "java", "module-info.java"))
                        && !path.startsWith(ROOT.resolve("docs")))) {
            for (Path file : files.filter(
                            path -> WITHOUT_TABLE.stream().noneMatch(each -> path.startsWith(ROOT.resolve(each))))
                    .toList()) {
                Matcher export = EXPORT.matcher(Files.readString(file));
                while (export.find()) {
                    exported.put(
                            export.group(1), file.resolveSibling(export.group(1).replace('.', '/')));
                }
            }
        }
        return exported;
    }

    /** Returns the public types of a package but those that say that they are no API; none where the module is not on the path of this test. */
    private static List<Class<?>> types(String name, Path sources) throws IOException {
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.list(sources)) {
            for (Path file : files.sorted().toList()) {
                String simple = file.getFileName().toString().replace(".java", "");
                if (Character.isUpperCase(simple.charAt(0))
                        && !Files.readString(file).contains(NOT_API)) {
                    try {
                        add(types, Class.forName(name + "." + simple, false, ApiTest.class.getClassLoader()));
                    } catch (ClassNotFoundException elsewhere) {
                        return List.of();
                    }
                }
            }
        }
        return types;
    }

    private static void add(List<Class<?>> types, Class<?> type) {
        if (isApi(type.getModifiers())) {
            types.add(type);
            for (Class<?> nested : type.getDeclaredClasses()) {
                add(types, nested);
            }
        }
    }

    private static boolean isApi(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static Set<String> signatures(Class<?> type) {
        Set<String> all = new TreeSet<>();
        Stream.of(type.getGenericInterfaces()).map(Type::getTypeName).forEach(all::add);
        if (type.getGenericSuperclass() != null) {
            all.add(type.getGenericSuperclass().getTypeName());
        }
        for (Field field : type.getDeclaredFields()) {
            if (isApi(field.getModifiers())) {
                all.add(field.getGenericType().getTypeName());
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            all.addAll(parameters(constructor));
        }
        for (Method method : type.getDeclaredMethods()) {
            all.addAll(parameters(method));
            if (isApi(method.getModifiers())) {
                all.add(method.getGenericReturnType().getTypeName());
            }
        }
        return all;
    }

    private static List<String> parameters(Executable member) {
        return isApi(member.getModifiers()) && !member.isSynthetic()
                ? Stream.of(member.getGenericParameterTypes())
                        .map(Type::getTypeName)
                        .toList()
                : List.of();
    }
}
