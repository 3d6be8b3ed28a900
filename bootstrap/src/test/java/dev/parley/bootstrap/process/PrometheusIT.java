package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus scrapes a real gateway; the dashboard and the alerts ask it. */
class PrometheusIT {
    private static final Path OBSERVABILITY = Path.of("..", "docs", "observability");
    private static final ObjectMapper JSON = new ObjectMapper();
    /** What a dashboard asks over a range; as short as the scrapes of the test allow. */
    private static final String RANGE = "30s";

    @TempDir
    private Path directory;

    private Optional<PrometheusPrograms> programs = Optional.empty();

    @BeforeEach
    void find() {
        programs = Optional.of(PrometheusPrograms.found());
    }

    @Test
    void theAlertRulesAreRulesAndDoWhatTheirTestsSay() throws Exception {
        programs.orElseThrow().check(OBSERVABILITY, Optional.empty(), "check", "rules", "alerts.yml");
        programs.orElseThrow().check(OBSERVABILITY, Optional.empty(), "test", "rules", "alerts-test.yml");
    }

    @Test
    void everyExpressionOfDashboardAndAlertsIsAnsweredByAPrometheusThatScrapesAGateway() throws Exception {
        Path home = Files.createTempDirectory(directory, "home");
        Files.writeString(home.resolve("parley.yaml"), "platforms:\n  http:\n    port: 0\n");
        int port = freePort();
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            URI address = URI.create(gateway.ready());
            Caller caller = new Caller(address.toString(), home);
            for (int i = 0; i < 5; i++) {
                assertThat(caller.say("c" + i, "hello", "m" + i).status()).isEqualTo(200);
            }
            Process prometheus = prometheus(home, address, port);
            try {
                gateway.until(
                        "Prometheus has scraped the turns twice",
                        () -> number(port, "count_over_time(parley_turns_total{state=\"completed\"}[1m])") >= 2);

                assertThat(number(port, "up{job=\"parley\"}")).isEqualTo(1);
                assertThat(number(port, "sum(parley_turns_total{state=\"completed\"})"))
                        .isEqualTo(5);
                Map<String, String> unanswered = new LinkedHashMap<>();
                for (String expression : panels()) {
                    JsonNode answer = ask(port, expression);
                    if (!answer.path("status").asText().equals("success")
                            || answer.path("data").path("result").isEmpty()) {
                        unanswered.put(expression, answer.toString());
                    }
                }
                assertThat(unanswered).as("panels without data").isEmpty();
                for (String expression : alerts()) {
                    assertThat(ask(port, expression).path("status").asText())
                            .as(expression)
                            .isEqualTo("success");
                }
                assertThat(rules(port)).hasSize(alerts().size()).containsOnly("inactive");
            } finally {
                prometheus.destroyForcibly().waitFor();
            }
            assertThat(gateway.terminate()).isZero();
        }
    }

    @Test
    void promtoolFindsNothingWrongWithTheMetrics() throws Exception {
        Path home = Files.createTempDirectory(directory, "home");
        Files.writeString(home.resolve("parley.yaml"), "platforms:\n  http:\n    port: 0\n");
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            URI address = URI.create(gateway.ready());
            String metrics = read(address.resolve("/metrics"), "Bearer " + token(home));
            // The greatest value of each histogram, which Micrometer adds, has no words of its own.
            String own = metrics.lines()
                    .filter(line -> !line.matches("(# (TYPE|HELP) )?\\w+_max[ {].*"))
                    .collect(Collectors.joining("\n", "", "\n"));

            programs.orElseThrow()
                    .check(
                            directory,
                            Optional.of(Files.writeString(directory.resolve("metrics"), own)),
                            "check",
                            "metrics");
        }
    }

    private static String token(Path home) throws IOException {
        return Files.readString(home.resolve("http-token-reader")).strip();
    }

    private Process prometheus(Path home, URI gateway, int port) throws IOException {
        Path configuration = Files.writeString(directory.resolve("prometheus.yml"), """
                global:
                  scrape_interval: 1s
                  evaluation_interval: 1s
                rule_files:
                  - %s
                scrape_configs:
                  - job_name: parley
                    authorization:
                      credentials_file: %s
                    static_configs:
                      - targets: ['%s']
                """.formatted(
                        OBSERVABILITY.resolve("alerts.yml").toAbsolutePath().normalize(),
                        home.resolve("http-token-reader"),
                        gateway.getAuthority()));
        return new ProcessBuilder(
                        programs.orElseThrow().server().toString(),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + directory.resolve("series"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.log").toFile())
                .start();
    }

    private JsonNode ask(int port, String expression) {
        return get(port, "query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
    }

    private JsonNode get(int port, String what) {
        try {
            return JSON.readTree(read(URI.create("http://127.0.0.1:" + port + "/api/v1/" + what), ""));
        } catch (IOException notYet) {
            return MissingNode.getInstance();
        }
    }

    private static String read(URI address, String authorization) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        if (!authorization.isEmpty()) {
            connection.setRequestProperty("Authorization", authorization);
        }
        try (InputStream body = connection.getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns the only value that is answered; zero where there is none. */
    private double number(int port, String expression) {
        return ask(port, expression)
                .path("data")
                .path("result")
                .path(0)
                .path("value")
                .path(1)
                .asDouble();
    }

    private List<String> rules(int port) {
        List<String> states = new ArrayList<>();
        for (JsonNode group : get(port, "rules").path("data").path("groups")) {
            group.path("rules").forEach(rule -> states.add(rule.path("state").asText()));
        }
        return states;
    }

    private static List<String> panels() throws IOException {
        List<String> expressions = new ArrayList<>();
        JsonNode dashboard =
                JSON.readTree(OBSERVABILITY.resolve("grafana-parley.json").toFile());
        for (JsonNode panel : dashboard.get("panels")) {
            panel.path("targets")
                    .forEach(target -> expressions.add(
                            target.get("expr").asText().replace("$job", ".*").replace("$__rate_interval", RANGE)));
        }
        assertThat(expressions).hasSizeGreaterThan(30).noneMatch(expression -> expression.contains("$"));
        return expressions;
    }

    private static List<String> alerts() throws IOException {
        List<String> expressions = new ArrayList<>();
        for (JsonNode group : new YAMLMapper()
                .readTree(OBSERVABILITY.resolve("alerts.yml").toFile())
                .get("groups")) {
            group.get("rules").forEach(rule -> expressions.add(rule.get("expr").asText()));
        }
        return expressions;
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
