package dev.parley.adapter.otlp;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets at most so many spans wait for the collector, and tells how many were lost: those that came while too many waited, and those
 * that it did not take. Safe for concurrent use; nothing waits.
 */
final class CountedExporter implements SpanExporter {
    /** How many spans may wait, as is usual for OpenTelemetry. */
    static final int MOST = 2048;

    private final SpanExporter exporter;
    private final String collector;
    private final GatewayEvents failures;
    private final AtomicInteger waiting = new AtomicInteger();

    CountedExporter(SpanExporter exporter, String collector, GatewayEvents failures) {
        this.exporter = exporter;
        this.collector = collector;
        this.failures = failures;
    }

    /** Returns whether there is room for so many spans, which then wait; where there is none, they are told as lost. */
    boolean takes(int spans) {
        if (waiting.addAndGet(spans) <= MOST) {
            return true;
        }
        waiting.addAndGet(-spans);
        lost(spans, "the collector at " + collector + " is too slow, or away");
        return false;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        CompletableResultCode result = exporter.export(spans);
        return result.whenComplete(() -> {
            waiting.addAndGet(-count);
            if (!result.isSuccess()) {
                lost(count, "the collector at " + collector + " did not take them");
            }
        });
    }

    private void lost(int spans, String why) {
        failures.on(new GatewayEvent.NotExported(OtlpProvider.NAME, spans, why));
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
