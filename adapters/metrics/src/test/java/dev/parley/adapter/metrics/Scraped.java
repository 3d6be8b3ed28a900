package dev.parley.adapter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.application.spi.WebSurface;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics of a gateway that does only what it is told to, on a clock that stands. */
final class Scraped implements Timers, Ids {
    static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"");

    Instant now = NOW;
    final WebSurface surface;

    Scraped(Path home) {
        this(home, new QuietGateway());
    }

    Scraped(Path home, GatewayInspection inspection) {
        this.surface = new MetricsProvider()
                .create(new ProviderSettings(
                        "platforms.http",
                        Map.of(),
                        Map.of(),
                        home,
                        () -> now,
                        this,
                        this,
                        Runnable::run,
                        warning -> {},
                        inspection));
    }

    void tell(GatewayEvent event) {
        surface.on(event);
    }

    String text() {
        WebResponse.Whole answer = ask("GET", "/metrics", Map.of());
        assertThat(answer.status()).isEqualTo(200);
        return answer.body();
    }

    WebResponse.Whole ask(String method, String path, Map<String, String> headers) {
        return (WebResponse.Whole) surface.answer(new WebRequest(
                method,
                path,
                Map.of(),
                Map.of(),
                headers,
                new WebRequest.Caller(WebRole.READER, "token", Optional.empty(), "127.0.0.1")));
    }

    /** Returns the labels of each sample there is, by its name. */
    Map<String, Set<String>> labels() {
        Map<String, Set<String>> labels = new TreeMap<>();
        text().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as(line).isTrue();
            Set<String> of = labels.computeIfAbsent(sample.group(1), any -> new TreeSet<>());
            Matcher label = LABEL.matcher(Optional.ofNullable(sample.group(2)).orElse(""));
            while (label.find()) {
                of.add(label.group(1));
            }
        });
        return labels;
    }

    /** Returns the value of a sample, written as the text has it. */
    double value(String sample) {
        List<String> found =
                text().lines().filter(line -> line.startsWith(sample + " ")).toList();
        assertThat(found).as(sample).hasSize(1);
        return Double.parseDouble(found.get(0).substring(sample.length() + 1));
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        return () -> {};
    }

    @Override
    public String unique(String prefix) {
        return prefix + "-1";
    }

    @Override
    public String sessionSuffix() {
        return "00000000";
    }

    @Override
    public Duration jitter(Duration least, Duration most) {
        return least;
    }
}
