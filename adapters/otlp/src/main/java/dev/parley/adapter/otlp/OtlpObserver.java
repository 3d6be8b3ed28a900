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
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One trace for each turn, made once the turn has ended and its answer is delivered or given up, or half a minute after its end. What
 * becomes known later is sent later, as a part of the same trace. Safe for concurrent use.
 */
final class OtlpObserver implements Observer {
    /** How long the delivery of an answer is waited for. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long the end waits for the collector. */
    private static final Duration AT_THE_END = Duration.ofSeconds(2);

    /** How many turns may be known that have not ended. */
    private static final int MOST_OPEN = 10_000;

    private final OtlpSettings settings;
    private final Path home;
    private final Timers timers;
    private final InstantSource clock;
    private final GatewayEvents failures;
    private final Map<TurnId, TurnTrace> open = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TurnId, TurnTrace> eldest) {
            return size() > MOST_OPEN;
        }
    };
    private Optional<SpanWriter> writer = Optional.empty();

    OtlpObserver(OtlpSettings settings, ProviderSettings parts, GatewayEvents failures) {
        this.settings = settings;
        this.home = parts.home();
        this.timers = parts.timers();
        this.clock = parts.clock();
        this.failures = failures;
    }

    @Override
    public void start() {
        start(exporter(settings));
    }

    synchronized void start(SpanExporter exporter) {
        writer = Optional.of(new SpanWriter(settings, HiddenIds.of(home), exporter, failures));
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
    public synchronized void on(GatewayEvent event) {
        writer.ifPresent(to -> take(event, to));
    }

    private void take(GatewayEvent event, SpanWriter to) {
        if (event instanceof GatewayEvent.TurnClaimed claimed) {
            open.put(claimed.turn().id(), TurnTrace.claimed(claimed.inputs(), settings.content()));
        } else if (event instanceof GatewayEvent.ToolAnswered tool) {
            known(tool.turn(), trace -> trace.answered(tool));
        } else if (event instanceof GatewayEvent.TurnEnded ended) {
            ended(ended.turn(), to);
        } else if (event instanceof GatewayEvent.SendFailed failed) {
            tried(failed.outgoing(), Optional.of(failed.why()), to);
        } else if (event instanceof GatewayEvent.Sent sent) {
            tried(sent.outgoing(), Optional.empty(), to);
            settled(sent.outgoing(), to);
        } else if (event instanceof GatewayEvent.Expired expired) {
            settled(expired.outgoing(), to);
        }
    }

    /** Returns how many turns are known that are not sent. */
    synchronized int known() {
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
        } else {
            timers.after(PATIENCE, () -> waitedEnough(turn.id()));
        }
    }

    private synchronized void waitedEnough(TurnId id) {
        writer.ifPresent(to -> known(id, trace -> write(id, trace, to)));
    }

    private void tried(Outgoing message, Optional<String> error, SpanWriter to) {
        message.turn().ifPresent(id -> {
            TurnTrace.Sending sending = TurnTrace.Sending.of(message, clock.instant(), error);
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
        writer.ifPresent(to -> {
            open.forEach((id, trace) -> trace.ended().ifPresent(turn -> to.write(trace, turn)));
            open.clear();
            to.close(atMost);
        });
        writer = Optional.empty();
    }
}
