package dev.parley.bootstrap.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.chaos.ClusterPlan.Happening;
import dev.parley.fakes.proof.Evidence;
import dev.parley.fakes.proof.Proof;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promises of {@code docs/reliability.md} on several nodes that share one PostgreSQL server, as processes. {@code -Pchaos} makes
 * the run as long as {@code chaos.minutes} says, with {@code chaos.seed} and as many nodes as {@code chaos.nodes}; otherwise it has a
 * short script and three nodes.
 */
class ClusterChaosIT {
    private static final long SEED = Long.getLong("chaos.seed", 1);
    private static final Duration TIME =
            Duration.ofSeconds(Math.round(60 * Double.parseDouble(System.getProperty("chaos.minutes", "0"))));

    private static final int NODES = Integer.getInteger("chaos.nodes", 4);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Test
    void whateverHappensToNodesNothingAcknowledgedIsLostDoubledOrOutOfOrder() throws Exception {
        ClusterPlan plan = TIME.isZero() ? brief() : lasting();
        try (ClusterRun run = new ClusterRun(directory, plan, List.of())) {
            Evidence evidence = run.evidence();
            System.out.printf("%nSeed %d, %s%n%s%n", plan.seed(), plan, run.figures());
            assertThat(Proof.violations(evidence))
                    .as(() -> "seed " + plan.seed() + ", logs in " + run.logs())
                    .isEmpty();
            assertThat(run.figures().of("messages and commands acknowledged")).isGreaterThan(plan.lanes());
            assertThat(evidence.nodes().writes()).as("what the database saw").isNotEmpty();
        }
    }

    private static ClusterPlan brief() {
        List<Happening> script =
                List.of(Happening.KILL, Happening.PAUSE_IN_COMMIT, Happening.SILENCE, Happening.FAILOVER);
        return new ClusterPlan(SEED, 3, Duration.ofSeconds(2), 24, 12, script, Duration.ZERO);
    }

    private static ClusterPlan lasting() {
        return new ClusterPlan(SEED, NODES, Duration.ofSeconds(5), 150, 100, List.of(Happening.values()), TIME);
    }
}
