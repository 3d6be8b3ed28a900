package dev.parley.domain.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlatformsTest {
    private final Platforms platforms = Platforms.builtIn();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "telegram", "discord", "slack", "signal", "whatsapp", "whatsapp_cloud", "matrix", "local", "mattermost",
                "email", "sms", "homeassistant", "dingtalk", "feishu", "wecom", "weixin", "bluebubbles", "qqbot",
                "yuanbao", "imessage", "google_chat", "line", "teams", "irc", "webhook", "api_server"
            })
    void theBuiltInPlatformsAreKnown(String name) {
        assertThat(platforms.find(name)).contains(Platform.of(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {" Telegram ", "TELEGRAM", "telegram\n"})
    @DisplayName("S1.13 a platform is found trimmed and in any case")
    void aPlatformIsFoundTrimmedAndInAnyCase(String name) {
        assertThat(platforms.find(name)).contains(Platform.TELEGRAM);
        assertThat(platforms.parse(name)).isEqualTo(Platform.TELEGRAM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "myspace"})
    @DisplayName("S1.13 an empty or unknown name is not found")
    void anEmptyOrUnknownNameIsNotFound(String name) {
        assertThat(platforms.find(name)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "telgram,Unknown platform 'telgram'; did you mean 'telegram'?",
        "Disc0rd,Unknown platform 'Disc0rd'; did you mean 'discord'?",
        "whatsap,Unknown platform 'whatsap'; did you mean 'whatsapp'?",
    })
    void theNearestNameIsSuggested(String name, String message) {
        assertThatThrownBy(() -> platforms.parse(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void whereNothingIsNearAllNamesAreListedOnOneLine() {
        assertThatThrownBy(() -> platforms.parse("my\nspace bar"))
                .hasMessageStartingWith("Unknown platform 'my space bar'; known are api_server, bluebubbles, ")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> platforms.parse(" ")).hasMessageStartingWith("The platform name is empty; known are ");
    }

    @Test
    void aVeryLongNameIsRejectedWithAShortMessage() {
        assertThatThrownBy(() -> platforms.parse("z".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .hasSizeLessThan(1000);
    }

    @Test
    @DisplayName("S1.13 a platform that an adapter registered is known, in the new set only")
    void aRegisteredPlatformIsKnown() {
        Platform own = Platform.of("zulip");

        Platforms more = platforms.plus(List.of(own));

        assertThat(more.parse("Zulip")).isEqualTo(own);
        assertThat(List.copyOf(more.all()))
                .containsAll(platforms.all())
                .contains(own)
                .isSorted();
        assertThat(platforms.find("zulip")).isEmpty();
    }
}
