package dev.parley.application.recovery;

import dev.parley.application.port.GatewayMarkers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Keeps a gateway that dies while it resumes from resuming over and over (P7.25). */
public final class BootLoop {
    private BootLoop() {}

    /**
     * Notes a start that has lanes to resume, and returns whether it is one too many.
     *
     * @param most how many such starts within {@code within} are too many; 0 or less: any number is fine
     */
    public static boolean trips(GatewayMarkers markers, Instant now, int most, Duration within) {
        if (most <= 0) {
            return false;
        }
        List<Instant> recent = new ArrayList<>(markers.resumeBoots().stream()
                .filter(boot ->
                        !boot.isAfter(now) && Duration.between(boot, now).compareTo(within) <= 0)
                .toList());
        recent.add(now);
        markers.putResumeBoots(recent);
        return recent.size() >= most;
    }
}
