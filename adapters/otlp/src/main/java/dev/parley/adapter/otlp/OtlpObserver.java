package dev.parley.adapter.otlp;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.Observer;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One trace for each turn, made once the turn has ended and its answer is delivered or given up, or half a minute after its end. What
 * becomes known later is sent later, as a part of the same trace. Whoever tells of something only leaves it here: it is looked at twice a
 * second, all that has gathered at a time, by a task of its own. Safe for concurrent use.
 */
final class OtlpObserver implements Observer {
    /** How long the delivery of an answer is waited for. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long the end waits for the collector. */
    private static final Duration AT_THE_END = Duration.ofSeconds(2);

    /** How long what happens gathers until it is looked at. */
    private static final Duration GATHERING = Duration.ofMillis(500);

    /** So much is looked at without waiting for more. */
    private static final int PLENTY = 1_000;

    /** So much may gather. */
    static final int MOST_GATHERED = 20_000;

    /** How many turns may be known that have not ended. */
    private static final int MOST_OPEN = 10_000;

    private final OtlpSettings settings;
    private final Path home;
    private final Timers timers;
    private final InstantSource clock;
    private final GatewayEvents failures;
    private final Executor executor;
    private final Queue<Happened> gathered = new ConcurrentLinkedQueue<>();
    private final AtomicInteger gathering = new AtomicInteger();
    private final AtomicBoolean toBeLookedAt = new AtomicBoolean();
    private final Map<TurnId, TurnTrace> open = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TurnId, TurnTrace> eldest) {
            return size() > MOST_OPEN;
        }
    };
    private volatile Optional<Making> making = Optional.empty();

    /** What happened, and when it was told. */
    private record Happened(GatewayEvent event, Instant at) {}

    /** What makes spans, and counts those that are lost. */
    private record Making(SpanWriter writer, CountedExporter exporter) {}

    OtlpObserver(OtlpSettings settings, ProviderSettings parts, GatewayEvents failures) {
        this.settings = settings;
        this.home = parts.home();
        this.timers = parts.timers();
        this.clock = parts.clock();
        this.failures = failures;
        this.executor = parts.executor();
    }

    @Override
    public void start() {
        start(exporter(settings));
    }

    synchronized void start(SpanExporter to) {
        CountedExporter exporter = new CountedExporter(to, settings.collector(), failures, clock, timers);
        making = Optional.of(new Making(new SpanWriter(settings, HiddenIds.of(home), exporter), exporter));
    }

    private static SpanExporter exporter(OtlpSettings settings) {
        OtlpHttpSpanExporterBuilder builder = OtlpHttpSpanExporter.builder()
                .setEndpoint(settings.endpoint().toString())
                .setTimeout(settings.timeout())
                .setConnectTimeout(settings.timeout());
        settings.headers().forEach(builder::addHeader);
        if (settings.gzip()) {
            builder.setCompression("gzip");
        }
        return builder.build();
    }

    @Override
    public boolean neverBlocks() {
        return true;
    }

    @Override
    public void on(GatewayEvent event) {
        if (isPartOfATrace(event)) {
            making.ifPresent(now -> gather(event, now.exporter()));
        }
    }

    private static boolean isPartOfATrace(GatewayEvent event) {
        return event instanceof GatewayEvent.TurnClaimed
                || event instanceof GatewayEvent.ToolAnswered
                || event instanceof GatewayEvent.TurnEnded
                || event instanceof GatewayEvent.SendFailed
                || event instanceof GatewayEvent.Sent
                || event instanceof GatewayEvent.Expired;
    }

    private void gather(GatewayEvent event, CountedExporter exporter) {
        int now = gathering.incrementAndGet();
        if (now > MOST_GATHERED) {
            gathering.decrementAndGet();
            exporter.lose(1, "more happened than there was time to look at");
            return;
        }
        gathered.add(new Happened(event, clock.instant()));
        if (toBeLookedAt.compareAndSet(false, true)) {
            Timers.Timer unused = timers.after(GATHERING, this::look);
        } else if (now == PLENTY) {
            executor.execute(this::look);
        }
    }

    private synchronized void look() {
        // Before anything is taken out: what is left here from now on has itself looked at.
        toBeLookedAt.set(false);
        making.ifPresent(now -> take(now.writer()));
    }

    private void take(SpanWriter to) {
        List<TurnId> ended = new ArrayList<>();
        for (Happened next = gathered.poll(); next != null; next = gathered.poll()) {
            gathering.decrementAndGet();
            take(next, to);
            if (next.event() instanceof GatewayEvent.TurnEnded end) {
                ended.add(end.turn().id());
            }
        }
        ended.removeIf(id -> !open.containsKey(id));
        if (!ended.isEmpty()) {
            Timers.Timer unused = timers.after(PATIENCE, () -> waitedEnough(ended));
        }
    }

    private void take(Happened happened, SpanWriter to) {
        GatewayEvent event = happened.event();
        if (event instanceof GatewayEvent.TurnClaimed claimed) {
            open.put(claimed.turn().id(), TurnTrace.claimed(claimed.inputs(), settings.content()));
        } else if (event instanceof GatewayEvent.ToolAnswered tool) {
            known(tool.turn(), trace -> trace.answered(tool));
        } else if (event instanceof GatewayEvent.TurnEnded ended) {
            ended(ended.turn(), to);
        } else if (event instanceof GatewayEvent.SendFailed failed) {
            tried(failed.outgoing(), happened.at(), Optional.of(failed.why()), to);
        } else if (event instanceof GatewayEvent.Sent sent) {
            tried(sent.outgoing(), happened.at(), Optional.empty(), to);
            settled(sent.outgoing(), to);
        } else if (event instanceof GatewayEvent.Expired expired) {
            settled(expired.outgoing(), to);
        }
    }

    /** Returns how many turns are known that are not sent. */
    synchronized int known() {
        look();
        return open.size();
    }

    private void known(TurnId id, Consumer<TurnTrace> what) {
        Optional.ofNullable(open.get(id)).ifPresent(what);
    }

    private void ended(Turn turn, SpanWriter to) {
        TurnTrace trace = open.computeIfAbsent(turn.id(), unknown -> TurnTrace.claimed(List.of(), false));
        trace.ended(turn);
        if (trace.isWhole()) {
            write(turn.id(), trace, to);
        }
    }

    private synchronized void waitedEnough(List<TurnId> turns) {
        making.ifPresent(now -> turns.forEach(id -> known(id, trace -> write(id, trace, now.writer()))));
    }

    private void tried(Outgoing message, Instant at, Optional<String> error, SpanWriter to) {
        message.turn().ifPresent(id -> {
            TurnTrace.Sending sending = TurnTrace.Sending.of(message, at, error);
            Optional<TurnTrace> trace = Optional.ofNullable(open.get(id));
            trace.ifPresentOrElse(known -> known.tried(sending), () -> to.writeLate(id.value(), sending));
        });
    }

    /** The answer was delivered or given up: there is no more to wait for. */
    private void settled(Outgoing message, SpanWriter to) {
        if (message.kind() != Outgoing.Kind.REPLY) {
            return;
        }
        message.turn()
                .ifPresent(id -> known(id, trace -> {
                    trace.settled(message, settings.content());
                    if (trace.isWhole()) {
                        write(id, trace, to);
                    }
                }));
    }

    private void write(TurnId id, TurnTrace trace, SpanWriter to) {
        open.remove(id);
        trace.ended().ifPresent(turn -> to.write(trace, turn));
    }

    @Override
    public void close() {
        close(AT_THE_END);
    }

    synchronized void close(Duration atMost) {
        making.ifPresent(now -> {
            take(now.writer());
            open.forEach(
                    (id, trace) -> trace.ended().ifPresent(turn -> now.writer().write(trace, turn)));
            open.clear();
            now.writer().close(atMost);
        });
        making = Optional.empty();
    }
}
