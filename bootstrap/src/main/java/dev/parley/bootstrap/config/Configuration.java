package dev.parley.bootstrap.config;

import dev.parley.domain.key.Isolation;
import dev.parley.domain.reset.ResetPolicies;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The effective configuration, checked and typed (F13.1, F13.2).
 *
 * @param zone the zone of daily boundaries and session ids
 * @param isolation who shares a session
 * @param resets when sessions end by themselves
 * @param sessionStoreMaxAgeDays after how many days an unused lane is pruned; 0 never
 * @param multiplexProfiles whether profiles have lanes of their own
 * @param agent the agent
 * @param turns limits of turns and restarts
 * @param display what is told while a turn runs
 * @param limits queue, delivery and retention
 * @param redactPersonalData whether ids are hidden in prompts
 * @param confirmDestructive whether {@code /new}, {@code /undo} and the like ask first
 * @param resetTriggers the commands that begin a session anew
 * @param storage where conversations are kept
 * @param writeSessionsJson whether the lanes are mirrored to {@code sessions/sessions.json}
 * @param platforms the platforms' sections, by name
 * @param pluginsStrict whether a plug-in that cannot be loaded stops the start
 * @param settings all effective settings with their origins, in order
 */
public record Configuration(
        ZoneId zone,
        Isolation isolation,
        ResetPolicies resets,
        int sessionStoreMaxAgeDays,
        boolean multiplexProfiles,
        AgentConfiguration agent,
        Turns turns,
        Display display,
        Limits limits,
        boolean redactPersonalData,
        boolean confirmDestructive,
        List<String> resetTriggers,
        StorageConfiguration storage,
        boolean writeSessionsJson,
        Map<String, PlatformConfiguration> platforms,
        boolean pluginsStrict,
        List<Setting> settings) {
    public Configuration {
        resetTriggers = List.copyOf(resetTriggers);
        platforms = Map.copyOf(platforms);
        settings = List.copyOf(settings);
        if (!writeSessionsJson) {
            storage = storage.with("write_sessions_json", "false");
        }
    }

    /**
     * Limits of turns and restarts.
     *
     * @param freshness how old a mark may be to be resumed; zero or less means always
     * @param inactivity how long a turn may do nothing; zero means for ever
     * @param inactivityWarning after how long the user is told that it does nothing; zero never
     * @param notifyInterval how often the user is told that a turn still runs; zero never
     * @param drain how long running turns may go on while the gateway stops
     * @param stuckLoopThreshold how many restarts in a row a turn may be cut off before its lane is suspended
     * @param restartLoopMax how many starts with lanes to resume within the window stop the resuming; 0 or less never
     * @param restartLoopWindow the window
     * @param oneThought how long after a turn began Telegram's texts belong to what began it; zero never
     */
    public record Turns(
            Duration freshness,
            Duration inactivity,
            Duration inactivityWarning,
            Duration notifyInterval,
            Duration drain,
            int stuckLoopThreshold,
            int restartLoopMax,
            Duration restartLoopWindow,
            Duration oneThought) {}

    /**
     * What is told while a turn runs.
     *
     * @param busyInputMode what a message does to a running turn: interrupt, queue or steer
     * @param busyTextMode the same for text alone: interrupt or queue; absent follows {@code busyInputMode}
     * @param busyAcks whether a message that waits is acknowledged
     */
    public record Display(String busyInputMode, Optional<String> busyTextMode, boolean busyAcks) {}

    /**
     * Queue, delivery and retention.
     *
     * @param maxConcurrentSessions how many lanes may run at once; absent means any number
     * @param maxPending how many messages may wait behind a turn
     * @param deliveryLimit how old an answer may be to be delivered still
     * @param deliverAtMostOnce whether an answer of which it is not known whether it arrived is not sent again
     * @param retention how long ended turns, received and sent messages are kept
     * @param historyRetention how long the lanes' history is kept
     * @param unresetWindow how long after a reset it can be taken back
     * @param agentCacheSize how many agents are kept
     * @param agentCacheIdle how long an unused one is kept
     * @param watcherInterval how often expired sessions are looked for
     */
    public record Limits(
            Optional<Integer> maxConcurrentSessions,
            int maxPending,
            Duration deliveryLimit,
            boolean deliverAtMostOnce,
            Duration retention,
            Duration historyRetention,
            Duration unresetWindow,
            int agentCacheSize,
            Duration agentCacheIdle,
            Duration watcherInterval) {}
}
