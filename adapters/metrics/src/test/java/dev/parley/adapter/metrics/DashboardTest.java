package dev.parley.adapter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard and the alerts ask for what there is. */
class DashboardTest {
    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Pattern NAME = Pattern.compile("\\b(?:parley|gen_ai|jvm|process)_[a-z0-9_]+\\b(?!\\s*=)");
    private static final Pattern MATCHERS = Pattern.compile("([a-z_]+)\\{([^}]*)}");
    private static final Pattern MATCHED = Pattern.compile("([a-z_]+)\\s*(?:=~|!=|!~|=)");
    private static final Pattern GROUPED = Pattern.compile("\\b(?:by|without)\\s*\\(([^)]*)\\)");

    @TempDir
    private Path home;

    private Map<String, Set<String>> exposed;

    @BeforeEach
    void scrape() {
        exposed = new Scraped(home).labels();
    }

    @Test
    void everyPanelAsksForMetricsAndLabelsThatThereAre() throws IOException {
        JsonNode dashboard = dashboard();
        List<String> problems = new ArrayList<>();
        int expressions = 0;
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.path("targets")) {
                expressions++;
                check(panel.get("title").asText(), target.get("expr").asText(), problems);
            }
        }

        assertThat(problems).isEmpty();
        assertThat(expressions).isGreaterThan(20);
    }

    @Test
    void panelsHaveIdsOfTheirOwnAndDoNotLieOnOneAnother() throws IOException {
        Set<Integer> ids = new TreeSet<>();
        Set<String> taken = new TreeSet<>();
        for (JsonNode panel : dashboard().get("panels")) {
            assertThat(ids.add(panel.get("id").asInt()))
                    .as(panel.get("title").asText())
                    .isTrue();
            JsonNode at = panel.get("gridPos");
            assertThat(at.get("x").asInt() + at.get("w").asInt()).isLessThanOrEqualTo(24);
            for (int x = at.get("x").asInt();
                    x < at.get("x").asInt() + at.get("w").asInt();
                    x++) {
                for (int y = at.get("y").asInt();
                        y < at.get("y").asInt() + at.get("h").asInt();
                        y++) {
                    assertThat(taken.add(x + "/" + y))
                            .as(panel.get("title").asText())
                            .isTrue();
                }
            }
        }
    }

    @Test
    void theDashboardComesFromNoParticularServer() throws IOException {
        String text = Files.readString(DOCS.resolve("observability/grafana-parley.json"));
        JsonNode dashboard = dashboard();

        assertThat(text).doesNotContain("http://", "https://");
        assertThat(dashboard.get("schemaVersion").asInt()).isGreaterThanOrEqualTo(39);
        for (JsonNode panel : dashboard.get("panels")) {
            if (!panel.get("type").asText().equals("row")) {
                assertThat(panel.path("datasource").path("uid").asText()).isEqualTo("${datasource}");
                assertThat(panel.path("fieldConfig").path("defaults").has("unit"))
                        .as(panel.get("title").asText())
                        .isTrue();
            }
        }
    }

    @Test
    void everyAlertAsksForMetricsThatThereAreAndSaysWhatToDo() throws IOException {
        JsonNode rules = new YAMLMapper()
                .readTree(DOCS.resolve("observability/alerts.yml").toFile());
        String guide = Files.readString(DOCS.resolve("guide/observability.md"));
        List<String> problems = new ArrayList<>();
        int alerts = 0;
        for (JsonNode group : rules.get("groups")) {
            for (JsonNode rule : group.get("rules")) {
                alerts++;
                String name = rule.get("alert").asText();
                check(name, rule.get("expr").asText(), problems);
                assertThat(rule.path("labels").path("severity").asText()).isIn("page", "ticket");
                assertThat(rule.path("annotations").path("summary").asText()).isNotBlank();
                assertThat(guide).as("what to do about %s", name).contains("### " + name);
            }
        }

        assertThat(problems).isEmpty();
        assertThat(alerts).isGreaterThanOrEqualTo(10);
    }

    @Test
    void aNameThatIsNotThereIsFound() {
        List<String> problems = new ArrayList<>();
        check("wrong", "sum by (platform) (rate(parley_turnz_total[5m]))", problems);
        check("wrong", "sum by (colour) (rate(parley_turns_total{shape=\"round\"}[5m]))", problems);

        assertThat(problems).hasSize(4);
    }

    private void check(String where, String expression, List<String> problems) {
        Set<String> labels = new TreeSet<>(Set.of("le", "job", "instance"));
        Matcher name =
                NAME.matcher(expression.replaceAll("\\{[^}]*}", "").replaceAll("\\b(by|without)\\s*\\([^)]*\\)", ""));
        while (name.find()) {
            if (exposed.containsKey(name.group())) {
                labels.addAll(exposed.get(name.group()));
            } else {
                problems.add(where + ": there is no " + name.group());
            }
        }
        Matcher matchers = MATCHERS.matcher(expression);
        while (matchers.find()) {
            Matcher matched = MATCHED.matcher(matchers.group(2).replaceAll("\"[^\"]*\"", ""));
            while (matched.find()) {
                known(where, matched.group(1), exposed.getOrDefault(matchers.group(1), Set.of()), problems);
            }
        }
        Matcher grouped = GROUPED.matcher(expression);
        while (grouped.find()) {
            for (String label : grouped.group(1).split(",", -1)) {
                known(where, label.strip(), labels, problems);
            }
        }
    }

    private static void known(String where, String label, Set<String> labels, List<String> problems) {
        if (!labels.contains(label) && !Set.of("job", "instance").contains(label)) {
            problems.add(where + ": there is no label " + label);
        }
    }

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper()
                .readTree(DOCS.resolve("observability/grafana-parley.json").toFile());
    }
}
