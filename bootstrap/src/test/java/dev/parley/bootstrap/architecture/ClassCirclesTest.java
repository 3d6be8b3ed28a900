package dev.parley.bootstrap.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.parley.bootstrap.architecture.circle.Egg;
import dev.parley.bootstrap.architecture.circle.Hen;
import org.junit.jupiter.api.Test;

/**
 * The classes of domain and application can be read one after the other: none needs one that needs it. A class and what is nested in
 * it count as one.
 */
class ClassCirclesTest {
    @Test
    void noClassesDependOnEachOtherInACircle() {
        JavaClasses classes =
                Codebase.main().that(resideInAnyPackage("dev.parley.domain..", "dev.parley.application.."));
        assertThat(classes).as("classes that the rule sees").hasSizeGreaterThan(200);
        assertThat(circles(classes)).isEmpty();
    }

    @Test
    void aMadeUpCircleIsFound() {
        assertThat(circles(new ClassFileImporter().importClasses(Hen.class, Egg.class)))
                .contains("Hen")
                .contains("Egg");
    }

    private static String circles(JavaClasses classes) {
        var result = SlicesRuleDefinition.slices()
                .assignedFrom(new ByTopLevelClass())
                .should()
                .beFreeOfCycles()
                .because(
                        "a class that needs its user cannot be read or changed alone; let the lower one own what it asks for")
                .allowEmptyShould(true)
                .evaluate(classes);
        return result.hasViolation() ? result.getFailureReport().toString() : "";
    }

    private static String topLevel(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static final class ByTopLevelClass implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(topLevel(type));
        }

        @Override
        public String getDescription() {
            return "top-level classes";
        }
    }
}
