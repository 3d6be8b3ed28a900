package dev.parley.bootstrap.wiring;

import dev.parley.application.settings.BusyMode;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.PlatformConfiguration;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Turns the configuration into what the gateway is told. */
public final class SettingsMapping {
    private static final Duration HOLD_CHECK = Duration.ofSeconds(1);

    private SettingsMapping() {}

    /** Returns the gateway's settings; {@code home} is the home directory as it is shown. */
    public static GatewaySettings settings(Configuration c, String home) {
        return builder(c, home).build();
    }

    /** Returns the same for a gateway that an operator may hold back by a file in its home (P7.49). */
    public static GatewaySettings watched(Configuration c, String home) {
        return builder(c, home).holdCheck(HOLD_CHECK).build();
    }

    private static GatewaySettings.Builder builder(Configuration c, String home) {
        return GatewaySettings.builder()
                .resetPolicies(c.resets())
                .freshness(positive(c.turns().freshness()))
                .turnTimeout(c.turns().inactivity())
                .turnTimeoutWarning(c.turns().inactivityWarning())
                .progressInterval(c.turns().notifyInterval())
                .drainTimeout(c.turns().drain())
                .busyMode(mode(c.display().busyInputMode()))
                .busyTextMode(c.display().busyTextMode().map(SettingsMapping::mode))
                .acknowledgeBusy(c.display().busyAcks())
                .oneThought(c.turns().oneThought())
                .maxPending(c.limits().maxPending())
                .maxConcurrentSessions(c.limits().maxConcurrentSessions())
                .stuckLoopThreshold(c.turns().stuckLoopThreshold())
                .bootLoopMax(Math.max(0, c.turns().restartLoopMax()))
                .bootLoopWithin(c.turns().restartLoopWindow())
                .deliveryLimit(c.limits().deliveryLimit())
                .deliverAtMostOnce(c.limits().deliverAtMostOnce())
                .retention(c.limits().retention())
                .historyRetention(Optional.of(c.limits().historyRetention()))
                .unresetWindow(c.limits().unresetWindow())
                .agentCacheSize(c.limits().agentCacheSize())
                .agentIdle(c.limits().agentCacheIdle())
                .watcherInterval(c.limits().watcherInterval())
                .laneMaxAge(Duration.ofDays(c.sessionStoreMaxAgeDays()))
                .redactIds(c.redactPersonalData())
                .homeChannels(c.platforms().values().stream()
                        .flatMap(p -> p.homeChannel().stream())
                        .sorted(java.util.Comparator.comparing(h -> h.platform().name()))
                        .toList())
                .mutedRestartNotices(c.platforms().values().stream()
                        .filter(p -> !p.restartNotification())
                        .map(PlatformConfiguration::platform)
                        .collect(Collectors.toSet()))
                .confirmDestructive(c.confirmDestructive())
                .resetTriggers(c.resetTriggers())
                .home(home);
    }

    private static BusyMode mode(String word) {
        return BusyMode.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static Duration positive(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
