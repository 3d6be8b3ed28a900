package dev.parley.domain.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlatformTest {
    @Test
    @DisplayName("S1.13 a platform's name is trimmed and in lower case")
    void aNameIsTrimmedAndInLowerCase() {
        assertThat(Platform.of(" Telegram ")).isEqualTo(Platform.TELEGRAM);
        assertThat(Platform.of("WHATSAPP_CLOUD")).isEqualTo(Platform.WHATSAPP_CLOUD);
    }

    @Test
    void lowerCaseDoesNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(Platform.of("SIGNAL")).isEqualTo(Platform.SIGNAL);
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void aBlankNameIsRejected(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> Platform.of(name));
    }

    @ParameterizedTest
    @CsvSource({"telegram,Telegram", "whatsapp_cloud,Whatsapp Cloud", "api_server,Api Server", "ntfy,Ntfy", "x-y,X-Y"})
    void theDisplayNameIsInTitleCase(String name, String display) {
        assertThat(Platform.of(name).displayName()).isEqualTo(display);
    }

    @ParameterizedTest
    @CsvSource({"dm,true", "DM,false", "' dm',false", "group,false", "forum,false", "private,false"})
    @DisplayName("S1.4 only exactly dm is a direct message")
    void onlyExactlyDmIsADirectMessage(String type, boolean direct) {
        assertThat(ChatType.of(type).isDm()).isEqualTo(direct);
        assertThat(ChatType.of(type).value()).isEqualTo(type);
    }

    @Test
    void aChatTypeIsNeverEmpty() {
        assertThatIllegalArgumentException().isThrownBy(() -> ChatType.of(""));
    }

    @Test
    void namesAndTypesAreOrderedByTheirText() {
        assertThat(Platform.DISCORD).isLessThan(Platform.SLACK);
        assertThat(ChatType.CHANNEL).isLessThan(ChatType.GROUP);
        assertThat(ChatType.GROUP).isGreaterThan(ChatType.DM).hasToString("group");
    }
}
