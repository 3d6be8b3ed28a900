package dev.parley.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.settings.Showing;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import dev.parley.home.media.FileMedia;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** F13.2: what each setting may be, what becomes of anything else, and what stops the start. */
class ConfigurationLoaderTest {
    private final ConfigurationLoader loader = new ConfigurationLoader(
            Platforms.builtIn(),
            Map.of("http", Set.of("bind", "port", "bridge_tokens.*"), "local", Set.of()),
            Map.of("echo", Set.of(), "openai", Set.of("base_url", "model")),
            Map.of("sqlite", Set.of(), "jsonl", Set.of()),
            Map.of("audit", Set.of("url", "chats")),
            Map.of("otlp", Set.of("endpoint", "ids")),
            ZoneId.of("Europe/Berlin"));

    @TempDir
    Path folder;

    private ConfigurationLoader.Loaded yaml(String text, Map<String, String> environment) {
        try {
            return loader.load(Optional.of(Files.writeString(folder.resolve("parley.yaml"), text)), environment);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private ConfigurationLoader.Loaded yaml(String text) {
        return yaml(text, Map.of());
    }

    private static List<String> texts(ConfigurationLoader.Loaded loaded) {
        return loaded.problems().stream().map(ConfigProblem::message).toList();
    }

    @Test
    void withoutAFileTheRequirementsDefaultsHold() {
        ConfigurationLoader.Loaded loaded = loader.load(Optional.empty(), Map.of());
        Configuration c = loaded.configuration();
        assertThat(loaded.problems()).isEmpty();
        assertThat(c.isolation().groupSessionsPerUser()).isTrue();
        assertThat(c.isolation().threadSessionsPerUser()).isFalse();
        assertThat(c.gateway().retention().lanes()).isZero();
        assertThat(c.resets().defaultPolicy().mode()).isEqualTo(ResetMode.BOTH);
        assertThat(c.resets().defaultPolicy().atHour()).isEqualTo(4);
        assertThat(c.resets().defaultPolicy().idle()).isEqualTo(Duration.ofDays(1));
        assertThat(c.gateway().recovery().freshness()).isEqualTo(Duration.ofHours(1));
        assertThat(c.gateway().turns().timeout()).isEqualTo(Duration.ofMinutes(30));
        assertThat(c.gateway().turns().drain()).isEqualTo(Duration.ofMinutes(3));
        assertThat(c.gateway().busy().mode()).isEqualTo(BusyMode.INTERRUPT);
        assertThat(c.gateway().busy().maxLanes()).isEmpty();
        assertThat(c.storage().url()).isEqualTo("sqlite:state.db");
        assertThat(c.storage().fallback()).contains("jsonl:spill");
        assertThat(c.agent().provider()).isEqualTo("echo");
    }

    /** Each row: the value as written, what becomes of it, and whether a warning says so. */
    @ParameterizedTest(name = "{0}: {1} becomes {2}")
    @CsvSource({
        "group_sessions_per_user, 'off', false, false",
        "group_sessions_per_user, '0', false, false",
        "group_sessions_per_user, 'NO', false, false",
        "group_sessions_per_user, '\"maybe\"', true, true",
        "group_sessions_per_user, 'null', true, false",
        "group_sessions_per_user, '[1]', true, true",
        "thread_sessions_per_user, '2', true, false",
        "thread_sessions_per_user, 'Yes', true, false",
        "session_store_max_age_days, '-3', 0, false",
        "session_store_max_age_days, '\"7\"', 7, false",
        "session_store_max_age_days, '2.9', 2, false",
        "session_store_max_age_days, 'soon', 0, true",
        "session_store_max_age_days, 'null', 0, false",
        "session_reset.mode, 'null', both, false",
        "session_reset.mode, 'idle', idle, false",
        "session_reset.mode, 'weekly', both, true",
        "session_reset.at_hour, '24', 4, true",
        "session_reset.at_hour, '-1', 4, true",
        "session_reset.at_hour, '\"4\"', 4, false",
        "session_reset.at_hour, '23', 23, false",
        "session_reset.idle_minutes, '0', 1440, true",
        "session_reset.idle_minutes, 'null', 1440, false",
        "session_reset.notify, 'off', false, false",
        "session_reset.bg_process_max_age_hours, 'null', 24.0, false",
        "session_reset.bg_process_max_age_hours, '-1', -1.0, false",
        "agent.gateway_auto_continue_freshness, 'bad', 3600.0, true",
        "agent.gateway_timeout, '0', 0.0, false",
        "agent.restart_drain_timeout, 'bad', 180.0, true",
        "agent.max_answer_size, '1000', 1000, false",
        "agent.max_answer_size, '999', 4000000, true",
        "display.busy_input_mode, 'steer', steer, false",
        "display.busy_input_mode, 'shout', interrupt, true",
        "display.busy_ack_enabled, 'yes', true, false",
        "max_concurrent_sessions, '5', 5, false",
        "max_concurrent_sessions, '0', 0, false",
        "max_concurrent_sessions, '-2', 0, false",
        "max_concurrent_sessions, 'true', 0, true",
        "max_concurrent_sessions, '1.5', 0, true",
        "max_concurrent_sessions, '\"5\"', 0, true",
        "write_sessions_json, 'no', false, false",
    })
    @DisplayName("F13.2: a value is taken, coerced, or replaced by its default with a warning")
    void valuesAreCoerced(String path, String written, String effective, boolean warned) {
        String[] names = path.split("\\.", -1);
        String text = names.length == 1 ? names[0] + ": " + written : names[0] + ":\n  " + names[1] + ": " + written;
        ConfigurationLoader.Loaded loaded = yaml(text);
        assertThat(loaded.errors()).isEmpty();
        assertThat(loaded.problems().isEmpty()).isEqualTo(!warned);
        assertThat(loaded.configuration().settings())
                .filteredOn(s -> s.path().equals(path))
                .extracting(Setting::value)
                .containsExactly(effective);
    }

    /** Each row: the setting, the value as written, and what becomes of it; a value that is not taken is one warning. */
    @ParameterizedTest(name = "{0}: {1} becomes {2}")
    @CsvSource({
        "platforms.telegram.typing, 'off', false, false",
        "platforms.telegram.typing, '\"sometimes\"', true, true",
        "platforms.telegram.preview, 'always', always, false",
        "platforms.telegram.preview, 'never', never, false",
        "platforms.telegram.preview, 'groups', direct, true",
        "platforms.telegram.reactions, 'yes', true, false",
        "platforms.telegram.reactions, '[1]', false, true",
        "media.max_file_bytes, '1024', 1024, false",
        "media.max_file_bytes, '1023', 25000000, true",
        "media.max_file_bytes, '\"25 MB\"', 25000000, true",
        "media.max_total_bytes, '5000000', 5000000, false",
        "media.max_total_bytes, '-1', 2000000000, true",
        "media.retention_days, '1', 1, false",
        "media.retention_days, '0', 30, true",
        "media.retention_days, '36501', 30, true",
    })
    void whatIsShownAndWhatFilesAreKeptIsTakenOrReplacedWithOneWarning(
            String path, String written, String effective, boolean warned) {
        int last = path.lastIndexOf('.');
        String text = path.startsWith("media")
                ? "media: {" + path.substring(last + 1) + ": " + written + "}"
                : "platforms: {telegram: {" + path.substring(last + 1) + ": " + written + "}}";
        ConfigurationLoader.Loaded loaded = yaml(text);

        assertThat(loaded.configuration().settings())
                .filteredOn(s -> s.path().equals(path))
                .extracting(Setting::value)
                .containsExactly(effective);
        if (warned) {
            assertThat(loaded.problems())
                    .singleElement()
                    .satisfies(
                            problem -> assertThat(problem.text()).contains(path).hasLineCount(1));
        } else {
            assertThat(loaded.problems()).isEmpty();
        }
    }

    @Test
    void whatIsShownOfTurnsAndWhatFilesAreKeptReachTheGateway() {
        Configuration c = yaml("""
            platforms:
              telegram: {typing: false, preview: never, reactions: true}
              slack: {enabled: false}
            media: {max_file_bytes: 2048, max_total_bytes: 4096, retention_days: 7}
            """).configuration();

        assertThat(c.gateway().showing())
                .containsEntry(Platform.TELEGRAM, new Showing(false, Showing.Previews.NEVER, true))
                .containsEntry(Platform.SLACK, Showing.DEFAULT);
        assertThat(c.media()).isEqualTo(new FileMedia.Limits(2048, 4096, Duration.ofDays(7)));
    }

    @Test
    @DisplayName("F13.2: a negative drain time-out counts as none, a fraction of a second is kept")
    void durationsAreSeconds() {
        assertThat(yaml("agent:\n  restart_drain_timeout: -5")
                        .configuration()
                        .gateway()
                        .turns()
                        .drain())
                .isEqualTo(Duration.ZERO);
        assertThat(yaml("agent:\n  restart_drain_timeout: 0.5")
                        .configuration()
                        .gateway()
                        .turns()
                        .drain())
                .isEqualTo(Duration.ofMillis(500));
    }

    @Test
    @DisplayName("F13.2: a plain text for a list is one item and is not split into letters")
    void aTextIsNotSplit() {
        Configuration c =
                yaml("session_reset:\n  notify_exclude_platforms: slack").configuration();
        assertThat(c.resets().defaultPolicy().notifyExcludePlatforms()).containsExactly("slack");
    }

    @Test
    @DisplayName("R6.8, C13: a platform's policy replaces the general one as a whole and knows where it came from")
    void aPlatformsPolicyStandsAlone() {
        Configuration c = yaml("""
            session_reset: {mode: none}
            platforms:
              telegram:
                session_reset: {idle_minutes: 30}
            reset_by_type:
              group: {mode: idle, idle_minutes: 5}
            """).configuration();
        var telegram = c.resets().select(Optional.of(Platform.TELEGRAM), ChatType.GROUP);
        assertThat(telegram.origin()).isEqualTo("platforms.telegram.session_reset");
        assertThat(telegram.policy().mode()).isEqualTo(ResetMode.BOTH);
        assertThat(telegram.policy().idle()).isEqualTo(Duration.ofMinutes(30));
        assertThat(c.resets()
                        .select(Optional.of(Platform.SLACK), ChatType.GROUP)
                        .origin())
                .isEqualTo("reset_by_type.group");
        assertThat(c.resets()
                        .select(Optional.of(Platform.SLACK), ChatType.DM)
                        .policy()
                        .mode())
                .isEqualTo(ResetMode.NONE);
    }

    @Test
    void allProblemsAreReportedTogetherWithPlaceAndSuggestion() {
        ConfigurationLoader.Loaded loaded = yaml("""
            group_sesions_per_user: true
            session_reset:
              at_hours: 5
            platforms:
              telegarm:
                enabled: true
              slack:
                enabled: true
            zone: Europe/Berln
            agent: {provider: opnai}
            """);
        assertThat(loaded.errors())
                .extracting(ConfigProblem::text)
                .satisfiesExactlyInAnyOrder(
                        text -> assertThat(text)
                                .endsWith("parley.yaml:1: unknown key \"group_sesions_per_user\";"
                                        + " did you mean \"group_sessions_per_user\"?"),
                        text -> assertThat(text)
                                .contains(":3: unknown key \"session_reset.at_hours\"")
                                .contains("session_reset.at_hour\"?"),
                        text -> assertThat(text)
                                .contains("no platform is called \"telegarm\"")
                                .contains("telegram"),
                        text -> assertThat(text).contains("no adapter for slack"),
                        text -> assertThat(text).contains("Europe/Berln").contains("Europe/Berlin"),
                        text -> assertThat(text)
                                .contains("there is no agent \"opnai\"")
                                .contains("openai"));
    }

    @Test
    void aTelephoneNumberKeepsItsPlusSignWithoutQuotes() {
        assertThat(yaml("platforms:\n  slack:\n    allow: [+15550101, \"+15550102\", 15550103]")
                        .configuration()
                        .platforms())
                .hasEntrySatisfying(
                        "slack",
                        slack -> assertThat(slack.allow()).containsExactly("+15550101", "+15550102", "15550103"));
        assertThat(yaml("platforms:\n  slack:\n    allow: +15550101")
                        .configuration()
                        .platforms())
                .hasEntrySatisfying("slack", slack -> assertThat(slack.allow()).containsExactly("+15550101"));
        assertThat(yaml("session_store_max_age_days: +7").problems())
                .as("where a number is wanted it is one")
                .isEmpty();
    }

    @Test
    void whatCannotBeReadAndHasNoDefaultCountsAsNotSet() {
        assertThat(yaml("platforms:\n  slack:\n    allow: {U1: yes}").problems())
                .extracting(ConfigProblem::text)
                .singleElement()
                .asString()
                .endsWith(":3: platforms.slack.allow is a section, not a list; it counts as not set");
    }

    @Test
    void aKnownPlatformNeedsNoAdapterUnlessItIsEnabled() {
        assertThat(yaml("platforms:\n  slack:\n    home_channel: C1\n    allow: [U1]")
                        .problems())
                .isEmpty();
        assertThat(yaml("platforms:\n  slack: {enabled: false}").problems()).isEmpty();
        assertThat(yaml("platforms:\n  slack: {enabled: true, bot_token_env: X}")
                        .errors())
                .singleElement()
                .asString()
                .contains("there is no adapter for slack");
    }

    @ParameterizedTest
    @ValueSource(strings = {".inf", "-.Inf", ".nan", ".NaN"})
    void aNumberWithoutEndOrSenseIsToldWithItsSetting(String written) {
        assertThat(texts(yaml("session_reset: {idle_minutes: " + written + "}")))
                .singleElement()
                .asString()
                .startsWith("session_reset.idle_minutes is \"" + written + "\", not a");
    }

    @Test
    void aWordThatYamlReadsAsFalseIsQuotedAsItWasWritten() {
        assertThat(texts(yaml("session_reset: {mode: off}")))
                .singleElement()
                .asString()
                .startsWith(
                        "session_reset.mode is \"off\" (which YAML reads as false; where the word is meant, put it in quotes), not one of");
        assertThat(texts(yaml("session_reset: {mode: False}")))
                .singleElement()
                .asString()
                .startsWith("session_reset.mode is \"false\", not one of");
    }

    @ParameterizedTest
    @CsvSource({"PARLEY_LOG, LOUD, 'OFF, ERROR, WARN, INFO, DEBUG, TRACE, ALL'", "PARLEY_LOG_FORMAT, JSON, json"})
    void whatTheLogDoesNotUnderstandIsOneWarningWithWhatItDoes(String variable, String value, String possible) {
        assertThat(yaml("", Map.of(variable, value)).problems()).singleElement().satisfies(problem -> {
            assertThat(problem.severity()).isEqualTo(ConfigProblem.Severity.WARNING);
            assertThat(problem.text()).contains("environment " + variable, "\"" + value + "\"", possible);
        });
    }

    @ParameterizedTest
    @CsvSource({"PARLEY_LOG, debug", "PARLEY_LOG, WARN", "PARLEY_LOG_FORMAT, json"})
    void whatTheLogUnderstandsIsNoProblem(String variable, String value) {
        assertThat(yaml("", Map.of(variable, value)).problems()).isEmpty();
    }

    @Test
    void theVariableOfTheLauncherIsNoUnknownSetting() {
        assertThat(yaml("", Map.of("PARLEY_JAVA_OPTIONS", "-Xmx256m")).problems())
                .isEmpty();
    }

    @Test
    @DisplayName("an adapter's list reaches it item by item, commas within an item included")
    void aListReachesItsAdapterItemByItem() {
        assertThat(yaml("platforms:\n  http:\n    bind: [\"bo{1,2}t\", hello]\n    bridge_tokens: {one: [a, b]}")
                        .configuration()
                        .platforms())
                .hasEntrySatisfying(
                        "http",
                        p -> assertThat(p.settings())
                                .containsEntry("bind", "bo{1,2}t\nhello")
                                .containsEntry("bridge_tokens.one", "a\nb"));
    }

    @Test
    @DisplayName("F13.1: the environment goes before the file, and the origin of each value is known")
    void theEnvironmentGoesBeforeTheFile() {
        ConfigurationLoader.Loaded loaded = yaml(
                "session_reset: {idle_minutes: 10, at_hour: 6}\nplatforms:\n  http: {port: 8080}",
                Map.of(
                        "PARLEY_SESSION_RESET_IDLE_MINUTES", "20",
                        "SESSION_RESET_HOUR", "7",
                        "PARLEY_PLATFORMS_HTTP_PORT", "9090",
                        "PARLEY_HOME", "elsewhere"));
        assertThat(loaded.problems()).isEmpty();
        Configuration c = loaded.configuration();
        assertThat(c.resets().defaultPolicy().idle()).isEqualTo(Duration.ofMinutes(20));
        assertThat(c.resets().defaultPolicy().atHour()).isEqualTo(7);
        assertThat(c.platforms())
                .hasEntrySatisfying("http", p -> assertThat(p.settings()).containsEntry("port", "9090"));
        Function<String, String> origin = path -> c.settings().stream()
                .filter(s -> s.path().equals(path))
                .map(Setting::origin)
                .findFirst()
                .orElseThrow();
        assertThat(origin.apply("session_reset.idle_minutes"))
                .isEqualTo("environment PARLEY_SESSION_RESET_IDLE_MINUTES");
        assertThat(origin.apply("session_reset.at_hour")).isEqualTo("environment SESSION_RESET_HOUR");
        assertThat(origin.apply("session_reset.mode")).isEqualTo("default");
    }

    @Test
    void aBlankVariableIsNotSetAndAnUnknownOneIsMentioned() {
        ConfigurationLoader.Loaded loaded = yaml("", Map.of("PARLEY_ZONE", " ", "PARLEY_ZOEN", "UTC"));
        assertThat(loaded.configuration().zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(texts(loaded)).singleElement().asString().contains("PARLEY_ZONE");
        assertThat(loaded.errors()).isEmpty();
    }

    @Test
    @DisplayName("13: the limit of lanes may stand in the section of the gateway; at the top level it goes first, also"
            + " where it is off")
    void theLimitOfLanes() {
        assertThat(limit("gateway: {max_concurrent_sessions: 3}")).contains(3);
        assertThat(limit("max_concurrent_sessions: 2\ngateway: {max_concurrent_sessions: 3}"))
                .contains(2);
        for (String off : List.of("0", "-1", "null", "true", "2.5", "'2'")) {
            assertThat(limit("max_concurrent_sessions: " + off + "\ngateway: {max_concurrent_sessions: 3}"))
                    .as(off)
                    .isEmpty();
        }
    }

    private Optional<Integer> limit(String text) {
        return yaml(text).configuration().gateway().busy().maxLanes();
    }

    @Test
    @DisplayName("13: the guard against boot loops takes whole numbers only, and any number below one turns it off")
    void theGuardTakesWholeNumbersOnly() {
        for (String bad : List.of("2.5", "'2'", "x", "true")) {
            ConfigurationLoader.Loaded loaded = yaml("gateway: {restart_loop_guard: {max: " + bad + "}}");
            assertThat(loaded.configuration().gateway().recovery().bootLoopMax())
                    .as(bad)
                    .isEqualTo(3);
            assertThat(loaded.problems()).as(bad).hasSize(1);
        }
        assertThat(yaml("gateway: {restart_loop_guard: {max: -7}}")
                        .configuration()
                        .gateway()
                        .recovery()
                        .bootLoopMax())
                .isZero();
    }

    @ParameterizedTest
    @DisplayName("F13.2: a value where a section should be is told")
    @ValueSource(
            strings = {
                "agent: x",
                "gateway: [1]",
                "gateway: {restart_loop_guard: 3}",
                "display: 7",
                "approvals: yes",
                "privacy: on"
            })
    void aValueInThePlaceOfASectionIsTold(String text) {
        ConfigurationLoader.Loaded loaded = yaml(text);
        assertThat(loaded.errors()).isEmpty();
        assertThat(texts(loaded)).singleElement().asString().contains("not a section");
    }

    @Test
    void aSecondAccountOfAPlatformIsRefusedAndNotIgnored() {
        ConfigurationLoader.Loaded loaded = yaml(
                "platforms:\n  slack:\n    - {enabled: true, allow: [U1]}\n    - {enabled: true, bot_token_env: OTHER}");

        assertThat(loaded.errors())
                .singleElement()
                .asString()
                .contains(
                        "parley.yaml:3",
                        "platforms.slack is a list; a gateway has one account of each platform",
                        "a home of its own");
    }

    @Test
    @DisplayName("F13.2: a section of the wrong type takes its defaults with a warning")
    void aSectionOfTheWrongTypeTakesItsDefaults() {
        ConfigurationLoader.Loaded loaded = yaml("session_reset: daily\nreset_by_type: 3\ndisplay: [a]");
        assertThat(loaded.errors()).isEmpty();
        assertThat(texts(loaded))
                .anySatisfy(t -> assertThat(t).contains("session_reset").contains("not a section"));
        assertThat(loaded.configuration().resets().defaultPolicy().mode()).isEqualTo(ResetMode.BOTH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: [1", "- just\n- a list", "a: 1\na: 2", "a: 1\n---\nb: 2", "\tx: 1"})
    void aFileThatIsNotYamlStopsTheStartWithOneLine(String text) {
        assertThatThrownBy(() -> yaml(text))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("parley.yaml:")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aFileThatIsNotUtf8StopsTheStart() throws IOException {
        Path file = Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe4});
        assertThatThrownBy(() -> loader.load(Optional.of(file), Map.of()))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void anAddressWithoutAKnownSchemeStopsTheStart() {
        assertThat(texts(yaml("storage: {url: 'mysql:x', fallback: none}")))
                .singleElement()
                .asString()
                .contains("jsonl, sqlite");
        assertThat(yaml("storage: {fallback: none}").configuration().storage().fallback())
                .isEmpty();
    }
}
