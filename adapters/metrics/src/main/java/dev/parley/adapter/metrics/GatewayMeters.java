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
import dev.parley.domain.turn.TurnUsage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts what the gateway does. All series that have no label of their own to wait for are there from the start, at zero, so that an
 * idle gateway does not look broken. Safe for concurrent use; an event costs a few additions.
 */
final class GatewayMeters implements GatewayEvents {
    /** The platform over which metrics are asked for is always there. */
    private static final String OWN = "webhook";

    private final MeterRegistry registry;
    private final InstantSource clock;
    private final Readings readings;
    private final BoundedWord platforms = new BoundedWord();
    private final Series series;
    private final Set<String> gauged = ConcurrentHashMap.newKeySet();
    private volatile Readings.Reading reading;
    private volatile GatewayEvent.Started started = new GatewayEvent.Started(Duration.ZERO, 0, 0);
    private volatile Optional<Instant> degradedSince = Optional.empty();
    private volatile Duration degradedBefore = Duration.ZERO;

    GatewayMeters(MeterRegistry registry, ProviderSettings settings) {
        this.registry = registry;
        this.clock = settings.clock();
        this.series = new Series(registry, platforms);
        Counter errors = Counter.builder(Names.SCRAPE_ERRORS)
                .description("What could not be read for a scrape.")
                .register(registry);
        this.readings = new Readings(settings.inspection(), settings.home(), clock, errors::increment);
        this.reading = Readings.Reading.NOTHING;
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
        gauge(
                Names.UP,
                "1 while messages are taken.",
                () -> reading.health().state().takesMessages() ? 1 : 0);
        gauge(Names.LANES, "Lanes there are; counted once a minute.", () -> reading.lanes());
        gauge(
                Names.RUNNING,
                "Lanes on which a turn runs.",
                () -> reading.health().running());
        gauge(
                Names.AWAITING_PLACE,
                "Lanes whose messages wait for a place among the running ones.",
                () -> reading.health().awaitingPlace());
        gauge(Names.QUEUED, "Messages that wait for a turn.", () -> reading.queued());
        gauge(Names.QUEUED_LANES, "Lanes on which messages wait.", () -> reading.queuedLanes());
        Gauge.builder(Names.OLDEST, this, meters -> meters.reading.oldest())
                .description("How long the oldest message has waited for a turn.")
                .baseUnit("seconds")
                .register(registry);
        gauge(
                Names.DEGRADED,
                "1 while the gateway goes on with its fallback.",
                () -> reading.health().degraded().isPresent() ? 1 : 0);
        gauge(Names.SPILLED, "Batches that wait in the fallback to be merged back.", () -> reading.spilledBatches());
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
        gauge(Names.CACHED, "Agents that are kept.", () -> reading.health().agents());
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
            series.inbound(OWN, kind);
        }
        series.dropped(OWN);
        series.waited(OWN);
        for (Turn.State state : Turn.State.values()) {
            if (state != Turn.State.CLAIMED) {
                series.turns(OWN, state, Optional.empty());
            }
        }
        series.agent(TurnUsage.NONE, OWN, Optional.empty());
        series.firstChunk(TurnUsage.NONE);
        series.inferences();
        series.calls();
        for (String type : new String[] {"input", "output", "cache_read", "cache_write", "reasoning"}) {
            series.tokens(TurnUsage.NONE, type);
        }
        series.cost(TurnUsage.NONE);
        for (LaneEvent.Kind kind : LaneEvent.Kind.values()) {
            series.transitions(kind, BoundedWord.NONE);
        }
        series.compressions();
        for (Outgoing.Kind kind : Outgoing.Kind.values()) {
            series.attempts(OWN, kind, false);
            series.attempts(OWN, kind, true);
            series.delivery(OWN, kind);
        }
        series.age(OWN);
        series.expired(OWN);
        for (GatewayEvent.Committed.Outcome outcome : GatewayEvent.Committed.Outcome.values()) {
            series.commit(outcome);
        }
        series.changes();
        series.healedBatches();
        series.healedMessages();
        series.troubles("lane");
        series.troubles("gateway");
        series.evicted(BoundedWord.NONE);
        series.operations("login", "done");
        series.loginFailures();
        series.toolDuration(BoundedWord.NONE);
        series.deliveryFailures(OWN, BoundedWord.NONE);
        series.exporterFailures("otlp");
    }

    @Override
    public void on(GatewayEvent event) {
        if (event instanceof GatewayEvent.Committed committed) {
            series.commit(committed.outcome()).record(atLeastNothing(committed.took()));
            series.changes().record(committed.changes());
        } else if (event instanceof GatewayEvent.Admitted admitted) {
            series.inbound(
                            admitted.inbound().source().platform().name(),
                            admitted.inbound().kind())
                    .increment();
        } else if (event instanceof GatewayEvent.TurnClaimed claimed) {
            series.waited(platform(claimed.turn().lane())).record(atLeastNothing(claimed.waited()));
        } else if (event instanceof GatewayEvent.TurnEnded ended) {
            ended(ended.turn());
        } else if (event instanceof GatewayEvent.Sent sent) {
            sent(sent.outgoing());
        } else if (event instanceof GatewayEvent.Transition transition) {
            series.transitions(transition.event().kind(), transition.event().reason())
                    .increment();
        } else {
            onRarer(event);
        }
    }

    private void onRarer(GatewayEvent event) {
        if (event instanceof GatewayEvent.Expired gone) {
            series.expired(gone.outgoing().platform().name()).increment();
            attempted(gone.outgoing());
        } else if (event instanceof GatewayEvent.ToolAnswered tool) {
            tool.calledAt()
                    .map(called -> Duration.between(called, tool.answeredAt()))
                    .filter(took -> !took.isNegative())
                    .ifPresent(took -> series.toolDuration(tool.tool()).record(took));
        } else if (event instanceof GatewayEvent.SendFailed failed) {
            series.deliveryFailures(failed.outgoing().platform().name(), failed.why())
                    .increment();
        } else if (event instanceof GatewayEvent.NotExported gone) {
            series.exporterFailures(gone.observer()).increment((double) gone.lost());
        } else if (event instanceof GatewayEvent.Dropped drop) {
            series.dropped(platform(drop.lane())).increment();
        } else if (event instanceof GatewayEvent.Compressed) {
            series.compressions().increment();
        } else if (event instanceof GatewayEvent.AgentLeft left) {
            series.evicted(left.why()).increment();
        } else if (event instanceof GatewayEvent.Degraded) {
            degradedSince = degradedSince.or(() -> Optional.of(clock.instant()));
        } else if (event instanceof GatewayEvent.Healed whole) {
            degradedSince.ifPresent(since ->
                    degradedBefore = degradedBefore.plus(atLeastNothing(Duration.between(since, clock.instant()))));
            degradedSince = Optional.empty();
            series.healedBatches().increment(whole.batches());
            series.healedMessages().increment(whole.messages());
        } else if (event instanceof GatewayEvent.Started begun) {
            started = begun;
        } else if (event instanceof GatewayEvent.Trouble trouble) {
            series.troubles(trouble.lane().isPresent() ? "lane" : "gateway").increment();
        } else if (event instanceof GatewayEvent.OperatorActed act) {
            series.operations(act.action(), act.outcome()).increment();
            if (act.action().equals("login") && !act.outcome().equals("done")) {
                series.loginFailures().increment();
            }
        }
    }

    private void ended(Turn turn) {
        String platform = platform(turn.lane());
        TurnUsage usage = turn.usage();
        series.turns(platform, turn.state(), turn.reason()).increment();
        turn.took()
                .filter(took -> !took.isNegative())
                .ifPresent(took -> series.agent(usage, platform, turn.reason()).record(took));
        usage.firstWordAt()
                .map(first -> Duration.between(turn.workingSince().orElse(turn.startedAt()), first))
                .filter(took -> !took.isNegative())
                .ifPresent(took -> series.firstChunk(usage).record(took));
        series.inferences().record((double) usage.apiCalls());
        series.calls().record((double) usage.toolCalls());
        record(usage, "input", usage.tokens().input());
        record(usage, "output", usage.tokens().output());
        record(usage, "cache_read", usage.tokens().cacheRead());
        record(usage, "cache_write", usage.tokens().cacheWrite());
        record(usage, "reasoning", usage.tokens().reasoning());
        usage.costUsd()
                .filter(usd -> usd > 0)
                .ifPresent(usd -> series.cost(usage).increment(usd));
    }

    private void record(TurnUsage usage, String type, long tokens) {
        if (tokens > 0) {
            series.tokens(usage, type).record((double) tokens);
        }
    }

    private void sent(Outgoing message) {
        Instant now = clock.instant();
        attempted(message);
        series.age(message.platform().name()).record(atLeastNothing(Duration.between(message.createdAt(), now)));
        message.delivery()
                .attemptedAt()
                .map(at -> atLeastNothing(Duration.between(at, now)))
                .ifPresent(took -> series.delivery(message.platform().name(), message.kind())
                        .record(took));
    }

    private void attempted(Outgoing message) {
        if (message.attempts() > 0) {
            series.attempts(message.platform().name(), message.kind(), false).increment();
            series.attempts(message.platform().name(), message.kind(), true).increment(message.attempts() - 1);
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

    // ------------------------------------------------------------------ making them

    private void gauge(String name, String help, java.util.function.Supplier<Number> value) {
        Gauge.builder(name, value).description(help).register(registry);
    }

    private static String platform(SessionKey lane) {
        return KeyParts.parse(lane).map(parts -> parts.platform().name()).orElse(BoundedWord.NONE);
    }
}
