package dev.parley.domain.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionSourceTest {
    @Test
    @DisplayName("S1.1, S1.2 a source with only a platform and a chat has the defaults everywhere else")
    void theDefaults() {
        SessionSource source = SessionSource.builder(Platform.TELEGRAM, "99").build();

        assertThat(source)
                .isEqualTo(new SessionSource(
                        Platform.TELEGRAM,
                        "99",
                        Optional.empty(),
                        ChatType.DM,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        false));
    }

    @Test
    @DisplayName("K5.11 empty text is absent, in the builder and in the constructor")
    void emptyTextIsAbsent() {
        SessionSource built = SessionSource.builder(Platform.SLACK, "C1")
                .chatName("")
                .userId("")
                .userName("")
                .threadId("")
                .chatTopic("")
                .userIdAlt("")
                .chatIdAlt("")
                .scopeId("")
                .guildId("")
                .parentChatId("")
                .messageId("")
                .profile("")
                .autoThreadInitialName("")
                .build();
        Optional<String> empty = Optional.of("");
        SessionSource constructed = new SessionSource(
                Platform.SLACK,
                "C1",
                empty,
                ChatType.DM,
                empty,
                empty,
                empty,
                empty,
                empty,
                empty,
                false,
                empty,
                empty,
                empty,
                false,
                empty,
                false,
                empty,
                false);

        assertThat(built)
                .isEqualTo(SessionSource.builder(Platform.SLACK, "C1").build())
                .isEqualTo(constructed);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"S,G,S", "-,G,G", "S,-,S", "-,-,-", "'',G,G"})
    @DisplayName("S1.3 guild and scope are one value; the scope wins")
    void guildAndScopeAreOneValue(String scope, String guild, String expected) {
        SessionSource guildLast = SessionSource.builder(Platform.DISCORD, "1")
                .scopeId(scope)
                .guildId(guild)
                .build();
        SessionSource guildFirst = SessionSource.builder(Platform.DISCORD, "1")
                .guildId(guild)
                .scopeId(scope)
                .build();

        assertThat(guildLast.scopeId()).isEqualTo(Optional.ofNullable(expected));
        assertThat(guildLast.guildId()).isEqualTo(Optional.ofNullable(expected));
        assertThat(guildFirst).isEqualTo(guildLast);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            quoteCharacter = '"',
            value = {
                "local,   dm,      -,        42, Alice, t1,    CLI terminal",
                "local,   group,   My Group, 42, Alice, -,     CLI terminal",
                "telegram,dm,      -,        42, Alice, -,     DM with Alice",
                "telegram,dm,      My Group, 42, -,     -,     DM with 42",
                "telegram,dm,      -,        -,  -,     -,     DM with user",
                "telegram,dm,      -,        42, \"\",  -,     DM with 42",
                "telegram,dm,      -,        42, Alice, t1,    \"DM with Alice, thread: t1\"",
                "telegram,group,   My Group, 42, Alice, 12345, \"group: My Group, thread: 12345\"",
                "telegram,group,   -,        42, Alice, -,     group: c1",
                "slack,   channel, general,  -,  -,     -,     channel: general",
                "slack,   channel, \"\",     -,  -,     -,     channel: c1",
                "discord, thread,  help,     -,  -,     9,     \"help, thread: 9\"",
                "telegram,forum,   -,        -,  -,     -,     c1",
                "telegram,DM,      Box,      1,  Al,    -,     Box",
            })
    @DisplayName("S1.5 to S1.8 the description in words")
    void theDescription(
            String platform,
            String type,
            String chatName,
            String userId,
            String userName,
            String thread,
            String words) {
        SessionSource source = SessionSource.builder(Platform.of(platform), "c1")
                .chatType(ChatType.of(type))
                .chatName(chatName)
                .userId(userId)
                .userName(userName)
                .threadId(thread)
                .build();

        assertThat(source.description()).isEqualTo(words);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("C17 a changed builder leaves the source alone; an unchanged one builds an equal source")
    void toBuilderAndBackIsTheIdentity(long seed) {
        RandomSources random = new RandomSources(new Random(seed));
        for (int i = 0; i < 500; i++) {
            SessionSource source = random.next();
            SessionSource.Builder builder = source.toBuilder();

            assertThat(builder.build()).isEqualTo(source);
            assertThat(builder.chatId(source.chatId() + "!").build()).isNotEqualTo(source);
            assertThat(source.toBuilder().platform(Platform.SIGNAL).build().platform())
                    .isEqualTo(Platform.SIGNAL);
        }
    }
}
