package dev.parley.contracts.storage;

import dev.parley.application.port.ParleyException;
import dev.parley.contracts.level.ContractReport;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Gives each contract test a store of its own, checks it afterwards, and leaves out tests of capabilities on the other side. Where a test
 * fails it says in words what should hold and what was done.
 */
public final class StoreExtension
        implements ParameterResolver, TestExecutionExceptionHandler, AfterEachCallback, ExecutionCondition {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(StoreExtension.class);

    /** Needed to be registered. */
    public StoreExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == StoreUnderTest.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(OURS)
                .getOrComputeIfAbsent(Given.class, key -> given(context), Given.class)
                .store();
    }

    private static Given given(ExtensionContext context) {
        try {
            Path directory = Files.createTempDirectory("parley-contract-");
            StoreContract contract = (StoreContract) context.getRequiredTestInstance();
            StorageHarness harness = contract.harness(directory);
            Set<Capability> lacking = EnumSet.allOf(Capability.class);
            lacking.removeAll(contract.capabilities());
            ContractReport.describe(context, harness.backend(), contract.capabilities(), lacking);
            return new Given(directory, new StoreUnderTest(harness, contract.capabilities()));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        Given given = context.getStore(OURS).get(Given.class, Given.class);
        if (given == null || !(thrown instanceof AssertionError || thrown instanceof ParleyException)) {
            throw thrown;
        }
        throw new AssertionError(
                "What should hold: " + sentence(context.getRequiredTestMethod().getName()) + ".\nWhat was done:\n"
                        + given.store().deeds() + "\nWhat was seen:\n"
                        + (thrown instanceof AssertionError ? thrown.getMessage() : thrown.toString()),
                thrown);
    }

    /** Returns the name of a test as the sentence that it is. */
    private static String sentence(String name) {
        String words = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ")
                .toLowerCase(Locale.ROOT);
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        Given given = context.getStore(OURS).remove(Given.class, Given.class);
        if (given == null) {
            return;
        }
        try {
            List<String> damage = context.getExecutionException().isPresent()
                    ? List.of()
                    : given.store().damage();
            if (!damage.isEmpty()) {
                throw new AssertionError("The store is damaged after the test: " + String.join(" · ", damage));
            }
        } finally {
            given.store().close();
            delete(given.directory());
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<Set<Capability>> has = context.getTestInstance().map(test -> ((StoreContract) test).capabilities());
        if (has.isEmpty() || context.getTestMethod().isEmpty()) {
            return ConditionEvaluationResult.enabled("no method");
        }
        Lacking lacking = context.getRequiredTestMethod().getAnnotation(Lacking.class);
        Set<Capability> wanted = wanted(context.getRequiredTestMethod());
        wanted.removeAll(has.get());
        if (!wanted.isEmpty()) {
            return ConditionEvaluationResult.disabled("The backend lacks "
                    + wanted.stream().map(Capability::name).collect(Collectors.joining(" and ")) + ".");
        }
        if (lacking != null && has.get().contains(lacking.value())) {
            return ConditionEvaluationResult.disabled("The backend has " + lacking.value() + ".");
        }
        return ConditionEvaluationResult.enabled("The backend's side of the capability.");
    }

    /** Returns what a backend must have for a test: what the test and its contract name. */
    private static Set<Capability> wanted(Method test) {
        Set<Capability> wanted = EnumSet.noneOf(Capability.class);
        Stream.of(test, test.getDeclaringClass())
                .map(place -> place.getAnnotation(Having.class))
                .filter(Objects::nonNull)
                .forEach(having -> wanted.addAll(List.of(having.value())));
        return wanted;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    private record Given(Path directory, StoreUnderTest store) {}
}
