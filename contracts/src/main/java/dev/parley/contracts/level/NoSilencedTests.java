package dev.parley.contracts.level;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Fails a test class that overrides a contract test without making the override a test: such a test would no longer run and
 * nobody would be told.
 */
public final class NoSilencedTests implements BeforeAllCallback {
    /** Needed to be registered. */
    public NoSilencedTests() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        List<String> silenced = silencedIn(context.getRequiredTestClass());
        if (!silenced.isEmpty()) {
            throw new AssertionError(
                    context.getRequiredTestClass().getName() + " overrides contract tests so that they do not run: "
                            + String.join(", ", silenced)
                            + ". Give the overrides the contract's annotation, or declare a capability as absent.");
        }
    }

    /** Returns the contract tests that a class silences, as interface and method; empty where it silences none. */
    public static List<String> silencedIn(Class<?> testClass) {
        return interfacesOf(testClass)
                .distinct()
                .flatMap(contract -> Arrays.stream(contract.getDeclaredMethods())
                        .filter(NoSilencedTests::isTest)
                        .filter(test -> isSilenced(testClass, test))
                        .map(test -> contract.getSimpleName() + "." + test.getName()))
                .sorted()
                .toList();
    }

    private static boolean isTest(Method method) {
        return AnnotationSupport.isAnnotated(method, Testable.class);
    }

    private static boolean isSilenced(Class<?> testClass, Method test) {
        return Stream.<Class<?>>iterate(testClass, c -> c != null, Class::getSuperclass)
                .flatMap(c -> Arrays.stream(c.getDeclaredMethods()))
                .filter(m -> !m.isBridge()
                        && m.getName().equals(test.getName())
                        && Arrays.equals(m.getParameterTypes(), test.getParameterTypes()))
                .findFirst()
                .filter(override -> !isTest(override))
                .isPresent();
    }

    private static Stream<Class<?>> interfacesOf(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        Stream<Class<?>> own =
                Arrays.stream(type.getInterfaces()).flatMap(i -> Stream.concat(Stream.of(i), interfacesOf(i)));
        return parent == null ? own : Stream.concat(own, interfacesOf(parent));
    }
}
