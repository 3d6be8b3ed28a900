package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.append;
import static dev.parley.contracts.storage.Samples.assistant;
import static dev.parley.contracts.storage.Samples.at;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.fullMessage;
import static dev.parley.contracts.storage.Samples.hide;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.message;
import static dev.parley.contracts.storage.Samples.toolCalls;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.InvalidRequest;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Told;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
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

/** {@link dev.parley.application.port.Transcripts}, and the changes that write messages. */
public interface TranscriptsContract extends StoreContract {
    private static List<String> ids(List<StoredMessage> messages) {
        return messages.stream().map(m -> m.message().id().value()).toList();
    }

    private static Session stored(StoreUnderTest store, String session) {
        return store.sessions().find(id(session)).orElseThrow();
    }

    // AppendMessages, load

    @Core
    default void anUnknownSessionHasNoMessages(StoreUnderTest store) {
        assertThat(store.transcripts().load(id("unknown"))).isEmpty();
        assertThat(store.transcripts().loadAll(id("unknown"))).isEmpty();
        assertThat(store.transcripts().load(List.of(id("unknown")))).isEmpty();
        assertThat(store.transcripts().tail(id("unknown"), 5)).isEmpty();
        assertThat(store.transcripts().recentUserMessages(id("unknown"), 5)).isEmpty();
        assertThat(store.transcripts().around(id("unknown"), 1, 5, 5)).isEmpty();
        assertThat(store.transcripts().count(id("unknown"))).isZero();
    }

    @Core
    default void messagesComeInTheOrderTheyWereAppended(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one"), assistant("m2", "two")));
        store.commit(append("s", user("m3", "three")));

        assertThat(ids(store.transcripts().load(id("s")))).containsExactly("m1", "m2", "m3");
        store.reopen();
        assertThat(ids(store.transcripts().load(id("s")))).containsExactly("m1", "m2", "m3");
    }

    @Core
    default void orderIsTheOrderOfStoringWhateverTheClockSaid(StoreUnderTest store) {
        store.commit(created("s"), append("s", message("m1", Role.USER, "one", 50)));
        store.commit(append("s", message("m2", Role.ASSISTANT, "two", 20), message("m3", Role.TOOL, "three", 20)));

        assertThat(ids(store.transcripts().load(id("s")))).containsExactly("m1", "m2", "m3");
        assertThat(ids(store.transcripts().loadAll(id("s")))).containsExactly("m1", "m2", "m3");
        assertThat(ids(store.transcripts().tail(id("s"), 2))).containsExactly("m2", "m3");
    }

    @Core
    default void sequenceNumbersRiseOverAllSessionsAndAreNeverUsedTwice(StoreUnderTest store) {
        store.commit(created("s"), created("t"), append("s", user("m1", "one")));
        store.commit(append("t", user("m2", "two")));
        store.commit(append("s", user("m3", "three")));
        long last = store.transcripts().loadAll(id("s")).get(1).sequence();
        store.commit(new Change.DeleteSession(id("s")), created("s"));
        store.commit(append("s", user("m4", "four")));
        store.reopen();
        store.commit(append("s", user("m5", "five")));

        List<Long> sequences = new ArrayList<>();
        store.transcripts().forEach(m -> sequences.add(m.sequence()));
        assertThat(sequences).isSorted().doesNotHaveDuplicates().hasSize(3);
        assertThat(sequences.get(1)).isGreaterThan(last);
    }

    @Core
    default void aMessageComesBackAsItWasStored(StoreUnderTest store) {
        List<Message> messages = List.of(
                fullMessage("full"),
                user("empty-text", ""),
                Message.builder(new MessageId("none"), Role.ASSISTANT, Content.none(), at(1))
                        .build(),
                user("text", "with 'quotes', \"more\", \\ and % _ {} 🚀 日本語\r\n\ttab"),
                user("not-json", "[1, 2"),
                Message.builder(
                                new MessageId("parts"),
                                Role.USER,
                                new Content.Multipart(
                                        new RawJson(
                                                "[{\"type\":\"text\",\"text\":\"look\"},  {\"type\":\"image_url\",\"image_url\":{\"url\":\"x\"}}]"),
                                        List.of("look")),
                                at(1))
                        .build(),
                message("other-role", new Role("developer"), "as it is", 1),
                message("Case", new Role("User"), "not the role user", 1),
                Message.builder(new MessageId("reasoning"), Role.USER, Content.text("x"), at(1))
                        .reasoning(new Reasoning(
                                Optional.of("text"),
                                Optional.empty(),
                                Optional.of(new RawJson("{\"broken\": ")),
                                Optional.empty(),
                                Optional.empty()))
                        .build(),
                Message.builder(new MessageId("answer"), Role.TOOL, Content.text("42"), at(1))
                        .toolCallId("call-1")
                        .toolName("search")
                        .build(),
                Message.builder(new MessageId("summary"), Role.USER, Content.text("so far"), at(1))
                        .kind(Message.Kind.SUMMARY)
                        .build(),
                Message.builder(new MessageId("steered"), Role.USER, Content.text("sooner"), at(1))
                        .kind(Message.Kind.STEERED)
                        .build());
        store.commit(created("s"), new Change.AppendMessages(id("s"), messages));

        store.reopen();

        assertThat(store.transcripts().load(id("s")))
                .extracting(StoredMessage::message)
                .containsExactlyElementsOf(messages);
        assertThat(store.transcripts().load(id("s")))
                .allSatisfy(m -> assertThat(m.session()).isEqualTo(id("s")))
                .allSatisfy(m -> assertThat(m.state()).isEqualTo(State.ACTIVE));
    }

    @Core
    default void toolCallsMadeHereKeepTheirNamesAndArguments(StoreUnderTest store) {
        List<ToolCall> calls =
                List.of(new ToolCall("c1", "search", "{\"q\": \"two words\"}"), new ToolCall("c2", "open", "not json"));
        store.commit(
                created("s"),
                append(
                        "s",
                        assistant("m", "x").toBuilder()
                                .toolCalls(ToolCalls.of(calls))
                                .build()));

        store.reopen();

        ToolCalls loaded =
                store.transcripts().load(id("s")).get(0).message().toolCalls().orElseThrow();
        assertThat(loaded.calls()).isEqualTo(calls);
        assertThat(loaded.count()).isEqualTo(2);
    }

    @Core
    default void malformedToolCallsAreCarriedUnchanged(StoreUnderTest store) {
        ToolCalls malformed = new ToolCalls(Optional.of(new RawJson("{\"id\": \"torn")), List.of(), 1);
        store.commit(
                created("s"),
                append("s", assistant("m", "x").toBuilder().toolCalls(malformed).build()));

        store.reopen();

        assertThat(store.transcripts().load(id("s")).get(0).message().toolCalls())
                .hasValue(malformed);
    }

    @Core
    default void timesAreKeptToTheMicrosecond(StoreUnderTest store) {
        Message message = Message.builder(
                        new MessageId("m"),
                        Role.USER,
                        Content.text("x"),
                        java.time.Instant.parse("2026-12-31T23:59:59.999999Z"))
                .build();
        store.commit(created("s"), append("s", message));

        store.reopen();

        assertThat(store.transcripts().load(id("s")).get(0).message().at()).isEqualTo(message.at());
    }

    @Core
    default void appendingRaisesTheCounters(StoreUnderTest store) {
        store.commit(created(Samples.session("s").toBuilder().counts(10, 5).build()));

        store.commit(append(
                "s",
                user("m1", "one"),
                assistant("m2", "two").toBuilder().toolCalls(toolCalls()).build(),
                message("m3", Role.TOOL, "result", 3)));

        assertThat(stored(store, "s").messageCount()).isEqualTo(13);
        assertThat(stored(store, "s").toolCallCount()).isEqualTo(7);
    }

    @Core
    default void aMessageTheSessionHasIsSkippedAndNotCounted(StoreUnderTest store) {
        store.commit(created("s"), created("t"), append("s", user("m1", "one")));

        store.commit(append("s", user("m1", "again"), user("m2", "two"), user("m2", "twice")));
        store.commit(append("t", user("m1", "one of another session")));

        assertThat(store.transcripts().load(id("s")))
                .extracting(m -> m.message().content().plainText())
                .containsExactly("one", "two");
        assertThat(stored(store, "s").messageCount()).isEqualTo(2);
        assertThat(stored(store, "t").messageCount()).isEqualTo(1);
    }

    @Core
    default void aHiddenMessageIsNotAppendedAgain(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")), hide("s", State.REWOUND, "m1"));

        store.commit(append("s", user("m1", "again")));

        assertThat(store.transcripts().load(id("s"))).isEmpty();
        assertThat(store.transcripts().loadAll(id("s"))).hasSize(1);
        assertThat(stored(store, "s").messageCount()).isEqualTo(1);
    }

    @Core
    default void messagesOfASessionThatDoesNotExistAreRefused(StoreUnderTest store) {
        Told.refused(
                "Appending messages to a session that does not exist",
                InvalidRequest.class,
                () -> store.commit(append("missing", user("m1", "one"))),
                "missing");

        assertThat(store.transcripts().countAll()).isZero();
        assertThat(store.sessions().find(id("missing"))).isEmpty();
    }

    // HideMessages

    @Core
    default void messagesTakenBackAreNotLoadedButKept(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one"), assistant("m2", "two"), user("m3", "three")));

        store.commit(hide("s", State.REWOUND, "m2", "m3"));
        store.reopen();

        assertThat(ids(store.transcripts().load(id("s")))).containsExactly("m1");
        assertThat(store.transcripts().loadAll(id("s")))
                .extracting(StoredMessage::state)
                .containsExactly(State.ACTIVE, State.REWOUND, State.REWOUND);
        assertThat(stored(store, "s").messageCount()).as("counters stay").isEqualTo(3);
        assertThat(stored(store, "s").rewindCount()).isEqualTo(1);
    }

    @Core
    default void compactedMessagesAreNotLoadedAndAreNoRewind(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one"), user("m2", "two")));

        store.commit(hide("s", State.COMPACTED, "m1"));
        store.reopen();

        assertThat(ids(store.transcripts().load(id("s")))).containsExactly("m2");
        assertThat(store.transcripts().loadAll(id("s")).get(0).state()).isEqualTo(State.COMPACTED);
        assertThat(stored(store, "s").rewindCount()).isZero();
    }

    @Core
    default void aHiddenMessageStaysHiddenTheWayItIs(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one"), user("m2", "two")));
        store.commit(hide("s", State.COMPACTED, "m1"));

        store.commit(hide("s", State.REWOUND, "m1", "m2", "of nobody"));

        assertThat(store.transcripts().loadAll(id("s")))
                .extracting(StoredMessage::state)
                .containsExactly(State.COMPACTED, State.REWOUND);
    }

    @Core
    default void everyRewindIsCounted(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")));
        store.commit(hide("s", State.REWOUND, "m1"));
        store.commit(hide("s", State.REWOUND, "m1"));

        assertThat(stored(store, "s").rewindCount()).isEqualTo(2);
    }

    @Core
    default void onlyTheSessionsOwnMessagesAreHidden(StoreUnderTest store) {
        store.commit(created("s"), created("t"), append("s", user("m1", "one")), append("t", user("m1", "other")));

        store.commit(hide("s", State.REWOUND, "m1"), hide("unknown", State.REWOUND, "m1"));

        assertThat(store.transcripts().load(id("t"))).hasSize(1);
        assertThat(stored(store, "t").rewindCount()).isZero();
    }

    // ReplaceMessages

    @Core
    default void replacingPutsNewMessagesInThePlaceOfTheActiveOnes(StoreUnderTest store) {
        store.commit(
                created("s"),
                append("s", user("m1", "one"), user("m2", "two"), user("m3", "three"), user("m4", "four")),
                hide("s", State.COMPACTED, "m1"),
                hide("s", State.REWOUND, "m4"));

        store.commit(new Change.ReplaceMessages(
                id("s"),
                List.of(
                        user("n1", "new"),
                        assistant("n2", "x").toBuilder().toolCalls(toolCalls()).build())));
        store.reopen();

        assertThat(ids(store.transcripts().load(id("s")))).containsExactly("n1", "n2");
        assertThat(ids(store.transcripts().loadAll(id("s"))))
                .as("hidden ones stay (D16)")
                .containsExactly("m1", "m4", "n1", "n2");
        assertThat(stored(store, "s").messageCount()).isEqualTo(2);
        assertThat(stored(store, "s").toolCallCount()).isEqualTo(2);
        assertThat(stored(store, "s").rewindCount()).isEqualTo(1);
    }

    @Core
    default void aReplacedMessageMayKeepItsId(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one"), user("m2", "two")));

        store.commit(new Change.ReplaceMessages(id("s"), List.of(user("m2", "two, better"), user("m1", "one, later"))));

        assertThat(store.transcripts().load(id("s")))
                .extracting(m -> m.message().content().plainText())
                .containsExactly("two, better", "one, later");
    }

    @Core
    default void aNewMessageWithTheIdOfAHiddenOneIsSkipped(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")), hide("s", State.COMPACTED, "m1"));

        store.commit(new Change.ReplaceMessages(id("s"), List.of(user("m1", "again"), user("m2", "two"))));

        assertThat(ids(store.transcripts().load(id("s")))).containsExactly("m2");
        assertThat(stored(store, "s").messageCount()).isEqualTo(1);
    }

    @Core
    default void replacingByNothingEmptiesTheConversation(StoreUnderTest store) {
        store.commit(created("s"), created("t"), append("s", user("m1", "one")), append("t", user("m2", "two")));

        store.commit(new Change.ReplaceMessages(id("s"), List.of()));

        assertThat(store.transcripts().loadAll(id("s"))).isEmpty();
        assertThat(stored(store, "s").messageCount()).isZero();
        assertThat(store.transcripts().load(id("t"))).hasSize(1);
    }

    @Core
    default void replacingInASessionThatDoesNotExistIsRefusedUnlessThereIsNothing(StoreUnderTest store) {
        store.commit(new Change.ReplaceMessages(id("missing"), List.of()));

        Told.refused(
                "Replacing the messages of a session that does not exist",
                InvalidRequest.class,
                () -> store.commit(new Change.ReplaceMessages(id("missing"), List.of(user("m1", "one")))),
                "missing");
        assertThat(store.transcripts().countAll()).isZero();
    }

    // ImportMessages

    @Core
    default void importedMessagesKeepTheirStateAndRaiseNoCounter(StoreUnderTest store) {
        store.commit(created("s"), created("t"));
        List<StoredMessage> messages = List.of(
                new StoredMessage(900, id("t"), fullMessage("a"), State.REWOUND),
                new StoredMessage(800, id("s"), user("b", "two"), State.COMPACTED),
                new StoredMessage(700, id("t"), user("c", "three"), State.ACTIVE));

        store.commit(new Change.ImportMessages(messages));
        store.reopen();

        List<StoredMessage> all = new ArrayList<>();
        store.transcripts().forEach(all::add);
        assertThat(all)
                .extracting(StoredMessage::message)
                .containsExactlyElementsOf(
                        messages.stream().map(StoredMessage::message).toList());
        assertThat(all).extracting(StoredMessage::state).containsExactly(State.REWOUND, State.COMPACTED, State.ACTIVE);
        assertThat(all).extracting(StoredMessage::session).containsExactly(id("t"), id("s"), id("t"));
        assertThat(stored(store, "t").messageCount()).isZero();
        assertThat(stored(store, "t").toolCallCount()).isZero();
        assertThat(stored(store, "t").rewindCount()).isZero();
    }

    /** 6: an export of calls that could not be read, or of none, says the same after an import. */
    @Core
    default void importedMessagesKeepJsonThatSaysNothing(StoreUnderTest store) {
        store.commit(created("s"));
        Message message = user("m", "one").toBuilder()
                .toolCalls(new ToolCalls(Optional.of(new RawJson("[]")), List.of(), 0))
                .reasoning(new Reasoning(
                        Optional.of(""),
                        Optional.of(""),
                        Optional.of(new RawJson("[]")),
                        Optional.of(new RawJson("{}")),
                        Optional.of(new RawJson(""))))
                .build();

        store.commit(new Change.ImportMessages(List.of(new StoredMessage(1, id("s"), message, State.ACTIVE))));
        store.reopen();

        assertThat(store.transcripts().load(id("s")))
                .extracting(StoredMessage::message)
                .containsExactly(message);
    }

    @Core
    default void importingAMessageTheSessionHasSkipsIt(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "one")));

        store.commit(
                new Change.ImportMessages(List.of(new StoredMessage(1, id("s"), user("m1", "again"), State.REWOUND))));

        assertThat(store.transcripts().loadAll(id("s"))).hasSize(1);
        assertThat(store.transcripts().load(id("s"))).hasSize(1);
    }

    @Core
    default void importingIntoASessionThatDoesNotExistIsRefused(StoreUnderTest store) {
        Told.refused(
                "Importing messages of a session that does not exist",
                InvalidRequest.class,
                () -> store.commit(new Change.ImportMessages(
                        List.of(new StoredMessage(1, id("missing"), user("m1", "x"), State.ACTIVE)))));
        assertThat(store.transcripts().countAll()).isZero();
    }

    // Reads

    @Core
    default void severalSessionsAreLoadedInOneOrder(StoreUnderTest store) {
        store.commit(created("s"), created("t"), created("u"));
        store.commit(append("s", message("m1", Role.USER, "one", 90)));
        store.commit(append("t", user("m2", "two"), user("m3", "three")));
        store.commit(append("u", user("m4", "four")));
        store.commit(append("s", user("m5", "five")), hide("t", State.REWOUND, "m3"));

        assertThat(ids(store.transcripts().load(List.of(id("t"), id("s"), id("t"), id("unknown")))))
                .containsExactly("m1", "m2", "m5");
        assertThat(store.transcripts().load(List.of())).isEmpty();
    }

    @Core
    default void manySessionsAreLoadedInOneOrder(StoreUnderTest store) {
        List<SessionId> sessions = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < 1200; i++) {
            sessions.add(id("s" + i));
            changes.add(created("s" + i));
            changes.add(append("s" + i, user("m" + i, "x")));
        }
        store.commit(changes.toArray(new Change[0]));

        assertThat(store.transcripts().load(sessions)).hasSize(1200);
    }

    @Core
    default void theTailIsTheLastActiveMessagesInOrder(StoreUnderTest store) {
        store.commit(
                created("s"),
                append("s", user("m1", "1"), user("m2", "2"), user("m3", "3"), user("m4", "4")),
                hide("s", State.REWOUND, "m4"));

        assertThat(ids(store.transcripts().tail(id("s"), 2))).containsExactly("m2", "m3");
        assertThat(ids(store.transcripts().tail(id("s"), 9))).containsExactly("m1", "m2", "m3");
        assertThat(store.transcripts().tail(id("s"), 0)).isEmpty();
    }

    @Core
    default void recentUserMessagesComeNewestFirst(StoreUnderTest store) {
        store.commit(
                created("s"),
                append(
                        "s",
                        message("m1", Role.USER, "1", 50),
                        message("m2", Role.ASSISTANT, "2", 51),
                        message("m3", Role.USER, "3", 20),
                        message("m4", new Role("User"), "4", 60),
                        message("m5", Role.USER, "5", 61)),
                hide("s", State.REWOUND, "m5"));

        assertThat(ids(store.transcripts().recentUserMessages(id("s"), 9))).containsExactly("m3", "m1");
        assertThat(ids(store.transcripts().recentUserMessages(id("s"), 1))).containsExactly("m3");
        assertThat(store.transcripts().recentUserMessages(id("s"), 0)).isEmpty();
    }

    @Core
    default void messagesAroundOneAreTheNearestActiveOnes(StoreUnderTest store) {
        store.commit(created("s"), created("t"), append("s", user("m1", "1"), user("m2", "2")));
        store.commit(append("t", user("o1", "other")));
        store.commit(
                append("s", user("m3", "3"), user("m4", "4"), user("m5", "5"), user("m6", "6")),
                hide("s", State.REWOUND, "m2", "m4"));
        long third = sequenceOf(store, "s", "m3");

        assertThat(ids(store.transcripts().around(id("s"), third, 1, 1))).containsExactly("m1", "m3", "m5");
        assertThat(ids(store.transcripts().around(id("s"), third, 0, 2))).containsExactly("m3", "m5", "m6");
        assertThat(ids(store.transcripts().around(id("s"), third, 9, 0))).containsExactly("m1", "m3");
        assertThat(ids(store.transcripts().around(id("s"), third, 0, 0))).containsExactly("m3");
    }

    @Core
    default void nothingIsAroundAMessageOfAnotherSession(StoreUnderTest store) {
        store.commit(created("s"), created("t"), append("s", user("m1", "1")), append("t", user("m2", "2")));

        assertThat(store.transcripts().around(id("s"), sequenceOf(store, "t", "m2"), 5, 5))
                .isEmpty();
        assertThat(store.transcripts().around(id("s"), Long.MAX_VALUE, 5, 5)).isEmpty();
    }

    private static long sequenceOf(StoreUnderTest store, String session, String message) {
        return store.transcripts().loadAll(id(session)).stream()
                .filter(m -> m.message().id().value().equals(message))
                .findFirst()
                .orElseThrow()
                .sequence();
    }

    @Core
    default void activeMessagesOfASessionAreCounted(StoreUnderTest store) {
        store.commit(
                created("s"),
                created("t"),
                append("s", user("m1", "1"), user("m2", "2"), user("m3", "3")),
                append("t", user("m4", "4")),
                hide("s", State.REWOUND, "m1"),
                hide("s", State.COMPACTED, "m2"));

        assertThat(store.transcripts().count(id("s"))).isEqualTo(1);
        assertThat(store.transcripts().countAll()).isEqualTo(4);
    }

    @Core
    default void everyMessageIsHandedOutInOrder(StoreUnderTest store) {
        store.commit(created("s"), created("t"), append("s", message("m1", Role.USER, "1", 90)));
        store.commit(append("t", user("m2", "2")));
        store.commit(append("s", user("m3", "3")), hide("s", State.REWOUND, "m1"));

        List<StoredMessage> all = new ArrayList<>();
        store.transcripts().forEach(all::add);

        assertThat(ids(all)).containsExactly("m1", "m2", "m3");
        assertThat(all.get(0).state()).isEqualTo(State.REWOUND);
    }

    @Core
    default void aReadInsideTheStreamOfMessagesWorks(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "1"), user("m2", "2")));

        List<Long> counts = new ArrayList<>();
        store.transcripts().forEach(m -> counts.add(store.transcripts().count(m.session())));

        assertThat(counts).containsExactly(2L, 2L);
    }

    // DeleteSession

    @Core
    default void aDeletedSessionTakesItsMessagesAlong(StoreUnderTest store) {
        store.commit(
                created("s"),
                created("t"),
                append("s", user("m1", "1"), user("m2", "2")),
                append("t", user("m3", "3")),
                hide("s", State.REWOUND, "m1"));

        store.commit(new Change.DeleteSession(id("s")));
        store.reopen();

        assertThat(store.transcripts().loadAll(id("s"))).isEmpty();
        assertThat(store.transcripts().countAll()).isEqualTo(1);
    }

    @Core
    default void aSessionCreatedAgainAfterItsDeletionIsEmpty(StoreUnderTest store) {
        store.commit(created("s"), append("s", user("m1", "1")));
        store.commit(new Change.DeleteSession(id("s")));
        store.commit(created("s"), append("s", user("m1", "again")));

        assertThat(store.transcripts().load(id("s")))
                .extracting(m -> m.message().content().plainText())
                .containsExactly("again");
    }
}
