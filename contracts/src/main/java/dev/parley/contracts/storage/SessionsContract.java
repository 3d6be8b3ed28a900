package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.append;
import static dev.parley.contracts.storage.Samples.assistant;
import static dev.parley.contracts.storage.Samples.at;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.edit;
import static dev.parley.contracts.storage.Samples.end;
import static dev.parley.contracts.storage.Samples.fullSession;
import static dev.parley.contracts.storage.Samples.fullSource;
import static dev.parley.contracts.storage.Samples.hide;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.key;
import static dev.parley.contracts.storage.Samples.message;
import static dev.parley.contracts.storage.Samples.retitle;
import static dev.parley.contracts.storage.Samples.session;
import static dev.parley.contracts.storage.Samples.source;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Page;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.SessionStatistics;
import dev.parley.application.port.TurnQuery;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Told;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage.State;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnUsage;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.domain.usage.UsageSum;
import dev.parley.domain.usage.UsageUpdate;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** {@link dev.parley.application.port.Sessions}, and the changes that write sessions. What a viewer sees is in the privacy contract. */
public interface SessionsContract extends StoreContract {
    private static List<String> ids(List<Session> sessions) {
        return sessions.stream().map(s -> s.id().value()).toList();
    }

    private static List<String> rows(StoreUnderTest store, SessionQuery query) {
        return store.sessions().list(query).stream()
                .map(row -> row.session().id().value())
                .toList();
    }

    private static Session stored(StoreUnderTest store, String session) {
        return store.sessions().find(id(session)).orElseThrow();
    }

    private static Change child(String id, String parent, long startedAt) {
        return created(session(id, startedAt).toBuilder().parent(id(parent)).build());
    }

    private static Change from(String id, String source) {
        return created(session(id).toBuilder().source(source).build());
    }

    // CreateSession, find

    @Core
    default void aSessionThatWasNeverStoredIsNotFound(StoreUnderTest store) {
        assertThat(store.sessions().find(id("s"))).isEmpty();
    }

    @Core
    default void aSessionComesBackAsItWasStored(StoreUnderTest store) {
        store.commit(created("parent"), created(store.fit(fullSession("full"))), created(session("bare")));

        assertThat(store.sessions().find(id("full"))).hasValue(store.fit(fullSession("full")));
        store.reopen();
        assertThat(store.sessions().find(id("full"))).hasValue(store.fit(fullSession("full")));
        assertThat(store.sessions().find(id("bare"))).hasValue(session("bare"));
    }

    @Core
    default void anEndWithoutAReasonComesBack(StoreUnderTest store) {
        Session ended = session("s").toBuilder()
                .ending(new Ending(at(9), Optional.empty()))
                .peer(new SessionPeer(key("1"), Optional.empty()))
                .build();
        store.commit(created(ended));

        store.reopen();

        assertThat(store.sessions().find(id("s"))).hasValue(ended);
    }

    @Core
    default void aReasonOfAnEndWithoutATimeComesBackAndTheSessionIsLive(StoreUnderTest store) {
        Session live = session("s").toBuilder().unendedReason("foreign").build();
        store.commit(created(live));

        store.reopen();

        assertThat(store.sessions().find(id("s"))).hasValue(live);
        assertThat(live.isLive()).isTrue();
    }

    @Core
    default void creatingASessionThatExistsDoesNothing(StoreUnderTest store) {
        Session first =
                store.fit(session("s").toBuilder().model("first").title("Title").build());
        store.commit(created(first), append("s", user("m1", "one")));

        store.commit(created(store.fit(session("s", 99).toBuilder()
                .model("second")
                .title("Other")
                .parent(id("missing"))
                .build())));

        assertThat(stored(store, "s")).isEqualTo(first.toBuilder().counts(1, 0).build());
    }

    @Core
    default void aSessionWhoseParentIsNotStoredIsRefused(StoreUnderTest store) {
        Told.refused(
                "Creating a session whose parent does not exist",
                InvalidRequest.class,
                () -> store.commit(child("s", "missing", 0)),
                "missing");
        assertThat(store.sessions().find(id("s"))).isEmpty();
    }

    @Core
    default void aParentMayBeCreatedInTheSameBatch(StoreUnderTest store) {
        store.commit(created("parent"), child("s", "parent", 1));

        assertThat(stored(store, "s").parent()).hasValue(id("parent"));
    }

    @Core
    @Having(Capability.TITLES)
    default void aSessionWithATakenTitleIsRefused(StoreUnderTest store) {
        store.commit(created(session("s").toBuilder().title("Docker").build()));

        Told.refused(
                "Creating a session with the title of another one",
                InvalidRequest.class,
                () -> store.commit(
                        created(session("t").toBuilder().title("Docker").build())),
                "Docker");
        assertThat(store.sessions().find(id("t"))).isEmpty();
    }

    // EditSession

    @Core
    default void editsOfASessionThatDoesNotExistDoNothing(StoreUnderTest store) {
        store.commit(
                end("missing", 1, "x"),
                edit("missing", new SessionEdit.Reopen()),
                edit(
                        "missing",
                        new SessionEdit.Retitle(
                                store.has(Capability.TITLES) ? Optional.of("Title") : Optional.empty())),
                edit("missing", new SessionEdit.SystemPrompt("x")),
                edit("missing", new SessionEdit.Model("m", Optional.empty())),
                edit("missing", new SessionEdit.Peer(new SessionPeer(key("1"), Optional.empty()))),
                edit("missing", new SessionEdit.Counts(1, 1)));

        assertThat(store.sessions().find(id("missing"))).isEmpty();
        assertThat(store.sessions().findByTitle("Title")).isEmpty();
        assertThat(store.sessions().count(Optional.empty())).isZero();
    }

    @Core
    default void theFirstEndWins(StoreUnderTest store) {
        store.commit(created("s"), end("s", 5, "first"));
        store.commit(end("s", 9, "second"));

        assertThat(stored(store, "s").ending()).hasValue(Ending.of(at(5), "first"));
    }

    @Core
    default void aReopenedSessionIsLiveAndCanEndAgain(StoreUnderTest store) {
        store.commit(created("s"), end("s", 5, "first"));
        store.commit(edit("s", new SessionEdit.Reopen()));
        assertThat(stored(store, "s").isLive()).isTrue();

        store.commit(end("s", 9, "second"));
        assertThat(stored(store, "s").ending()).hasValue(Ending.of(at(9), "second"));
    }

    @Core
    @Having(Capability.TITLES)
    default void aTitleIsGivenReplacedAndTakenAway(StoreUnderTest store) {
        store.commit(created("s"), retitle("s", "One"));
        assertThat(stored(store, "s").title()).hasValue("One");
        store.commit(retitle("s", "Two"));
        assertThat(store.sessions().findByTitle("One")).isEmpty();
        assertThat(store.sessions().findByTitle("Two")).isPresent();
        store.commit(edit("s", new SessionEdit.Retitle(Optional.empty())));
        assertThat(stored(store, "s").title()).isEmpty();
        assertThat(store.sessions().findByTitle("Two")).isEmpty();
    }

    @Core
    @Having(Capability.TITLES)
    default void aTitleOfAnotherSessionIsRefused(StoreUnderTest store) {
        store.commit(created("s"), created("t"), retitle("s", "Docker"));

        Told.refused(
                "Giving a session the title of another one",
                InvalidRequest.class,
                () -> store.commit(retitle("t", "Docker")),
                "Docker");
        store.commit(retitle("s", "Docker"));
        assertThat(stored(store, "t").title()).isEmpty();
    }

    @Core
    @Having(Capability.TITLES)
    default void aTitleCanMoveWithinABatch(StoreUnderTest store) {
        store.commit(created("s"), created("t"), retitle("s", "Docker"));

        store.commit(retitle("s", "Docker #1"), retitle("t", "Docker"));

        assertThat(store.sessions().findByTitle("Docker").orElseThrow().id()).isEqualTo(id("t"));
    }

    @Core
    default void thePromptIsSet(StoreUnderTest store) {
        store.commit(created("s"), edit("s", new SessionEdit.SystemPrompt("one")));
        store.commit(edit("s", new SessionEdit.SystemPrompt("two")));

        assertThat(stored(store, "s").systemPrompt()).hasValue("two");
    }

    @Core
    default void theModelIsSetAndItsConfigurationOnlyWhereGiven(StoreUnderTest store) {
        store.commit(created("s"), edit("s", new SessionEdit.Model("m1", Optional.of(new RawJson("{\"a\": 1}")))));
        store.commit(edit("s", new SessionEdit.Model("m2", Optional.empty())));

        assertThat(stored(store, "s").model()).hasValue("m2");
        assertThat(stored(store, "s").modelConfig()).hasValue(new RawJson("{\"a\": 1}"));
    }

    @Core
    default void theParentIsSetAndRemoved(StoreUnderTest store) {
        store.commit(created("s"), created("p"), edit("s", new SessionEdit.Parent(Optional.of(id("p")))));
        assertThat(ids(store.sessions().childrenOf(id("p")))).containsExactly("s");

        store.commit(edit("s", new SessionEdit.Parent(Optional.empty())));
        assertThat(stored(store, "s").parent()).isEmpty();
        assertThat(store.sessions().childrenOf(id("p"))).isEmpty();
    }

    @Core
    default void aParentThatIsNotStoredIsRefused(StoreUnderTest store) {
        store.commit(created("s"));

        Told.refused(
                "Giving a session a parent that does not exist",
                InvalidRequest.class,
                () -> store.commit(edit("s", new SessionEdit.Parent(Optional.of(id("missing"))))));
        assertThat(stored(store, "s").parent()).isEmpty();
    }

    @Core
    default void thePeerIsRecorded(StoreUnderTest store) {
        SessionPeer peer = new SessionPeer(key("1"), Optional.of(fullSource()));
        store.commit(created("s"), edit("s", new SessionEdit.Peer(new SessionPeer(key("2"), Optional.empty()))));
        store.commit(edit("s", new SessionEdit.Peer(peer)));

        assertThat(stored(store, "s").peer()).hasValue(peer);
        assertThat(ids(store.sessions().ofLane(key("1"), 9))).containsExactly("s");
        assertThat(store.sessions().ofLane(key("2"), 9)).isEmpty();
    }

    @Core
    default void countersCanBeSet(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")), edit("s", new SessionEdit.Counts(100, 50)));

        assertThat(stored(store, "s").messageCount()).isEqualTo(100);
        assertThat(stored(store, "s").toolCallCount()).isEqualTo(50);
        store.commit(append("s", user("m2", "two")));
        assertThat(stored(store, "s").messageCount()).isEqualTo(101);
    }

    @Core
    default void anEditLeavesEverythingElseAsItWas(StoreUnderTest store) {
        Session full = store.fit(fullSession("full"));
        store.commit(created("parent"), created(full));

        Optional<String> title = store.has(Capability.TITLES) ? Optional.of("Other") : Optional.empty();
        store.commit(
                edit("full", new SessionEdit.SystemPrompt("other")),
                edit("full", new SessionEdit.Retitle(title)),
                end("full", 99, "not the first"));

        assertThat(stored(store, "full"))
                .isEqualTo(full.toBuilder()
                        .systemPrompt("other")
                        .title(title.orElse(null))
                        .build());
    }

    // AddUsage

    @Core
    default void usageIsAdded(StoreUnderTest store) {
        store.commit(created("s"));
        store.commit(new Change.AddUsage(
                id("s"), UsageUpdate.added(new TokenUsage(1, 2, 3, 4, 5), 1, Optional.of("first"))));
        assertThat(stored(store, "s").billing().estimatedCostUsd())
                .as("storage 3.6: 0.0 after the first addition")
                .hasValue(0.0);

        store.commit(new Change.AddUsage(id("s"), priced(new TokenUsage(10, 20, 30, 40, 50), 2, 0.5, false)));
        store.commit(new Change.AddUsage(id("s"), priced(TokenUsage.NONE, 0, 0.25, false)));
        store.reopen();

        Session session = stored(store, "s");
        assertThat(session.tokens()).isEqualTo(new TokenUsage(11, 22, 33, 44, 55));
        assertThat(session.apiCalls()).isEqualTo(3);
        assertThat(session.model()).as("the first one wins").hasValue("first");
        assertThat(session.billing().estimatedCostUsd()).hasValue(0.75);
        assertThat(session.billing().provider()).hasValue("provider");
    }

    @Core
    default void totalsReplaceUsage(StoreUnderTest store) {
        store.commit(created("s"));
        store.commit(new Change.AddUsage(id("s"), priced(new TokenUsage(10, 20, 30, 40, 50), 2, 0.5, false)));
        store.commit(new Change.AddUsage(id("s"), priced(new TokenUsage(1, 0, 0, 0, 0), 9, 0.125, true)));

        Session session = stored(store, "s");
        assertThat(session.tokens()).isEqualTo(new TokenUsage(1, 0, 0, 0, 0));
        assertThat(session.apiCalls()).isEqualTo(9);
        assertThat(session.billing().estimatedCostUsd()).hasValue(0.125);
    }

    @Core
    default void costAndRouteFollowTheRulesOfTheUpdate(StoreUnderTest store) {
        Billing before = fullSession("full").billing();
        UsageUpdate update = new UsageUpdate(
                TokenUsage.NONE,
                0,
                Optional.of("other model"),
                new Billing(
                        Optional.of("other"),
                        Optional.of("other"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(0.5),
                        Optional.of("billed"),
                        Optional.empty(),
                        Optional.of("2026-04")),
                false);
        store.commit(created("parent"), created(store.fit(fullSession("full"))));

        store.commit(new Change.AddUsage(id("full"), update));

        assertThat(stored(store, "full").billing()).isEqualTo(update.applyTo(before));
        assertThat(stored(store, "full").model()).hasValue("model-1");
    }

    @Core
    default void usageOfASessionThatDoesNotExistDoesNothing(StoreUnderTest store) {
        store.commit(new Change.AddUsage(id("missing"), UsageUpdate.added(TokenUsage.NONE, 1, Optional.of("m"))));

        assertThat(store.sessions().find(id("missing"))).isEmpty();
    }

    private static UsageUpdate priced(TokenUsage tokens, long calls, double cost, boolean absolute) {
        return new UsageUpdate(
                tokens,
                calls,
                Optional.of("later"),
                new Billing(
                        Optional.of("provider"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(cost),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                absolute);
    }

    // DeleteSession

    @Core
    default void aDeletedSessionIsGoneAndItsChildrenStayWithoutParent(StoreUnderTest store) {
        store.commit(created("p"), child("c", "p", 1), child("g", "c", 2));

        store.commit(new Change.DeleteSession(id("p")));
        store.reopen();

        assertThat(store.sessions().find(id("p"))).isEmpty();
        assertThat(stored(store, "c").parent()).isEmpty();
        assertThat(stored(store, "g").parent())
                .as("storage 3.8: only direct children")
                .hasValue(id("c"));
    }

    @Core
    default void deletingASessionThatDoesNotExistDoesNothing(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")));
        store.commit(new Change.DeleteSession(id("missing")));

        assertThat(store.sessions().count(Optional.empty())).isEqualTo(1);
    }

    @Core
    @Having(Capability.TITLES)
    default void theTitleOfADeletedSessionIsFree(StoreUnderTest store) {
        store.commit(created("s"), created("t"), retitle("s", "Docker"));
        store.commit(new Change.DeleteSession(id("s")), retitle("t", "Docker"));

        assertThat(store.sessions().findByTitle("Docker").orElseThrow().id()).isEqualTo(id("t"));
    }

    // forEach, count, endedBefore

    @Core
    default void sessionsComeOldestStartFirst(StoreUnderTest store) {
        store.commit(created(session("b", 5)), created(session("c", 1)), created(session("a", 5)));

        List<Session> all = new ArrayList<>();
        store.sessions().forEach(all::add);

        assertThat(ids(all)).containsExactly("c", "a", "b");
    }

    @Core
    default void aReadInsideTheStreamOfSessionsWorks(StoreUnderTest store) {
        store.commit(created("a"), created("b"));

        List<Session> found = new ArrayList<>();
        store.sessions().forEach(s -> store.sessions().find(s.id()).ifPresent(found::add));

        assertThat(ids(found)).containsExactly("a", "b");
    }

    @Core
    default void sessionsAreCountedBySource(StoreUnderTest store) {
        store.commit(from("a", "telegram"), from("b", "slack"), from("c", "telegram"));

        assertThat(store.sessions().count(Optional.empty())).isEqualTo(3);
        assertThat(store.sessions().count(Optional.of("telegram"))).isEqualTo(2);
        assertThat(store.sessions().count(Optional.of("Telegram"))).isZero();
        assertThat(store.sessions().count(Optional.of("")))
                .as("storage 3.8: empty means all")
                .isEqualTo(3);
    }

    @Core
    default void onlyEndedSessionsBegunBeforeALimitAreFound(StoreUnderTest store) {
        store.commit(
                created(session("b-old", 1)),
                created(session("a-old", 2)),
                created(session("live", 1)),
                created(session("at-limit", 5)),
                created(session("other", 1).toBuilder().source("slack").build()));
        store.commit(end("b-old", 90, "x"), end("a-old", 90, "x"), end("at-limit", 90, "x"), end("other", 90, "x"));

        assertThat(store.sessions().endedBefore(at(5), Optional.empty()))
                .containsExactly(id("a-old"), id("b-old"), id("other"));
        assertThat(store.sessions().endedBefore(at(5), Optional.of("slack"))).containsExactly(id("other"));
    }

    // Titles

    @Core
    @Having(Capability.TITLES)
    default void aSessionIsFoundByExactlyItsTitle(StoreUnderTest store) {
        store.commit(created("s"), created("t"), retitle("s", "Fix"), retitle("t", "fix"));

        assertThat(store.sessions().findByTitle("Fix").orElseThrow().id()).isEqualTo(id("s"));
        assertThat(store.sessions().findByTitle("fix").orElseThrow().id()).isEqualTo(id("t"));
        assertThat(store.sessions().findByTitle("FIX")).isEmpty();
        assertThat(store.sessions().findByTitle("Fi")).isEmpty();
    }

    @Core
    @Having(Capability.TITLES)
    default void titlesOfALineageAreFound(StoreUnderTest store) {
        List<String> titles = List.of(
                "Fix 100%_a", "fix 100%_A #2", "Fix 100%_a #bar", "fix 100%_a", "Fix 100xya #2", "Fix 100%_a#2");
        for (int i = 0; i < titles.size(); i++) {
            store.commit(created(session("s" + i, i)), retitle("s" + i, titles.get(i)));
        }

        assertThat(ids(store.sessions().titledLike("Fix 100%_a")))
                .as("the title itself by its case, numbered ones without regard to it; newest start first")
                .containsExactly("s2", "s1", "s0");
        assertThat(store.sessions().titledLike("nothing")).isEmpty();
    }

    @Core
    @Having(Capability.TITLES)
    default void titlesOfALineageWithOneStartComeByGreatestId(StoreUnderTest store) {
        store.commit(created("a"), created("b"), retitle("b", "X #2"), retitle("a", "X #3"));

        assertThat(ids(store.sessions().titledLike("X"))).containsExactly("b", "a");
    }

    // Ids, children, lanes

    @Core
    default void sessionsAreFoundByThePrefixOfTheirId(StoreUnderTest store) {
        store.commit(created("Ab_2"), created("ab_1"), created("abX1"), created("b"));

        assertThat(ids(store.sessions().withIdPrefix("ab_", 9)))
                .as("an underscore is an underscore, case does not matter")
                .containsExactly("Ab_2", "ab_1");
        assertThat(ids(store.sessions().withIdPrefix("ab", 2))).containsExactly("Ab_2", "abX1");
        assertThat(store.sessions().withIdPrefix("%", 9)).isEmpty();
    }

    @Core
    default void childrenComeNewestStartFirst(StoreUnderTest store) {
        store.commit(created("p"), child("a", "p", 1), child("b", "p", 3), child("c", "p", 3), child("d", "a", 9));

        assertThat(ids(store.sessions().childrenOf(id("p")))).containsExactly("c", "b", "a");
        assertThat(store.sessions().childrenOf(id("unknown"))).isEmpty();
    }

    @Core
    default void sessionsOfALaneComeNewestStartFirst(StoreUnderTest store) {
        for (String name : List.of("a", "b", "c")) {
            store.commit(created(session(name, name.equals("a") ? 1 : 3).toBuilder()
                    .peer(new SessionPeer(key("1"), Optional.of(source("1", "u"))))
                    .build()));
        }
        store.commit(
                created(session("other", 9).toBuilder()
                        .peer(new SessionPeer(key("12"), Optional.empty()))
                        .build()),
                created("none"));

        assertThat(ids(store.sessions().ofLane(key("1"), 9))).containsExactly("c", "b", "a");
        assertThat(ids(store.sessions().ofLane(key("1"), 1))).containsExactly("c");
        assertThat(store.sessions().ofLane(key("1"), 0)).isEmpty();
    }

    // list: each parameter where only it differs

    @Core
    default void aListShowsSessionsNewestStartFirst(StoreUnderTest store) {
        store.commit(created(session("b", 5)), created(session("c", 1)), created(session("a", 5)));

        assertThat(rows(store, SessionQuery.usual())).containsExactly("b", "a", "c");
    }

    @Core
    default void aListIsCutToItsWindow(StoreUnderTest store) {
        for (int i = 0; i < 5; i++) {
            store.commit(created(session("s" + i, i)));
        }

        assertThat(rows(store, SessionQuery.usual().window(2, 0))).containsExactly("s4", "s3");
        assertThat(rows(store, SessionQuery.usual().window(2, 1))).containsExactly("s3", "s2");
        assertThat(rows(store, SessionQuery.usual().window(9, 4))).containsExactly("s0");
        assertThat(rows(store, SessionQuery.usual().window(9, 9))).isEmpty();
        assertThat(rows(store, SessionQuery.usual().window(0, 0))).isEmpty();
        assertThat(rows(store, SessionQuery.usual().window(-1, 3))).containsExactly("s1", "s0");
    }

    @Core
    default void aListIsLimitedToSources(StoreUnderTest store) {
        store.commit(from("a", "telegram"), from("b", "slack"), from("c", "tool"));

        assertThat(rows(store, SessionQuery.usual().sources(Optional.of("slack"), Set.of())))
                .containsExactly("b");
        assertThat(rows(store, SessionQuery.usual().sources(Optional.of(""), Set.of())))
                .containsExactly("c", "b", "a");
        assertThat(rows(store, SessionQuery.usual().sources(Optional.empty(), Set.of("tool", "slack"))))
                .containsExactly("a");
        assertThat(rows(store, SessionQuery.usual().sources(Optional.of("slack"), Set.of("slack"))))
                .isEmpty();
    }

    @Core
    default void delegatesAndContinuationsAreHiddenUnlessChildrenAreAskedFor(StoreUnderTest store) {
        store.commit(created(session("p", 0)), child("delegate", "p", 1));
        store.commit(created(session("root", 2)), end("root", 10, Ending.COMPRESSION), child("tip", "root", 11));

        assertThat(rows(store, SessionQuery.usual())).containsExactly("tip", "p");
        assertThat(rows(store, SessionQuery.usual().shape(true, true)))
                .as("no projection where children have rows of their own")
                .containsExactly("tip", "root", "delegate", "p");
    }

    @Core
    default void aBranchIsARowWhileItsParentEndedByBranching(StoreUnderTest store) {
        store.commit(
                created(session("p", 0)), child("before", "p", 5), end("p", 10, "branched"), child("branch", "p", 10));

        assertThat(rows(store, SessionQuery.usual())).containsExactly("branch", "p");
        store.commit(edit("p", new SessionEdit.Reopen()));
        assertThat(rows(store, SessionQuery.usual())).containsExactly("p");
    }

    @Core
    default void aMarkedBranchIsARowWhateverBecomesOfItsParentAndAMarkedDelegateNever(StoreUnderTest store) {
        store.commit(
                created(session("p", 0)),
                created(marked("branch", "_branched_from", 5)),
                created(marked("delegate", "_delegate_from", 6)),
                child("plain", "p", 7));

        assertThat(rows(store, SessionQuery.usual())).containsExactly("branch", "p");
        store.commit(end("p", 10, Ending.COMPRESSION));
        assertThat(rows(store, SessionQuery.usual()))
                .as("only the plain child goes on where its parent stopped")
                .containsExactly("branch", "plain");
        store.commit(new Change.DeleteSession(id("p")));
        assertThat(rows(store, SessionQuery.usual()))
                .as("a delegate without its parent is no conversation")
                .containsExactly("plain", "branch");
    }

    private static Session marked(String id, String mark, int second) {
        return session(id, second).toBuilder()
                .parent(id("p"))
                .modelConfig(new RawJson("{\"" + mark + "\": \"p\"}"))
                .build();
    }

    @Core
    default void aChainGoesOnInACompressedChildBeforeALiveOneAndNeverInAToolsSession(StoreUnderTest store) {
        store.commit(
                created(session("root", 0)),
                end("root", 10, Ending.COMPRESSION),
                created(session("ended", 20).toBuilder()
                        .parent(id("root"))
                        .ending(Ending.of(at(60), "session_reset"))
                        .build()),
                created(Session.builder(id("tool"), "tool", at(30))
                        .parent(id("root"))
                        .build()));
        assertThat(rows(store, SessionQuery.usual())).containsExactly("ended");

        store.commit(child("live", "root", 5));
        assertThat(rows(store, SessionQuery.usual()))
                .as("begun before its parent's end was written")
                .containsExactly("live");

        store.commit(child("compressed", "root", 2), end("compressed", 3, Ending.COMPRESSION));
        assertThat(rows(store, SessionQuery.usual())).containsExactly("compressed");
    }

    @Core
    default void aChainIsAsActiveAsTheLatestOfItsContinuations(StoreUnderTest store) {
        store.commit(created(session("other", 3)), append("other", message("m1", Role.USER, "x", 50)));
        store.commit(created(session("root", 0)), child("early", "root", 1), end("root", 10, Ending.COMPRESSION));
        SessionQuery byActivity = SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE);
        assertThat(rows(store, byActivity)).containsExactly("other", "early");

        store.commit(append("early", message("m2", Role.USER, "y", 60)));
        assertThat(rows(store, byActivity)).containsExactly("early", "other");
    }

    @Core
    default void aCompressedChainIsShownWithItsTipsColumns(StoreUnderTest store) {
        Session root = store.fit(session("root", 2).toBuilder()
                .userId("u")
                .model("old")
                .systemPrompt("old prompt")
                .title("Chain")
                .usage(new TokenUsage(1, 2, 3, 4, 5), 6)
                .counts(40, 4)
                .build());
        store.commit(created(root), append("root", user("m1", "first words")), end("root", 10, Ending.COMPRESSION));
        store.commit(
                child("middle", "root", 10),
                append("middle", user("m2", "middle")),
                end("middle", 20, Ending.COMPRESSION));
        store.commit(created(store.fit(session("tip", 21).toBuilder()
                .parent(id("middle"))
                .model("new")
                .title("Chain #2")
                .build())));
        store.commit(append("tip", message("m3", Role.USER, "last words", 30)), end("tip", 40, "session_reset"));

        SessionListing row = store.sessions().list(SessionQuery.usual()).get(0);

        assertThat(row.lineageRoot()).hasValue(id("root"));
        assertThat(row.preview()).isEqualTo("last words");
        assertThat(row.lastActive()).isEqualTo(at(30));
        assertThat(row.session())
                .isEqualTo(store.fit(root.toBuilder()
                        .id(id("tip"))
                        .ending(Ending.of(at(40), "session_reset"))
                        .counts(1, 0)
                        .title("Chain #2")
                        .model("new")
                        .systemPrompt(null)
                        .build()));
    }

    @Core
    default void aChainIsShownAsItsRootWithoutProjection(StoreUnderTest store) {
        store.commit(
                created(session("root", 2)),
                append("root", user("m1", "first words")),
                end("root", 10, Ending.COMPRESSION),
                child("tip", "root", 11));

        SessionListing row =
                store.sessions().list(SessionQuery.usual().shape(false, false)).get(0);

        assertThat(row.session()).isEqualTo(stored(store, "root"));
        assertThat(row.lineageRoot()).isEmpty();
        assertThat(row.preview()).isEqualTo("first words");
    }

    @Core
    default void aCompressedSessionWithoutContinuationIsShownAsItIs(StoreUnderTest store) {
        store.commit(created(session("root", 2)), end("root", 10, Ending.COMPRESSION));

        SessionListing row = store.sessions().list(SessionQuery.usual()).get(0);

        assertThat(row.session().id()).isEqualTo(id("root"));
        assertThat(row.lineageRoot()).isEmpty();
    }

    @Core
    default void orderAndWindowAreTakenBeforeProjection(StoreUnderTest store) {
        store.commit(created(session("root", 0)), end("root", 50, Ending.COMPRESSION), child("tip", "root", 60));
        store.commit(created(session("younger", 10)));

        assertThat(rows(store, SessionQuery.usual())).containsExactly("younger", "tip");
        assertThat(rows(store, SessionQuery.usual().window(1, 1))).containsExactly("tip");
    }

    @Core
    default void filtersLookAtTheRoot(StoreUnderTest store) {
        store.commit(
                created(session("root", 0).toBuilder().source("slack").build()), end("root", 50, Ending.COMPRESSION));
        store.commit(created(store.fit(session("tip", 60).toBuilder()
                .parent(id("root"))
                .title("Only the tip")
                .build())));

        assertThat(rows(store, SessionQuery.usual().sources(Optional.of("slack"), Set.of())))
                .containsExactly("tip");
        assertThat(rows(store, SessionQuery.usual().sources(Optional.of("telegram"), Set.of())))
                .isEmpty();
        assertThat(rows(store, SessionQuery.usual().matching(true, Optional.empty())))
                .isEmpty();
        assertThat(rows(store, SessionQuery.usual().matching(false, Optional.of("only the"))))
                .isEmpty();
    }

    @Core
    default void aListInTheOrderOfActivityLooksAtMessagesAndContinuations(StoreUnderTest store) {
        SessionQuery byActivity = SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE);
        store.commit(created(session("quiet", 30)));
        store.commit(created(session("busy", 1)), append("busy", message("m1", Role.USER, "x", 40)));
        store.commit(created(session("root", 2)), end("root", 10, Ending.COMPRESSION), child("tip", "root", 11));
        assertThat(rows(store, byActivity)).containsExactly("busy", "quiet", "tip");

        store.commit(append("tip", message("m2", Role.ASSISTANT, "x", 50)));
        assertThat(rows(store, byActivity)).containsExactly("tip", "busy", "quiet");
        assertThat(rows(store, byActivity.window(1, 1))).containsExactly("busy");
        assertThat(rows(store, SessionQuery.usual())).containsExactly("quiet", "tip", "busy");
    }

    @Core
    default void equalActivityIsOrderedByStartThenId(StoreUnderTest store) {
        store.commit(
                created(session("a", 1)),
                created(session("b", 2)),
                created(session("c", 2)),
                append("a", message("m1", Role.USER, "x", 50)),
                append("b", message("m2", Role.USER, "x", 50)),
                append("c", message("m3", Role.USER, "x", 50)));

        assertThat(rows(store, SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE)))
                .containsExactly("c", "b", "a");
    }

    /** A session that was put away is listed only where it is asked for (storage 1.8). */
    @Core
    default void whatWasPutAwayIsListedOnlyWhereItIsAskedFor(StoreUnderTest store) {
        store.commit(
                created(session("kept")),
                created(session("away").toBuilder().archived(true).build()));

        assertThat(rows(store, SessionQuery.usual())).containsExactly("kept");
        assertThat(rows(store, SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE)))
                .containsExactly("kept");
        assertThat(store.sessions().list(SessionQuery.usual().withArchived()))
                .extracting(
                        row -> row.session().id().value(), row -> row.session().archived())
                .containsExactlyInAnyOrder(tuple("kept", false), tuple("away", true));
        assertThat(store.sessions().find(id("away"))).map(Session::archived).hasValue(true);
    }

    @Core
    @Having(Capability.TITLES)
    default void aListIsLimitedToTitledSessions(StoreUnderTest store) {
        store.commit(created("a"), created("b"), retitle("b", "Title"));

        assertThat(rows(store, SessionQuery.usual().matching(true, Optional.empty())))
                .containsExactly("b");
    }

    @Core
    @Having(Capability.TITLES)
    default void aListIsLimitedToIdsAndTitlesWithAText(StoreUnderTest store) {
        store.commit(created("xDOCy"), created("b"), created("c"), retitle("b", "the doc_1"), retitle("c", "other"));

        assertThat(rows(store, SessionQuery.usual().matching(false, Optional.of("Doc"))))
                .containsExactly("xDOCy", "b");
        assertThat(rows(store, SessionQuery.usual().matching(false, Optional.of("c_1"))))
                .containsExactly("b");
        assertThat(rows(store, SessionQuery.usual().matching(false, Optional.of("%"))))
                .isEmpty();
        assertThat(rows(store, SessionQuery.usual().matching(true, Optional.of("doc"))))
                .containsExactly("b");
    }

    /** The beginning of a span of time belongs to it, its end does not. */
    @Core
    default void aListIsLimitedToSessionsThatBeganInASpanOfTime(StoreUnderTest store) {
        store.commit(
                created(session("a", 1)),
                created(session("b", 2)),
                created(session("c", 3)),
                created(session("d", 4)),
                append("a", message("m1", Role.USER, "x", 50)));

        for (SessionQuery.Order order : SessionQuery.Order.values()) {
            SessionQuery all = SessionQuery.usual().ordered(order);
            assertThat(rows(store, all.between(Optional.of(at(2)), Optional.of(at(4)))))
                    .as("%s", order)
                    .containsExactly("c", "b");
            assertThat(rows(store, all.between(Optional.of(at(3)), Optional.empty())))
                    .as("%s", order)
                    .containsExactly("d", "c");
            assertThat(rows(store, all.between(Optional.empty(), Optional.of(at(2)))))
                    .as("%s", order)
                    .containsExactly("a");
            SessionQuery ofSource = all.sources(Optional.of(session("a", 1).source()), Set.of())
                    .between(Optional.of(at(4)), Optional.of(at(60)));
            assertThat(rows(store, ofSource)).as("%s", order).containsExactly("d");
            SessionQuery inTime = all.between(Optional.of(at(2)), Optional.of(at(4)));
            Page<SessionListing> first = store.sessions().page(inTime.window(1, 0), Optional.empty());
            Page<SessionListing> second = store.sessions().page(inTime.window(1, 0), first.next());
            assertThat(Stream.of(first, second).flatMap(page -> page.rows().stream()))
                    .as("%s", order)
                    .extracting(row -> row.session().id().value())
                    .containsExactly("c", "b");
            assertThat(second.next()).as("%s", order).isEmpty();
        }
    }

    // Preview and last activity

    @Core
    default void theLatestMessageIsTheLastActivityElseTheStart(StoreUnderTest store) {
        store.commit(created(session("s", 3)));
        assertThat(row(store, "s").lastActive()).isEqualTo(at(3));

        store.commit(append("s", message("m1", Role.USER, "x", 50), message("m2", Role.ASSISTANT, "y", 40)));
        assertThat(row(store, "s").lastActive()).isEqualTo(at(50));
    }

    @Core
    default void aMessageThatWasTakenBackIsNoActivity(StoreUnderTest store) {
        store.commit(
                created(session("s", 3)),
                append("s", message("m1", Role.USER, "x", 40), message("m2", Role.USER, "y", 50)),
                hide("s", State.REWOUND, "m2"));
        assertThat(row(store, "s").lastActive()).isEqualTo(at(40));

        store.commit(hide("s", State.COMPACTED, "m1"));
        assertThat(row(store, "s").lastActive()).isEqualTo(at(40));
    }

    @Core
    default void thePreviewIsTheBeginningOfTheFirstUserMessage(StoreUnderTest store) {
        store.commit(
                created("s"),
                append(
                        "s",
                        assistant("m1", "not this"),
                        Message.builder(new MessageId("m2"), Role.USER, Content.none(), at(10))
                                .build(),
                        message("m3", Role.USER, "this one", 11),
                        message("m4", Role.USER, "not this either", 12)));

        assertThat(row(store, "s").preview()).isEqualTo("this one");
    }

    @Core
    default void aSessionWithoutUserMessageHasNoPreview(StoreUnderTest store) {
        store.commit(created("s"), append("s", assistant("m1", "hello")));

        assertThat(row(store, "s").preview()).isEmpty();
    }

    @Core
    default void thePreviewIsOnOneLineAndCut(StoreUnderTest store) {
        List<List<String>> table = List.of(
                List.of("one\ntwo\r\nthree", "one two  three"),
                List.of("a\tb", "a\tb"),
                List.of("a".repeat(60), "a".repeat(60)),
                List.of("a".repeat(61), "a".repeat(60) + "..."),
                List.of("a".repeat(200), "a".repeat(60) + "..."),
                List.of("   " + "b".repeat(100), "b".repeat(60)),
                List.of(" ".repeat(70) + "c", ""),
                List.of("", ""),
                List.of("🚀".repeat(61), "🚀".repeat(60) + "..."));
        for (int i = 0; i < table.size(); i++) {
            store.commit(
                    created("s" + i), append("s" + i, user("m" + i, table.get(i).get(0))));
        }

        for (int i = 0; i < table.size(); i++) {
            assertThat(row(store, "s" + i).preview())
                    .as("storage 3.9, row %s", i)
                    .isEqualTo(table.get(i).get(1));
        }
    }

    @Core
    default void thePreviewOfPartsIsTheirText(StoreUnderTest store) {
        store.commit(created("s"), created("t"));
        store.commit(new Change.AppendMessages(
                id("s"),
                List.of(parts(
                        "m1",
                        "[{\"type\":\"text\",\"text\":\"look\"},{\"type\":\"text\",\"text\":\"here\"}]",
                        "look",
                        "here"))));
        store.commit(new Change.AppendMessages(
                id("t"), List.of(parts("m2", "[{\"type\":\"image_url\",\"image_url\":{\"url\":\"x\"}}]"))));

        assertThat(row(store, "s").preview()).isEqualTo("look here");
        assertThat(row(store, "t").preview()).isEqualTo("[multimodal content]");
    }

    @Core
    default void aMessageThatWasTakenBackIsNotPreviewed(StoreUnderTest store) {
        store.commit(
                created("s"),
                append("s", message("m1", Role.USER, "secret", 10), message("m2", Role.USER, "public", 11)),
                hide("s", State.REWOUND, "m1"));
        assertThat(row(store, "s").preview()).isEqualTo("public");

        store.commit(hide("s", State.COMPACTED, "m2"));
        assertThat(row(store, "s").preview()).as("compacted ones are").isEqualTo("public");
    }

    private static Message parts(String id, String json, String... texts) {
        return Message.builder(
                        new MessageId(id), Role.USER, new Content.Multipart(new RawJson(json), List.of(texts)), at(10))
                .build();
    }

    private static SessionListing row(StoreUnderTest store, String session) {
        return store.sessions().list(SessionQuery.usual()).stream()
                .filter(row -> row.session().id().equals(id(session)))
                .findFirst()
                .orElseThrow();
    }

    // statistics

    @Core
    default void anEmptyStoreHasEmptyStatistics(StoreUnderTest store) {
        assertThat(store.sessions().statistics())
                .isEqualTo(new SessionStatistics(0, 0, TokenUsage.NONE, Optional.empty(), List.of()));
    }

    @Core
    default void statisticsAddUpAllSessionsAndEachModel(StoreUnderTest store) {
        store.commit(
                created(spent("a", "cheap", 1, 0.25)),
                created(spent("b", "dear", 2, 4.0)),
                created(spent("c", "cheap", 4, 0.5)),
                created(session("d").toBuilder()
                        .model("free")
                        .usage(new TokenUsage(8, 0, 0, 0, 0), 1)
                        .build()),
                created(session("e").toBuilder().model("also free").build()),
                created(session("f").toBuilder()
                        .usage(new TokenUsage(16, 0, 0, 0, 0), 1)
                        .build()));
        store.commit(append("a", user("m1", "x"), user("m2", "y")), hide("a", State.REWOUND, "m1"));

        assertThat(store.sessions().statistics())
                .isEqualTo(new SessionStatistics(
                        6,
                        2,
                        new TokenUsage(31, 7, 0, 0, 0),
                        Optional.of(4.75),
                        List.of(
                                new SessionStatistics.ModelUsage(
                                        "dear", 1, new TokenUsage(2, 2, 0, 0, 0), Optional.of(4.0)),
                                new SessionStatistics.ModelUsage(
                                        "cheap", 2, new TokenUsage(5, 5, 0, 0, 0), Optional.of(0.75)),
                                new SessionStatistics.ModelUsage("also free", 1, TokenUsage.NONE, Optional.empty()),
                                new SessionStatistics.ModelUsage(
                                        "free", 1, new TokenUsage(8, 0, 0, 0, 0), Optional.empty()))));
    }

    @Core
    default void statisticsThatRunOverStayAtTheGreatestNumber(StoreUnderTest store) {
        store.commit(
                created(spent("a", "broken", Long.MAX_VALUE, 1)),
                created(spent("b", "broken", 3, 1)),
                created(spent("c", "sound", (1L << 53) + 1, 1)),
                created(spent("d", "sound", 2, 1)));

        SessionStatistics found = store.sessions().statistics();

        assertThat(found.tokens().input()).isEqualTo(Long.MAX_VALUE);
        assertThat(found.models())
                .extracting(
                        SessionStatistics.ModelUsage::model,
                        used -> used.tokens().output())
                .containsExactly(tuple("broken", Long.MAX_VALUE), tuple("sound", (1L << 53) + 3));
    }

    private static Session spent(String id, String model, long tokens, double cost) {
        return session(id).toBuilder()
                .model(model)
                .usage(new TokenUsage(tokens, tokens, 0, 0, 0), 1)
                .billing(new Billing(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(cost),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()))
                .build();
    }

    // Slots of usage

    private static Change.AddUsage used(String session, String model, long input, Instant when) {
        return new Change.AddUsage(
                id(session),
                UsageUpdate.added(new TokenUsage(input, 2, 3, 4, 5), 1, Optional.of(model)),
                Optional.of(when));
    }

    private static List<UsageSlot> slots(StoreUnderTest store) {
        return store.sessions().usage(Instant.EPOCH, Instant.parse("2100-01-01T00:00:00Z"));
    }

    @Core
    default void usageIsAddedUpByQuarterOfAnHourSourceAndModel(StoreUnderTest store) {
        Instant quarter = Instant.parse("2026-03-10T09:15:00Z");
        store.commit(
                created("s"), created(Session.builder(id("c"), "cli", at(1)).build()));
        assertThat(slots(store)).isEmpty();

        store.commit(
                used("s", "big", 1, quarter),
                used("s", "big", 10, quarter.plusSeconds(899)),
                used("s", "small", 100, quarter),
                used("c", "big", 1000, quarter),
                used("s", "big", 10_000, quarter.plusSeconds(900)));
        store.reopen();

        String source = stored(store, "s").source();
        assertThat(slots(store))
                .extracting(slot -> slot.key(), slot -> slot.tokens().input(), UsageSlot::apiCalls)
                .containsExactly(
                        tuple(new UsageSlot.Key(quarter, "cli", "big"), 1000L, 1L),
                        tuple(new UsageSlot.Key(quarter, source, "big"), 11L, 2L),
                        tuple(new UsageSlot.Key(quarter, source, "small"), 100L, 1L),
                        tuple(new UsageSlot.Key(quarter.plusSeconds(900), source, "big"), 10_000L, 1L));
        assertThat(store.sessions().usage(quarter.plusSeconds(900), quarter.plusSeconds(901)))
                .hasSize(1);
        assertThat(store.sessions().usage(quarter.plusSeconds(1), quarter.plusSeconds(900)))
                .isEmpty();
    }

    @Core
    default void usageOfATimeThatIsNotKnownAndTotalsBelongToNoSlot(StoreUnderTest store) {
        store.commit(created("s"));
        store.commit(
                new Change.AddUsage(id("s"), UsageUpdate.added(new TokenUsage(1, 2, 3, 4, 5), 1, Optional.of("m"))),
                new Change.AddUsage(id("s"), priced(new TokenUsage(9, 9, 9, 9, 9), 2, 0.5, true), Optional.of(at(5))),
                used("missing", "m", 1, at(5)));

        assertThat(slots(store)).isEmpty();
    }

    @Core
    default void theModelOfTheSessionCountsWhereTheUsageNamesNone(StoreUnderTest store) {
        UsageUpdate nameless = UsageUpdate.added(new TokenUsage(1, 0, 0, 0, 0), 1, Optional.empty());
        store.commit(created("s"), new Change.AddUsage(id("s"), nameless, Optional.of(at(1))));
        store.commit(used("s", "big", 1, at(1)), new Change.AddUsage(id("s"), nameless, Optional.of(at(1))));

        store.reopen();

        assertThat(slots(store))
                .extracting(slot -> slot.key().model(), slot -> slot.tokens().input())
                .containsExactly(tuple("", 1L), tuple("big", 2L));
    }

    @Core
    default void aTurnIsCountedOnceWhereItEnds(StoreUnderTest store) {
        Turn ended = Samples.turn("t1", "1", "s", 1)
                .ended(Turn.State.FAILED, at(2000))
                .used(TurnUsage.of("big", TokenUsage.NONE, 1));
        store.commit(created("s"), new Change.PutTurn(Samples.turn("t1", "1", "s", 1)));
        store.commit(new Change.PutTurn(ended));
        store.commit(new Change.PutTurn(ended.noted("again")));
        store.commit(new Change.PutTurn(Samples.turn("copied", "1", "s", 1).ended(Turn.State.COMPLETED, at(2000))));
        store.commit(
                new Change.PutTurn(Samples.turn("t2", "1", "missing", 1)),
                new Change.PutTurn(Samples.turn("t2", "1", "missing", 1).ended(Turn.State.COMPLETED, at(2000))));

        store.reopen();

        assertThat(slots(store)).singleElement().satisfies(slot -> {
            assertThat(slot.turns()).isEqualTo(1);
            assertThat(slot.key())
                    .isEqualTo(UsageSlot.Key.at(at(2000), stored(store, "s").source(), Optional.of("big")));
        });
    }

    @Core
    default void sumsOfUsageOverTheDaysOfAnyZoneAreThoseOfItsTurns(StoreUnderTest store) {
        Random random = new Random(13);
        Instant from = Instant.parse("2026-03-25T00:00:00Z");
        List<String> sources = List.of("cli", "telegram", "slack");
        for (String source : sources) {
            store.commit(created(Session.builder(id(source), source, at(1)).build()));
        }
        for (int i = 0; i < 8; i++) {
            List<Change> changes = new ArrayList<>();
            for (int j = 0; j < 8; j++) {
                String session = sources.get(random.nextInt(sources.size()));
                Instant end = from.plusSeconds(random.nextInt(8 * 24 * 3600));
                TurnUsage usage = TurnUsage.of(
                        random.nextBoolean() ? "big" : "small",
                        new TokenUsage(random.nextInt(9999), random.nextInt(99), random.nextInt(99), 0, 7),
                        1 + random.nextInt(3));
                Turn turn = Samples.turn("t" + i + "-" + j, "1", session, 1);
                changes.add(new Change.PutTurn(turn));
                changes.add(
                        new Change.PutTurn(turn.ended(Turn.State.COMPLETED, end).used(usage)));
                changes.add(new Change.AddUsage(
                        id(session),
                        UsageUpdate.added(usage.tokens(), usage.apiCalls(), usage.model()),
                        Optional.of(end)));
            }
            store.commit(changes.toArray(Change[]::new));
        }

        store.reopen();

        List<Turn> turns = store.queue().turns(TurnQuery.first(100)).rows();
        assertThat(turns).hasSize(64);
        for (String name : List.of("UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe")) {
            ZoneId zone = ZoneId.of(name);
            SortedMap<String, UsageSum> bySlots = UsageSum.of(slots(store), UsageSum.By.DAY, zone);
            SortedMap<String, UsageSum> byTurns = new TreeMap<>();
            for (Turn turn : turns) {
                byTurns.merge(
                        LocalDate.ofInstant(turn.endedAt().orElseThrow(), zone).toString(),
                        new UsageSum(1, turn.usage().tokens(), turn.usage().apiCalls(), 0.0),
                        UsageSum::plus);
            }
            assertThat(bySlots).as(name).isEqualTo(byTurns);
            byTurns.forEach((day, sum) -> {
                Instant begins = LocalDate.parse(day).atStartOfDay(zone).toInstant();
                Instant ends =
                        LocalDate.parse(day).plusDays(1).atStartOfDay(zone).toInstant();
                assertThat(UsageSum.of(store.sessions().usage(begins, ends)))
                        .as("%s in %s", day, name)
                        .isEqualTo(sum);
            });
        }
    }

    @Core
    default void slotsOutliveTheirSessions(StoreUnderTest store) {
        store.commit(created("s"), used("s", "m", 1, at(5)), new Change.PutTurn(Samples.turn("t1", "1", "s", 1)));
        store.commit(
                new Change.PutTurn(Samples.turn("t1", "1", "s", 1).ended(Turn.State.COMPLETED, at(5))),
                used("s", "m", 1, at(5)));
        store.commit(new Change.DeleteSession(id("s")));

        store.reopen();

        assertThat(slots(store))
                .extracting(slot -> slot.tokens().input(), UsageSlot::turns)
                .containsExactly(tuple(2L, 1L));
    }

    @Core
    default void aSlotIsSetWhateverStoodThere(StoreUnderTest store) {
        UsageSlot.Key key = UsageSlot.Key.at(at(5), "cli", Optional.of("m"));
        UsageSlot slot = new UsageSlot(key, 7, new TokenUsage(1, 2, 3, 4, 5), 6, 0.75);
        store.commit(created(Session.builder(id("c"), "cli", at(1)).build()), used("c", "m", 100, at(5)));

        store.commit(used("c", "m", 100, at(5)), new Change.PutUsage(slot), used("c", "m", 1, at(5)));
        store.reopen();

        assertThat(slots(store)).containsExactly(new UsageSlot(key, 7, new TokenUsage(2, 4, 6, 8, 10), 7, 0.75));
    }

    @Core
    default void countsThatRunOverStopAtTheGreatestNumber(StoreUnderTest store) {
        TokenUsage most = new TokenUsage(Long.MAX_VALUE, Long.MAX_VALUE, 1, Long.MAX_VALUE, Long.MAX_VALUE);
        UsageUpdate update = UsageUpdate.added(most, Long.MAX_VALUE, Optional.of("m"));
        store.commit(created("s"), new Change.PutLane(Samples.lane("1", "s", 1)));

        store.commit(
                new Change.AddUsage(id("s"), update, Optional.of(at(5))),
                new Change.AddUsage(id("s"), update, Optional.of(at(5))),
                new Change.TouchLane(key("1"), id("s"), at(9), most, 0.5, Optional.empty(), Optional.empty()),
                new Change.TouchLane(key("1"), id("s"), at(9), most, 0.5, Optional.empty(), Optional.empty()));
        store.reopen();

        TokenUsage stopped = new TokenUsage(Long.MAX_VALUE, Long.MAX_VALUE, 2, Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(stored(store, "s").tokens()).isEqualTo(stopped);
        assertThat(stored(store, "s").apiCalls()).isEqualTo(Long.MAX_VALUE);
        assertThat(slots(store)).extracting(UsageSlot::tokens).containsExactly(stopped);
        assertThat(store.lanes().find(key("1")).orElseThrow().entry().usage()).satisfies(usage -> {
            assertThat(usage.tokens()).isEqualTo(stopped);
            assertThat(usage.totalTokens()).isEqualTo(Long.MAX_VALUE);
        });
    }
}
