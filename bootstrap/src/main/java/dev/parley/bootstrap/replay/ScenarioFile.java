package dev.parley.bootstrap.replay;

import dev.parley.application.replay.ReplaySettings;
import dev.parley.application.replay.Scenario;
import dev.parley.bootstrap.config.Configuration;
import java.time.ZoneId;
import java.util.List;

/**
 * A scenario as it was read from a file.
 *
 * @param scenario what happens
 * @param zone the zone of its local times
 * @param configuration how the first gateway is configured
 * @param settings the same in the replay's terms
 * @param warnings what the configuration says that is worth knowing
 */
public record ScenarioFile(
        Scenario scenario, ZoneId zone, Configuration configuration, ReplaySettings settings, List<String> warnings) {
    public ScenarioFile {
        warnings = List.copyOf(warnings);
    }
}
