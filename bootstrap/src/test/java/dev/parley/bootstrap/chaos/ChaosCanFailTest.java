package dev.parley.bootstrap.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.spi.Storage;
import dev.parley.bootstrap.chaos.PlantedDesk.Bug;
import dev.parley.fakes.chaos.Ability;
import dev.parley.fakes.chaos.Around;
import dev.parley.fakes.chaos.ChaosRun;
import dev.parley.fakes.chaos.Plan;
import dev.parley.fakes.chaos.Plan.Happening;
import dev.parley.fakes.chaos.Program;
import java.io.File;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chaos run fails a gateway of one's own that has a bug, and says what was lost, doubled or forgotten. */
class ChaosCanFailTest {
    private static final Plan PLAN =
            new Plan(1, 8, 30, List.of(Happening.KILL, Happening.KILL, Happening.KILL), List.of(), Duration.ZERO, 64);

    @TempDir
    private Path directory;

    private record Desk(Bug bug, Set<Ability> abilities) implements Program {
        @Override
        public ProcessBuilder start(Around around) {
            String path = Stream.of("java.class.path", "jdk.module.path")
                    .map(name -> System.getProperty(name, ""))
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(File.pathSeparator));
            return new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    path
                            + File.pathSeparator
                            + Path.of("target", "test-classes").toAbsolutePath(),
                    PlantedDesk.class.getName(),
                    around.home().toString(),
                    around.sqlite().toString(),
                    around.model().toString(),
                    around.callback().toString(),
                    bug.name());
        }

        @Override
        public Storage stored(Around around) {
            return around.read("sqlite:" + around.sqlite());
        }
    }

    private void isFound(Bug bug, String... words) throws Exception {
        Desk desk = new Desk(bug, EnumSet.of(Ability.MODEL, Ability.SQLITE, Ability.READ_BESIDE_WRITER));
        try (ChaosRun run = new ChaosRun(directory, PLAN, desk, Clock.systemUTC())) {
            assertThatThrownBy(run::prove)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("promises are broken, with the seed 1")
                    .satisfies(error -> assertThat(error.getMessage()).contains(words));
        }
    }

    @Test
    void aGatewayWithoutABugPassesHoweverLittleItHas() throws Exception {
        Plan plan = new Plan(
                1, 8, 30, List.of(Happening.KILL, Happening.FULL, Happening.LOCKED), List.of(), Duration.ZERO, 64);
        Desk desk = new Desk(Bug.NONE, EnumSet.noneOf(Ability.class));
        try (ChaosRun run = new ChaosRun(directory, plan, desk, Clock.systemUTC())) {
            run.prove();
            assertThat(run.figures().of("times the storage could not be made locked"))
                    .isEqualTo(1);
            assertThat(run.figures().of("calls of the model")).isZero();
        }
    }

    @Test
    void aGatewayThatAcknowledgesBeforeItStoresLosesWhatItAcknowledged() throws Exception {
        isFound(Bug.ACKNOWLEDGES_BEFORE_IT_STORES, "LOST: ", "is not in the queue's record");
    }

    @Test
    void aGatewayThatAnswersAgainAfterARestartDoublesIt() throws Exception {
        isFound(Bug.ANSWERS_AGAIN_AFTER_A_RESTART, "DOUBLED: the model was asked about <c", " again");
    }

    @Test
    void aGatewayThatForgetsWhatWasSaidAsksItsModelWithoutIt() throws Exception {
        isFound(Bug.FORGETS_WHAT_WAS_SAID, "FORGOTTEN: asked about <c", "the model knew [] instead of [<c");
    }
}
