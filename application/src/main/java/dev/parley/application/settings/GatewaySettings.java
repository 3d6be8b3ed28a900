package dev.parley.application.settings;

import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.source.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a gateway behaves; section 13 of the lifecycle rules. Zero stands for "off" where nothing else is said.
 *
 * @param resetPolicies when sessions end by themselves
 * @param freshness how old a mark to be resumed may be; zero: always fresh (D12)
 * @param turnTimeout how long an agent may do nothing; zero: for ever (C18)
 * @param turnTimeoutWarning after how long the user is told that an agent does nothing; zero: never. Not told where the time-out is
 *     off or comes first
 * @param progressInterval how often the user is told that a turn still runs; zero: never
 * @param drainTimeout how long a stop waits for running turns; zero: not at all
 * @param interruptGrace how long a stop waits for interrupted agents (P7.42)
 * @param busyMode what a message does while the agent runs
 * @param busyTextMode the same for text alone; absent follows {@code busyMode}
 * @param acknowledgeBusy whether messages that meet a running agent are acknowledged (Q8.12)
 * @param textDebounce how long text waits for more in queue-text mode (Q8.18)
 * @param textDebounceLimit how long it waits at most
 * @param oneThought how long after a turn began Telegram's texts count as part of what began it, and wait instead of
 *     interrupting; zero: never (Q8.11)
 * @param maxPending how many follow-ups may wait; {@code /queue} is not limited (Q8.17)
 * @param maxConcurrentSessions how many lanes may run at once; absent for any number (Q8.35)
 * @param stuckLoopThreshold after how many consecutive restarts in a turn a lane is suspended (P7.9)
 * @param bootLoopMax how many starts with lanes to resume within {@code bootLoopWithin} keep them from being resumed (P7.25)
 * @param bootLoopWithin see {@code bootLoopMax}
 * @param deliveryLimit how old an undelivered message may become before it is reported as expired
 * @param deliverAtMostOnce whether a message whose delivery is unknown is given up rather than sent again
 * @param retention how long ended turns, inbound and outgoing messages are kept; at least seven days
 * @param historyRetention how long the lanes' history is kept; absent for ever
 * @param unresetWindow how long after an automatic reset {@code /unreset} goes back
 * @param agentCacheSize how many agents are kept (A11.1)
 * @param agentIdle how long an unused agent is kept (A11.7)
 * @param watcherDelay when the expiry watcher first looks (W10.1)
 * @param watcherInterval how often it looks
 * @param laneMaxAge how long an unused lane is kept; zero: for ever (W10.7)
 * @param redactIds whether ids are hidden in prompts (X9.7)
 * @param homeChannels the operator's chats
 * @param mutedRestartNotices platforms that are told nothing of stops (P7.38)
 * @param confirmDestructive whether {@code /new}, {@code /reset} and {@code /undo} ask first while idle (Z12.1)
 * @param resetTriggers what begins a new session when it is all that is said; with a slash in front a command that takes a title
 * @param home the home directory as it is shown
 * @param holdCheck how often it is looked whether an operator holds new turns back; zero: never (P7.49)
 */
public record GatewaySettings(
        ResetPolicies resetPolicies,
        Duration freshness,
        Duration turnTimeout,
        Duration turnTimeoutWarning,
        Duration progressInterval,
        Duration drainTimeout,
        Duration interruptGrace,
        BusyMode busyMode,
        Optional<BusyMode> busyTextMode,
        boolean acknowledgeBusy,
        Duration textDebounce,
        Duration textDebounceLimit,
        Duration oneThought,
        int maxPending,
        Optional<Integer> maxConcurrentSessions,
        int stuckLoopThreshold,
        int bootLoopMax,
        Duration bootLoopWithin,
        Duration deliveryLimit,
        boolean deliverAtMostOnce,
        Duration retention,
        Optional<Duration> historyRetention,
        Duration unresetWindow,
        int agentCacheSize,
        Duration agentIdle,
        Duration watcherDelay,
        Duration watcherInterval,
        Duration laneMaxAge,
        boolean redactIds,
        List<HomeChannel> homeChannels,
        Set<Platform> mutedRestartNotices,
        boolean confirmDestructive,
        List<String> resetTriggers,
        String home,
        Duration holdCheck) {

    /** The settings where nothing is configured. */
    public static final GatewaySettings DEFAULT = new Builder().build();

    public GatewaySettings {
        homeChannels = List.copyOf(homeChannels);
        resetTriggers = List.copyOf(resetTriggers);
        mutedRestartNotices = Set.copyOf(mutedRestartNotices);
    }

    /** Starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns what a message does while the agent runs; {@code textOnly} where nothing came along with its text. */
    public BusyMode busyMode(boolean textOnly) {
        return textOnly ? busyTextMode.orElse(busyMode) : busyMode;
    }

    /** Collects settings. Not safe for concurrent use. */
    public static final class Builder {
        private ResetPolicies resetPolicies = ResetPolicies.of(ResetPolicy.DEFAULT);
        private Duration freshness = Duration.ofHours(1);
        private Duration turnTimeout = Duration.ofMinutes(30);
        private Duration turnTimeoutWarning = Duration.ofMinutes(15);
        private Duration progressInterval = Duration.ofMinutes(3);
        private Duration drainTimeout = Duration.ofMinutes(3);
        private Duration interruptGrace = Duration.ofSeconds(5);
        private BusyMode busyMode = BusyMode.INTERRUPT;
        private Optional<BusyMode> busyTextMode = Optional.empty();
        private boolean acknowledgeBusy = true;
        private Duration textDebounce = Duration.ofMillis(350);
        private Duration textDebounceLimit = Duration.ofSeconds(1);
        private Duration oneThought = Duration.ofSeconds(3);
        private int maxPending = 32;
        private Optional<Integer> maxConcurrentSessions = Optional.empty();
        private int stuckLoopThreshold = 3;
        private int bootLoopMax = 3;
        private Duration bootLoopWithin = Duration.ofMinutes(1);
        private Duration deliveryLimit = Duration.ofDays(1);
        private boolean deliverAtMostOnce;
        private Duration retention = Duration.ofDays(7);
        private Optional<Duration> historyRetention = Optional.empty();
        private Duration unresetWindow = Duration.ofDays(1);
        private int agentCacheSize = 128;
        private Duration agentIdle = Duration.ofHours(1);
        private Duration watcherDelay = Duration.ofMinutes(1);
        private Duration watcherInterval = Duration.ofMinutes(5);
        private Duration laneMaxAge = Duration.ZERO;
        private boolean redactIds;
        private List<HomeChannel> homeChannels = List.of();
        private Set<Platform> mutedRestartNotices = Set.of();
        private boolean confirmDestructive;
        private List<String> resetTriggers = List.of("/new", "/reset");
        private String home = "~/.parley";
        private Duration holdCheck = Duration.ZERO;

        private Builder() {}

        /** Sets {@link GatewaySettings#resetPolicies}. */
        public Builder resetPolicies(ResetPolicies value) {
            this.resetPolicies = value;
            return this;
        }

        /** Sets {@link GatewaySettings#freshness}. */
        public Builder freshness(Duration value) {
            this.freshness = value;
            return this;
        }

        /** Sets {@link GatewaySettings#turnTimeout}. */
        public Builder turnTimeout(Duration value) {
            this.turnTimeout = value;
            return this;
        }

        /** Sets {@link GatewaySettings#turnTimeoutWarning}. */
        public Builder turnTimeoutWarning(Duration value) {
            this.turnTimeoutWarning = value;
            return this;
        }

        /** Sets {@link GatewaySettings#progressInterval}. */
        public Builder progressInterval(Duration value) {
            this.progressInterval = value;
            return this;
        }

        /** Sets {@link GatewaySettings#drainTimeout}. */
        public Builder drainTimeout(Duration value) {
            this.drainTimeout = value;
            return this;
        }

        /** Sets {@link GatewaySettings#interruptGrace}. */
        public Builder interruptGrace(Duration value) {
            this.interruptGrace = value;
            return this;
        }

        /** Sets {@link GatewaySettings#busyMode}. */
        public Builder busyMode(BusyMode value) {
            this.busyMode = value;
            return this;
        }

        /** Sets {@link GatewaySettings#busyTextMode}. */
        public Builder busyTextMode(Optional<BusyMode> value) {
            this.busyTextMode = value;
            return this;
        }

        /** Sets {@link GatewaySettings#acknowledgeBusy}. */
        public Builder acknowledgeBusy(boolean value) {
            this.acknowledgeBusy = value;
            return this;
        }

        /** Sets {@link GatewaySettings#textDebounce}. */
        public Builder textDebounce(Duration value) {
            this.textDebounce = value;
            return this;
        }

        /** Sets {@link GatewaySettings#textDebounceLimit}. */
        public Builder textDebounceLimit(Duration value) {
            this.textDebounceLimit = value;
            return this;
        }

        /** Sets {@link GatewaySettings#oneThought}. */
        public Builder oneThought(Duration value) {
            this.oneThought = value;
            return this;
        }

        /** Sets {@link GatewaySettings#maxPending}. */
        public Builder maxPending(int value) {
            this.maxPending = value;
            return this;
        }

        /** Sets {@link GatewaySettings#maxConcurrentSessions}. */
        public Builder maxConcurrentSessions(Optional<Integer> value) {
            this.maxConcurrentSessions = value;
            return this;
        }

        /** Sets {@link GatewaySettings#stuckLoopThreshold}. */
        public Builder stuckLoopThreshold(int value) {
            this.stuckLoopThreshold = value;
            return this;
        }

        /** Sets {@link GatewaySettings#bootLoopMax}. */
        public Builder bootLoopMax(int value) {
            this.bootLoopMax = value;
            return this;
        }

        /** Sets {@link GatewaySettings#bootLoopWithin}. */
        public Builder bootLoopWithin(Duration value) {
            this.bootLoopWithin = value;
            return this;
        }

        /** Sets {@link GatewaySettings#deliveryLimit}. */
        public Builder deliveryLimit(Duration value) {
            this.deliveryLimit = value;
            return this;
        }

        /** Sets {@link GatewaySettings#deliverAtMostOnce}. */
        public Builder deliverAtMostOnce(boolean value) {
            this.deliverAtMostOnce = value;
            return this;
        }

        /** Sets {@link GatewaySettings#retention}. */
        public Builder retention(Duration value) {
            this.retention = value;
            return this;
        }

        /** Sets {@link GatewaySettings#historyRetention}. */
        public Builder historyRetention(Optional<Duration> value) {
            this.historyRetention = value;
            return this;
        }

        /** Sets {@link GatewaySettings#unresetWindow}. */
        public Builder unresetWindow(Duration value) {
            this.unresetWindow = value;
            return this;
        }

        /** Sets {@link GatewaySettings#agentCacheSize}. */
        public Builder agentCacheSize(int value) {
            this.agentCacheSize = value;
            return this;
        }

        /** Sets {@link GatewaySettings#agentIdle}. */
        public Builder agentIdle(Duration value) {
            this.agentIdle = value;
            return this;
        }

        /** Sets {@link GatewaySettings#watcherDelay}. */
        public Builder watcherDelay(Duration value) {
            this.watcherDelay = value;
            return this;
        }

        /** Sets {@link GatewaySettings#watcherInterval}. */
        public Builder watcherInterval(Duration value) {
            this.watcherInterval = value;
            return this;
        }

        /** Sets {@link GatewaySettings#laneMaxAge}. */
        public Builder laneMaxAge(Duration value) {
            this.laneMaxAge = value;
            return this;
        }

        /** Sets {@link GatewaySettings#redactIds}. */
        public Builder redactIds(boolean value) {
            this.redactIds = value;
            return this;
        }

        /** Sets {@link GatewaySettings#homeChannels}. */
        public Builder homeChannels(List<HomeChannel> value) {
            this.homeChannels = value;
            return this;
        }

        /** Sets {@link GatewaySettings#mutedRestartNotices}. */
        public Builder mutedRestartNotices(Set<Platform> value) {
            this.mutedRestartNotices = value;
            return this;
        }

        /** Sets {@link GatewaySettings#confirmDestructive}. */
        public Builder confirmDestructive(boolean value) {
            this.confirmDestructive = value;
            return this;
        }

        /** Sets {@link GatewaySettings#resetTriggers}. */
        public Builder resetTriggers(List<String> value) {
            this.resetTriggers = value;
            return this;
        }

        /** Sets {@link GatewaySettings#home}. */
        public Builder home(String value) {
            this.home = value;
            return this;
        }

        /** Sets {@link GatewaySettings#holdCheck}. */
        public Builder holdCheck(Duration value) {
            this.holdCheck = value;
            return this;
        }

        /** Returns the settings. */
        public GatewaySettings build() {
            return new GatewaySettings(
                    resetPolicies,
                    freshness,
                    turnTimeout,
                    turnTimeoutWarning,
                    progressInterval,
                    drainTimeout,
                    interruptGrace,
                    busyMode,
                    busyTextMode,
                    acknowledgeBusy,
                    textDebounce,
                    textDebounceLimit,
                    oneThought,
                    maxPending,
                    maxConcurrentSessions,
                    stuckLoopThreshold,
                    bootLoopMax,
                    bootLoopWithin,
                    deliveryLimit,
                    deliverAtMostOnce,
                    retention,
                    historyRetention,
                    unresetWindow,
                    agentCacheSize,
                    agentIdle,
                    watcherDelay,
                    watcherInterval,
                    laneMaxAge,
                    redactIds,
                    homeChannels,
                    mutedRestartNotices,
                    confirmDestructive,
                    resetTriggers,
                    home,
                    holdCheck);
        }
    }
}
