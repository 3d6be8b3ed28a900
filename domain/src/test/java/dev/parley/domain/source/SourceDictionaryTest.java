package dev.parley.domain.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourceDictionaryTest {
    private final Platforms known = Platforms.builtIn();

    @Test
    @DisplayName("S1.9 eight keys are always written, with null for what is absent")
    void eightKeysAreAlwaysWritten() {
        Map<String, @Nullable Object> written = SourceDictionary.write(
                SessionSource.builder(Platform.TELEGRAM, "").build());

        assertThat(written.keySet())
                .containsExactly(
                        "platform",
                        "chat_id",
                        "chat_name",
                        "chat_type",
                        "user_id",
                        "user_name",
                        "thread_id",
                        "chat_topic");
        assertThat(written)
                .containsEntry("platform", "telegram")
                .containsEntry("chat_id", "")
                .containsEntry("chat_type", "dm")
                .containsEntry("user_id", null);
    }

    @Test
    @DisplayName("S1.10 the other keys are written only when they say something, the scope under both names")
    void theOtherKeysAreWrittenWhenTheySaySomething() {
        SessionSource source = SessionSource.builder(Platform.DISCORD, "1")
                .chatType(ChatType.THREAD)
                .userIdAlt("ua")
                .chatIdAlt("ca")
                .guildId("g")
                .parentChatId("p")
                .messageId("m")
                .profile("work")
                .autoThreadCreated(true)
                .autoThreadInitialName("n")
                .build();

        Map<String, @Nullable Object> written = SourceDictionary.write(source);

        assertThat(written.keySet())
                .endsWith(
                        "user_id_alt",
                        "chat_id_alt",
                        "scope_id",
                        "guild_id",
                        "parent_chat_id",
                        "message_id",
                        "profile",
                        "auto_thread_created",
                        "auto_thread_initial_name");
        assertThat(written)
                .containsEntry("scope_id", "g")
                .containsEntry("guild_id", "g")
                .containsEntry("auto_thread_created", true)
                .containsEntry("parent_chat_id", "p");
    }

    @Test
    @DisplayName("S1.11 trust signals are neither written nor read")
    void trustSignalsAreNeitherWrittenNorRead() {
        SessionSource trusted = SessionSource.builder(Platform.DISCORD, "1")
                .isBot(true)
                .roleAuthorized(true)
                .deliveredViaUpstreamRelay(true)
                .build();
        SessionSource plain = SessionSource.builder(Platform.DISCORD, "1").build();
        Map<String, @Nullable Object> forged = new HashMap<>(SourceDictionary.write(plain));
        forged.put("is_bot", true);
        forged.put("role_authorized", true);
        forged.put("delivered_via_upstream_relay", true);

        assertThat(SourceDictionary.write(trusted)).isEqualTo(SourceDictionary.write(plain));
        assertThat(SourceDictionary.read(forged, known)).isEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    @DisplayName("S1.9 to S1.12 what is written is read back the same, but for what is never stored")
    void whatIsWrittenIsReadBack(long seed) {
        RandomSources random = new RandomSources(new Random(seed));
        for (int i = 0; i < 1000; i++) {
            SessionSource source = random.next();
            SessionSource restorable = source.toBuilder()
                    .isBot(false)
                    .roleAuthorized(false)
                    .deliveredViaUpstreamRelay(false)
                    .build();

            Map<String, @Nullable Object> written = SourceDictionary.write(source);
            SessionSource read = SourceDictionary.read(written, known);

            assertThat(read).isEqualTo(restorable);
            assertThat(SourceDictionary.write(read)).isEqualTo(written);
        }
    }

    @Test
    @DisplayName("S1.12 a minimal dictionary is a direct message; unknown keys do not matter")
    void aMinimalDictionaryIsADirectMessage() {
        SessionSource read = SourceDictionary.read(Map.of("platform", " Telegram ", "chat_id", 12345, "x", 1), known);

        assertThat(read)
                .isEqualTo(SessionSource.builder(Platform.TELEGRAM, "12345").build());
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("S1.12 numbers are taken as text")
    void numbersAreTakenAsText(Number number, String text) {
        SessionSource read =
                SourceDictionary.read(Map.of("platform", "telegram", "chat_id", number, "user_id", number), known);

        assertThat(read.chatId()).isEqualTo(text);
        assertThat(read.userId()).contains(text);
    }

    static Stream<Arguments> numbersAreTakenAsText() {
        return Stream.of(
                Arguments.of(-10012345, "-10012345"),
                Arguments.of(0, "0"),
                Arguments.of(9_007_199_254_740_993L, "9007199254740993"),
                Arguments.of(new BigInteger("123456789012345678901234567890"), "123456789012345678901234567890"),
                Arguments.of(new BigDecimal("1E+3"), "1000"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "1e-999999999", "1e101", "-1e2147483647"})
    @DisplayName("S1.12 a number that would be a text of more than 100 digits is refused without taking memory")
    void aNumberOfTooManyDigitsIsRefused(String number) {
        assertThatThrownBy(() ->
                        SourceDictionary.read(Map.of("platform", "telegram", "chat_id", new BigDecimal(number)), known))
                .isInstanceOf(MalformedSourceException.class)
                .hasMessage("'chat_id' is a number of more than 100 digits; write text");
    }

    @Test
    @DisplayName("S1.12 a whole number of more than 100 digits is refused")
    void aWholeNumberOfTooManyDigitsIsRefused() {
        assertThatThrownBy(() -> SourceDictionary.read(
                        Map.of("platform", "telegram", "chat_id", BigInteger.TEN.pow(100)), known))
                .isInstanceOf(MalformedSourceException.class)
                .hasMessageContaining("more than 100 digits");
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("S1.12 the chat type is dm where it is missing, null or empty, else kept as it is")
    void theChatTypeIsDmUnlessSet(@Nullable Object value, String type) {
        assertThat(SourceDictionary.read(minimalWith("chat_type", value), known)
                        .chatType()
                        .value())
                .isEqualTo(type);
    }

    static Stream<Arguments> theChatTypeIsDmUnlessSet() {
        return Stream.of(
                Arguments.of(null, "dm"),
                Arguments.of("", "dm"),
                Arguments.of("group", "group"),
                Arguments.of("Forum", "Forum"));
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("S1.12 the scope is read under either name, scope_id first; null and empty count as absent")
    void theScopeIsReadUnderEitherName(Map<String, @Nullable Object> scope, @Nullable String expected) {
        Map<String, @Nullable Object> fields = minimalWith("chat_topic", null);
        fields.putAll(scope);

        assertThat(SourceDictionary.read(fields, known).scopeId().orElse(null)).isEqualTo(expected);
    }

    static Stream<Arguments> theScopeIsReadUnderEitherName() {
        Map<String, @Nullable Object> nullScope = new HashMap<>();
        nullScope.put("scope_id", null);
        nullScope.put("guild_id", "G");
        return Stream.of(
                Arguments.of(Map.of("scope_id", "S", "guild_id", "G"), "S"),
                Arguments.of(Map.of("guild_id", "G"), "G"),
                Arguments.of(Map.of("scope_id", "", "guild_id", "G"), "G"),
                Arguments.of(nullScope, "G"),
                Arguments.of(Map.of(), null));
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("S1.12, S1.13 what cannot be read is named in one line")
    void whatCannotBeReadIsNamedInOneLine(Map<String, @Nullable Object> change, String message) {
        Map<String, @Nullable Object> fields = minimalWith("user_name", "x");
        fields.putAll(change);

        assertThatThrownBy(() -> SourceDictionary.read(fields, known))
                .isInstanceOf(MalformedSourceException.class)
                .hasMessageStartingWith(message)
                .hasMessageNotContaining("\n");
    }

    static Stream<Arguments> whatCannotBeReadIsNamedInOneLine() {
        Map<String, @Nullable Object> noChat = new HashMap<>();
        noChat.put("chat_id", null);
        Map<String, @Nullable Object> noPlatform = new HashMap<>();
        noPlatform.put("platform", null);
        return Stream.of(
                Arguments.of(noChat, "A source needs 'chat_id'"),
                Arguments.of(noPlatform, "A source needs 'platform'"),
                Arguments.of(Map.of("platform", 5), "'platform' must be text, not a number"),
                Arguments.of(Map.of("platform", ""), "The platform name is empty"),
                Arguments.of(
                        Map.of("platform", "tele\ngram"), "Unknown platform 'tele gram'; did you mean 'telegram'?"),
                Arguments.of(Map.of("chat_id", List.of()), "'chat_id' must be text or a number, not a list"),
                Arguments.of(Map.of("user_id", Map.of()), "'user_id' must be text or a number, not an object"),
                Arguments.of(Map.of("thread_id", false), "'thread_id' must be text or a number, not true or false"),
                Arguments.of(Map.of("chat_id", "\ud800"), "'chat_id' is not valid Unicode"),
                Arguments.of(Map.of("user_id", "a\udfffb"), "'user_id' is not valid Unicode"));
    }

    @Test
    @DisplayName("S1.12 a missing key is as bad as null")
    void aMissingKeyIsAsBadAsNull() {
        assertThatThrownBy(() -> SourceDictionary.read(Map.of("platform", "telegram"), known))
                .isInstanceOf(MalformedSourceException.class);
        assertThatThrownBy(() -> SourceDictionary.read(Map.of("chat_id", "1"), known))
                .isInstanceOf(MalformedSourceException.class);
    }

    @Test
    @DisplayName("S1.13 a platform that an adapter registered can be read")
    void aRegisteredPlatformCanBeRead() {
        Platform own = Platform.of("zulip");

        assertThat(SourceDictionary.read(Map.of("platform", "zulip", "chat_id", "1"), known.plus(List.of(own)))
                        .platform())
                .isEqualTo(own);
    }

    private static Map<String, @Nullable Object> minimalWith(String key, @Nullable Object value) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("platform", "telegram");
        fields.put("chat_id", "1");
        fields.put(key, value);
        return fields;
    }
}
