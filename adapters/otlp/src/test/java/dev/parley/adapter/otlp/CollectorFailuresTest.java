package dev.parley.adapter.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.spi.Observer;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collectors that are slow, away or refuse: the gateway is held by none, and what is lost is counted. */
class CollectorFailuresTest {
    private static final Instant NOW = Instant.parse("2026-03-10T09:00:00Z");
    private static final int TURNS = 3_000;

    @TempDir
    private Path home;

    /** Tells so many turns of two spans each, which ended and had no answer to deliver. */
    private static void tell(Observed observed, Observer observer, int turns) {
        for (int i = 0; i < turns; i++) {
            Turn turn = turn(i);
            observer.on(new GatewayEvent.TurnClaimed(turn, List.of()));
            observer.on(new GatewayEvent.TurnEnded(turn.working(NOW).ended(Turn.State.COMPLETED, NOW.plusSeconds(1))));
        }
        observed.timePasses();
    }

    private static Turn turn(int number) {
        return Turn.claimed(
                new TurnId("t-" + number),
                SessionKey.of("agent:main:telegram:dm:4711"),
                SessionId.of("s_1"),
                new RunId("r-1"),
                List.of(),
                NOW);
    }

    @Test
    void aCollectorThatNeverAnswersHoldsNobodyAndWhatHasNoRoomIsCounted() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Observed observed = new Observed(home)
                    .to("http://127.0.0.1:" + silent.getLocalPort())
                    .where("OTEL_EXPORTER_OTLP_TIMEOUT", "60000");
            Observer observer = observed.started();

            tell(observed, observer, TURNS);

            assertThat(observed.lost()).isEqualTo(2L * TURNS - CountedExporter.MOST);
            assertThat(observed.failures.of(GatewayEvent.NotExported.class))
                    .allSatisfy(gone -> assertThat(gone.why()).contains("127.0.0.1", "too slow"));
            observer.close();
        }
    }

    @Test
    void aCollectorThatIsAwayLosesSpansAndNothingElse() throws IOException {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        Observed observed =
                new Observed(home).to("http://127.0.0.1:" + port).where("OTEL_EXPORTER_OTLP_TIMEOUT", "200");
        Observer observer = observed.started();
        tell(observed, observer, 10);

        Observed.end(observer);

        assertThat(observed.lost()).isEqualTo(20);
    }

    @Test
    void aCollectorThatRefusesIsToldWithoutItsWords() {
        try (Collector refusing = new Collector(400)) {
            Observed observed = new Observed(home).to(refusing.url());
            Observer observer = observed.started();
            tell(observed, observer, 10);

            Observed.end(observer);

            assertThat(observed.lost()).isEqualTo(20);
            assertThat(observed.failures.of(GatewayEvent.NotExported.class))
                    .extracting(GatewayEvent.NotExported::why)
                    .containsOnly("the collector at " + refusing.url() + " did not take them");
        }
    }

    @Test
    void secretsGoToTheCollectorAndWhatIsSentMayBeCompressed() {
        try (Collector collector = new Collector()) {
            Observed observed = new Observed(home)
                    .to(collector.url())
                    .where("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20s3cret,x-tenant=a")
                    .where("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
                    .where("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test");
            Observer observer = observed.started();
            tell(observed, observer, 1);

            Observed.end(observer);

            assertThat(collector.spans()).hasSize(2);
            assertThat(collector.headers().get(0))
                    .containsEntry("Authorization", "Bearer s3cret")
                    .containsEntry("x-tenant", "a")
                    .containsEntry("content-encoding", "gzip")
                    .containsEntry("content-type", "application/x-protobuf");
            assertThat(Collector.attribute(collector.resource().getAttributesList(), "deployment.environment.name"))
                    .hasValue("test");
            assertThat(observed.lost()).isZero();
        }
    }

    @Test
    void whatEndsAfterTheObserverHasClosedIsNobodysTrouble() {
        try (Collector collector = new Collector()) {
            Observed observed = new Observed(home).to(collector.url());
            Observer observer = observed.started();
            observer.close();

            tell(observed, observer, 1);
            observer.close();

            assertThat(collector.spans()).isEmpty();
        }
    }

    @Test
    void whatIsToldWhileWhatGatheredIsLookedAtIsLookedAtTooThoughNothingFollows() {
        try (Collector collector = new Collector()) {
            Observed observed = new Observed(home).to(collector.url());
            Observer observer = observed.started();
            observer.on(new GatewayEvent.TurnClaimed(turn(0), List.of()));
            // The second is told, and what has gathered is looked at before it is left there.
            observed.clock = () -> {
                observed.clock = InstantSource.fixed(NOW);
                observed.timePasses();
                return NOW;
            };
            observer.on(new GatewayEvent.TurnClaimed(turn(1), List.of()));

            assertThat(observed.isSomethingPutOff()).isTrue();
            observer.close();
        }
    }

    @Test
    void turnsThatNeverEndFillNoMemory() {
        try (Collector collector = new Collector()) {
            Observed observed = new Observed(home).to(collector.url());
            Observer observer = observed.started();
            for (int i = 0; i < 50_000; i++) {
                observer.on(new GatewayEvent.TurnClaimed(turn(i), List.of()));
            }

            assertThat(((OtlpObserver) observer).known()).isEqualTo(10_000);
            observer.close();
        }
    }
}
