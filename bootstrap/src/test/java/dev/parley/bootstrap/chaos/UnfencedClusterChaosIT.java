package dev.parley.bootstrap.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.chaos.ClusterPlan.Happening;
import dev.parley.fakes.proof.Violation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The proof that {@link ClusterChaosIT} can fail; runs by {@code -Pchaos} alone. */
class UnfencedClusterChaosIT {
    private static final int MOST_TRIES = 12;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    /** The same program but for its fence, on the same faults. */
    @Test
    void withoutTheFenceNodesDoWhatTheyMayNot() throws Exception {
        ClusterPlan plan = new ClusterPlan(
                Long.getLong("chaos.seed", 1), 2, Duration.ofSeconds(2), 80, 80, List.of(), Duration.ZERO);
        try (ClusterRun run =
                new ClusterRun(directory.resolve("run"), plan, Unfenced.flags(directory.resolve("unfenced")))) {
            run.begin();
            List<Violation> found = List.of();
            for (int i = 0; found.isEmpty() && i < MOST_TRIES; i++) {
                run.happen(Happening.SILENCE);
                found = run.violations();
            }
            assertThat(found).extracting(Violation::kind).containsOnly(Violation.Kind.FENCED);
        }
    }
}
