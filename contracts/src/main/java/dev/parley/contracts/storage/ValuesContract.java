package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.at;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.inbound;
import static dev.parley.contracts.storage.Samples.key;
import static dev.parley.contracts.storage.Samples.lane;
import static dev.parley.contracts.storage.Samples.named;
import static dev.parley.contracts.storage.Samples.outgoing;
import static dev.parley.contracts.storage.Samples.put;
import static dev.parley.contracts.storage.Samples.session;
import static dev.parley.contracts.storage.Samples.turn;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.contracts.level.Core;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What must fit into a store: any character, names that look alike, large and old values, and much at once. */
public interface ValuesContract extends StoreContract {
    /** Texts that databases change: characters they end at, leave out, fold or compose. */
    List<String> TEXTS = List.of(
            "before\0behind",
            "\0",
            "  blanks around\t\r\n ",
            "\uFEFFmark\u2028line\u0085",
            "e\u0301 and \u00E9",
            "👩🏽\u200D🚀",
            "'; drop table sessions; --",
            "\\0 \\u0000 %s %%",
            "\u0001\u001B[31m\u007F");

    /** Names that some collations take for one. */
    List<String> ALIKE = List.of("e", "E", "\u00E9", "e\u0301", "e ", "\uFF45", "stra\u00DFe", "strasse");

    @Core
    default void everyCharacterComesBack(StoreUnderTest store) {
        String all = String.join("|", TEXTS);
        Message message = Message.builder(new MessageId("m"), Role.TOOL, Content.text(all), at(10))
                .toolName("lookup")
                .build();
        Inbound received = inbound("in", "1", 1).edited(all);
        store.commit(
                created(session("s").toBuilder().systemPrompt(all).build()),
                new Change.AppendMessages(id("s"), List.of(message)),
                new Change.PutInbound(received),
                new Change.PutOutgoing(outgoing("out", "1", 1).inWords(all)),
                new Change.PutMeta("all", all));
        for (int i = 0; i < TEXTS.size(); i++) {
            store.commit(Samples.append("s", user("m" + i, TEXTS.get(i))));
        }

        store.reopen();

        List<StoredMessage> messages = store.transcripts().load(id("s"));
        assertThat(messages.get(0).message()).isEqualTo(message);
        assertThat(messages.stream().skip(1).map(m -> m.message().content()))
                .containsExactlyElementsOf(TEXTS.stream().map(Content::text).toList());
        assertThat(store.sessions().find(id("s")).orElseThrow().systemPrompt()).hasValue(all);
        assertThat(store.queue().inbound(new InboundId("in")).orElseThrow().text())
                .isEqualTo(all);
        assertThat(store.queue().undelivered().get(0).text()).isEqualTo(all);
        assertThat(store.meta().get("all")).hasValue(all);
    }

    @Core
    default void namesThatLookAlikeAreOthers(StoreUnderTest store) {
        store.commit(created("s"));
        for (String name : ALIKE) {
            store.commit(
                    created(store.fit(session("s-" + name).toBuilder()
                            .title("Title " + name)
                            .build())),
                    Samples.append("s", user("m-" + name, name)),
                    put(lane(name, "s-" + name, 1)),
                    new Change.PutInbound(inbound("in-" + name, name, 1)),
                    new Change.PutTurn(turn("t-" + name, name, "s", 1)),
                    new Change.PutOutgoing(outgoing("out-" + name, name, 1)),
                    new Change.PutMeta(name, name));
        }

        store.reopen();

        assertThat(store.sessions().count(Optional.empty())).isEqualTo(ALIKE.size() + 1L);
        assertThat(store.transcripts().count(id("s"))).isEqualTo(ALIKE.size());
        assertThat(store.lanes().count()).isEqualTo(ALIKE.size());
        assertThat(store.queue().undelivered()).hasSize(ALIKE.size());
        for (String name : ALIKE) {
            Session session = store.sessions().find(id("s-" + name)).orElseThrow();
            assertThat(session.id()).isEqualTo(id("s-" + name));
            session.title()
                    .ifPresent(title -> assertThat(
                                    store.sessions().findByTitle(title).map(Session::id))
                            .hasValue(session.id()));
            assertThat(store.lanes().findBySession(session.id()).map(Lane::key)).hasValue(key(name));
            assertThat(store.queue().received(named(name, "p-in-" + name)).map(Inbound::id))
                    .hasValue(new InboundId("in-" + name));
            assertThat(store.queue().turn(new TurnId("t-" + name)).orElseThrow().lane())
                    .isEqualTo(key(name));
            assertThat(store.meta().get(name)).hasValue(name);
        }
    }

    @Core
    default void writersThatLookAlikeCountTheirBatchesApart(StoreUnderTest store) {
        for (String name : ALIKE) {
            store.ledger()
                    .commit(new Batch(new BatchId(name, 1), List.of(), List.of(new Change.PutMeta(name, "stored"))));
        }

        assertThat(ALIKE).allSatisfy(name -> assertThat(store.meta().get(name)).hasValue("stored"));
    }

    @Core
    default void numbersBeyondThirtyTwoBitsComeBack(StoreUnderTest store) {
        long large = (1L << 53) - 1;
        Lane lane = new Lane(lane("1", "s", 1).entry(), large);
        Session session = session("s").toBuilder()
                .usage(new TokenUsage(large, large, large, large, large), large)
                .build();
        store.commit(
                created(session),
                put(lane),
                new Change.PutInbound(inbound("in", "1", 3_000_000_000L)),
                new Change.TouchLane(
                        key("1"),
                        id("s"),
                        at(1),
                        TokenUsage.NONE,
                        0.1 + 0.2,
                        Optional.of(3_000_000_000L),
                        Optional.empty()));

        store.reopen();

        assertThat(store.sessions().find(id("s"))).hasValue(session);
        assertThat(store.lanes().find(key("1")).orElseThrow().epoch()).isEqualTo(large);
        assertThat(store.lanes().find(key("1")).orElseThrow().entry().usage().estimatedCostUsd())
                .isEqualTo(0.1 + 0.2);
        assertThat(store.queue().lastOrdinal(key("1"))).isEqualTo(3_000_000_000L);
    }

    @Core
    default void timesBefore1970AndAfter2038ComeBack(StoreUnderTest store) {
        List<Instant> times = List.of(
                Instant.parse("1901-01-01T00:00:00.000001Z"),
                Instant.parse("1969-12-31T23:59:59.999999Z"),
                Instant.EPOCH,
                Instant.parse("2199-12-31T23:59:59.999999Z"));
        store.commit(created("s"));
        for (Instant time : times) {
            store.commit(
                    new Change.CreateSession(Session.builder(id("s" + time.toEpochMilli()), "cli", time)
                            .build()),
                    new Change.AppendMessages(
                            id("s"),
                            List.of(Message.builder(new MessageId("m" + time), Role.USER, Content.text("x"), time)
                                    .build())));
        }

        store.reopen();

        assertThat(store.transcripts().load(id("s")))
                .extracting(stored -> stored.message().at())
                .containsExactlyElementsOf(times);
        assertThat(times)
                .allSatisfy(time -> assertThat(store.sessions()
                                .find(id("s" + time.toEpochMilli()))
                                .orElseThrow()
                                .startedAt())
                        .isEqualTo(time));
    }

    @Core
    default void longTextsAndNamesComeBack(StoreUnderTest store) {
        String text = "🚀 a line\n".repeat(250_000);
        String name = "n".repeat(900);
        store.commit(
                created("s"),
                Samples.append("s", user(name, text)),
                put(lane(name, "s", 1)),
                new Change.PutInbound(inbound("in", name, 1, named(name, name))));

        store.reopen();

        StoredMessage message = store.transcripts().load(id("s")).get(0);
        assertThat(message.message().id()).isEqualTo(new MessageId(name));
        assertThat(message.message().content().equals(Content.text(text)))
                .as("a text of " + text.length() + " characters comes back")
                .isTrue();
        assertThat(store.lanes().find(key(name))).isPresent();
        assertThat(store.queue().received(named(name, name))).isPresent();
    }

    @Core
    default void aLargeBatchIsOneBatch(StoreUnderTest store) {
        int many = 2500;
        store.commit(created("s"));
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            changes.add(Samples.append("s", user("m" + i, "x")));
        }
        changes.add(Samples.append("missing", user("m", "x")));

        assertThatThrownBy(() -> store.commit(changes.toArray(new Change[0])))
                .as("its last change is refused")
                .isInstanceOf(InvalidRequest.class);
        assertThat(store.transcripts().countAll())
                .as("what is stored of a large batch whose last change was refused")
                .isZero();

        changes.remove(many);
        store.commit(changes.toArray(new Change[0]));
        assertThat(store.transcripts().count(id("s"))).isEqualTo(many);

        store.commit(new Change.HideMessages(
                id("s"),
                IntStream.range(0, many - 1)
                        .mapToObj(i -> new MessageId("m" + i))
                        .toList(),
                StoredMessage.State.REWOUND));
        assertThat(store.transcripts().count(id("s")))
                .as("what is left where all messages but one are taken back at once")
                .isEqualTo(1);
    }

    @Core
    default void noWriterIsForgotten(StoreUnderTest store) {
        Batch first = new Batch(new BatchId("first", 1), List.of(), List.of(new Change.PutMeta("k", "first")));
        store.ledger().commit(first);
        for (int i = 0; i < 150; i++) {
            store.ledger()
                    .commit(new Batch(new BatchId("w" + i, 1), List.of(), List.of(new Change.PutMeta("k", "w" + i))));
        }

        store.ledger().commit(first);

        assertThat(store.meta().get("k"))
                .as("a batch that is repeated after batches of many writers is not applied again")
                .hasValue("w149");
    }

    @Core
    default void aChainOfManyContinuationsIsOneRow(StoreUnderTest store) {
        int links = 90;
        List<Change> changes = new ArrayList<>(List.of(created(session("c0", 0))));
        for (int i = 1; i <= links; i++) {
            changes.add(Samples.end("c" + (i - 1), i, Ending.COMPRESSION));
            changes.add(created(
                    session("c" + i, i).toBuilder().parent(id("c" + (i - 1))).build()));
        }
        store.commit(changes.toArray(new Change[0]));

        List<SessionListing> rows = store.sessions().list(SessionQuery.usual());

        assertThat(rows).extracting(row -> row.session().id()).containsExactly(id("c" + links));
        assertThat(rows.get(0).lineageRoot()).hasValue(id("c0"));
    }

    @Core
    default void whoeverFailsInTheMiddleOfAStreamHarmsNobody(StoreUnderTest store) {
        store.commit(
                created("s"),
                Samples.append("s", user("m", "x")),
                put(lane("1", "s", 1)),
                new Change.AppendHistory(Samples.event("1", 1, "idle")),
                new Change.PutInbound(inbound("in", "1", 1)));
        Stream.<Runnable>of(
                        () -> store.sessions().forEach(each -> fail()),
                        () -> store.transcripts().forEach(each -> fail()),
                        () -> store.lanes().forEach(each -> fail()),
                        () -> store.lanes().forEachEvent(Instant.EPOCH, each -> fail()),
                        () -> store.queue().forEach(Instant.EPOCH, each -> fail(), each -> fail(), each -> fail()))
                .forEach(stream -> assertThatIllegalStateException()
                        .isThrownBy(stream::run)
                        .withMessage("The reader gave up."));

        store.commit(new Change.PutMeta("k", "v"), Samples.append("s", user("m2", "y")));

        assertThat(store.transcripts().countAll()).isEqualTo(2);
        store.reopen();
        assertThat(store.meta().get("k")).hasValue("v");
    }

    private static void fail() {
        throw new IllegalStateException("The reader gave up.");
    }
}
