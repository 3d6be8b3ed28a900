package dev.parley.adapter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.PlatformState;
import dev.parley.application.spi.WebSurface;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.turn.TurnUsage;
import dev.parley.domain.usage.TokenUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus gets to see. */
class MetricsTest {
    private static final SessionKey LANE = SessionKey.of("agent:main:telegram:dm:secret-user-4711");
    private static final String SECRET = "do not tell anybody";
    private static final Pattern FAMILY = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z_]+)` \\| (\\w+) \\|");

    @TempDir
    private Path home;

    @Test
    void anIdleGatewayShowsEveryMetricOfTheGuideAndNoOther() throws IOException {
        Map<String, String> documented = ROW.matcher(
                        Files.readString(Path.of("..", "..", "docs", "guide", "observability.md")))
                .results()
                .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));

        Map<String, String> shown = FAMILY.matcher(new Scraped(home).text())
                .results()
                .filter(family -> !family.group(1).startsWith("jvm_")
                        && !family.group(1).startsWith("process_")
                        && !family.group(1).endsWith("_max"))
                .collect(Collectors.toMap(family -> family.group(1), family -> family.group(2)));

        assertThat(shown).isEqualTo(documented);
    }

    @Test
    void aPlatformThatNeverConnectedIsShownAsNotConnected() {
        QuietGateway gateway = new QuietGateway();
        for (PlatformState.Standing standing : PlatformState.Standing.values()) {
            gateway.platforms.add(new PlatformState(
                    Platform.of(standing.word()), standing, Scraped.NOW, Optional.empty(), Optional.empty()));
        }
        Scraped metrics = new Scraped(home, gateway);

        assertThat(metrics.value("parley_platform_connected{platform=\"connecting\"}"))
                .isZero();
        assertThat(metrics.value("parley_platform_connected{platform=\"refused\"}"))
                .isZero();
        assertThat(metrics.value("parley_platform_connected{platform=\"away\"}"))
                .isZero();
        assertThat(metrics.value("parley_platform_connected{platform=\"connected\"}"))
                .isEqualTo(1);
        assertThat(metrics.value("parley_platform_connected{platform=\"troubled\"}"))
                .isEqualTo(1);
    }

    @Test
    void aClockThatIsSetBackCountsAsNoTime() {
        Scraped metrics = new Scraped(home);

        metrics.tell(new GatewayEvent.Committed(1, Duration.ofMinutes(-15), GatewayEvent.Committed.Outcome.COMMITTED));

        assertThat(metrics.value("parley_storage_commit_duration_seconds_count{result=\"committed\"}"))
                .isEqualTo(1);
        assertThat(metrics.value("parley_storage_commit_duration_seconds_sum{result=\"committed\"}"))
                .isZero();
    }

    @Test
    void everyMetricSaysWhatItIs() {
        List<String> undescribed = FAMILY.matcher(new Scraped(home).text())
                .results()
                .map(family -> family.group(1))
                .filter(name -> !name.endsWith("_max"))
                .filter(name -> !Pattern.compile("(?m)^# HELP " + name + " \\S")
                        .matcher(new Scraped(home).text())
                        .find())
                .toList();

        assertThat(undescribed).isEmpty();
    }

    @Test
    void aTurnThatFailedIsCountedWithItsReasonItsTimeAndItsTokens() {
        Scraped metrics = new Scraped(home);

        metrics.tell(new GatewayEvent.TurnEnded(
                turn("gpt-5").because(TurnReason.TIMEOUT).ended(Turn.State.FAILED, Scraped.NOW.plusSeconds(3))));

        assertThat(metrics.value("parley_turns_total{platform=\"telegram\",reason=\"timeout\",state=\"failed\"}"))
                .isEqualTo(1);
        assertThat(metrics.value(
                        "gen_ai_invoke_agent_duration_seconds_sum{error_type=\"timeout\",gen_ai_provider_name=\"none\","
                                + "gen_ai_request_model=\"gpt-5\",parley_platform=\"telegram\"}"))
                .isEqualTo(3);
        assertThat(metrics.value("gen_ai_client_token_usage_sum{gen_ai_provider_name=\"none\","
                        + "gen_ai_request_model=\"gpt-5\",gen_ai_token_type=\"cache_read\"}"))
                .isEqualTo(30);
    }

    @Test
    void aDeliveryIsCountedWithItsAgeAndItsRepeats() {
        Scraped metrics = new Scraped(home);
        Outgoing message = message().attempted(Scraped.NOW.plusSeconds(1)).attempted(Scraped.NOW.plusSeconds(8));

        metrics.now = Scraped.NOW.plusSeconds(10);
        metrics.tell(new GatewayEvent.Sent(message.delivered()));

        assertThat(metrics.value("parley_delivery_attempts_total{again=\"true\",kind=\"reply\",platform=\"telegram\"}"))
                .isEqualTo(1);
        assertThat(metrics.value("parley_delivery_age_seconds_sum{platform=\"telegram\"}"))
                .isEqualTo(10);
        assertThat(metrics.value("parley_delivery_duration_seconds_sum{kind=\"reply\",platform=\"telegram\"}"))
                .isEqualTo(2);
    }

    @Test
    void toolsFailedDeliveriesAndLostSpansAreCounted() {
        Scraped metrics = new Scraped(home);

        metrics.tell(new GatewayEvent.ToolAnswered(
                new TurnId("t-1"), "c-1", "weather", Optional.of(Scraped.NOW), Scraped.NOW.plusSeconds(2)));
        metrics.tell(new GatewayEvent.SendFailed(message(), "away"));
        metrics.tell(new GatewayEvent.NotExported("otlp", 17, SECRET));

        assertThat(metrics.value("gen_ai_execute_tool_duration_seconds_sum{gen_ai_tool_name=\"weather\"}"))
                .isEqualTo(2);
        assertThat(metrics.value("parley_delivery_failures_total{error_type=\"away\",platform=\"telegram\"}"))
                .isEqualTo(1);
        assertThat(metrics.value("parley_exporter_failures_total{exporter=\"otlp\"}"))
                .isEqualTo(17);
        assertThat(metrics.text()).doesNotContain(SECRET);
    }

    @Test
    void theTimeThatTheStorageIsDegradedAddsUpAlsoWhileItLasts() {
        Scraped metrics = new Scraped(home);
        metrics.tell(new GatewayEvent.Degraded("the disk is full"));
        metrics.now = Scraped.NOW.plusSeconds(60);
        assertThat(metrics.value("parley_storage_degraded_seconds_total")).isEqualTo(60);

        metrics.tell(new GatewayEvent.Healed(3, 5));
        metrics.now = Scraped.NOW.plusSeconds(100);
        metrics.tell(new GatewayEvent.Degraded("again"));
        metrics.now = Scraped.NOW.plusSeconds(110);

        assertThat(metrics.value("parley_storage_degraded_seconds_total")).isEqualTo(70);
        assertThat(metrics.value("parley_storage_healed_messages_total")).isEqualTo(5);
    }

    @Test
    void whoeverMakesUpModelsFillsNobodysMemory() {
        Scraped metrics = new Scraped(home);
        for (int i = 0; i < 10_000; i++) {
            metrics.tell(new GatewayEvent.TurnEnded(
                    turn("model-" + i).ended(Turn.State.COMPLETED, Scraped.NOW.plusSeconds(1))));
        }

        Set<String> models = new TreeSet<>();
        Pattern.compile("gen_ai_request_model=\"([^\"]*)\"")
                .matcher(metrics.text())
                .results()
                .forEach(found -> models.add(found.group(1)));
        assertThat(models).hasSize(52).contains("other", "none");
    }

    @Test
    void noTextAndNoIdOfAPersonIsShown() {
        Scraped metrics = new Scraped(home);
        metrics.tell(new GatewayEvent.TurnEnded(turn("m").noted(SECRET).ended(Turn.State.FAILED, Scraped.NOW)));
        metrics.tell(new GatewayEvent.Sent(message()));
        metrics.tell(new GatewayEvent.Trouble(Optional.of(LANE), SECRET, Optional.empty()));
        metrics.tell(new GatewayEvent.Dropped(LANE, SECRET));
        metrics.tell(new GatewayEvent.Degraded(SECRET));
        metrics.tell(new GatewayEvent.Transition(new LaneEvent(
                LANE,
                Scraped.NOW,
                LaneEvent.Kind.RESET,
                Optional.empty(),
                Optional.empty(),
                "idle",
                Map.of("text", SECRET))));
        metrics.tell(new GatewayEvent.OperatorActed("token", "operator", "127.0.0.1", "reset", LANE.value(), "done"));

        assertThat(metrics.text()).doesNotContain("4711", SECRET, "127.0.0.1", "s_1");
        assertThat(metrics.value("parley_transitions_total{kind=\"reset\",reason=\"idle\"}"))
                .isEqualTo(1);
    }

    @Test
    void aScrapeSucceedsAndKeepsItsNumbersWhileTheStorageIsAway() {
        QuietGateway gateway = new QuietGateway();
        Scraped metrics = new Scraped(home, gateway);
        metrics.text();
        gateway.away = true;
        gateway.health = GatewayHealth.builder(GatewayHealth.State.REFUSING)
                .degraded(Optional.of(new GatewayHealth.Degraded(
                        Instant.parse("2026-01-01T12:00:00Z"),
                        "the disk is full",
                        OptionalLong.of(17),
                        OptionalLong.empty())))
                .build();
        metrics.now = Scraped.NOW.plusSeconds(2);

        assertThat(metrics.value("parley_scrape_errors_total")).isEqualTo(1);
        assertThat(metrics.value("parley_storage_degraded")).isEqualTo(1);
        assertThat(metrics.value("parley_storage_waiting_batches")).isEqualTo(17);
        assertThat(metrics.value("parley_up")).isZero();
    }

    @Test
    void theStorageIsMeasuredByItsPartsAndOnceAMinute() {
        QuietGateway gateway = new QuietGateway();
        gateway.status.putAll(Map.of("bytes", "4096", "log bytes", "512", "journal mode", "wal"));
        gateway.health = GatewayHealth.builder(GatewayHealth.State.OK).agents(3).build();
        Scraped metrics = new Scraped(home, gateway);

        assertThat(metrics.value("parley_storage_bytes{part=\"file\"}")).isEqualTo(4096);
        assertThat(metrics.value("parley_storage_bytes{part=\"log\"}")).isEqualTo(512);
        assertThat(metrics.value("parley_storage_bytes{part=\"free\"}")).isZero();
        assertThat(metrics.value("parley_agents_cached")).isEqualTo(3);

        gateway.status.clear();
        gateway.status.put("size", "8192 bytes");
        metrics.now = Scraped.NOW.plusSeconds(59);
        assertThat(metrics.value("parley_storage_bytes{part=\"file\"}")).isEqualTo(4096);
        metrics.now = Scraped.NOW.plusSeconds(60);
        assertThat(metrics.value("parley_storage_bytes{part=\"file\"}")).isEqualTo(8192);
        gateway.away = true;
        metrics.now = Scraped.NOW.plusSeconds(300);
        assertThat(metrics.value("parley_storage_bytes{part=\"file\"}")).isEqualTo(8192);
    }

    @Test
    void requestsAreTimedUnderNamesThatNobodyMakesUp() {
        Scraped metrics = new Scraped(home);
        metrics.surface.served(new WebSurface.Served("POST", "/v1/messages", 200, Duration.ofMillis(120)));
        metrics.surface.served(new WebSurface.Served("POST", "/v1/messages", 200, Duration.ofMillis(380)));
        for (int i = 0; i < 10_000; i++) {
            metrics.surface.served(new WebSurface.Served("M" + i, "/r" + i, 404, Duration.ofMillis(1)));
        }

        String sample = "{http_request_method=\"POST\",http_response_status_code=\"200\",http_route=\"/v1/messages\"}";
        assertThat(metrics.value("http_server_request_duration_seconds_count" + sample))
                .isEqualTo(2);
        assertThat(metrics.value("http_server_request_duration_seconds_sum" + sample))
                .isEqualTo(0.5);
        assertThat(metrics.text().lines().filter(line -> line.startsWith("http_server_request_duration_seconds_count")))
                .hasSizeLessThan(55);
    }

    @Test
    void scrapersThatComeAtOnceReadTheStorageOnce() {
        QuietGateway gateway = new QuietGateway();
        Scraped metrics = new Scraped(home, gateway);
        metrics.text();
        int once = gateway.reads.get();
        for (int i = 0; i < 100; i++) {
            metrics.text();
        }

        assertThat(gateway.reads.get()).isEqualTo(once);
    }

    private static GatewayHealth connected(Platform... platforms) {
        return GatewayHealth.builder(GatewayHealth.State.OK)
                .connected(List.of(platforms))
                .build();
    }

    @Test
    void aPlatformThatHasGoneIsShownAsNotConnected() {
        QuietGateway gateway = new QuietGateway();
        Scraped metrics = new Scraped(home, gateway);
        gateway.health = connected(Platform.TELEGRAM, Platform.WEBHOOK);
        metrics.now = metrics.now.plus(Duration.ofSeconds(2));
        assertThat(metrics.value("parley_platform_connected{platform=\"telegram\"}"))
                .isEqualTo(1);

        gateway.health = connected(Platform.WEBHOOK);
        metrics.now = metrics.now.plus(Duration.ofSeconds(2));
        assertThat(metrics.value("parley_platform_connected{platform=\"telegram\"}"))
                .isZero();
    }

    @Test
    void openMetricsAreGivenToThoseWhoAskForThem() {
        Scraped metrics = new Scraped(home);

        assertThat(metrics.ask("GET", "/metrics", Map.of("accept", "application/openmetrics-text;version=1.0.0"))
                        .body())
                .endsWith("# EOF\n");
        assertThat(metrics.ask("GET", "/metrics/more", Map.of()).status()).isEqualTo(404);
        assertThat(metrics.ask("POST", "/metrics", Map.of()).status()).isEqualTo(405);
    }

    private static Turn turn(String model) {
        return Turn.claimed(new TurnId("t-1"), LANE, SessionId.of("s_1"), new RunId("r-1"), List.of(), Scraped.NOW)
                .used(TurnUsage.of(model, new TokenUsage(100, 20, 30, 0, 0), 1));
    }

    private static Outgoing message() {
        return new Outgoing(
                new OutgoingId("o-1"),
                Optional.of(LANE),
                Platform.TELEGRAM,
                "secret-user-4711",
                Optional.empty(),
                SECRET,
                Outgoing.Kind.REPLY,
                Scraped.NOW,
                Optional.empty(),
                Outgoing.State.PENDING,
                0);
    }
}
