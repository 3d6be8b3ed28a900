package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.append;
import static dev.parley.contracts.storage.Samples.at;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.end;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.contracts.level.Privacy;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Role;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every read that a chat user can cause shows what the viewer may see and nothing else (Z12.4). */
public interface PrivacyContract extends StoreContract {
    /** Chats and people of every kind, on two platforms. */
    private static List<SessionSource> sources() {
        List<SessionSource> sources = new ArrayList<>();
        for (Platform platform : List.of(Platform.TELEGRAM, Platform.SLACK)) {
            for (ChatType type : List.of(ChatType.DM, ChatType.GROUP, ChatType.of("channel"))) {
                for (String chat : List.of("c1", "c2")) {
                    for (@Nullable String thread : new @Nullable String[] {null, "t1", "t2"}) {
                        for (@Nullable String person : new @Nullable String[] {"u1", "u2", null}) {
                            sources.add(SessionSource.builder(platform, chat)
                                    .chatType(type)
                                    .threadId(thread)
                                    .userId(person)
                                    .build());
                        }
                    }
                }
            }
        }
        return sources;
    }

    private static List<KeyRules> rules() {
        List<KeyRules> rules = new ArrayList<>();
        for (boolean groups : List.of(true, false)) {
            for (boolean threads : List.of(true, false)) {
                rules.add(new KeyRules(new Isolation(groups, threads), identifier -> Set.of()));
            }
        }
        return rules;
    }

    /** Stores one session per source, and for each platform and person one of which only those are known. */
    private static List<Session> populate(StoreUnderTest store, KeyRules rules) {
        List<Session> sessions = new ArrayList<>();
        for (SessionSource source : sources()) {
            sessions.add(store.fit(
                    Session.builder(id("s" + sessions.size()), source.platform().name(), at(sessions.size()))
                            .userId(source.userId().orElse(null))
                            .title("Title " + sessions.size())
                            .peer(new SessionPeer(rules.keyOf(source), Optional.of(source)))
                            .build()));
        }
        for (String platform : List.of("telegram", "slack", "cli")) {
            for (String person : List.of("u1", "u2")) {
                sessions.add(Session.builder(id("s" + sessions.size()), platform, at(sessions.size()))
                        .userId(person)
                        .build());
            }
            sessions.add(Session.builder(id("s" + sessions.size()), platform, at(sessions.size()))
                    .build());
        }
        for (Session session : sessions) {
            store.commit(
                    created(session),
                    append(session.id().value(), user("m-" + session.id(), "secret zanzibar 大别山 漓江 " + session.id())));
        }
        return sessions;
    }

    private static Set<SessionId> visible(List<Session> sessions, Viewer viewer) {
        Set<SessionId> visible = new HashSet<>();
        sessions.stream().filter(viewer::maySee).map(Session::id).forEach(visible::add);
        return visible;
    }

    private static SearchQuery search(String text, Viewer viewer, int limit, int offset) {
        return new SearchQuery(
                text,
                Optional.empty(),
                List.of(),
                List.of(),
                limit,
                offset,
                Optional.of(SearchQuery.Sort.NEWEST),
                viewer);
    }

    @Privacy
    default void listsShowEachViewerExactlyWhatTheyMaySee(StoreUnderTest store) {
        List<Session> sessions = populate(store, rules().get(0));
        for (KeyRules rules : rules()) {
            for (SessionSource source : sources()) {
                Viewer viewer = new Viewer.ChatUser(source, rules);
                List<SessionListing> rows =
                        store.sessions().list(SessionQuery.usual().window(-1, 0).seenBy(viewer));
                assertThat(rows)
                        .as("%s seen by %s", source, rules.isolation())
                        .extracting(row -> row.session().id())
                        .containsExactlyInAnyOrderElementsOf(visible(sessions, viewer));
            }
        }
    }

    @Privacy
    @Having(Capability.SEARCH)
    default void searchFindsForEachViewerExactlyWhatTheyMaySee(StoreUnderTest store) {
        List<Session> sessions = populate(store, rules().get(0));
        for (KeyRules rules : List.of(rules().get(0), rules().get(3))) {
            for (SessionSource source : sources()) {
                Viewer viewer = new Viewer.ChatUser(source, rules);
                for (String text : List.of("zanzibar", "大别山", "漓江")) {
                    assertThat(store.search().search(search(text, viewer, -1, 0)))
                            .as("«%s» of %s seen by %s", text, source, rules.isolation())
                            .extracting(SearchHit::session)
                            .containsExactlyInAnyOrderElementsOf(visible(sessions, viewer));
                }
            }
        }
    }

    @Privacy
    default void theOperatorSeesEverything(StoreUnderTest store) {
        List<Session> sessions = populate(store, rules().get(0));

        assertThat(store.sessions().list(SessionQuery.usual().window(-1, 0))).hasSameSizeAs(sessions);
        if (store.has(Capability.SEARCH)) {
            assertThat(store.search().search(search("zanzibar", Viewer.operator(), -1, 0)))
                    .hasSameSizeAs(sessions);
        }
    }

    @Privacy
    default void theWindowIsTakenFromWhatTheViewerMaySee(StoreUnderTest store) {
        SessionSource mine = Samples.source("c1", "u1");
        SessionSource theirs = Samples.source("c2", "u2");
        KeyRules rules = rules().get(0);
        for (int i = 0; i < 40; i++) {
            SessionSource source = i % 10 == 0 ? mine : theirs;
            store.commit(
                    created(Session.builder(id("s" + i), "telegram", at(i))
                            .peer(new SessionPeer(rules.keyOf(source), Optional.of(source)))
                            .build()),
                    append("s" + i, Samples.message("m" + i, Role.USER, "zanzibar", i)));
        }
        Viewer viewer = new Viewer.ChatUser(mine, rules);

        assertThat(store.sessions().list(SessionQuery.usual().window(2, 1).seenBy(viewer)))
                .extracting(row -> row.session().id().value())
                .containsExactly("s20", "s10");
        if (store.has(Capability.SEARCH)) {
            assertThat(store.search().search(search("zanzibar", viewer, 2, 1)))
                    .extracting(hit -> hit.session().value())
                    .containsExactly("s20", "s10");
        }
    }

    @Privacy
    default void knowingAnIdOrATitleGivesNoRight(StoreUnderTest store) {
        KeyRules rules = rules().get(0);
        List<Session> sessions = populate(store, rules);
        Viewer stranger = new Viewer.ChatUser(
                SessionSource.builder(Platform.TELEGRAM, "elsewhere")
                        .userId("u9")
                        .build(),
                rules);

        for (Session session : sessions) {
            List<String> known = new ArrayList<>(List.of(session.id().value()));
            session.title().ifPresent(known::add);
            for (String text : known) {
                assertThat(store.sessions()
                                .list(SessionQuery.usual()
                                        .window(-1, 0)
                                        .matching(false, Optional.of(text))
                                        .seenBy(stranger)))
                        .isEmpty();
            }
        }
        if (store.has(Capability.SEARCH)) {
            assertThat(store.search().search(search("s1", stranger, -1, 0))).isEmpty();
        }
    }

    @Privacy
    default void aContinuationThatTheViewerMayNotSeeIsNotShownInItsRootsRow(StoreUnderTest store) {
        SessionSource mine = Samples.source("c1", "u1");
        SessionSource theirs = Samples.source("c2", "u2");
        KeyRules rules = rules().get(0);
        store.commit(
                created(store.fit(Session.builder(id("root"), "telegram", at(0))
                        .title("Mine")
                        .peer(new SessionPeer(rules.keyOf(mine), Optional.of(mine)))
                        .build())),
                append("root", user("m1", "my words")),
                end("root", 10, Ending.COMPRESSION),
                created(store.fit(Session.builder(id("tip"), "telegram", at(11))
                        .parent(id("root"))
                        .title("Theirs")
                        .systemPrompt("their prompt")
                        .peer(new SessionPeer(rules.keyOf(theirs), Optional.of(theirs)))
                        .build())),
                append("tip", user("m2", "their words")));

        List<SessionListing> rows =
                store.sessions().list(SessionQuery.usual().seenBy(new Viewer.ChatUser(mine, rules)));

        assertThat(rows).hasSize(1);
        assertThat(rows.get(0).session().id()).isEqualTo(id("root"));
        assertThat(rows.get(0).session().title())
                .isEqualTo(store.has(Capability.TITLES) ? Optional.of("Mine") : Optional.empty());
        assertThat(rows.get(0).session().systemPrompt()).isEmpty();
        assertThat(rows.get(0).preview()).isEqualTo("my words");
        assertThat(rows.get(0).lastActive()).isEqualTo(at(10));
        assertThat(rows.get(0).lineageRoot()).isEmpty();
        assertThat(store.sessions()
                        .list(SessionQuery.usual().shape(true, true).seenBy(new Viewer.ChatUser(mine, rules))))
                .extracting(row -> row.session().id().value())
                .containsExactly("root");
    }

    @Privacy
    @Having(Capability.SEARCH)
    default void aSessionOfWhichOnlyTheLaneIsKnownIsItsPersonsOwn(StoreUnderTest store) {
        KeyRules rules = rules().get(0);
        SessionSource mine = Samples.source("c1", "u1");
        SessionSource theirs = Samples.source("c1", "u2");
        store.commit(
                created(Session.builder(id("s"), "telegram", at(0))
                        .userId("u1")
                        .peer(new SessionPeer(rules.keyOf(mine), Optional.empty()))
                        .build()),
                append("s", user("m1", "zanzibar")));

        assertThat(store.sessions().list(SessionQuery.usual().seenBy(new Viewer.ChatUser(mine, rules))))
                .hasSize(1);
        assertThat(store.sessions().list(SessionQuery.usual().seenBy(new Viewer.ChatUser(theirs, rules))))
                .isEmpty();
        assertThat(store.search().search(search("zanzibar", new Viewer.ChatUser(theirs, rules), -1, 0)))
                .isEmpty();
    }
}
