package dev.parley.adapter.otlp;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Timers;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets at most so many spans wait for the collector, and counts how many were lost: those that came while too many waited, and those
 * that it did not take. After two batches in a row that it did not take it is left alone for a while, twice as long after each further
 * one: what comes meanwhile is counted and neither made nor encoded nor sent. Losses are told once a second at most. Safe for concurrent
 * use; nothing waits.
 */
final class CountedExporter implements SpanExporter {
    /** How many spans may wait, as is usual for OpenTelemetry. */
    static final int MOST = 2048;

    /** How long a collector is left alone after the second batch in a row that it did not take. */
    static final Duration LEAST_PAUSE = Duration.ofSeconds(5);

    /** How long it is left alone at most. */
    static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private static final Duration TOLD_AFTER = Duration.ofSeconds(1);

    private final SpanExporter exporter;
    private final String collector;
    private final GatewayEvents failures;
    private final InstantSource clock;
    private final Timers timers;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Map<String, Long> lost = new ConcurrentHashMap<>();
    private final AtomicBoolean toBeTold = new AtomicBoolean();
    private volatile Standing standing = new Standing(0, Instant.MIN);
    private volatile boolean ended;

    /**
     * How a collector stands.
     *
     * @param failed how many batches in a row it did not take
     * @param at when it did not take the last of them
     */
    private record Standing(int failed, Instant at) {
        /** A clock that is set back ends it. */
        boolean isLeftAlone(Instant now) {
            return failed > 1 && !now.isBefore(at) && Duration.between(at, now).compareTo(pause()) < 0;
        }

        private Duration pause() {
            Duration doubled = LEAST_PAUSE.multipliedBy(1L << Math.min(failed - 2, 10));
            return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
        }
    }

    CountedExporter(
            SpanExporter exporter, String collector, GatewayEvents failures, InstantSource clock, Timers timers) {
        this.exporter = exporter;
        this.collector = collector;
        this.failures = failures;
        this.clock = clock;
        this.timers = timers;
    }

    /** Returns whether there is room for so many spans, which then wait; where there is none, they are counted as lost. */
    boolean takes(int spans) {
        if (standing.isLeftAlone(clock.instant())) {
            lose(spans, notTaken());
            return false;
        }
        if (waiting.addAndGet(spans) <= MOST) {
            return true;
        }
        waiting.addAndGet(-spans);
        lose(spans, "the collector at " + collector + " is too slow, or away");
        return false;
    }

    /** Counts what is lost; it is told soon. */
    void lose(int count, String why) {
        lost.merge(why, (long) count, Long::sum);
        if (ended) {
            tellLosses();
        } else if (toBeTold.compareAndSet(false, true)) {
            Timers.Timer unused = timers.after(TOLD_AFTER, this::tellLosses);
        }
    }

    private void tellLosses() {
        toBeTold.set(false);
        List.copyOf(lost.keySet())
                .forEach(why -> Optional.ofNullable(lost.remove(why))
                        .ifPresent(count -> failures.on(new GatewayEvent.NotExported(OtlpProvider.NAME, count, why))));
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        if (standing.isLeftAlone(clock.instant())) {
            waiting.addAndGet(-count);
            lose(count, notTaken());
            return CompletableResultCode.ofFailure();
        }
        CompletableResultCode result = exporter.export(spans);
        return result.whenComplete(() -> {
            waiting.addAndGet(-count);
            if (result.isSuccess()) {
                standing = new Standing(0, Instant.MIN);
            } else {
                standing = new Standing(standing.failed() + 1, clock.instant());
                lose(count, notTaken());
            }
        });
    }

    private String notTaken() {
        return "the collector at " + collector + " did not take them";
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }

    /** From now on each loss is told at once. */
    void end() {
        ended = true;
        tellLosses();
    }
}
