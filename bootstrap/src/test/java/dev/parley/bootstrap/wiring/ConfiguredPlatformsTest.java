package dev.parley.bootstrap.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.ConfigurationLoader;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import dev.parley.domain.source.SessionSource;
import dev.parley.home.HomeDirectory;
import dev.parley.home.access.Pairing;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is configured under a section holds for the platform behind it, whatever the section is called. */
class ConfiguredPlatformsTest {
    private static Configuration configuration(String json) {
        return new ConfigurationLoader(
                        Platforms.builtIn(),
                        Map.of("http", Set.of()),
                        Map.of("echo", Set.of()),
                        Map.of("sqlite", Set.of(), "jsonl", Set.of()),
                        Map.of(),
                        Map.of(),
                        ZoneOffset.UTC)
                .loadJson(json, "test")
                .configuration();
    }

    private static SessionSource from(Platform platform, String user) {
        return SessionSource.builder(platform, "c").userId(user).build();
    }

    @Test
    void theHttpSectionSaysWhoMayTalkThroughTheWebhook() {
        Authorization allowed = ConfiguredAuthorization.of(
                configuration("{\"platforms\":{\"http\":{\"allow\":[\"ann\"],\"allow_admin_from\":[\"ann\"]}}}"));
        assertThat(allowed.mayTalk(from(Platform.WEBHOOK, "ann"))).isTrue();
        assertThat(allowed.mayTalk(from(Platform.WEBHOOK, "bob"))).isFalse();
        assertThat(allowed.isAdmin(from(Platform.WEBHOOK, "ann"))).isTrue();
        assertThat(allowed.isAdmin(from(Platform.WEBHOOK, "bob"))).isFalse();
        assertThat(allowed.mayTalk(from(Platform.SLACK, "bob"))).isTrue();
    }

    @Test
    void aSectionOfThePlatformsOwnNameHoldsToo() {
        Authorization allowed =
                ConfiguredAuthorization.of(configuration("{\"platforms\":{\"slack\":{\"allow\":[\"U1\"]}}}"));
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

    @Test
    void aStarLetsEverybodyIn() {
        Authorization allowed =
                ConfiguredAuthorization.of(configuration("{\"platforms\":{\"slack\":{\"allow\":\"*\"}}}"));

        assertThat(allowed.mayTalk(from(Platform.SLACK, "U2"))).isTrue();
    }

    @Test
    void aChatOnTheListLetsItsMembersInWhoeverTheyAre() {
        Authorization allowed = ConfiguredAuthorization.of(
                configuration("{\"platforms\":{\"slack\":{\"allow\":[\"U1\",\"chat:c\"]}}}"));

        assertThat(allowed.mayTalk(from(Platform.SLACK, "U2"))).isTrue();
        assertThat(allowed.mayTalk(
                        SessionSource.builder(Platform.SLACK, "d").userId("U2").build()))
                .isFalse();
        assertThat(allowed.mayTalk(SessionSource.builder(Platform.SLACK, "t")
                        .parentChatId("c")
                        .userId("U2")
                        .build()))
                .as("a thread of that chat")
                .isTrue();
    }

    @Test
    void withPairingNobodyMayTalkWhomNobodyLetIn(@TempDir Path home) {
        Configuration configuration = configuration("{\"platforms\":{\"slack\":{\"pairing\":true}}}");
        Pairing pairing = new Pairing(new HomeDirectory(home), () -> Instant.EPOCH);
        Authorization allowed = ConfiguredAuthorization.of(configuration, pairing);
        SessionSource ann = from(Platform.SLACK, "U1");
        assertThat(allowed.mayTalk(ann)).isFalse();

        String invitation = allowed.invitation(ann).orElseThrow();
        assertThat(invitation).containsPattern("parley pairing approve slack [A-Z2-9]{8}\n");
        pairing.approve(Platform.SLACK, invitation.replaceAll("(?s).*slack ([A-Z2-9]{8})\n.*", "$1"));
        assertThat(allowed.mayTalk(ann)).isTrue();
        assertThat(allowed.invitation(from(Platform.TELEGRAM, "1")))
                .as("where nobody is paired")
                .isEmpty();
    }

    @Test
    void aPlatformOpenToTheWorldNeedsToBeToldWhoMayTalk() {
        assertThat(ConfiguredAuthorization.missing(new Open(), configuration("{}")))
                .hasValueSatisfying(line ->
                        assertThat(line).contains("platforms.telegram.allow", "platforms.telegram.pairing", "\"*\""));
        assertThat(ConfiguredAuthorization.missing(
                        new Open(), configuration("{\"platforms\":{\"telegram\":{\"allow\":\"*\"}}}")))
                .isEmpty();
        assertThat(ConfiguredAuthorization.missing(
                        new Open(), configuration("{\"platforms\":{\"telegram\":{\"pairing\":true}}}")))
                .isEmpty();
    }

    /** A platform that anybody can write to. */
    private static final class Open implements PlatformProvider {
        @Override
        public Platform name() {
            return Platform.TELEGRAM;
        }

        @Override
        public Set<String> settings() {
            return Set.of();
        }

        @Override
        public boolean isOpenToTheWorld() {
            return true;
        }

        @Override
        public ChatPlatform create(ProviderSettings settings) {
            throw new AssertionError("It is not made.");
        }
    }
}
