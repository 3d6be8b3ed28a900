package dev.parley.domain.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {
    private static final Platform OWN = Platform.of("zulip");

    @ParameterizedTest
    @CsvSource({
        "12345,          5994471abb01",
        "telegram:12345, telegram:5994471abb01",
        ":12345,         32eb79f94af0",
        "a:b:c,          a:333edf7c3ca3",
        "'',             ''",
    })
    @DisplayName("X9.9 a chat id is hashed after its first colon, if that is not at its start")
    void aChatIdIsHashed(String id, String shown) {
        Redaction redaction = Redaction.on(List.of());

        assertThat(redaction.chatId(Platform.TELEGRAM, id)).isEqualTo(shown);
        assertThat(redaction.chatId(Platform.SLACK, id)).isEqualTo(id);
        assertThat(Redaction.off().chatId(Platform.TELEGRAM, id)).isEqualTo(id);
    }

    @Test
    @DisplayName("X9.9 a user id is user_ and 12 hex digits of its hash")
    void aUserIdIsHashed() {
        assertThat(Redaction.on(List.of()).userId(Platform.SIGNAL, "user-123")).isEqualTo("user_fcdec6df4d44");
        assertThat(Redaction.on(List.of()).userId(Platform.MATRIX, "user-123")).isEqualTo("user-123");
        assertThat(Redaction.off().userId(Platform.SIGNAL, "user-123")).isEqualTo("user-123");
    }

    @Test
    @DisplayName("X9.7 by default nothing is hidden")
    void byDefaultNothingIsHidden() {
        assertThat(Platforms.builtIn().all()).noneMatch(Redaction.off()::redacts);
    }

    @Test
    @DisplayName("X9.8 of the built-in platforms exactly WhatsApp, Signal, Telegram and BlueBubbles are hidden")
    void exactlyFourBuiltInPlatformsAreHidden() {
        Redaction redaction = Redaction.on(List.of());

        assertThat(Platforms.builtIn().all())
                .filteredOn(redaction::redacts)
                .containsExactlyInAnyOrder(Platform.WHATSAPP, Platform.SIGNAL, Platform.TELEGRAM, Platform.BLUEBUBBLES);
    }

    @Test
    @DisplayName("X9.8 a platform of an adapter is hidden if the adapter says so; Discord never is")
    void anAdaptersPlatformIsHiddenIfItSaysSo() {
        assertThat(Redaction.on(List.of()).redacts(OWN)).isFalse();
        assertThat(Redaction.on(Set.of(OWN)).redacts(OWN)).isTrue();
        assertThat(Redaction.on(Set.of(Platform.DISCORD)).redacts(Platform.DISCORD))
                .isFalse();
    }
}
