package dev.parley.application.expiry;

import java.time.Duration;
import java.util.Optional;

/**
 * When the expiry watcher looks, and for how long what is over is kept.
 *
 * @param delay how long after the start the first pass is
 * @param interval how long after a pass the next one is
 * @param laneMaxAge how long an unused lane is kept; zero: for ever
 * @param retention how long ended turns, inbound and outgoing messages are kept
 * @param historyRetention how long the lanes' history is kept; absent for ever
 */
public record ExpirySettings(
        Duration delay,
        Duration interval,
        Duration laneMaxAge,
        Duration retention,
        Optional<Duration> historyRetention) {}
