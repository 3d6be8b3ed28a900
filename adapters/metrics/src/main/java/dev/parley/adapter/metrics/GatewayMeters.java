package dev.parley.adapter.metrics;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.KeyParts;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.turn.TurnUsage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Counts what the gateway does. All series that have no label of their own to wait for are there from the start, at zero, so that an
 * idle gateway does not look broken. Safe for concurrent use; an event costs a few additions.
 */
final class GatewayMeters implements GatewayEvents {
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
    /** The platform over which metrics are asked for is always there. */
    private static final String OWN = "webhook";

    private final MeterRegistry registry;
    private final InstantSource clock;
    private final Readings readings;
    private final BoundedWord models = new BoundedWord();
    private final BoundedWord providers = new BoundedWord();
    private final BoundedWord reasons = new BoundedWord();
    private final BoundedWord platforms = new BoundedWord();
    private final BoundedWord tools = new BoundedWord();
    private final BoundedWord actions = new BoundedWord();
    private final Set<String> gauged = ConcurrentHashMap.newKeySet();
    private volatile Readings.Reading reading;
    private volatile GatewayEvent.Started started = new GatewayEvent.Started(Duration.ZERO, 0, 0);
    private volatile Optional<Instant> degradedSince = Optional.empty();
    private volatile Duration degradedBefore = Duration.ZERO;

    GatewayMeters(MeterRegistry registry, ProviderSettings settings) {
        this.registry = registry;
        this.clock = settings.clock();
        Counter errors = counter(Names.SCRAPE_ERRORS, "What could not be read for a scrape.", Tags.empty());
        this.readings = new Readings(settings.inspection(), settings.home(), clock, errors::increment);
        this.reading = new Readings.Reading(
                Map.of("status", "starting"), 0, 0, 0, 0, Map.of(), Map.of(), 0, Map.of(), Map.of());
        gauges();
        zeros();
    }

    /** Reads what the gauges show. */
    void refresh() {
        reading = readings.now();
        reading.connected().keySet().forEach(this::gaugesOf);
        reading.pending().keySet().forEach(this::gaugesOf);
    }

    private void gauges() {
        gauge(Names.UP, "1 while messages are taken.", () -> switch (reading.health()
                .getOrDefault("status", "ok")) {
            case "ok", "degraded" -> 1;
            default -> 0;
        });
        gauge(Names.LANES, "Lanes there are; counted once a minute.", () -> reading.lanes());
        gauge(Names.RUNNING, "Lanes on which a turn runs.", () -> reading.number("running"));
        gauge(Names.QUEUED, "Messages that wait for a turn.", () -> reading.queued());
        gauge(Names.QUEUED_LANES, "Lanes on which messages wait.", () -> reading.queuedLanes());
        Gauge.builder(Names.OLDEST, this, meters -> meters.reading.oldest())
                .description("How long the oldest message has waited for a turn.")
                .baseUnit("seconds")
                .register(registry);
        gauge(Names.DEGRADED, "1 while the gateway goes on with its fallback.", () -> reading.isDegraded() ? 1 : 0);
        gauge(
                Names.SPILLED,
                "Batches that wait in the fallback to be merged back.",
                () -> reading.number("spilled_batches"));
        FunctionCounter.builder(Names.DEGRADED_TIME, this, GatewayMeters::degradedSeconds)
                .description("How long the storage was degraded in all.")
                .register(registry);
        Gauge.builder(Names.DISK, this, meters -> meters.reading.free())
                .description("Free space where the home is.")
                .baseUnit("bytes")
                .register(registry);
        for (String part : new TreeSet<>(Readings.PARTS.values())) {
            Gauge.builder(Names.BYTES, this, meters -> meters.reading.bytes().getOrDefault(part, 0L))
                    .description("How large the storage is; looked at once a minute.")
                    .baseUnit("bytes")
                    .tags(Names.PART, part)
                    .register(registry);
        }
        gauge(Names.CACHED, "Agents that are kept.", () -> reading.number("agents"));
        Gauge.builder(Names.START, this, meters -> meters.started.took().toMillis() / 1000.0)
                .description("How long the last start took.")
                .baseUnit("seconds")
                .register(registry);
        gauge(Names.CUT_OFF, "Turns that the process before left cut off.", () -> started.cutOff());
        gauge(Names.RESUMED, "Lanes that the last start resumed.", () -> started.resumed());
        String version = Optional.ofNullable(GatewayMeters.class.getModule().getDescriptor())
                .flatMap(module -> module.rawVersion())
                .orElse("unknown");
        Gauge.builder(Names.BUILD, () -> 1)
                .description("The version that runs.")
                .tags("version", version, "java", Runtime.version().toString())
                .register(registry);
        gaugesOf(OWN);
    }

    private void gaugesOf(String platform) {
        String shown = platforms.shown(platform);
        if (!gauged.add(shown)) {
            return;
        }
        Tags tags = Tags.of(Names.PLATFORM, shown);
        Gauge.builder(
                        Names.CONNECTED,
                        this,
                        meters -> meters.reading.connected().getOrDefault(shown, false) ? 1 : 0)
                .description("1 while the platform is connected.")
                .tags(tags)
                .register(registry);
        Gauge.builder(Names.PENDING, this, meters -> meters.reading.pending().getOrDefault(shown, 0L))
                .description("Messages to chats that are not delivered yet.")
                .tags(tags)
                .register(registry);
        Gauge.builder(
                        Names.PENDING_OLDEST,
                        this,
                        meters -> meters.reading.pendingOldest().getOrDefault(shown, 0.0))
                .description("How long the oldest of them has waited.")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry);
    }

    private void zeros() {
        for (Inbound.Kind kind : Inbound.Kind.values()) {
            inbound(OWN, kind);
        }
        dropped(OWN);
        waited(OWN);
        for (Turn.State state : Turn.State.values()) {
            if (state != Turn.State.CLAIMED) {
                turns(OWN, state, Optional.empty());
            }
        }
        agent(TurnUsage.NONE, OWN, Optional.empty());
        firstChunk(TurnUsage.NONE);
        inferences();
        tools();
        for (String type : new String[] {"input", "output", "cache_read", "cache_write", "reasoning"}) {
            tokens(TurnUsage.NONE, type);
        }
        cost(TurnUsage.NONE);
        for (LaneEvent.Kind kind : LaneEvent.Kind.values()) {
            transitions(kind, BoundedWord.NONE);
        }
        compressions();
        for (Outgoing.Kind kind : Outgoing.Kind.values()) {
            attempts(OWN, kind, false);
            attempts(OWN, kind, true);
            delivery(OWN, kind);
        }
        age(OWN);
        expired(OWN);
        for (GatewayEvent.Committed.Outcome outcome : GatewayEvent.Committed.Outcome.values()) {
            commit(outcome);
        }
        changes();
        healed(Names.HEALED_BATCHES, "Batches merged back after a failure of the storage.");
        healed(Names.HEALED_MESSAGES, "Messages among them.");
        troubles("lane");
        troubles("gateway");
        evicted(BoundedWord.NONE);
        operations("login", "done");
        loginFailures();
        toolDuration(BoundedWord.NONE);
        deliveryFailures(OWN, BoundedWord.NONE);
        exporterFailures("otlp");
    }

    @Override
    public void on(GatewayEvent event) {
        if (event instanceof GatewayEvent.Committed committed) {
            commit(committed.outcome()).record(atLeastNothing(committed.took()));
            changes().record(committed.changes());
        } else if (event instanceof GatewayEvent.Admitted admitted) {
            inbound(
                            admitted.inbound().source().platform().name(),
                            admitted.inbound().kind())
                    .increment();
        } else if (event instanceof GatewayEvent.TurnClaimed claimed) {
            waited(platform(claimed.turn().lane())).record(atLeastNothing(claimed.waited()));
        } else if (event instanceof GatewayEvent.TurnEnded ended) {
            ended(ended.turn());
        } else if (event instanceof GatewayEvent.Sent sent) {
            sent(sent.outgoing());
        } else if (event instanceof GatewayEvent.Transition transition) {
            transitions(transition.event().kind(), transition.event().reason()).increment();
        } else {
            onRarer(event);
        }
    }

    private void onRarer(GatewayEvent event) {
        if (event instanceof GatewayEvent.Expired gone) {
            expired(gone.outgoing().platform().name()).increment();
            attempted(gone.outgoing());
        } else if (event instanceof GatewayEvent.ToolAnswered tool) {
            tool.calledAt()
                    .map(called -> Duration.between(called, tool.answeredAt()))
                    .filter(took -> !took.isNegative())
                    .ifPresent(took -> toolDuration(tool.tool()).record(took));
        } else if (event instanceof GatewayEvent.SendFailed failed) {
            deliveryFailures(failed.outgoing().platform().name(), failed.why()).increment();
        } else if (event instanceof GatewayEvent.NotExported gone) {
            exporterFailures(gone.observer()).increment((double) gone.lost());
        } else if (event instanceof GatewayEvent.Dropped drop) {
            dropped(platform(drop.lane())).increment();
        } else if (event instanceof GatewayEvent.Compressed) {
            compressions().increment();
        } else if (event instanceof GatewayEvent.AgentLeft left) {
            evicted(left.why()).increment();
        } else if (event instanceof GatewayEvent.Degraded) {
            degradedSince = degradedSince.or(() -> Optional.of(clock.instant()));
        } else if (event instanceof GatewayEvent.Healed whole) {
            degradedSince.ifPresent(since ->
                    degradedBefore = degradedBefore.plus(atLeastNothing(Duration.between(since, clock.instant()))));
            degradedSince = Optional.empty();
            healed(Names.HEALED_BATCHES, "").increment(whole.batches());
            healed(Names.HEALED_MESSAGES, "").increment(whole.messages());
        } else if (event instanceof GatewayEvent.Started begun) {
            started = begun;
        } else if (event instanceof GatewayEvent.Trouble trouble) {
            troubles(trouble.lane().isPresent() ? "lane" : "gateway").increment();
        } else if (event instanceof GatewayEvent.OperatorActed act) {
            operations(act.action(), act.outcome()).increment();
            if (act.action().equals("login") && !act.outcome().equals("done")) {
                loginFailures().increment();
            }
        }
    }

    private void ended(Turn turn) {
        String platform = platform(turn.lane());
        TurnUsage usage = turn.usage();
        turns(platform, turn.state(), turn.reason()).increment();
        turn.took()
                .filter(took -> !took.isNegative())
                .ifPresent(took -> agent(usage, platform, turn.reason()).record(took));
        usage.firstWordAt()
                .map(first -> Duration.between(turn.workingSince().orElse(turn.startedAt()), first))
                .filter(took -> !took.isNegative())
                .ifPresent(took -> firstChunk(usage).record(took));
        inferences().record((double) usage.apiCalls());
        tools().record((double) usage.toolCalls());
        record(usage, "input", usage.tokens().input());
        record(usage, "output", usage.tokens().output());
        record(usage, "cache_read", usage.tokens().cacheRead());
        record(usage, "cache_write", usage.tokens().cacheWrite());
        record(usage, "reasoning", usage.tokens().reasoning());
        usage.costUsd().filter(usd -> usd > 0).ifPresent(usd -> cost(usage).increment(usd));
    }

    private void record(TurnUsage usage, String type, long tokens) {
        if (tokens > 0) {
            tokens(usage, type).record((double) tokens);
        }
    }

    private void sent(Outgoing message) {
        Instant now = clock.instant();
        attempted(message);
        age(message.platform().name()).record(atLeastNothing(Duration.between(message.createdAt(), now)));
        message.delivery()
                .attemptedAt()
                .map(at -> atLeastNothing(Duration.between(at, now)))
                .ifPresent(took ->
                        delivery(message.platform().name(), message.kind()).record(took));
    }

    private void attempted(Outgoing message) {
        if (message.attempts() > 0) {
            attempts(message.platform().name(), message.kind(), false).increment();
            attempts(message.platform().name(), message.kind(), true).increment(message.attempts() - 1);
        }
    }

    private static Duration atLeastNothing(Duration time) {
        return time.isNegative() ? Duration.ZERO : time;
    }

    private double degradedSeconds() {
        Duration now = degradedSince
                .map(since -> atLeastNothing(Duration.between(since, clock.instant())))
                .orElse(Duration.ZERO);
        return degradedBefore.plus(now).toMillis() / 1000.0;
    }

    // ------------------------------------------------------------------ the series

    private Counter inbound(String platform, Inbound.Kind kind) {
        return counter(
                Names.INBOUND,
                "Messages that were taken.",
                Tags.of(Names.PLATFORM, platforms.shown(platform), "kind", word(kind)));
    }

    private Counter dropped(String platform) {
        return counter(
                Names.DROPPED,
                "Messages that were not taken, or were taken out of the queue.",
                Tags.of(Names.PLATFORM, platforms.shown(platform)));
    }

    private Timer waited(String platform) {
        return timer(
                Names.WAIT,
                "How long the first message of a turn waited for it.",
                LONG,
                Tags.of(Names.PLATFORM, platforms.shown(platform)));
    }

    private Counter turns(String platform, Turn.State state, Optional<TurnReason> reason) {
        return counter(
                Names.TURNS,
                "Turns that ended.",
                Tags.of(
                        Names.PLATFORM,
                        platforms.shown(platform),
                        "state",
                        state.text(),
                        "reason",
                        reason.map(TurnReason::text).orElse(BoundedWord.NONE)));
    }

    private Timer agent(TurnUsage usage, String platform, Optional<TurnReason> reason) {
        return timer(
                Names.AGENT,
                "How long turns took.",
                LONG,
                model(usage)
                        .and(
                                Names.ERROR,
                                reason.map(TurnReason::text).orElse(BoundedWord.NONE),
                                "parley.platform",
                                platforms.shown(platform)));
    }

    private Timer firstChunk(TurnUsage usage) {
        return timer(Names.FIRST_CHUNK, "How long the first piece of an answer took.", LONG, model(usage));
    }

    private DistributionSummary inferences() {
        return summary(Names.INFERENCES, "Calls of a model by a turn.", FEW, Tags.empty());
    }

    private DistributionSummary tools() {
        return summary(Names.TOOLS, "Calls of tools by a turn.", FEW, Tags.empty());
    }

    private DistributionSummary tokens(TurnUsage usage, String type) {
        return summary(
                Names.TOKENS, "Tokens used by a turn.", COUNTS, model(usage).and(Names.TOKEN_TYPE, type));
    }

    private Counter cost(TurnUsage usage) {
        return counter(Names.COST, "What turns cost, as far as it is known.", model(usage));
    }

    private Counter transitions(LaneEvent.Kind kind, String reason) {
        return counter(
                Names.TRANSITIONS, "Changes of lanes.", Tags.of("kind", kind.text(), "reason", reasons.shown(reason)));
    }

    private Counter compressions() {
        return counter(Names.COMPRESSIONS, "Conversations replaced by a summary.", Tags.empty());
    }

    private Counter attempts(String platform, Outgoing.Kind kind, boolean again) {
        return counter(
                Names.ATTEMPTS,
                "Attempts to deliver messages whose delivery is over.",
                Tags.of(
                        Names.PLATFORM,
                        platforms.shown(platform),
                        "kind",
                        kind.text(),
                        "again",
                        Boolean.toString(again)));
    }

    private Timer delivery(String platform, Outgoing.Kind kind) {
        return timer(
                Names.DELIVERY,
                "How long the platform took for a message that it took.",
                LONG,
                Tags.of(Names.PLATFORM, platforms.shown(platform), "kind", kind.text()));
    }

    private Timer age(String platform) {
        return timer(
                Names.AGE,
                "How old messages were when they were delivered.",
                LONG,
                Tags.of(Names.PLATFORM, platforms.shown(platform)));
    }

    private Counter expired(String platform) {
        return counter(
                Names.EXPIRED,
                "Messages to chats that were given up.",
                Tags.of(Names.PLATFORM, platforms.shown(platform)));
    }

    private Timer commit(GatewayEvent.Committed.Outcome outcome) {
        return timer(Names.COMMIT, "How long the storage took for a batch.", SHORT, Tags.of("result", outcome.text()));
    }

    private DistributionSummary changes() {
        return summary(Names.CHANGES, "Changes of a batch.", FEW, Tags.empty());
    }

    private Counter healed(String name, String help) {
        return counter(name, help, Tags.empty());
    }

    private Counter troubles(String about) {
        return counter(Names.TROUBLES, "What went wrong and no chat was told of.", Tags.of("about", about));
    }

    private Counter evicted(String reason) {
        return counter(Names.EVICTED, "Agents that are no longer kept.", Tags.of("reason", reasons.shown(reason)));
    }

    private Counter operations(String action, String outcome) {
        return counter(
                Names.OPERATIONS,
                "What operators did through a surface.",
                Tags.of("action", actions.shown(action), "outcome", actions.shown(outcome)));
    }

    private Counter loginFailures() {
        return counter(Names.LOGIN_FAILURES, "Attempts to log in that were refused.", Tags.empty());
    }

    private Timer toolDuration(String tool) {
        return timer(Names.TOOL_DURATION, "How long tools took.", LONG, Tags.of(Names.TOOL, tools.shown(tool)));
    }

    private Counter deliveryFailures(String platform, String why) {
        return counter(
                Names.DELIVERY_FAILURES,
                "Attempts to deliver a message that failed.",
                Tags.of(Names.PLATFORM, platforms.shown(platform), Names.ERROR, reasons.shown(why)));
    }

    private Counter exporterFailures(String exporter) {
        return counter(
                Names.EXPORTER_FAILURES,
                "What an observer could not pass on, such as spans.",
                Tags.of("exporter", actions.shown(exporter)));
    }

    private Tags model(TurnUsage usage) {
        return Tags.of(
                Names.MODEL,
                models.shown(usage.model().orElse("")),
                Names.PROVIDER,
                providers.shown(usage.provider().orElse("")));
    }

    // ------------------------------------------------------------------ making them

    private void gauge(String name, String help, java.util.function.Supplier<Number> value) {
        Gauge.builder(name, value).description(help).register(registry);
    }

    private Counter counter(String name, String help, Tags tags) {
        return Counter.builder(name).description(help).tags(tags).register(registry);
    }

    private Timer timer(String name, String help, Duration[] buckets, Tags tags) {
        return Timer.builder(name)
                .description(help)
                .serviceLevelObjectives(buckets)
                .tags(tags)
                .register(registry);
    }

    private DistributionSummary summary(String name, String help, double[] buckets, Tags tags) {
        return DistributionSummary.builder(name)
                .description(help)
                .serviceLevelObjectives(buckets)
                .tags(tags)
                .register(registry);
    }

    private static String platform(SessionKey lane) {
        return KeyParts.parse(lane).map(parts -> parts.platform().name()).orElse(BoundedWord.NONE);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(java.util.Locale.ROOT);
    }
}
