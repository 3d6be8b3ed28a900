package dev.parley.bootstrap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The rules of {@link ArchitectureTest} pass when they see nothing; here is what they must see. */
class SightingTest {

    /** Packages that hold classes of ours, by their roots. */
    private static final Set<String> OURS = Set.of(
            "dev.parley.domain",
            "dev.parley.application",
            "dev.parley.testing",
            "dev.parley.contracts",
            "dev.parley.home",
            "dev.parley.persistence.postgres",
            "dev.parley.persistence.sql",
            "dev.parley.persistence.sqlite",
            "dev.parley.persistence.jsonl",
            "dev.parley.adapter.terminal",
            "dev.parley.adapter.http",
            "dev.parley.adapter.console",
            "dev.parley.adapter.metrics",
            "dev.parley.adapter.otlp",
            "dev.parley.adapter.openai",
            "dev.parley.adapter.kit",
            "dev.parley.adapter.telegram",
            "dev.parley.adapter.whatsapp",
            "dev.parley.adapter.echo",
            "dev.parley.adapter.acp",
            "dev.parley.adapter.langchain4j",
            "dev.parley.adapter.springai",
            "dev.parley.spring",
            "dev.parley.adapter.matrix",
            "dev.parley.adapter.slack",
            "dev.parley.adapter.discord",
            "dev.parley.adapter.signal",
            "dev.parley.adapter.whatsappcloud",
            "dev.parley.bootstrap");

    /** Packages of others that a rule keeps in their place: a rule about a name that nothing uses holds nothing. */
    private static final Set<String> OTHERS =
            Set.of("org.jooq", "java.sql", "com.fasterxml.jackson", "com.google.inject", "picocli", "org.slf4j");

    /** What has no class yet; to be emptied as the modules are filled. */
    private static final Set<String> AWAITED = Set.of();

    @Test
    void theRulesSeeEveryModuleAndEveryLibraryTheyName() {
        assertThat(missing())
                .as("packages without a class, or libraries without a user")
                .isSubsetOf(AWAITED);
    }

    @Test
    void nothingIsAwaitedOnceAllIsThere() {
        if (!AWAITED.isEmpty()) {
            assertThat(missing())
                    .as("all that was awaited has come: empty AWAITED")
                    .isNotEmpty();
        }
    }

    @Test
    void everyClassThatARuleSparesIsThere() {
        assertThat(Codebase.main().stream().map(JavaClass::getName)).containsAll(ArchitectureTest.LATER);
    }

    @Test
    void everyModuleHasTests() {
        assertThat(Codebase.modules())
                .allSatisfy(module -> assertThat(module.testClasses())
                        .as("compiled tests; build the whole tree with its tests first")
                        .isDirectory());
    }

    private static Set<String> missing() {
        Set<String> missing = new TreeSet<>();
        for (String root : OURS) {
            if (Codebase.main().stream().noneMatch(c -> !c.getSimpleName().equals("package-info") && isIn(root, c))) {
                missing.add(root);
            }
        }
        for (String root : OTHERS) {
            if (Codebase.main().stream()
                    .flatMap(c -> c.getDirectDependenciesFromSelf().stream())
                    .noneMatch(d -> isIn(root, d.getTargetClass()))) {
                missing.add(root);
            }
        }
        return missing;
    }

    private static boolean isIn(String root, JavaClass type) {
        String name = type.getPackageName();
        return name.equals(root) || name.startsWith(root + ".");
    }
}
