package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.append;
import static dev.parley.contracts.storage.Samples.assistant;
import static dev.parley.contracts.storage.Samples.at;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.hide;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.message;
import static dev.parley.contracts.storage.Samples.session;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SearchQuery.Sort;
import dev.parley.contracts.level.Search;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.StoredMessage.State;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@link dev.parley.application.port.TranscriptSearch} (storage 5).. */
@Having(Capability.SEARCH)
public interface TranscriptSearchContract extends StoreContract {
    /** Stores one user message per text, {@code m0}, {@code m1}, ... in a session {@code s}, a second apart. */
    private static void say(StoreUnderTest store, String... texts) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < texts.length; i++) {
            messages.add(message("m" + i, Role.USER, texts[i], 100 + i));
        }
        store.commit(created("s"), new Change.AppendMessages(id("s"), messages));
    }

    private static List<String> find(StoreUnderTest store, String query) {
        return find(
                store,
                new SearchQuery(
                        query,
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        -1,
                        0,
                        Optional.of(Sort.OLDEST),
                        Viewer.operator()));
    }

    private static List<String> find(StoreUnderTest store, SearchQuery query) {
        return store.search().search(query).stream()
                .map(hit -> store.transcripts().loadAll(hit.session()).stream()
                        .filter(m -> m.sequence() == hit.sequence())
                        .findFirst()
                        .orElseThrow()
                        .message()
                        .id()
                        .value())
                .toList();
    }

    private static SearchQuery query(
            String text,
            Optional<List<String>> sources,
            List<String> excluded,
            List<String> roles,
            int limit,
            int offset,
            Sort sort) {
        return new SearchQuery(text, sources, excluded, roles, limit, offset, Optional.of(sort), Viewer.operator());
    }

    // What matches

    @Search
    default void aBlankQueryFindsNothing(StoreUnderTest store) {
        say(store, "hello");

        for (String blank : List.of("", "   ", "\n\t", "***", "AND", "()", "\"\"")) {
            assertThat(find(store, blank)).as("«%s»", blank).isEmpty();
        }
    }

    @Search
    default void wordsAreFoundWithoutRegardToCaseAndAccents(StoreUnderTest store) {
        say(store, "Meet me at the Café, tomorrow!", "decaf", "CAFE");

        assertThat(find(store, "cafe")).containsExactly("m0", "m2");
        assertThat(find(store, "CAFÉ")).containsExactly("m0", "m2");
        assertThat(find(store, "tomorrow")).containsExactly("m0");
    }

    @Search
    default void ofAQueryThatNobodyTypesTheBeginningCounts(StoreUnderTest store) {
        say(store, "a needle");

        assertThat(find(store, "needle" + " ".repeat(2042) + "missing")).containsExactly("m0");
        assertThat(find(store, "needle" + " ".repeat(1000) + "missing")).isEmpty();
    }

    @Search
    default void partsOfWordsAreNotFound(StoreUnderTest store) {
        say(store, "the service was deployed", "deploy it", "redeploy");

        assertThat(find(store, "deploy")).containsExactly("m1");
    }

    @Search
    default void anAsteriskBehindAWordFindsAnyEnding(StoreUnderTest store) {
        say(store, "the service was deployed", "deploy it", "redeploy");

        assertThat(find(store, "deploy*")).containsExactly("m0", "m1");
    }

    @Search
    default void allWordsSideBySideMustBeThere(StoreUnderTest store) {
        say(store, "docker networking", "docker alone", "networking alone", "networking with docker");

        assertThat(find(store, "docker networking")).containsExactly("m0", "m3");
        assertThat(find(store, "docker AND networking")).containsExactly("m0", "m3");
    }

    @Search
    default void aPhraseMustStandTogether(StoreUnderTest store) {
        say(store, "docker networking", "networking with docker", "docker and networking");

        assertThat(find(store, "\"docker networking\"")).containsExactly("m0");
        assertThat(find(store, "\"networking with docker\"")).containsExactly("m1");
    }

    @Search
    default void oneSideOfAnOrIsEnough(StoreUnderTest store) {
        say(store, "python here", "java here", "rust here");

        assertThat(find(store, "python OR java")).containsExactly("m0", "m1");
        assertThat(find(store, "\"python here\" OR rust")).containsExactly("m0", "m2");
    }

    @Search
    default void whatStandsBehindNotMustNotBeThere(StoreUnderTest store) {
        say(store, "python and java", "python alone", "java alone");

        assertThat(find(store, "python NOT java")).containsExactly("m1");
    }

    @Search
    default void orBindsWeakerThanWordsSideBySide(StoreUnderTest store) {
        say(store, "python tests", "python", "java tests", "java");

        assertThat(find(store, "python tests OR java tests")).containsExactly("m0", "m2");
    }

    @Search
    default void operatorsAreWordsInLowerCase(StoreUnderTest store) {
        say(store, "python or java", "python java");

        assertThat(find(store, "python or java")).containsExactly("m0");
    }

    @Search
    default void anOperatorAtEitherEndIsLeftOut(StoreUnderTest store) {
        say(store, "hello world");

        for (String query : List.of("hello AND", "OR hello", "NOT hello", "hello not")) {
            assertThat(find(store, query)).as("«%s»", query).containsExactly("m0");
        }
    }

    @Search
    default void joinedWordsStandTogether(StoreUnderTest store) {
        say(store, "fix chat-send now", "send a chat", "open my-app.config.ts", "sp_new1", "sp_new");

        assertThat(find(store, "chat-send")).containsExactly("m0");
        assertThat(find(store, "my-app.config.ts")).containsExactly("m2");
        assertThat(find(store, "sp_new")).containsExactly("m4");
        assertThat(find(store, "sp_new*")).containsExactly("m3", "m4");
    }

    @Search
    default void charactersWithoutMeaningDoNotMatter(StoreUnderTest store) {
        say(store, "a problem with foo");

        for (String query : List.of("(problem", "{problem}", "^foo", "problem + foo", "\"problem", "foo\"")) {
            assertThat(find(store, query)).as("«%s»", query).containsExactly("m0");
        }
    }

    @Search
    default void aQueryThatCannotBeReadIsReadWordByWord(StoreUnderTest store) {
        say(store, "mail user@example.com, TODO: fix path/to/file.py", "don't do 50% of it; what?");

        assertThat(find(store, "user@example.com")).containsExactly("m0");
        assertThat(find(store, "TODO: fix")).containsExactly("m0");
        assertThat(find(store, "path/to/file.py")).containsExactly("m0");
        assertThat(find(store, "don't")).containsExactly("m1");
        assertThat(find(store, "50%")).containsExactly("m1");
        assertThat(find(store, "what?")).containsExactly("m1");
    }

    @Search
    default void noQueryFails(StoreUnderTest store) {
        say(store, "hello world 大别山");

        for (String query : List.of(
                "AND AND foo",
                "OR OR",
                "hello AND NOT",
                "a AND OR b",
                "NEAR(a b, 5)",
                "content:todo",
                "'; DROP TABLE messages; --",
                "\u0000",
                "\"大别山\" OR \"",
                "🚀",
                "-foo",
                "* * *",
                "%",
                "_",
                "\\",
                "大 AND",
                "x".repeat(5000),
                "\ud800")) {
            assertThat(store.search().search(SearchQuery.of(query)))
                    .as("«%s»", query)
                    .isNotNull();
        }
        assertThat(find(store, "hello")).as("and the store goes on").hasSize(1);
    }

    // What is searched (storage 5.3)

    @Search
    default void toolNamesAndCallsAreSearched(StoreUnderTest store) {
        store.commit(
                created("s"),
                append(
                        "s",
                        message("m1", Role.ASSISTANT, "looking", 1).toBuilder()
                                .toolCalls(ToolCalls.of(
                                        List.of(new ToolCall("c1", "fetch_page", "{\"address\":\"zanzibar\"}"))))
                                .build(),
                        message("m2", Role.TOOL, "nothing", 2).toBuilder()
                                .toolName("lookup")
                                .toolCallId("c1")
                                .build()));

        assertThat(find(store, "zanzibar")).containsExactly("m1");
        assertThat(find(store, "fetch_page")).containsExactly("m1");
        assertThat(find(store, "lookup")).containsExactly("m2");
    }

    @Search
    default void partsOfAMessageAreSearched(StoreUnderTest store) {
        store.commit(
                created("s"),
                append(
                        "s",
                        Message.builder(
                                        new MessageId("m1"),
                                        Role.USER,
                                        new Content.Multipart(
                                                new RawJson("[{\"type\":\"text\",\"text\":\"zanzibar\"}]"),
                                                List.of("zanzibar")),
                                        at(1))
                                .build()));

        assertThat(find(store, "zanzibar")).containsExactly("m1");
    }

    @Search
    default void reasoningTitlesAndPromptsAreNotSearched(StoreUnderTest store) {
        store.commit(
                created(session("s").toBuilder()
                        .title("zanzibar")
                        .systemPrompt("zanzibar")
                        .build()),
                append(
                        "s",
                        assistant("m1", "x").toBuilder()
                                .reasoning(new Reasoning(
                                        Optional.of("zanzibar"),
                                        Optional.of("zanzibar"),
                                        Optional.of(new RawJson("\"zanzibar\"")),
                                        Optional.empty(),
                                        Optional.empty()))
                                .build()));

        assertThat(find(store, "zanzibar")).isEmpty();
    }

    @Search
    default void messagesTakenBackAreNeverFound(StoreUnderTest store) {
        say(store, "zanzibar one", "zanzibar two", "大别山项目");
        store.commit(hide("s", State.REWOUND, "m0", "m2"));

        assertThat(find(store, "zanzibar")).containsExactly("m1");
        assertThat(find(store, "大别山项目")).isEmpty();
        assertThat(find(store, "项目")).isEmpty();
    }

    @Search
    default void compactedMessagesAreStillFound(StoreUnderTest store) {
        say(store, "zanzibar one", "zanzibar two");
        store.commit(hide("s", State.COMPACTED, "m0"));

        assertThat(find(store, "zanzibar")).containsExactly("m0", "m1");
    }

    @Search
    default void replacedAndDeletedMessagesAreNotFound(StoreUnderTest store) {
        say(store, "zanzibar one");
        store.commit(new Change.ReplaceMessages(id("s"), List.of(user("n1", "pemba"))));
        assertThat(find(store, "zanzibar")).isEmpty();
        assertThat(find(store, "pemba")).containsExactly("n1");

        store.commit(new Change.DeleteSession(id("s")));
        assertThat(find(store, "pemba")).isEmpty();
    }

    @Search
    default void whatWasStoredIsFoundAfterReopen(StoreUnderTest store) {
        say(store, "zanzibar", "大别山项目");

        store.reopen();

        assertThat(find(store, "zanzibar")).containsExactly("m0");
        assertThat(find(store, "大别山")).containsExactly("m1");
    }

    @Search
    default void importedMessagesAreFound(StoreUnderTest store) {
        store.commit(
                created("s"),
                new Change.ImportMessages(List.of(
                        new StoredMessage(1, id("s"), user("m1", "zanzibar"), State.COMPACTED),
                        new StoredMessage(2, id("s"), user("m2", "zanzibar"), State.REWOUND))));

        assertThat(find(store, "zanzibar")).containsExactly("m1");
    }

    // Scripts without blanks (storage 5.5)

    @Search
    default void threeCharactersAreFoundInsideAText(StoreUnderTest store) {
        say(store, "昨天我们讨论了大别山项目的进展", "大别山", "山别大");

        assertThat(find(store, "大别山")).containsExactly("m0", "m1");
        assertThat(find(store, "大别山项目")).containsExactly("m0");
    }

    @Search
    default void oneOrTwoCharactersAreFoundInsideAText(StoreUnderTest store) {
        say(store, "我想去漓江旅游", "江漓", "别的");

        assertThat(find(store, "漓江")).containsExactly("m0");
        assertThat(find(store, "江")).containsExactly("m0", "m1");
    }

    @Search
    default void longCharacterTermsFollowTheirOperators(StoreUnderTest store) {
        say(store, "大别山计划书", "大别山", "断裂连接", "计划书");

        assertThat(find(store, "大别山 OR 断裂连接")).containsExactly("m0", "m1", "m2");
        assertThat(find(store, "大别山 NOT 计划书")).containsExactly("m1");
        assertThat(find(store, "大别山 计划书")).containsExactly("m0");
    }

    @Search
    default void aBlankBetweenShortCharacterTermsMeansEither(StoreUnderTest store) {
        say(store, "通信", "旅游", "通信旅游", "别的");

        assertThat(find(store, "通信 旅游")).containsExactly("m0", "m1", "m2");
    }

    @Search
    default void typedOperatorsBetweenShortCharacterTermsAreFollowed(StoreUnderTest store) {
        say(store, "通信", "旅游", "通信旅游");

        assertThat(find(store, "通信 AND 旅游")).containsExactly("m2");
        assertThat(find(store, "通信 NOT 旅游")).containsExactly("m0");
        assertThat(find(store, "通信 OR 旅游")).containsExactly("m0", "m1", "m2");
    }

    @Search
    default void lettersBesideCharactersAreFoundInAnyCase(StoreUnderTest store) {
        say(store, "我们的Agent通信协议", "AGENT的聊天记录");

        assertThat(find(store, "agent通信")).containsExactly("m0");
        assertThat(find(store, "agent的聊天")).containsExactly("m1");
    }

    @Search
    default void signsAreThemselvesBesideCharacters(StoreUnderTest store) {
        say(store, "进度100%完成", "进度100x完成", "通信_协议", "通信x协议");

        assertThat(find(store, "100%完成")).containsExactly("m0");
        assertThat(find(store, "通信_协议")).containsExactly("m2");
    }

    // Each parameter where only it differs

    @Search
    default void aSearchIsLimitedToSources(StoreUnderTest store) {
        say(store, "zanzibar");
        store.commit(
                created(session("t").toBuilder().source("slack").build()),
                append("t", message("t1", Role.USER, "zanzibar", 200)));

        assertThat(find(store, query("zanzibar", Optional.empty(), List.of(), List.of(), -1, 0, Sort.OLDEST)))
                .containsExactly("m0", "t1");
        assertThat(find(
                        store,
                        query(
                                "zanzibar",
                                Optional.of(List.of("slack", "x")),
                                List.of(),
                                List.of(),
                                -1,
                                0,
                                Sort.OLDEST)))
                .containsExactly("t1");
        assertThat(find(store, query("zanzibar", Optional.of(List.of()), List.of(), List.of(), -1, 0, Sort.OLDEST)))
                .as("an empty list means none")
                .isEmpty();
    }

    @Search
    default void sourcesAreExcluded(StoreUnderTest store) {
        say(store, "zanzibar 大别山 漓江");
        store.commit(
                created(session("t").toBuilder().source("tool").build()),
                append("t", message("t1", Role.USER, "zanzibar 大别山 漓江", 200)));

        for (String text : List.of("zanzibar", "大别山", "漓江")) {
            assertThat(find(store, query(text, Optional.empty(), List.of("tool"), List.of(), -1, 0, Sort.OLDEST)))
                    .as(text)
                    .containsExactly("m0");
        }
    }

    @Search
    default void aSearchIsLimitedToRoles(StoreUnderTest store) {
        say(store, "zanzibar");
        store.commit(
                append("s", message("a1", Role.ASSISTANT, "zanzibar", 200), message("t1", Role.TOOL, "zanzibar", 201)));

        assertThat(find(
                        store,
                        query(
                                "zanzibar",
                                Optional.empty(),
                                List.of(),
                                List.of("assistant", "tool"),
                                -1,
                                0,
                                Sort.OLDEST)))
                .containsExactly("a1", "t1");
        assertThat(find(store, query("zanzibar", Optional.empty(), List.of(), List.of("user"), -1, 0, Sort.OLDEST)))
                .containsExactly("m0");
    }

    /** The beginning of a span of time belongs to it, its end does not; with words, with their parts and with a source too. */
    @Search
    default void aSearchIsLimitedToASpanOfTime(StoreUnderTest store) {
        say(store, "大别山 zanzibar", "大别山 zanzibar", "大别山 zanzibar", "大别山 zanzibar");

        for (String text : List.of("zanzibar", "大别山", "别山")) {
            SearchQuery all = query(text, Optional.empty(), List.of(), List.of(), -1, 0, Sort.OLDEST);
            assertThat(find(store, all.between(Optional.of(at(101)), Optional.of(at(103)))))
                    .as(text)
                    .containsExactly("m1", "m2");
            assertThat(find(store, all.between(Optional.of(at(102)), Optional.empty())))
                    .as(text)
                    .containsExactly("m2", "m3");
            assertThat(find(store, all.between(Optional.empty(), Optional.of(at(101)))))
                    .as(text)
                    .containsExactly("m0");
            assertThat(find(store, all.between(Optional.of(at(104)), Optional.empty())))
                    .as(text)
                    .isEmpty();
        }
        SearchQuery best = SearchQuery.of("zanzibar").between(Optional.of(at(103)), Optional.empty());
        assertThat(find(store, best)).containsExactly("m3");
        SearchQuery elsewhere = query(
                "zanzibar", Optional.of(List.of("no-such-source")), List.of(), List.of("user"), -1, 0, Sort.NEWEST);
        assertThat(find(store, elsewhere.between(Optional.of(at(100)), Optional.of(at(200)))))
                .isEmpty();
    }

    @Search
    default void aSearchIsCutToItsWindow(StoreUnderTest store) {
        say(store, "zanzibar", "zanzibar", "zanzibar", "zanzibar");

        assertThat(find(store, query("zanzibar", Optional.empty(), List.of(), List.of(), 2, 0, Sort.OLDEST)))
                .containsExactly("m0", "m1");
        assertThat(find(store, query("zanzibar", Optional.empty(), List.of(), List.of(), 2, 1, Sort.OLDEST)))
                .containsExactly("m1", "m2");
        assertThat(find(store, query("zanzibar", Optional.empty(), List.of(), List.of(), 0, 0, Sort.OLDEST)))
                .isEmpty();
        assertThat(find(store, query("zanzibar", Optional.empty(), List.of(), List.of(), -1, 3, Sort.OLDEST)))
                .containsExactly("m3");
    }

    @Search
    default void aSearchIsOrderedByTime(StoreUnderTest store) {
        store.commit(created("s"));
        for (String text : List.of("zanzibar", "大别山", "漓江")) {
            store.commit(
                    new Change.ReplaceMessages(id("s"), List.of()),
                    append(
                            "s",
                            message(text + "-late", Role.USER, text, 300),
                            message(text + "-early", Role.USER, text + " and more", 100),
                            message(text + "-middle", Role.USER, text, 200)));

            assertThat(find(store, query(text, Optional.empty(), List.of(), List.of(), -1, 0, Sort.NEWEST)))
                    .containsExactly(text + "-late", text + "-middle", text + "-early");
            assertThat(find(store, query(text, Optional.empty(), List.of(), List.of(), -1, 0, Sort.OLDEST)))
                    .containsExactly(text + "-early", text + "-middle", text + "-late");
        }
    }

    @Search
    @Having(Capability.RANKED_SEARCH)
    default void theBestMatchComesFirst(StoreUnderTest store) {
        say(
                store,
                "a long story about many things, one of them called zanzibar, and then about others again",
                "zanzibar");
        store.commit(append("s", user("filler", "nothing of the kind")));

        assertThat(find(store, SearchQuery.of("zanzibar"))).containsExactly("m1", "m0");
    }

    @Search
    @Lacking(Capability.RANKED_SEARCH)
    default void withoutRanksTheNewestMatchComesFirst(StoreUnderTest store) {
        say(store, "zanzibar", "a long story about zanzibar");

        assertThat(find(store, SearchQuery.of("zanzibar"))).containsExactly("m1", "m0");
    }

    // What a hit tells (storage 5.4, 5.6)

    @Search
    default void aHitTellsWhereItStands(StoreUnderTest store) {
        store.commit(
                created(session("s", 7).toBuilder().model("model-1").build()),
                append(
                        "s",
                        message("m1", Role.TOOL, "found in zanzibar", 9).toBuilder()
                                .toolName("lookup")
                                .build()));

        SearchHit hit = store.search().search(SearchQuery.of("zanzibar")).get(0);

        assertThat(hit.sequence())
                .isEqualTo(store.transcripts().load(id("s")).get(0).sequence());
        assertThat(hit.session()).isEqualTo(id("s"));
        assertThat(hit.role()).isEqualTo(Role.TOOL);
        assertThat(hit.at()).isEqualTo(at(9));
        assertThat(hit.source()).isEqualTo("telegram");
        assertThat(hit.model()).hasValue("model-1");
        assertThat(hit.sessionStarted()).isEqualTo(at(7));
        assertThat(hit.toolName()).hasValue("lookup");
    }

    @Search
    default void theSnippetMarksTheMatch(StoreUnderTest store) {
        say(store, "please use docker build now", "昨天我们讨论了大别山项目的进展");

        assertThat(snippet(store, "docker")).contains("use >>>docker<<< build");
        assertThat(snippet(store, "\"docker build\"")).contains(">>>docker build<<<");
        assertThat(snippet(store, "大别山")).contains(">>>大别山<<<");
    }

    @Search
    default void theSnippetOfAShortTermIsAnExcerpt(StoreUnderTest store) {
        say(store, "零".repeat(100) + "漓江" + "一".repeat(200));

        assertThat(snippet(store, "漓江"))
                .doesNotContain(">>>")
                .contains("漓江")
                .satisfies(text ->
                        assertThat(text.codePointCount(0, text.length())).isEqualTo(120));
    }

    private static String snippet(StoreUnderTest store, String query) {
        return store.search().search(SearchQuery.of(query)).get(0).snippet().orElseThrow();
    }

    @Search
    default void theContextIsTheNeighboursInTheSession(StoreUnderTest store) {
        say(store, "before that", "zanzibar", "behind that", "further away");
        store.commit(created("t"), append("t", user("other", "elsewhere")));

        assertThat(store.search().search(SearchQuery.of("zanzibar")).get(0).context())
                .containsExactly(
                        new SearchHit.Line(Role.USER, "before that"),
                        new SearchHit.Line(Role.USER, "zanzibar"),
                        new SearchHit.Line(Role.USER, "behind that"));
        assertThat(store.search().search(SearchQuery.of("before")).get(0).context())
                .extracting(SearchHit.Line::content)
                .containsExactly("before that", "zanzibar");
    }

    @Search
    default void neighboursAreByTheSessionThoughOthersAreBetween(StoreUnderTest store) {
        store.commit(created("s"), created("t"));
        store.commit(append("s", message("m1", Role.USER, "one", 1)));
        store.commit(append("t", message("o1", Role.USER, "other", 2)));
        store.commit(append("s", message("m2", Role.USER, "zanzibar", 3)));

        assertThat(store.search().search(SearchQuery.of("zanzibar")).get(0).context())
                .extracting(SearchHit.Line::content)
                .containsExactly("one", "zanzibar");
    }

    @Search
    default void aMessageThatWasTakenBackIsNoContext(StoreUnderTest store) {
        say(store, "secret", "zanzibar", "also secret");
        store.commit(hide("s", State.REWOUND, "m0", "m2"));

        assertThat(store.search().search(SearchQuery.of("zanzibar")).get(0).context())
                .extracting(SearchHit.Line::content)
                .containsExactly("zanzibar");
    }

    @Search
    default void aLineOfContextIsCut(StoreUnderTest store) {
        say(store, "🚀".repeat(300), "zanzibar");
        store.commit(append(
                "s",
                Message.builder(new MessageId("n"), Role.ASSISTANT, Content.none(), at(200))
                        .build()));

        assertThat(store.search().search(SearchQuery.of("zanzibar")).get(0).context())
                .extracting(SearchHit.Line::content)
                .containsExactly("🚀".repeat(200), "zanzibar", "");
    }

    @Search
    default void partsInTheContextAreShownByTheirText(StoreUnderTest store) {
        store.commit(
                created("s"),
                append(
                        "s",
                        parts(
                                "m0",
                                100,
                                "[{\"type\":\"text\",\"text\":\"look\"},{\"type\":\"text\",\"text\":\"here\"}]",
                                "look",
                                "here"),
                        message("m1", Role.USER, "zanzibar", 101),
                        parts("m2", 102, "[{\"type\":\"image_url\",\"image_url\":{\"url\":\"x\"}}]")));

        assertThat(store.search().search(SearchQuery.of("zanzibar")).get(0).context())
                .extracting(SearchHit.Line::content)
                .containsExactly("look here", "zanzibar", "[multimodal content]");
    }

    private static Message parts(String id, long at, String json, String... texts) {
        return Message.builder(
                        new MessageId(id), Role.USER, new Content.Multipart(new RawJson(json), List.of(texts)), at(at))
                .build();
    }
}
