package dev.parley.bootstrap.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.ConfigurationLoader;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import dev.parley.domain.source.SessionSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is configured under a section holds for the platform behind it, whatever the section is called. */
class ConfiguredPlatformsTest {
    private static Configuration configuration(String json) {
        return new ConfigurationLoader(
                        Platforms.builtIn(),
                        Map.of("http", Set.of()),
                        Map.of("echo", Set.of()),
                        Map.of("sqlite", Set.of(), "jsonl", Set.of()),
                        ZoneOffset.UTC)
                .loadJson(json, "test")
                .configuration();
    }

    private static SessionSource from(Platform platform, String user) {
        return SessionSource.builder(platform, "c").userId(user).build();
    }

    @Test
    void theHttpSectionSaysWhoMayTalkThroughTheWebhook() {
        ConfiguredAuthorization allowed = new ConfiguredAuthorization(
                configuration("{\"platforms\":{\"http\":{\"allow\":[\"ann\"],\"allow_admin_from\":[\"ann\"]}}}"));
        assertThat(allowed.mayTalk(from(Platform.WEBHOOK, "ann"))).isTrue();
        assertThat(allowed.mayTalk(from(Platform.WEBHOOK, "bob"))).isFalse();
        assertThat(allowed.isAdmin(from(Platform.WEBHOOK, "ann"))).isTrue();
        assertThat(allowed.isAdmin(from(Platform.WEBHOOK, "bob"))).isFalse();
        assertThat(allowed.mayTalk(from(Platform.SLACK, "bob"))).isTrue();
    }

    @Test
    void aSectionOfThePlatformsOwnNameHoldsToo() {
        ConfiguredAuthorization allowed =
                new ConfiguredAuthorization(configuration("{\"platforms\":{\"slack\":{\"allow\":[\"U1\"]}}}"));
        assertThat(allowed.mayTalk(from(Platform.SLACK, "U1"))).isTrue();
        assertThat(allowed.mayTalk(from(Platform.SLACK, "U2"))).isFalse();
    }

    @Test
    void theHttpSectionMutesTheWebhook() {
        Configuration muted = configuration(
                "{\"platforms\":{\"http\":{\"gateway_restart_notification\":false,\"home_channel\":\"ops\"}}}");
        assertThat(muted.gateway().delivery().muted()).containsExactly(Platform.WEBHOOK);
        assertThat(muted.gateway().delivery().homeChannels())
                .singleElement()
                .satisfies(home -> assertThat(home.platform()).isEqualTo(Platform.WEBHOOK));
    }
}
