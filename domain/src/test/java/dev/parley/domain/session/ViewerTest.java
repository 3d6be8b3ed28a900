package dev.parley.domain.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Z12.4: nobody sees what is not theirs. */
class ViewerTest {
    private static final List<KeyRules> ALL_RULES =
            List.of(rules(true, true), rules(true, false), rules(false, true), rules(false, false));

    private static KeyRules rules(boolean groups, boolean threads) {
        return new KeyRules(new Isolation(groups, threads), identifier -> Set.of());
    }

    /** Two of everything, and the absence of everything. */
    private static List<SessionSource> sources() {
        @Nullable String[] threads = {null, "t1", "t2"};
        @Nullable String[] people = {null, "u1", "u2"};
        @Nullable String[] alternatives = {null, "alt1"};
        List<SessionSource> sources = new ArrayList<>();
        for (Platform platform : List.of(Platform.TELEGRAM, Platform.SLACK)) {
            for (ChatType type : List.of(ChatType.DM, ChatType.GROUP, ChatType.THREAD)) {
                for (String chat : List.of("", "c1", "c2")) {
                    for (String thread : threads) {
                        for (String person : people) {
                            for (String alternative : alternatives) {
                                sources.add(SessionSource.builder(platform, chat)
                                        .chatType(type)
                                        .threadId(thread)
                                        .userId(person)
                                        .userIdAlt(alternative)
                                        .build());
                            }
                        }
                    }
                }
            }
        }
        return sources;
    }

    private static Session of(SessionSource origin, KeyRules rules) {
        return Session.builder(SessionId.of("s"), origin.platform().name(), Instant.EPOCH)
                .userId(origin.userId().orElse(null))
                .peer(new SessionPeer(rules.keyOf(origin), Optional.of(origin)))
                .build();
    }

    private static Session stored(String source, @Nullable String user) {
        return Session.builder(SessionId.of("s"), source, Instant.EPOCH)
                .userId(user)
                .build();
    }

    @Test
    @DisplayName("Z12.4: whoever sees a session shares its lane")
    void whoeverSeesASessionSharesItsLane() {
        for (KeyRules rules : ALL_RULES) {
            for (SessionSource viewer : sources()) {
                for (SessionSource origin : sources()) {
                    if (new Viewer.ChatUser(viewer, rules).maySee(of(origin, rules))) {
                        assertThat(rules.keyOf(viewer))
                                .as("%s sees %s", viewer, origin)
                                .isEqualTo(rules.keyOf(origin));
                        assertThat(viewer.platform()).isEqualTo(origin.platform());
                        assertThat(viewer.chatId()).isEqualTo(origin.chatId());
                        assertThat(viewer.threadId()).isEqualTo(origin.threadId());
                    }
                }
            }
        }
    }

    @Test
    @DisplayName("Z12.4: in a lane of one's own nobody else is let in, and nobody unknown")
    void inALaneOfOnesOwnNobodyElseIsLetIn() {
        for (KeyRules rules : ALL_RULES) {
            for (SessionSource viewer : sources()) {
                for (SessionSource origin : sources()) {
                    boolean perPerson =
                            viewer.chatType().isDm() ? viewer.chatId().isEmpty() : !rules.isShared(viewer);
                    boolean samePerson = rules.participantOf(viewer).isPresent()
                            && rules.participantOf(viewer).equals(rules.participantOf(origin));
                    if (perPerson && !samePerson) {
                        assertThat(new Viewer.ChatUser(viewer, rules).maySee(of(origin, rules)))
                                .as("%s looks at %s", viewer, origin)
                                .isFalse();
                    }
                }
            }
        }
    }

    @Test
    @DisplayName("Z12.4: everybody known in a chat sees the sessions of their own lane")
    void everybodyKnownSeesTheSessionsOfTheirOwnLane() {
        for (KeyRules rules : ALL_RULES) {
            for (SessionSource source : sources()) {
                boolean known = rules.participantOf(source).isPresent()
                        && !source.chatId().isEmpty();
                if (known) {
                    assertThat(new Viewer.ChatUser(source, rules).maySee(of(source, rules)))
                            .as("%s", source)
                            .isTrue();
                }
            }
        }
    }

    @Test
    @DisplayName("Z12.4: a group whose chat is not known shows nothing")
    void aGroupWhoseChatIsNotKnownShowsNothing() {
        for (KeyRules rules : ALL_RULES) {
            for (SessionSource source : sources()) {
                if (!source.chatType().isDm() && source.chatId().isEmpty()) {
                    assertThat(new Viewer.ChatUser(source, rules).maySee(of(source, rules)))
                            .as("%s", source)
                            .isFalse();
                }
            }
        }
    }

    @Test
    @DisplayName("Z12.4: of sessions without a known origin a person sees their own, in their direct chat")
    void ofSessionsWithoutAKnownOriginAPersonSeesTheirOwn() {
        KeyRules rules = ALL_RULES.get(0);
        Session own = stored("telegram", "u1");
        for (SessionSource viewer : sources()) {
            boolean theirs = viewer.platform().equals(Platform.TELEGRAM)
                    && viewer.chatType().isDm()
                    && viewer.threadId().isEmpty()
                    && viewer.userIdAlt().isEmpty()
                    && viewer.userId().equals(Optional.of("u1"));
            assertThat(new Viewer.ChatUser(viewer, rules).maySee(own))
                    .as("%s", viewer)
                    .isEqualTo(theirs);
            assertThat(new Viewer.ChatUser(viewer, rules).maySee(stored("telegram", null)))
                    .as("nobody's session seen by %s", viewer)
                    .isFalse();
            assertThat(new Viewer.ChatUser(viewer, rules).maySee(stored("cli", "u1")))
                    .as("another system's session seen by %s", viewer)
                    .isFalse();
        }
    }

    @Test
    @DisplayName("Z12.4: a lane without an origin does not widen what is seen")
    void aLaneWithoutAnOriginDoesNotWidenWhatIsSeen() {
        KeyRules rules = ALL_RULES.get(3);
        SessionSource group = SessionSource.builder(Platform.TELEGRAM, "c1")
                .chatType(ChatType.GROUP)
                .userId("u1")
                .build();
        Session session = Session.builder(SessionId.of("s"), "telegram", Instant.EPOCH)
                .userId("u1")
                .peer(new SessionPeer(rules.keyOf(group), Optional.empty()))
                .build();

        assertThat(new Viewer.ChatUser(group, rules).maySee(session)).isFalse();
    }

    @Test
    @DisplayName("K5.15, K5.17: one person under two WhatsApp identities is one person")
    void onePersonUnderTwoIdentitiesIsOnePerson() {
        KeyRules rules = new KeyRules(Isolation.DEFAULT, identifier -> switch (identifier) {
            case "4915112345678" -> Set.of("999888777@lid");
            case "999888777" -> Set.of("4915112345678@s.whatsapp.net");
            default -> Set.of();
        });
        SessionSource byNumber = SessionSource.builder(Platform.WHATSAPP, "4915112345678@s.whatsapp.net")
                .build();
        SessionSource byLid =
                SessionSource.builder(Platform.WHATSAPP, "999888777@lid").build();
        SessionSource other = SessionSource.builder(Platform.WHATSAPP, "4915100000000@s.whatsapp.net")
                .build();

        assertThat(rules.keyOf(byLid)).isEqualTo(rules.keyOf(byNumber));
        assertThat(new Viewer.ChatUser(byLid, rules).maySee(of(byNumber, rules)))
                .isTrue();
        assertThat(new Viewer.ChatUser(other, rules).maySee(of(byNumber, rules)))
                .isFalse();
    }

    @Test
    void theOperatorSeesEverything() {
        for (SessionSource origin : sources()) {
            assertThat(Viewer.operator().maySee(of(origin, ALL_RULES.get(0)))).isTrue();
        }
        assertThat(Viewer.operator().maySee(stored("cli", null))).isTrue();
    }
}
