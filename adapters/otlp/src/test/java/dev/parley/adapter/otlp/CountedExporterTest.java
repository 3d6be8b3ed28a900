package dev.parley.adapter.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.spi.Observer;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A collector that is away costs next to nothing: it is asked seldom, and nothing is made for it meanwhile. */
class CountedExporterTest {
    private static final Instant BEGIN = Instant.parse("2026-03-10T09:00:00Z");

    private static final SpanData SPAN = span();

    @TempDir
    private Path home;

    private final Away collector = new Away();
    private Instant now = BEGIN;

    private static SpanData span() {
        try (SdkTracerProvider provider = SdkTracerProvider.builder().build()) {
            return ((ReadableSpan) provider.get("test").spanBuilder("any").startSpan()).toSpanData();
        }
    }

    private CountedExporter exporter(Observed observed) {
        return new CountedExporter(
                collector, "http://away", GatewayEvents.prompt(observed.failures), (InstantSource) () -> now, observed);
    }

    private static void send(CountedExporter exporter) {
        if (exporter.takes(1)) {
            exporter.export(List.of(SPAN));
        }
    }

    @Test
    void aCollectorIsLeftAloneAfterTwoBatchesThatItDidNotTakeAndAskedMoreAndMoreSeldom() {
        Observed observed = new Observed(home);
        CountedExporter exporter = exporter(observed);
        List<Long> asked = new ArrayList<>();

        for (int second = 0; second < 400; second++) {
            now = BEGIN.plusSeconds(second);
            int before = collector.batches;
            send(exporter);
            if (collector.batches > before) {
                asked.add((long) second);
            }
        }

        assertThat(asked).containsExactly(0L, 1L, 6L, 16L, 36L, 76L, 136L, 196L, 256L, 316L, 376L);
        observed.timePasses();
        assertThat(observed.lost()).isEqualTo(400);
    }

    @Test
    void aCollectorThatIsBackGetsEverythingFromThenOn() {
        Observed observed = new Observed(home);
        CountedExporter exporter = exporter(observed);
        send(exporter);
        send(exporter);
        collector.isBack = true;

        send(exporter);
        assertThat(collector.batches).as("asked while it is left alone").isEqualTo(2);
        now = now.plus(CountedExporter.LEAST_PAUSE);
        send(exporter);
        collector.isBack = false;
        send(exporter);
        collector.isBack = true;
        send(exporter);

        assertThat(collector.batches).isEqualTo(5);
        observed.timePasses();
        assertThat(observed.lost()).isEqualTo(4);
    }

    @Test
    void aClockThatIsSetBackLeavesNoCollectorAlone() {
        CountedExporter exporter = exporter(new Observed(home));
        send(exporter);
        send(exporter);

        now = now.minus(Duration.ofHours(1));
        send(exporter);

        assertThat(collector.batches).isEqualTo(3);
    }

    @Test
    void lossesAreToldTogetherAndAtTheEndAtOnce() {
        Observed observed = new Observed(home);
        CountedExporter exporter = exporter(observed);
        for (int i = 0; i < 50; i++) {
            send(exporter);
        }
        assertThat(observed.failures.all()).isEmpty();

        observed.timePasses();
        assertThat(observed.failures.of(GatewayEvent.NotExported.class))
                .extracting(GatewayEvent.NotExported::lost)
                .containsExactly(50L);

        send(exporter);
        exporter.end();
        send(exporter);
        assertThat(observed.lost()).isEqualTo(52);
    }

    @Test
    void moreThanCanBeLookedAtIsCountedAndFillsNoMemory() {
        Observed observed = new Observed(home).to("http://127.0.0.1:1").busy();
        Observer observer = observed.made().orElseThrow();
        ((OtlpObserver) observer).start(collector);

        for (int i = 0; i < OtlpObserver.MOST_GATHERED + 7; i++) {
            observer.on(new GatewayEvent.TurnEnded(Turn.claimed(
                    new TurnId("t-" + i),
                    SessionKey.of("agent:main:telegram:dm:4711"),
                    SessionId.of("s_1"),
                    new RunId("r-1"),
                    List.of(),
                    BEGIN)));
        }

        observed.timePasses();
        assertThat(observed.failures.of(GatewayEvent.NotExported.class))
                .filteredOn(gone -> gone.why().contains("more happened"))
                .extracting(GatewayEvent.NotExported::lost)
                .containsExactly(7L);
        observer.close();
    }

    /** A collector that takes nothing until it is back. */
    private static final class Away implements SpanExporter {
        private int batches;
        private boolean isBack;

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            batches++;
            return isBack ? CompletableResultCode.ofSuccess() : CompletableResultCode.ofFailure();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}
