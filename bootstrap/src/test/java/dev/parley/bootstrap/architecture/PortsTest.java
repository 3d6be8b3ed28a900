package dev.parley.bootstrap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every port promises something; every promise has a contract, and every implementation has passed it. */
class PortsTest {

    /** What the application itself answers, or what is only told something: nobody implements these to serve it. */
    private static final Set<String> ANSWERED_BY_THE_APPLICATION = Set.of(
            "AgentEvents",
            "AgentRun",
            "AnswerListener",
            "Cursors",
            "GatewayEvents",
            "GatewayInspection",
            "GatewayOperations",
            "InboundListener");

    @Test
    void everyPortHasAContract() {
        Set<String> without = ports().map(JavaClass::getSimpleName).collect(Collectors.toCollection(TreeSet::new));
        without.removeIf(PortsTest::hasContract);
        assertThat(without)
                .as("ports without a contract; add dev.parley.contracts.<Port>Contract")
                .isEmpty();
    }

    @Test
    void theExceptionsExist() {
        assertThat(allInterfaces().map(JavaClass::getSimpleName))
                .as("interfaces of application.port")
                .containsAll(ANSWERED_BY_THE_APPLICATION);
    }

    @Test
    void everyImplementationIsTestedByTheContract() {
        Set<String> untested = new TreeSet<>();
        ports().filter(port -> hasContract(port.getSimpleName()))
                .forEach(port -> Codebase.main().stream()
                        .filter(PortsTest::isConcrete)
                        .filter(type -> type.getPackageName()
                                .matches("dev\\.parley\\.(persistence|adapter|contracts|testing)\\b.*"))
                        .filter(type -> type.isAssignableTo(port.getFullName()))
                        // It refuses nobody, and the contract is about those who are refused.
                        .filter(type -> !type.getName().equals("dev.parley.testing.TestGateway$Everybody"))
                        .filter(type -> Codebase.tests().stream()
                                .filter(PortsTest::isConcrete)
                                .filter(test -> module(test).equals(module(type)))
                                .noneMatch(test -> test.getAllRawInterfaces().stream()
                                        .anyMatch(i -> i.getSimpleName().equals(port.getSimpleName() + "Contract"))))
                        .forEach(type -> untested.add(type.getName() + " by " + port.getSimpleName() + "Contract")));
        assertThat(untested)
                .as("implementations that no test of their module holds to the contract")
                .isEmpty();
    }

    private static Stream<JavaClass> ports() {
        return allInterfaces().filter(type -> !ANSWERED_BY_THE_APPLICATION.contains(type.getSimpleName()));
    }

    private static Stream<JavaClass> allInterfaces() {
        return Codebase.main().stream()
                .filter(type -> type.getPackageName().equals("dev.parley.application.port"))
                .filter(type -> type.isInterface() && type.isTopLevelClass())
                .filter(type -> !type.getSimpleName().equals("package-info"))
                // A sealed interface is a value with several shapes, not something to be implemented elsewhere.
                .filter(type -> !type.reflect().isSealed());
    }

    private static boolean hasContract(String port) {
        return Codebase.main().stream()
                .anyMatch(type -> type.getPackageName().startsWith("dev.parley.contracts")
                        && type.getSimpleName().equals(port + "Contract"));
    }

    private static boolean isConcrete(JavaClass type) {
        return !type.isInterface() && !type.getModifiers().contains(JavaModifier.ABSTRACT);
    }

    /**
     * The root package of the module whose tests hold a class to its contract: its own; for stand-ins that of the contracts; for what the
     * databases share that of one of them.
     */
    private static String module(JavaClass type) {
        return type.getPackageName()
                .replaceFirst("^dev\\.parley\\.testing\\b", "dev.parley.contracts")
                .replaceFirst("^dev\\.parley\\.persistence\\.sql\\b", "dev.parley.persistence.sqlite")
                .replaceFirst("^(dev\\.parley\\.(?:(?:persistence|adapter)\\.)?[^.]+).*", "$1");
    }
}
