package dev.parley.bootstrap.chaos;

import dev.parley.bootstrap.process.ParleyProcess;
import dev.parley.fakes.chaos.ChaosRun;
import dev.parley.fakes.chaos.Plan;
import dev.parley.fakes.chaos.Plan.Happening;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promises of {@code docs/reliability.md}, on gateways as processes. {@code -Pchaos} makes the runs as long as
 * {@code chaos.minutes} says, with {@code chaos.seed}; otherwise each has a short script.
 */
class ChaosIT {
    private static final long SEED = Long.getLong("chaos.seed", 1);
    private static final Duration TIME =
            Duration.ofSeconds(Math.round(60 * Double.parseDouble(System.getProperty("chaos.minutes", "0"))));

    /** Among how many lanes, and how many messages a second: a short run begins and ends gateways more than it talks. */
    private static final int LANES = TIME.isZero() ? 60 : 200;

    private static final int PER_SECOND = TIME.isZero() ? 20 : 40;
    private static final int MEGABYTES = 256;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    /** Kills, stops, a platform and an agent that come and go: 200 lanes in a long run. */
    @Test
    void whateverIsKilledNothingAcknowledgedIsLostDoubledOrOutOfOrder() throws Exception {
        List<Happening> all = List.of(
                Happening.KILL, Happening.STOP, Happening.KILL_TWICE, Happening.STOP_AND_KILL, Happening.PLATFORM_AWAY);
        holds(new Plan(
                SEED,
                LANES,
                PER_SECOND,
                List.of(Happening.KILL, Happening.PLATFORM_AWAY, Happening.STOP_AND_KILL),
                all,
                TIME,
                MEGABYTES));
    }

    /** Storage that fails and returns under load, and kills while it is degraded and while it heals: 50 lanes. */
    @Test
    void whateverTheStorageDoesNothingAcknowledgedIsLostDoubledOrOutOfOrder() throws Exception {
        List<Happening> all = List.of(
                Happening.LOCKED,
                Happening.FULL,
                Happening.LOCKED_AND_KILL,
                Happening.FULL_AND_KILL,
                Happening.LOCKED_AND_STOP,
                Happening.FULL_AND_KILL_WHILE_HEALING,
                Happening.KILL);
        holds(new Plan(
                SEED,
                50,
                PER_SECOND,
                List.of(Happening.LOCKED, Happening.FULL_AND_KILL_WHILE_HEALING),
                all,
                TIME,
                MEGABYTES));
    }

    private void holds(Plan plan) throws Exception {
        ParleyProcess.makeArchive();
        try (ChaosRun run = new ChaosRun(directory, plan, new OurProgram(), Clock.systemUTC())) {
            run.prove();
            System.out.printf("%nSeed %d, %s%n%s%n", plan.seed(), plan.time(), run.figures());
        }
    }
}
