package dev.parley.adapter.metrics;

import dev.parley.application.port.GatewayEvent;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.turn.TurnUsage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The counters, timers and summaries of a gateway, each made at its first use. Words from outside are shown as far as {@link BoundedWord}
 * lets them. Safe for concurrent use.
 */
final class Series {
    /** 10 ms to 22 minutes, each twice the one before, as the conventions ask for; turns may run for half an hour. */
    private static final Duration[] LONG =
            IntStream.range(0, 18).mapToObj(i -> Duration.ofMillis(10L << i)).toArray(Duration[]::new);
    /** 0.25 ms to 4 s. */
    private static final Duration[] SHORT = IntStream.range(0, 15)
            .mapToObj(i -> Duration.ofNanos(250_000L << i))
            .toArray(Duration[]::new);
    /** 1 to 67 million, each four times the one before. */
    private static final double[] COUNTS =
            DoubleStream.iterate(1, n -> n * 4).limit(14).toArray();

    private static final double[] FEW = {1, 2, 4, 8, 16, 32, 64, 128};

    private final MeterRegistry registry;
    private final BoundedWord models = new BoundedWord();
    private final BoundedWord providers = new BoundedWord();
    private final BoundedWord reasons = new BoundedWord();
    private final BoundedWord platforms;
    private final BoundedWord tools = new BoundedWord();
    private final BoundedWord actions = new BoundedWord();
    private final Kept<Counter> inbound;
    private final Kept<Counter> dropped;
    private final Kept<Timer> waited;
    private final Kept<Counter> turns;
    private final Kept<Timer> agent;
    private final Kept<Timer> firstChunk;
    private final Kept<DistributionSummary> inferences;
    private final Kept<DistributionSummary> calls;
    private final Kept<DistributionSummary> tokens;
    private final Kept<Counter> cost;
    private final Kept<Counter> transitions;
    private final Kept<Counter> compressions;
    private final Kept<Counter> attempts;
    private final Kept<Timer> delivery;
    private final Kept<Timer> age;
    private final Kept<Counter> expired;
    private final Kept<Timer> commit;
    private final Kept<DistributionSummary> changes;
    private final Kept<Counter> healedBatches;
    private final Kept<Counter> healedMessages;
    private final Kept<Counter> troubles;
    private final Kept<Counter> evicted;
    private final Kept<Counter> operations;
    private final Kept<Counter> loginFailures;
    private final Kept<Timer> toolDuration;
    private final Kept<Counter> deliveryFailures;
    private final Kept<Counter> exporterFailures;

    /** Makes no series yet; {@code platforms} are the names of platforms that are shown. */
    Series(MeterRegistry registry, BoundedWord platforms) {
        this.registry = registry;
        this.platforms = platforms;
        inbound = counters(Names.INBOUND, "Messages that were taken.", Names.PLATFORM, "kind");
        dropped = counters(
                Names.DROPPED, "Messages that were not taken, or were taken out of the queue.", Names.PLATFORM);
        waited = timers(Names.WAIT, "How long the first message of a turn waited for it.", LONG, Names.PLATFORM);
        turns = counters(Names.TURNS, "Turns that ended.", Names.PLATFORM, "state", "reason");
        agent = timers(
                Names.AGENT, "How long turns took.", LONG, Names.MODEL, Names.PROVIDER, Names.ERROR, "parley.platform");
        firstChunk = timers(
                Names.FIRST_CHUNK, "How long the first piece of an answer took.", LONG, Names.MODEL, Names.PROVIDER);
        inferences = summaries(Names.INFERENCES, "Calls of a model by a turn.", FEW);
        calls = summaries(Names.TOOLS, "Calls of tools by a turn.", FEW);
        tokens = summaries(
                Names.TOKENS, "Tokens used by a turn.", COUNTS, Names.MODEL, Names.PROVIDER, Names.TOKEN_TYPE);
        cost = counters(Names.COST, "What turns cost, as far as it is known.", Names.MODEL, Names.PROVIDER);
        transitions = counters(Names.TRANSITIONS, "Changes of lanes.", "kind", "reason");
        compressions = counters(Names.COMPRESSIONS, "Conversations replaced by a summary.");
        attempts = counters(
                Names.ATTEMPTS,
                "Attempts to deliver messages whose delivery is over.",
                Names.PLATFORM,
                "kind",
                "again");
        delivery = timers(
                Names.DELIVERY, "How long the platform took for a message that it took.", LONG, Names.PLATFORM, "kind");
        age = timers(Names.AGE, "How old messages were when they were delivered.", LONG, Names.PLATFORM);
        expired = counters(Names.EXPIRED, "Messages to chats that were given up.", Names.PLATFORM);
        commit = timers(Names.COMMIT, "How long the storage took for a batch.", SHORT, "result");
        changes = summaries(Names.CHANGES, "Changes of a batch.", FEW);
        healedBatches = counters(Names.HEALED_BATCHES, "Batches merged back after a failure of the storage.");
        healedMessages = counters(Names.HEALED_MESSAGES, "Messages among them.");
        troubles = counters(Names.TROUBLES, "What went wrong and no chat was told of.", "about");
        evicted = counters(Names.EVICTED, "Agents that are no longer kept.", "reason");
        operations = counters(Names.OPERATIONS, "What operators did through a surface.", "action", "outcome");
        loginFailures = counters(Names.LOGIN_FAILURES, "Attempts to log in that were refused.");
        toolDuration = timers(Names.TOOL_DURATION, "How long tools took.", LONG, Names.TOOL);
        deliveryFailures = counters(
                Names.DELIVERY_FAILURES, "Attempts to deliver a message that failed.", Names.PLATFORM, Names.ERROR);
        exporterFailures =
                counters(Names.EXPORTER_FAILURES, "What an observer could not pass on, such as spans.", "exporter");
    }

    Counter inbound(String platform, Inbound.Kind kind) {
        return inbound.of(platforms.shown(platform), kind.name().toLowerCase(Locale.ROOT));
    }

    Counter dropped(String platform) {
        return dropped.of(platforms.shown(platform));
    }

    Timer waited(String platform) {
        return waited.of(platforms.shown(platform));
    }

    Counter turns(String platform, Turn.State state, Optional<TurnReason> reason) {
        return turns.of(platforms.shown(platform), state.text(), text(reason));
    }

    Timer agent(TurnUsage usage, String platform, Optional<TurnReason> reason) {
        return agent.of(model(usage), provider(usage), text(reason), platforms.shown(platform));
    }

    Timer firstChunk(TurnUsage usage) {
        return firstChunk.of(model(usage), provider(usage));
    }

    DistributionSummary inferences() {
        return inferences.of();
    }

    DistributionSummary calls() {
        return calls.of();
    }

    DistributionSummary tokens(TurnUsage usage, String type) {
        return tokens.of(model(usage), provider(usage), type);
    }

    Counter cost(TurnUsage usage) {
        return cost.of(model(usage), provider(usage));
    }

    Counter transitions(LaneEvent.Kind kind, String reason) {
        return transitions.of(kind.text(), reasons.shown(reason));
    }

    Counter compressions() {
        return compressions.of();
    }

    Counter attempts(String platform, Outgoing.Kind kind, boolean again) {
        return attempts.of(platforms.shown(platform), kind.text(), Boolean.toString(again));
    }

    Timer delivery(String platform, Outgoing.Kind kind) {
        return delivery.of(platforms.shown(platform), kind.text());
    }

    Timer age(String platform) {
        return age.of(platforms.shown(platform));
    }

    Counter expired(String platform) {
        return expired.of(platforms.shown(platform));
    }

    Timer commit(GatewayEvent.Committed.Outcome outcome) {
        return commit.of(outcome.text());
    }

    DistributionSummary changes() {
        return changes.of();
    }

    Counter healedBatches() {
        return healedBatches.of();
    }

    Counter healedMessages() {
        return healedMessages.of();
    }

    Counter troubles(String about) {
        return troubles.of(about);
    }

    Counter evicted(String reason) {
        return evicted.of(reasons.shown(reason));
    }

    Counter operations(String action, String outcome) {
        return operations.of(actions.shown(action), actions.shown(outcome));
    }

    Counter loginFailures() {
        return loginFailures.of();
    }

    Timer toolDuration(String tool) {
        return toolDuration.of(tools.shown(tool));
    }

    Counter deliveryFailures(String platform, String why) {
        return deliveryFailures.of(platforms.shown(platform), reasons.shown(why));
    }

    Counter exporterFailures(String exporter) {
        return exporterFailures.of(actions.shown(exporter));
    }

    private String model(TurnUsage usage) {
        return models.shown(usage.model().orElse(""));
    }

    private String provider(TurnUsage usage) {
        return providers.shown(usage.provider().orElse(""));
    }

    private static String text(Optional<TurnReason> reason) {
        return reason.map(TurnReason::text).orElse(BoundedWord.NONE);
    }

    // ------------------------------------------------------------------ making them

    private Kept<Counter> counters(String name, String help, String... labels) {
        return new Kept<>(
                List.of(labels),
                (Tags tags) ->
                        Counter.builder(name).description(help).tags(tags).register(registry));
    }

    private Kept<Timer> timers(String name, String help, Duration[] buckets, String... labels) {
        return new Kept<>(
                List.of(labels),
                (Tags tags) -> Timer.builder(name)
                        .description(help)
                        .serviceLevelObjectives(buckets)
                        .tags(tags)
                        .register(registry));
    }

    private Kept<DistributionSummary> summaries(String name, String help, double[] buckets, String... labels) {
        return new Kept<>(
                List.of(labels),
                (Tags tags) -> DistributionSummary.builder(name)
                        .description(help)
                        .serviceLevelObjectives(buckets)
                        .tags(tags)
                        .register(registry));
    }
}
