package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvent;
import dev.parley.testing.TestGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What befell the gateway is told by its home to the gateways after it. */
class IncidentsTest {
    private static final GatewayEvent.Started STARTED = new GatewayEvent.Started(Duration.ofSeconds(2), 3, 1);

    private final TestGateway gateway = TestGateway.answering(text -> "You said " + text);

    @TempDir
    private Path home;

    @AfterEach
    void close() {
        gateway.close();
    }

    private static List<String> rows(Document page, String caption) {
        return page.select("section:has(h2:containsOwn(" + caption + ")) tbody tr")
                .eachText();
    }

    @Test
    void startsAndDegradedTimesAreShownAfterARestart() {
        Visit before = new Visit(gateway, home);
        before.tell(List.of(STARTED, new GatewayEvent.Degraded("disk full\n\t(13)")));
        gateway.pass(Duration.ofMinutes(5));
        before.tell(List.of(new GatewayEvent.Healed(7, 12)));
        gateway.pass(Duration.ofHours(1));

        Visit after = new Visit(gateway, home);
        assertThat(after.page("/recovery").select("#fact-Last-start")).isEmpty();
        after.tell(List.of(new GatewayEvent.Started(Duration.ofMillis(80), 0, 0)));

        assertThat(rows(after.page("/recovery"), "Starts of the gateway"))
                .containsExactly("just now 80 ms 0 0", "1 h ago 2 s 3 1");
        assertThat(after.page("/recovery").select("dl.facts").text()).contains("It took 80 ms");
        assertThat(rows(after.page("/storage"), "When it was degraded"))
                .containsExactly("1 h ago disk full (13) 5 min 12 messages in 7 batches");
        assertThat(after.warnings()).isEmpty();
    }

    @Test
    void aTimeThatLastedWhenItsGatewayStoppedIsNotSaidToLast() {
        new Visit(gateway, home).tell(List.of(new GatewayEvent.Degraded("it is locked")));
        gateway.pass(Duration.ofMinutes(5));

        Visit after = new Visit(gateway, home);
        assertThat(rows(after.page("/storage"), "When it was degraded"))
                .containsExactly("5 min ago it is locked until the gateway stopped");
        after.tell(List.of(new GatewayEvent.Degraded("it is locked")));

        assertThat(rows(after.page("/storage"), "When it was degraded"))
                .containsExactly(
                        "just now it is locked it is degraded", "5 min ago it is locked until the gateway stopped");
    }

    @Test
    void linesThatAreCutOrOfOthersAreLeftOutAndTheFileStaysSmall() throws IOException {
        Path file = home.resolve(Incidents.FILE);
        Files.writeString(
                file, "2026-01-01T00:00:00Z\tstarted\tPT2S\t3\t1\nnonsense\n2026-01-01T00:00:01Z\tstarted\tPT");
        Visit visit = new Visit(gateway, home);

        assertThat(rows(visit.page("/recovery"), "Starts of the gateway"))
                .singleElement()
                .asString()
                .endsWith("2 s 3 1");
        for (int i = 0; i < 600; i++) {
            gateway.pass(Duration.ofSeconds(1));
            visit.tell(List.of(new GatewayEvent.Degraded("again"), new GatewayEvent.Healed(1, i)));
        }

        assertThat(Files.readAllLines(file)).hasSizeLessThan(520);
        assertThat(new Visit(gateway, home).page("/storage").select("tbody tr[id^=degraded]"))
                .hasSize(20)
                .first()
                .satisfies(row -> assertThat(row.text()).contains("599 messages in 1 batch"));
    }

    @Test
    void aHomeThatCannotBeWrittenIsToldOnceAndPagesGoOn() throws IOException {
        Files.createDirectory(home.resolve(Incidents.FILE));
        Visit visit = new Visit(gateway, home);
        visit.tell(List.of(STARTED, new GatewayEvent.Degraded("again")));

        assertThat(visit.warnings()).singleElement().asString().contains("incidents.log", "Check the disk.");
        assertThat(rows(visit.page("/recovery"), "Starts of the gateway")).hasSize(1);
    }
}
