package org.example.desk;

import dev.parley.application.spi.Storage;
import dev.parley.fakes.chaos.Ability;
import dev.parley.fakes.chaos.Around;
import dev.parley.fakes.chaos.ChaosRun;
import dev.parley.fakes.chaos.Plan;
import dev.parley.fakes.chaos.Program;
import java.io.File;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The desk's gateway loses nothing that it acknowledged; {@code -Dchaos.minutes=10} asks for longer. */
class ChaosTest {
    private static final Duration TIME = Duration.ofMinutes(Integer.getInteger("chaos.minutes", 0));

    @TempDir
    private Path directory;

    // docs: chaos
    private static final class Desk implements Program {
        @Override
        public ProcessBuilder start(Around around) {
            return new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    classPath(),
                    "org.example.desk.ServedDesk",
                    around.home().toString(),
                    around.sqlite().toString(),
                    around.model().toString(),
                    around.callback().toString());
        }

        @Override
        public Storage stored(Around around) {
            return around.read("sqlite:" + around.sqlite());
        }

        @Override
        public Set<Ability> abilities() {
            return EnumSet.of(Ability.MODEL, Ability.FALLBACK, Ability.SQLITE, Ability.READ_BESIDE_WRITER);
        }
    }

    @Test
    void whatItAcknowledgedSurvivesKills() throws Exception {
        prove(Plan.ofKills(1));
    }

    @Test
    void whatItAcknowledgedSurvivesStorageThatFails() throws Exception {
        prove(Plan.ofFailingStorage(1));
    }

    private void prove(Plan plan) throws Exception {
        try (ChaosRun run = new ChaosRun(directory, plan.lasting(TIME), new Desk(), Clock.systemUTC())) {
            run.prove();
            System.out.println(run.figures());
        }
    }
    // docs: end

    /** What this test runs with: its modules, its class path, and its own classes. */
    private static String classPath() {
        return String.join(
                File.pathSeparator,
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path"),
                Path.of("target", "test-classes").toString());
    }
}
