package dev.parley.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.source.Platforms;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is configured reaches the gateway (F13.1, F13.2). */
class ConfiguredGatewayTest {
    private static GatewaySettings settings(String json) {
        ConfigurationLoader.Loaded loaded = new ConfigurationLoader(
                        Platforms.builtIn(),
                        Map.of("http", Set.of()),
                        Map.of("echo", Set.of()),
                        Map.of("sqlite", Set.of(), "jsonl", Set.of()),
                        Map.of(),
                        Map.of(),
                        ZoneOffset.UTC)
                .loadJson(json, "test");
        assertThat(loaded.problems()).isEmpty();
        return loaded.configuration().gateway();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"session_store_max_age_days\":7}",
                "{\"session_reset\":{\"mode\":\"idle\"}}",
                "{\"session_reset\":{\"at_hour\":5}}",
                "{\"session_reset\":{\"idle_minutes\":60}}",
                "{\"session_reset\":{\"notify\":false}}",
                "{\"session_reset\":{\"notify_exclude_platforms\":[]}}",
                "{\"session_reset\":{\"bg_process_max_age_hours\":1}}",
                "{\"platforms\":{\"slack\":{\"session_reset\":{\"mode\":\"none\"}}}}",
                "{\"reset_by_type\":{\"group\":{\"mode\":\"none\"}}}",
                "{\"reset_by_platform\":{\"slack\":{\"mode\":\"none\"}}}",
                "{\"agent\":{\"gateway_auto_continue_freshness\":60}}",
                "{\"agent\":{\"gateway_timeout\":60}}",
                "{\"agent\":{\"gateway_timeout_warning\":60}}",
                "{\"agent\":{\"gateway_notify_interval\":60}}",
                "{\"agent\":{\"restart_drain_timeout\":60}}",
                "{\"agent\":{\"max_answer_size\":60000}}",
                "{\"display\":{\"busy_input_mode\":\"queue\"}}",
                "{\"display\":{\"busy_text_mode\":\"queue\"}}",
                "{\"display\":{\"busy_ack_enabled\":false}}",
                "{\"max_concurrent_sessions\":3}",
                "{\"gateway\":{\"max_concurrent_sessions\":3}}",
                "{\"privacy\":{\"redact_pii\":true}}",
                "{\"approvals\":{\"destructive_slash_confirm\":true}}",
                "{\"gateway\":{\"restart_loop_guard\":{\"max\":9}}}",
                "{\"gateway\":{\"restart_loop_guard\":{\"window_seconds\":9}}}",
                "{\"platforms\":{\"slack\":{\"gateway_restart_notification\":false}}}",
                "{\"reset_triggers\":[\"/clear\"]}"
            })
    void everyKeyChangesWhatTheGatewayIsTold(String json) {
        assertThat(settings(json)).isNotEqualTo(settings("{}"));
    }

    @Test
    void whereNothingIsConfiguredTheGatewaysOwnDefaultsHold() {
        assertThat(settings("{}")).isEqualTo(GatewaySettings.DEFAULT);
    }

    @Test
    void timesAndTriggersArriveAsTheyWereConfigured() {
        GatewaySettings configured =
                settings("{\"agent\":{\"gateway_timeout_warning\":60,\"gateway_notify_interval\":0},"
                        + "\"reset_triggers\":[\"/clear\",\"start over\"]}");
        assertThat(configured.turns().warning()).isEqualTo(Duration.ofMinutes(1));
        assertThat(configured.turns().progress()).isEqualTo(Duration.ZERO);
        assertThat(configured.chat().resetTriggers()).isEqualTo(List.of("/clear", "start over"));
    }
}
