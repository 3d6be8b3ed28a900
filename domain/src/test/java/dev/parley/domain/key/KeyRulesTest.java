package dev.parley.domain.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyRulesTest {
    private static final KeyRules RULES = new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // platform, type, chat, thread, user, alternative user, group flag, thread flag, key
                "telegram, dm,      99,   -,     -,      -,   true,  false, agent:main:telegram:dm:99",
                "telegram, dm,      99,   t1,    -,      -,   true,  false, agent:main:telegram:dm:99:t1",
                "telegram, dm,      '',   -,     jordan, -,   true,  false, agent:main:telegram:dm:jordan",
                "telegram, dm,      '',   -,     jordan, alt, true,  false, agent:main:telegram:dm:alt",
                "discord,  group,   g,    -,     alice,  -,   true,  false, agent:main:discord:group:g:alice",
                "discord,  group,   g,    -,     alice,  -,   false, false, agent:main:discord:group:g",
                "telegram, group,   -100, 17585, 42,     -,   true,  false, agent:main:telegram:group:-100:17585",
                "telegram, group,   -100, 17585, 42,     -,   true,  true,  agent:main:telegram:group:-100:17585:42",
                "slack,    channel, C1,   -,     -,      -,   true,  false, agent:main:slack:channel:C1",
                "slack,    channel, C1,   -,     u,      -,   true,  false, agent:main:slack:channel:C1:u",
                "telegram, forum,   c,    -,     u,      -,   true,  false, agent:main:telegram:forum:c:u",
                "telegram, private, c,    -,     u,      -,   true,  false, agent:main:telegram:private:c:u",
                "telegram, group,   '',   -,     -,      -,   true,  false, agent:main:telegram:group",
                "matrix, group, !r:ex.org, -, @a:ex.org, -, true, false, agent:main:matrix:group:!r%3Aex.org:@a%3Aex.org",
            })
    @DisplayName("K5.1 to K5.11 the table of keys")
    void theTableOfKeys(
            String platform,
            String type,
            String chat,
            @Nullable String thread,
            @Nullable String user,
            @Nullable String alternative,
            boolean perUserInGroups,
            boolean perUserInThreads,
            String key) {
        KeyRules rules = new KeyRules(new Isolation(perUserInGroups, perUserInThreads), AliasLookup.NONE);
        SessionSource source = SessionSource.builder(Platform.of(platform), chat)
                .chatType(ChatType.of(type))
                .threadId(thread)
                .userId(user)
                .userIdAlt(alternative)
                .build();

        assertThat(rules.keyOf(source)).hasToString(key);
    }

    @Test
    @DisplayName("K5.2 the participant is the alternative id, else the user id")
    void theParticipantIsTheAlternativeIdElseTheUserId() {
        SessionSource.Builder source = group("g");

        assertThat(RULES.participantOf(source.build())).isEmpty();
        assertThat(RULES.participantOf(source.userId("u").build())).contains("u");
        assertThat(RULES.participantOf(source.userIdAlt("alt").build())).contains("alt");
        assertThat(RULES.participantOf(source.userIdAlt("").build())).contains("u");
    }

    @Test
    @DisplayName("K5.3 neither the user nor the flags matter for a direct message in a chat")
    void neitherUserNorFlagsMatterInADirectMessage() {
        SessionSource alice =
                direct("99").userId("alice").userIdAlt("a").threadId("t").build();
        SessionSource bob = direct("99").userId("bob").threadId("t").build();

        for (boolean groups : new boolean[] {true, false}) {
            for (boolean threads : new boolean[] {true, false}) {
                KeyRules rules = new KeyRules(new Isolation(groups, threads), AliasLookup.NONE);
                assertThat(rules.keyOf(alice)).isEqualTo(rules.keyOf(bob)).hasToString("agent:main:telegram:dm:99:t");
            }
        }
    }

    @Test
    @DisplayName("K5.4 a direct message without a chat goes by its participant and thread")
    void aDirectMessageWithoutAChatGoesByItsParticipant() {
        assertThat(RULES.keyOf(direct("").userId("jordan").threadId("t1").build()))
                .hasToString("agent:main:telegram:dm:jordan:t1");
    }

    @Test
    @DisplayName("K5.5, C16 direct messages without any id share one lane, whatever their thread")
    void directMessagesWithoutAnyIdShareOneLane() {
        assertThat(RULES.keyOf(direct("").build())).hasToString("agent:main:telegram:dm");
        assertThat(RULES.keyOf(direct("").threadId("7").build())).hasToString("agent:main:telegram:dm");
    }

    @Test
    @DisplayName("K5.6 outside of direct messages a missing chat leaves its segment out")
    void aMissingChatLeavesItsSegmentOut() {
        assertThat(RULES.keyOf(group("").threadId("5").build())).hasToString("agent:main:telegram:group:5");
        assertThat(RULES.keyOf(group("").userId("u").build())).hasToString("agent:main:telegram:group:u");
    }

    @ParameterizedTest
    @CsvSource({
        // group flag, thread flag, thread?, key, shared?
        "true,  true,  false, agent:main:telegram:group:g:u,   false",
        "true,  false, false, agent:main:telegram:group:g:u,   false",
        "false, true,  false, agent:main:telegram:group:g,     true",
        "false, false, false, agent:main:telegram:group:g,     true",
        "true,  true,  true,  agent:main:telegram:group:g:t:u, false",
        "true,  false, true,  agent:main:telegram:group:g:t,   true",
        "false, true,  true,  agent:main:telegram:group:g:t:u, false",
        "false, false, true,  agent:main:telegram:group:g:t,   true",
    })
    @DisplayName("K5.7 to K5.9, K5.12, C15 each place has its own flag, and key and shared predicate agree")
    void eachPlaceHasItsOwnFlag(boolean groups, boolean threads, boolean inThread, String key, boolean shared) {
        KeyRules rules = new KeyRules(new Isolation(groups, threads), AliasLookup.NONE);
        SessionSource source =
                group("g").userId("u").threadId(inThread ? "t" : null).build();

        assertThat(rules.keyOf(source)).hasToString(key);
        assertThat(rules.isShared(source)).isEqualTo(shared);
    }

    @Test
    @DisplayName("K5.10, K5.12 without a participant the key is that of the chat, yet the session is not shared")
    void withoutAParticipantTheKeyIsThatOfTheChat() {
        SessionSource nobody = group("g").build();

        assertThat(RULES.keyOf(nobody)).hasToString("agent:main:telegram:group:g");
        assertThat(RULES.isShared(nobody)).isFalse();
    }

    @Test
    @DisplayName("K5.12 a direct message is never shared, with a thread or without")
    void aDirectMessageIsNeverShared() {
        KeyRules sharing = new KeyRules(new Isolation(false, false), AliasLookup.NONE);

        assertThat(sharing.isShared(direct("1").build())).isFalse();
        assertThat(sharing.isShared(direct("1").threadId("t").build())).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "a:b,    a%3Ab",
        "a%3Ab,  a%253Ab",
        "100%,   100%25",
        "::,     %3A%3A",
        "a/b,    a/b",
        "é 😀,   é 😀",
        "a.b,    a.b",
        "a..b,   a.%2Eb",
        "...,    .%2E.",
        "....,   .%2E.%2E",
        "../..,  .%2E/.%2E",
        "a.%2Eb, a.%252Eb",
    })
    @DisplayName("K5.13, E2.7 percent signs, colons and double dots are encoded, everything else is not")
    void segmentsAreEncoded(String id, String segment) {
        SessionSource everywhere =
                group(id).threadId(id).userId(id).chatType(ChatType.of(id)).build();
        KeyRules rules = new KeyRules(new Isolation(true, true), AliasLookup.NONE);

        assertThat(rules.keyOf(everywhere))
                .hasToString("agent:main:telegram:" + String.join(":", segment, segment, segment, segment));
    }

    @Test
    void anIdCannotReachIntoTheNextSegment() {
        SessionSource forged = group("g:victim").build();
        SessionSource victim = group("g").userId("victim").build();

        assertThat(RULES.keyOf(forged)).isNotEqualTo(RULES.keyOf(victim));
        assertThat(RULES.unencodedKeyOf(forged)).isEqualTo(RULES.unencodedKeyOf(victim));
    }

    @Test
    @DisplayName("The unencoded key is what writers without encoding stored; double dots are broken up all the same")
    void theUnencodedKeyIsWhatOthersStored() {
        SessionSource room = SessionSource.builder(Platform.MATRIX, "!r:ex.org")
                .chatType(ChatType.GROUP)
                .userId("@a:ex.org")
                .build();

        assertThat(RULES.unencodedKeyOf(room)).hasToString("agent:main:matrix:group:!r:ex.org:@a:ex.org");
        assertThat(RULES.formerKeysOf(room)).containsExactly(RULES.unencodedKeyOf(room));
        assertThat(RULES.unencodedKeyOf(direct("a%..b").build())).hasToString("agent:main:telegram:dm:a%.%2Eb");
        assertThat(RULES.formerKeysOf(direct("99").build())).isEmpty();
    }

    @Test
    @DisplayName("K5.15, C14 WhatsApp chats and participants are canonical, in direct messages and groups")
    void whatsAppIdsAreCanonical() {
        AliasLookup aliases = id -> id.equals("999999999999999") ? Set.of("15551234567@s.whatsapp.net") : Set.of();
        KeyRules rules = new KeyRules(Isolation.DEFAULT, aliases);
        SessionSource.Builder dm = SessionSource.builder(Platform.WHATSAPP, "999999999999999@lid");
        SessionSource group = SessionSource.builder(Platform.WHATSAPP, "120363012345678901@g.us")
                .chatType(ChatType.GROUP)
                .userId("999999999999999:12@lid")
                .build();

        assertThat(rules.keyOf(dm.build()))
                .isEqualTo(rules.keyOf(dm.chatId("15551234567@s.whatsapp.net").build()))
                .hasToString("agent:main:whatsapp:dm:15551234567");
        assertThat(rules.keyOf(group)).hasToString("agent:main:whatsapp:group:120363012345678901:15551234567");
        assertThat(rules.participantOf(group)).contains("15551234567");
        assertThat(rules.formerKeysOf(group))
                .containsExactly(SessionKey.of("agent:main:whatsapp:group:120363012345678901@g.us:15551234567"));
    }

    @Test
    @DisplayName("K5.15 only the platform whatsapp has canonical ids")
    void onlyWhatsAppHasCanonicalIds() {
        assertThat(RULES.keyOf(
                        SessionSource.builder(Platform.WHATSAPP_CLOUD, "+1@x").build()))
                .hasToString("agent:main:whatsapp_cloud:dm:+1@x");
    }

    @Test
    @DisplayName("K5.18 a WhatsApp id with nothing left after normalising counts as absent")
    void aWhatsAppIdWithNothingLeftCountsAsAbsent() {
        SessionSource.Builder source = SessionSource.builder(Platform.WHATSAPP, "@lid");

        assertThat(RULES.keyOf(source.userId("5@lid").build())).hasToString("agent:main:whatsapp:dm:5");
        assertThat(RULES.keyOf(source.userIdAlt("@lid").build())).hasToString("agent:main:whatsapp:dm:5");
        assertThat(RULES.keyOf(source.chatType(ChatType.GROUP).build())).hasToString("agent:main:whatsapp:group:5");
    }

    @Test
    @DisplayName("K5.14 without profiles the source's profile does not matter")
    void withoutProfilesTheSourcesProfileDoesNotMatter() {
        assertThat(RULES.keyOf(direct("1").profile("work").build())).hasToString("agent:main:telegram:dm:1");
        assertThat(RULES.keyOf(direct("1").profile("main").build())).hasToString("agent:main:telegram:dm:1");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-,       -,       main",
                "-,       home,    home",
                "work,    home,    work",
                "default, home,    main",
                "' ',     home,    main",
                "-,       default, main",
                "a:b,     -,       a%3Ab",
            })
    @DisplayName("K5.14 with profiles the second segment is the source's, else the active one")
    void withProfilesTheSecondSegmentIsTheProfile(@Nullable String own, @Nullable String active, String namespace) {
        KeyRules rules = RULES.withProfiles(Optional.ofNullable(active));

        assertThat(rules.keyOf(direct("1").profile(own).build())).hasToString("agent:" + namespace + ":telegram:dm:1");
    }

    @Test
    @DisplayName("K5.14 a profile named main is refused, as it would share the default profile's lanes")
    void aProfileNamedMainIsRefused() {
        KeyRules rules = RULES.withProfiles(Optional.empty());
        SessionSource source = direct("1").profile("main").build();

        assertThatIllegalArgumentException().isThrownBy(() -> RULES.withProfiles(Optional.of("main")));
        assertThatIllegalArgumentException().isThrownBy(() -> rules.keyOf(source));
    }

    @Test
    @DisplayName("K5.1 what is not part of the format does not change the key")
    void whatIsNotPartOfTheFormatDoesNotMatter() {
        SessionSource plain = group("g").userId("u").build();
        SessionSource dressed = plain.toBuilder()
                .chatName("x")
                .userName("x")
                .chatTopic("x")
                .chatIdAlt("x")
                .isBot(true)
                .scopeId("x")
                .parentChatId("x")
                .messageId("x")
                .roleAuthorized(true)
                .autoThreadCreated(true)
                .autoThreadInitialName("x")
                .deliveredViaUpstreamRelay(true)
                .build();

        assertThat(RULES.keyOf(dressed)).isEqualTo(RULES.keyOf(plain));
    }

    private static SessionSource.Builder direct(String chat) {
        return SessionSource.builder(Platform.TELEGRAM, chat);
    }

    private static SessionSource.Builder group(String chat) {
        return SessionSource.builder(Platform.TELEGRAM, chat).chatType(ChatType.GROUP);
    }
}
