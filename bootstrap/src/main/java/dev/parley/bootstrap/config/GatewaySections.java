package dev.parley.bootstrap.config;

import dev.parley.application.settings.Agents;
import dev.parley.application.settings.Busy;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.settings.Chat;
import dev.parley.application.settings.Delivery;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.settings.Operation;
import dev.parley.application.settings.Recovery;
import dev.parley.application.settings.Retention;
import dev.parley.application.settings.Showing;
import dev.parley.application.settings.Turns;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.source.Platform;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads how the gateway behaves: turns, busy lanes, recovery, delivery, retention, and what is shown. */
final class GatewaySections {
    private static final String AT_LEAST_ONCE = "at_least_once";
    private static final String AT_MOST_ONCE = "at_most_once";
    private static final Duration LONGEST = Duration.ofDays(3660);

    private final ConfigReader read;
    private final Map<String, PlatformConfiguration> sections;

    /**
     * Reads nothing yet.
     *
     * @param sections the sections of platforms
     */
    GatewaySections(ConfigReader read, Map<String, PlatformConfiguration> sections) {
        this.read = read;
        this.sections = sections;
    }

    /** Returns all settings of the gateway. */
    GatewaySettings settings(ResetPolicies resets) {
        return new GatewaySettings(
                resets,
                turns(),
                busy(),
                recovery(),
                operatorsChats(delivery()),
                retention(),
                agents(),
                chat(),
                Operation.DEFAULT,
                showing());
    }

    private Turns turns() {
        return Turns.DEFAULT
                .withTimeout(atLeastZero(seconds("agent.gateway_timeout", Turns.DEFAULT.timeout())))
                .withStart(atLeastZero(seconds("agent.gateway_start_timeout", Turns.DEFAULT.start())))
                .withWarning(atLeastZero(seconds("agent.gateway_timeout_warning", Turns.DEFAULT.warning())))
                .withProgress(atLeastZero(seconds("agent.gateway_notify_interval", Turns.DEFAULT.progress())))
                .withDrain(atLeastZero(seconds("agent.restart_drain_timeout", Turns.DEFAULT.drain())))
                .withAnswerSize((int)
                        read.wholeWithin("agent.max_answer_size", Turns.DEFAULT.answerSize(), 1_000, 100_000_000));
    }

    private Busy busy() {
        String mode =
                read.word("display.busy_input_mode", word(Busy.DEFAULT.mode()), Set.of("interrupt", "queue", "steer"));
        String textMode = read.word(
                "display.busy_text_mode",
                Busy.DEFAULT.textMode().map(GatewaySections::word).orElse(""),
                Set.of("interrupt", "queue"));
        String detail =
                read.word("display.busy_ack_detail", word(Busy.DEFAULT.detail()), Set.of("auto", "always", "never"));
        return Busy.DEFAULT
                .withMode(mode(mode))
                .withTextMode(Optional.of(textMode).filter(m -> !m.isEmpty()).map(GatewaySections::mode))
                .withAcknowledge(read.bool("display.busy_ack_enabled", Busy.DEFAULT.acknowledge()))
                .withDetail(Busy.Detail.valueOf(detail.toUpperCase(Locale.ROOT)))
                .withFollowUpWindow(
                        atLeastZero(seconds("gateway.telegram_follow_up_seconds", Busy.DEFAULT.followUpWindow())))
                .withMaxPending((int) read.wholeWithin("gateway.max_pending", Busy.DEFAULT.maxPending(), 1, 10_000))
                .withMaxLanes(limitOfLanes());
    }

    private Recovery recovery() {
        return new Recovery(
                atLeastZero(seconds("agent.gateway_auto_continue_freshness", Recovery.DEFAULT.freshness())),
                (int) read.wholeWithin("gateway.stuck_loop_threshold", Recovery.DEFAULT.stuckLoopThreshold(), 1, 1000),
                atLeastZero((int) read.wholeAsWritten(
                        "gateway.restart_loop_guard.max", Recovery.DEFAULT.bootLoopMax(), -1_000_000, 1_000_000)),
                Duration.ofSeconds(read.wholeAsWritten(
                        "gateway.restart_loop_guard.window_seconds",
                        Recovery.DEFAULT.bootLoopWithin().toSeconds(),
                        1,
                        86_400)));
    }

    private Delivery delivery() {
        return Delivery.DEFAULT
                .withLimit(Duration.ofHours(read.wholeWithin(
                        "gateway.delivery_limit_hours", Delivery.DEFAULT.limit().toHours(), 1, 24 * 366)))
                .withAtMostOnce(read.word(
                                "gateway.delivery",
                                Delivery.DEFAULT.atMostOnce() ? AT_MOST_ONCE : AT_LEAST_ONCE,
                                Set.of(AT_LEAST_ONCE, AT_MOST_ONCE))
                        .equals(AT_MOST_ONCE));
    }

    private Retention retention() {
        return Retention.DEFAULT
                .withRows(Duration.ofDays(read.wholeWithin(
                        "gateway.retention_days", Retention.DEFAULT.rows().toDays(), 7, 36_500)))
                .withHistory(Optional.of(Duration.ofDays(read.wholeWithin(
                        "gateway.history_days",
                        Retention.DEFAULT.history().orElseThrow().toDays(),
                        1,
                        36_500))))
                .withLanes(Duration.ofDays(Math.min(
                        read.notNegative(
                                "session_store_max_age_days",
                                Retention.DEFAULT.lanes().toDays()),
                        36_500)))
                .withInterval(Duration.ofSeconds(read.wholeWithin(
                        "gateway.watcher_interval_seconds",
                        Retention.DEFAULT.interval().toSeconds(),
                        1,
                        86_400)));
    }

    private Agents agents() {
        return new Agents(
                (int) read.wholeWithin("gateway.agent_cache.size", Agents.DEFAULT.kept(), 1, 100_000),
                Duration.ofSeconds(read.wholeWithin(
                        "gateway.agent_cache.idle_seconds",
                        Agents.DEFAULT.idle().toSeconds(),
                        1,
                        31_536_000)));
    }

    private Chat chat() {
        return Chat.DEFAULT
                .withRedactIds(read.bool("privacy.redact_pii", Chat.DEFAULT.redactIds()))
                .withConfirmDestructive(
                        read.bool("approvals.destructive_slash_confirm", Chat.DEFAULT.confirmDestructive()))
                .withResetTriggers(read.texts("reset_triggers", Chat.DEFAULT.resetTriggers()))
                .withUnresetWindow(Duration.ofMinutes(read.wholeWithin(
                        "gateway.unreset_window_minutes",
                        Chat.DEFAULT.unresetWindow().toMinutes(),
                        0,
                        ConfigReader.MINUTES_MOST)));
    }

    /** What is shown of running turns, for each platform that has a section. */
    private Map<Platform, Showing> showing() {
        Map<Platform, Showing> showing = new LinkedHashMap<>();
        sections.forEach((name, section) -> {
            String path = "platforms." + name;
            String previews =
                    read.word(path + ".preview", word(Showing.DEFAULT.previews()), Set.of("direct", "always", "never"));
            showing.put(
                    section.platform(),
                    new Showing(
                            read.bool(path + ".typing", Showing.DEFAULT.typing()),
                            Showing.Previews.valueOf(previews.toUpperCase(Locale.ROOT)),
                            read.bool(path + ".reactions", Showing.DEFAULT.reactions())));
        });
        return showing;
    }

    private Delivery operatorsChats(Delivery delivery) {
        return delivery.withHomeChannels(sections.values().stream()
                        .flatMap(p -> p.homeChannel().stream())
                        .sorted(Comparator.comparing(h -> h.platform().name()))
                        .toList())
                .withMuted(sections.values().stream()
                        .filter(p -> !p.restartNotification())
                        .map(PlatformConfiguration::platform)
                        .collect(Collectors.toSet()));
    }

    private static BusyMode mode(String word) {
        return BusyMode.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** The limit stands at the top level, where it goes first, or in the section of the gateway. */
    private Optional<Integer> limitOfLanes() {
        Optional<Integer> nested = read.positiveOrOff("gateway.max_concurrent_sessions");
        Optional<Integer> top = read.positiveOrOff("max_concurrent_sessions");
        return read.isGiven("max_concurrent_sessions") ? top : nested;
    }

    private Duration seconds(String path, Duration byDefault) {
        double value = read.number(path, byDefault.toMillis() / 1000.0);
        double most = (double) LONGEST.toSeconds();
        return Duration.ofMillis(Math.round(Math.max(-1, Math.min(most, value)) * 1000));
    }

    private static int atLeastZero(int number) {
        return Math.max(0, number);
    }

    private static Duration atLeastZero(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
