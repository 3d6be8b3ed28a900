package dev.parley.domain.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPartsTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "agent:main:telegram:dm:99,                         telegram, dm,      99,        -",
                "agent:main:telegram:dm:99:t1,                      telegram, dm,      99,        t1",
                "agent:main:discord:thread:5:7,                     discord,  thread,  5,         7",
                "agent:main:discord:thread:5:7:u,                   discord,  thread,  5,         7",
                "agent:main:telegram:group:-100:17585,              telegram, group,   -100,      -",
                "agent:main:telegram:group:-100:17585:42,           telegram, group,   -100,      -",
                "agent:main:slack:channel:C1:u,                     slack,    channel, C1,        -",
                "agent:main:telegram:dm:99:,                        telegram, dm,      99,        -",
                "agent:main:matrix:group:!r%3Aex.org:@a%3Aex.org,   matrix,   group,   !r:ex.org, -",
                "agent:main:telegram:dm:a.%2Eb%25,                  telegram, dm,      a..b%,     -",
            })
    @DisplayName("K5.13 platform, type and chat are read from the key, the thread only where it can be nothing else")
    void thePartsAreReadFromTheKey(String key, String platform, String type, String chat, @Nullable String thread) {
        assertThat(KeyParts.parse(SessionKey.of(key)))
                .contains(new KeyParts(Platform.of(platform), ChatType.of(type), chat, Optional.ofNullable(thread)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agent:main:telegram:dm",
                "agent:work:telegram:dm:99",
                "user:main:telegram:dm:99",
                "agent:main::dm:99",
                "agent:main:telegram::99",
                "agent:main:telegram:dm:",
                "agent:main:matrix:dm:!r:ex.org:$t:ex.org",
                "agent:main:matrix:group:!r:ex.org:@a:ex.org:x",
                "anything"
            })
    @DisplayName("K5.13 a key of another form, or with more segments than the format has, tells nothing")
    void aKeyOfAnotherFormTellsNothing(String key) {
        assertThat(KeyParts.parse(SessionKey.of(key))).isEmpty();
    }
}
