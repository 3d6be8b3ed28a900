package dev.parley.bootstrap.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.implement;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TimeZone;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The lines between the modules that the module descriptors cannot draw. Arrows point one way: domain, application, then
 * contracts, persistence and adapters beside each other, then bootstrap. What the rules see is guarded by
 * {@link SightingTest}.
 */
class ArchitectureTest {

    private static final DescribedPredicate<JavaClass> CALLBACKS = describe(
            "that is called back",
            type -> type.isEquivalentTo(Runnable.class) || type.getPackageName().equals("java.util.function"));

    /** A spill learns whom to ask each time it is taken into use, and an agent says in its turn how that is cut off. */
    static final Set<String> LATER =
            Set.of("dev.parley.application.degrade.Spill", "dev.parley.application.agents.StreamingRun");

    private static final String DOMAIN = "dev.parley.domain..";
    private static final String APPLICATION = "dev.parley.application..";
    private static final String CONTRACTS = "dev.parley.contracts..";
    private static final String PERSISTENCE = "dev.parley.persistence..";
    private static final String SQL = "dev.parley.persistence.sql..";
    private static final String SQLITE = "dev.parley.persistence.sqlite..";
    private static final String POSTGRES = "dev.parley.persistence.postgres..";
    private static final String ADAPTERS = "dev.parley.adapter..";
    private static final String BOOTSTRAP = "dev.parley.bootstrap..";
    private static final String HOME = "dev.parley.home..";
    private static final String FAKES = "dev.parley.fakes..";
    private static final String SPRING = "dev.parley.spring..";

    private static final List<Class<?>> CLOCKED = List.of(
            Instant.class,
            LocalDate.class,
            LocalDateTime.class,
            LocalTime.class,
            OffsetDateTime.class,
            ZonedDateTime.class,
            Year.class,
            YearMonth.class);

    @Test
    void domainNeedsNothingButItselfAndThePlatformsValues() {
        holds(classes()
                .that()
                .resideInAPackage(DOMAIN)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                DOMAIN,
                                "java.lang..",
                                "java.math..",
                                "java.nio.charset..",
                                "java.security..",
                                "java.text..",
                                "java.time..",
                                "java.util..",
                                "org.jspecify..")
                        .and(not(resideInAPackage("java.util.concurrent.."))))
                .because("the rules of the domain must hold wherever they run; input, output and threads belong to"
                        + " application ports and their adapters"));
    }

    @Test
    void applicationDoesNoInputOutputOfItsOwn() {
        holds(noClasses()
                .that()
                .resideInAPackage(APPLICATION)
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.nio.channels..", "java.sql..")
                        .or(resideInAPackage("java.nio.file..").and(not(type(Path.class))))
                        .or(resideInAPackage("java.net..").and(not(type(URI.class))))
                        .or(resideInAPackage("java.io..").and(nameMatching("java\\.io\\.(File|Print|Random).*"))))
                .because("files, sockets and databases are reached through a port; add one in application.port"));
    }

    @Test
    void applicationKnowsTheDomainAndNoLibrary() {
        holds(classes()
                .that()
                .resideInAPackage(APPLICATION)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(DOMAIN, APPLICATION, "java..", "org.jspecify.."))
                .because("a team must be able to swap every library; wrap it behind a port, in an adapter"));
    }

    @Test
    void theHomeKnowsTheApplicationAndNoStorageAndNoAdapter() {
        holds(noClasses()
                .that()
                .resideInAPackage(HOME)
                .should()
                .dependOnClassesThat(resideInAnyPackage(PERSISTENCE, ADAPTERS, BOOTSTRAP, CONTRACTS))
                .because("a gateway that others put together chooses its own storage and platforms"));
    }

    @Test
    void contractsKnowTheApplicationAndTheTestLibraries() {
        holds(noClasses()
                .that()
                .resideInAPackage(CONTRACTS)
                .should()
                .dependOnClassesThat(resideInAnyPackage(PERSISTENCE, ADAPTERS, BOOTSTRAP))
                .because("a contract must be fair to backends that are not ours; test the port, not one adapter"));
    }

    @Test
    void persistenceAndAdaptersDoNotKnowEachOther() {
        holds(slices().matching("dev.parley.(persistence|adapter).(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(alwaysTrue(), resideInAPackage("dev.parley.adapter.kit.."))
                .ignoreDependency(resideInAnyPackage(SQLITE, POSTGRES), resideInAPackage(SQL))
                .because("each of them must be removable; what two of them share belongs to application, the kit or"
                        + " persistence-sql"));
    }

    @Test
    void whatDatabasesShareKnowsNoDatabase() {
        holds(noClasses()
                .that()
                .resideInAPackage(SQL)
                .should()
                .dependOnClassesThat(resideInAnyPackage(SQLITE, POSTGRES, "org.sqlite..", "org.postgresql.."))
                .because("every SQL storage may stand on it; hand in what only one database knows"));
    }

    @Test
    void theKitOfAdaptersKnowsNoAdapter() {
        holds(noClasses()
                .that()
                .resideInAPackage("dev.parley.adapter.kit..")
                .should()
                .dependOnClassesThat(resideInAPackage(ADAPTERS).and(not(resideInAPackage("dev.parley.adapter.kit.."))))
                .because("every adapter may stand on it"));
    }

    @Test
    void nothingButBootstrapKnowsBootstrap() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackage(BOOTSTRAP)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BOOTSTRAP)
                .because("bootstrap wires the others; hand in what is needed through a constructor"));
    }

    @Test
    void nothingShippedNeedsTheContracts() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackage(CONTRACTS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CONTRACTS)
                .because("the contracts bring JUnit along; they are for tests"));
    }

    @Test
    void springStaysInWhatStandsOnIt() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackages(SPRING, "dev.parley.adapter.springai..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "reactor..")
                .because("Spring is for the class path, and for applications that have it"));
    }

    @Test
    void guiceAndPicocliStayInBootstrap() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackage(BOOTSTRAP)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.google.inject..", "jakarta.inject..", "javax.inject..", "picocli..")
                .because("the modules are assembled without a container too; take collaborators in the constructor"));
    }

    @Test
    void sqlStaysInSqlPersistence() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackages(SQL, SQLITE, POSTGRES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jooq..", "org.sqlite..", "org.postgresql..", "java.sql..", "javax.sql..")
                .because("storage is swapped by swapping a module; speak to the storage ports"));
    }

    @Test
    void jacksonStaysAtTheEdges() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackages(PERSISTENCE, ADAPTERS, HOME, BOOTSTRAP, FAKES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.fasterxml.jackson..", "org.yaml..")
                .because("formats belong to those who read and write them; carry raw JSON as a value holding text"));
    }

    /** A data source has to name its driver's logger; it writes to none. The starter is what bootstrap is, in an application of Spring Boot. */
    @Test
    void onlyBootstrapWritesLogs() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackages(BOOTSTRAP, SPRING)
                .and(not(implement("javax.sql.DataSource")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "org.slf4j..",
                                "ch.qos.logback..",
                                "java.util.logging..",
                                "org.apache.commons.logging..")
                        .or(type(System.Logger.class)))
                .because("a failure is logged once, where it is handled; throw it, or tell it to GatewayEvents"));
    }

    /**
     * The terminal is the standard streams, the contracts' child process speaks to its parent through them, and the contracts'
     * report goes to the console of whoever runs them.
     */
    @Test
    void onlyBootstrapUsesTheStandardStreamsAndExits() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackages(BOOTSTRAP, "dev.parley.adapter.terminal..")
                .and()
                .doNotHaveSimpleName("KillableWriter")
                .and()
                .doNotHaveSimpleName("ContractReport")
                .should()
                .accessTargetWhere(describe(
                        "is a standard stream, System.exit or printStackTrace",
                        access -> access.getTarget().getFullName().matches("java\\.lang\\.System\\.(in|out|err)")
                                || access.getTarget().getFullName().matches("java\\.lang\\.System\\.exit\\(.*")
                                || access.getTarget().getName().equals("printStackTrace")))
                .because("what is data and what is a note is decided at the command line; return it or throw it"));
    }

    @Test
    void noPackagesDependOnEachOtherInACircle() {
        holds(slices().matching("dev.parley.(*).(*)..")
                .should()
                .beFreeOfCycles()
                .because("a concept that needs its user is not one; move what both need below them"));
    }

    @Test
    void noPackagesInsideAnAdapterDependOnEachOtherInACircle() {
        holds(slices().matching("dev.parley.(persistence|adapter).(*).(*)..")
                .should()
                .beFreeOfCycles()
                .because("a concept that needs its user is not one; move what both need below them"));
    }

    @Test
    void conceptsAreOneLevelDeep() {
        holds(classes()
                .that()
                .resideInAnyPackage("dev.parley.domain..", "dev.parley.application..")
                .should(resideOneLevelBelowTheirModule())
                .because("a reader finds a concept by its package; give it one of its own beside the others"));
    }

    @Test
    void theWallClockIsReadOnlyInBootstrap() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackages(BOOTSTRAP, SPRING)
                .should()
                .accessTargetWhere(readsTheWallClock())
                .because("time comes from outside so that it can be replayed; take an InstantSource or an Instant"));
    }

    @Test
    void theSystemsZoneIsReadOnlyInBootstrap() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackage(BOOTSTRAP)
                .should()
                .callMethod(ZoneId.class, "systemDefault")
                .orShould()
                .callMethod(TimeZone.class, "getDefault")
                .because("a daily boundary must not move with the machine; take a ZoneId"));
    }

    @Test
    void domainAndApplicationTakeChanceAndThreadsFromOutside() {
        holds(noClasses()
                .that()
                .resideInAnyPackage(DOMAIN, APPLICATION)
                .should()
                .accessTargetWhere(drawsLots().or(startsThreads()).or(measuresTime()))
                .because("a replay must give the same outcome each time; use the Ids, Timers and Executor handed in"));
    }

    @Test
    void callbacksAreGivenAtConstruction() {
        holds(
                fields().that()
                        .areDeclaredInClassesThat()
                        .resideInAnyPackage(DOMAIN, APPLICATION)
                        .and()
                        .haveRawType(CALLBACKS)
                        .and(describe(
                                "are not learnt later by purpose",
                                field -> !LATER.contains(field.getOwner().getName())))
                        .and(describe(
                                "are not a builder's",
                                field -> !field.getOwner().getSimpleName().equals("Builder")))
                        .should()
                        .beFinal()
                        .because(
                                "whoever calls back must be known before anything happens; construct in order, or hand in a future"));
    }

    @Test
    void nobodySleeps() {
        String because =
                "a sleep is too short on a slow machine and too long on a fast one; wait for the event, or move"
                        + " the virtual clock";
        noClasses().should().accessTargetWhere(sleeps()).because(because).check(Codebase.main());
        noClasses()
                .should()
                .accessTargetWhere(sleeps().or(parks()))
                .because(because)
                .check(Codebase.tests());
    }

    @Test
    void fakesAreWrittenNotMocked() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.mockito..", "org.easymock..", "mockit..", "org.powermock..")
                .because("a fake that passes the contract behaves; take it from the contracts module")
                .check(Codebase.tests());
    }

    @Test
    void noTestIsDisabled() {
        ArchRule rule = noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.junit.jupiter.api.Disabled")
                .because("a disabled test is a promise nobody keeps; repair it or delete it");
        rule.check(Codebase.tests());
        rule.check(Codebase.main());
    }

    @Test
    void namesSayWhatAThingIs() {
        ArchRule rule = noClasses()
                .should()
                .haveSimpleNameEndingWith("Impl")
                .orShould(haveSimpleName(
                        "(Abstract|Base)[A-Z].*|.*(Util|Utils|Helper|Helpers|Manager|Dto|DTO|Interface)"))
                .because("such names say nothing; name the role, or the technology and the role");
        rule.check(Codebase.main());
        rule.check(Codebase.tests());
    }

    @Test
    void portsAreNamedByTheirRole() {
        holds(noClasses()
                .that()
                .resideInAPackage("dev.parley.application.port..")
                .should()
                .haveSimpleNameEndingWith("Port")
                .because("the package says that it is a port; name the role"));
    }

    @Test
    void packagesAreNamedByConcept() {
        holds(noClasses()
                .should()
                .resideInAnyPackage(
                        "..impl..",
                        "..internal..",
                        "..util..",
                        "..utils..",
                        "..helper..",
                        "..helpers..",
                        "..model..",
                        "..models..",
                        "..dto..",
                        "..manager..",
                        "..common..",
                        "..misc..")
                .because("kinds of classes are no concepts; put a class where its behaviour is looked for"));
    }

    @Test
    void insertsThatMayConflictReturnNothing() {
        holds(noClasses()
                .that()
                .resideInAPackage(SQLITE)
                .should()
                .callMethodWhere(target(nameStartingWith("returning"))
                        .and(target(owner(nameMatching(
                                "org\\.jooq\\.(InsertReturningStep|InsertOnDuplicate.*|InsertOnConflict.*)")))))
                .because(
                        "on SQLite jOOQ answers INSERT ... ON CONFLICT ... RETURNING with the wrong row; select it again"
                                + " or make the id yourself"));
    }

    private static void holds(ArchRule rule) {
        rule.allowEmptyShould(true).check(Codebase.main());
    }

    private static ArchCondition<JavaClass> haveSimpleName(String pattern) {
        return ArchConditions.be(describe(
                "a class named " + pattern, type -> type.getSimpleName().matches(pattern)));
    }

    private static DescribedPredicate<JavaAccess<?>> readsTheWallClock() {
        return call("reads the wall clock", target -> {
            JavaClass owner = target.getOwner();
            boolean noArguments = target.getParameterTypes().isEmpty();
            return switch (target.getName()) {
                case "now" ->
                    CLOCKED.stream().anyMatch(owner::isEquivalentTo)
                            && (noArguments
                                    || target.getParameterTypes()
                                            .get(0)
                                            .toErasure()
                                            .isEquivalentTo(ZoneId.class));
                case "currentTimeMillis" -> owner.isEquivalentTo(System.class);
                case "system", "systemUTC", "systemDefaultZone", "tickMillis", "tickSeconds", "tickMinutes" ->
                    owner.isEquivalentTo(Clock.class) || owner.isEquivalentTo(InstantSource.class);
                case "getInstance" -> owner.isAssignableTo(Calendar.class);
                case "<init>" -> owner.isEquivalentTo(Date.class) && noArguments;
                default -> false;
            };
        });
    }

    private static DescribedPredicate<JavaAccess<?>> measuresTime() {
        return call("measures time", target -> target.getFullName().startsWith("java.lang.System.nanoTime("));
    }

    /** Chance without a seed; with one it is a sequence like any other. */
    private static DescribedPredicate<JavaAccess<?>> drawsLots() {
        return call("draws lots", target -> {
            JavaClass owner = target.getOwner();
            int arguments = target.getParameterTypes().size();
            return switch (target.getName()) {
                case "<init>" ->
                    owner.isAssignableTo(SecureRandom.class)
                            || (arguments == 0
                                    && (owner.isAssignableTo(Random.class)
                                            || owner.isEquivalentTo(SplittableRandom.class)));
                case "current" -> owner.isEquivalentTo(ThreadLocalRandom.class);
                case "random" -> owner.isEquivalentTo(Math.class);
                case "randomUUID" -> owner.isEquivalentTo(UUID.class);
                case "shuffle" -> owner.isEquivalentTo(Collections.class) && arguments == 1;
                default -> false;
            };
        });
    }

    private static DescribedPredicate<JavaAccess<?>> startsThreads() {
        return call("starts threads", target -> {
            JavaClass owner = target.getOwner();
            return (owner.isAssignableTo(Thread.class)
                            && List.of("<init>", "start").contains(target.getName()))
                    || owner.isEquivalentTo(Executors.class)
                    || owner.isEquivalentTo(ForkJoinPool.class)
                    || owner.isEquivalentTo(Timer.class)
                    || target.getName().equals("parallelStream");
        });
    }

    private static DescribedPredicate<JavaAccess<?>> sleeps() {
        return call(
                "sleeps",
                target -> target.getName().equals("sleep")
                        && (target.getOwner().isAssignableTo(Thread.class)
                                || target.getOwner().isEquivalentTo(TimeUnit.class)));
    }

    /** What a writer may do between two tries, handed in so that tests need not wait, is a sleep in a test. */
    private static DescribedPredicate<JavaAccess<?>> parks() {
        return call(
                "parks for a time",
                target -> target.getName().matches("parkNanos|parkUntil")
                        && target.getOwner().isEquivalentTo(LockSupport.class));
    }

    /** Calls and method references alike. */
    private static DescribedPredicate<JavaAccess<?>> call(
            String description, Predicate<AccessTarget.CodeUnitAccessTarget> test) {
        return describe(
                description,
                access -> access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target && test.test(target));
    }

    private static ArchCondition<JavaClass> resideOneLevelBelowTheirModule() {
        return new ArchCondition<>("reside in a package such as dev.parley.domain.session, not below one") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                int names = type.getPackageName().split("\\.").length;
                events.add(new SimpleConditionEvent(
                        type, names == 4, type.getName() + " is " + (names - 3) + " levels below its module"));
            }
        };
    }
}
