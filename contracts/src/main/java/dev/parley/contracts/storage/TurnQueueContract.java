package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.at;
import static dev.parley.contracts.storage.Samples.chatEvents;
import static dev.parley.contracts.storage.Samples.fullInbound;
import static dev.parley.contracts.storage.Samples.fullOutgoing;
import static dev.parley.contracts.storage.Samples.fullTurn;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.inbound;
import static dev.parley.contracts.storage.Samples.key;
import static dev.parley.contracts.storage.Samples.named;
import static dev.parley.contracts.storage.Samples.outgoing;
import static dev.parley.contracts.storage.Samples.recorded;
import static dev.parley.contracts.storage.Samples.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.contracts.level.Core;
import dev.parley.domain.change.Change;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.SentPart;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@link dev.parley.application.port.TurnQueue}, and the changes that write turns, inbound and outgoing messages. */
public interface TurnQueueContract extends StoreContract {
    private static Change put(Inbound inbound) {
        return new Change.PutInbound(inbound);
    }

    private static Change put(Turn turn) {
        return new Change.PutTurn(turn);
    }

    private static Change put(Outgoing outgoing) {
        return new Change.PutOutgoing(outgoing);
    }

    private static List<String> ids(List<Inbound> messages) {
        return messages.stream().map(i -> i.id().value()).toList();
    }

    // Inbound

    @Core
    default void anEmptyQueueHasNothing(StoreUnderTest store) {
        assertThat(store.queue().admitted()).isEmpty();
        assertThat(store.queue().admitted(key("1"))).isEmpty();
        assertThat(store.queue().lastOrdinal(key("1"))).isZero();
        assertThat(store.queue().inbound(new InboundId("x"))).isEmpty();
        assertThat(store.queue().received(named("1", "x"))).isEmpty();
        assertThat(store.queue().claimed()).isEmpty();
        assertThat(store.queue().turn(new TurnId("x"))).isEmpty();
        assertThat(store.queue().undelivered()).isEmpty();
    }

    @Core
    default void aReceivedMessageComesBackAsItWasStored(StoreUnderTest store) {
        Inbound full = fullInbound("full", "1");
        Inbound bare = new Inbound(
                new InboundId("bare"),
                key("1"),
                8,
                Inbound.Kind.RESUME,
                Samples.source("1", "u"),
                "",
                List.of(),
                at(1),
                Optional.empty(),
                Inbound.State.ADMITTED,
                Optional.empty());
        store.commit(put(full), put(bare));

        store.reopen();

        assertThat(store.queue().inbound(new InboundId("full"))).hasValue(full);
        assertThat(store.queue().inbound(new InboundId("bare"))).hasValue(bare);
    }

    @Core
    default void everyKindAndStateComesBack(StoreUnderTest store) {
        List<Inbound> all = new ArrayList<>();
        for (Inbound.Kind kind : Inbound.Kind.values()) {
            for (Inbound.State state : Inbound.State.values()) {
                all.add(inbound(kind + "-" + state, "1", all.size() + 1)
                        .as(kind)
                        .in(state));
            }
        }
        all.forEach(message -> store.commit(put(message)));

        store.reopen();

        all.forEach(message -> assertThat(store.queue().inbound(message.id())).hasValue(message));
    }

    @Core
    default void admittedMessagesComeByLaneAndOrdinal(StoreUnderTest store) {
        store.commit(
                put(inbound("b2", "b", 2)),
                put(inbound("a3", "a", 3)),
                put(inbound("b1", "b", 1)),
                put(inbound("a1", "a", 1)),
                put(inbound("a2", "a", 2)));

        assertThat(ids(store.queue().admitted())).containsExactly("a1", "a2", "a3", "b1", "b2");
        assertThat(ids(store.queue().admitted(key("a")))).containsExactly("a1", "a2", "a3");
        store.reopen();
        assertThat(ids(store.queue().admitted())).containsExactly("a1", "a2", "a3", "b1", "b2");
    }

    @Core
    default void ordinalsAreComparedAsNumbers(StoreUnderTest store) {
        store.commit(put(inbound("ten", "a", 10)), put(inbound("nine", "a", 9)));

        assertThat(ids(store.queue().admitted(key("a")))).containsExactly("nine", "ten");
        assertThat(store.queue().lastOrdinal(key("a"))).isEqualTo(10);
    }

    @Core
    default void onlyAdmittedMessagesWait(StoreUnderTest store) {
        Inbound message = inbound("in", "1", 1);
        store.commit(put(message), put(inbound("other", "1", 2)));

        for (Inbound.State state : List.of(Inbound.State.CLAIMED, Inbound.State.DONE, Inbound.State.DROPPED)) {
            store.commit(put(message.in(state)));
            assertThat(ids(store.queue().admitted())).containsExactly("other");
            assertThat(ids(store.queue().admitted(key("1")))).containsExactly("other");
        }
        store.commit(put(message.in(Inbound.State.ADMITTED)));
        assertThat(ids(store.queue().admitted())).containsExactly("in", "other");
    }

    @Core
    default void aMessageStoredAgainIsTheSameMessageInAnotherState(StoreUnderTest store) {
        Inbound message = inbound("in", "1", 1);
        store.commit(put(message));
        store.commit(put(message.claimedBy(new TurnId("t1"))));

        assertThat(store.queue().inbound(message.id())).hasValue(message.claimedBy(new TurnId("t1")));
    }

    @Core
    default void aMessageIsFoundByItsPlatformsName(StoreUnderTest store) {
        store.commit(put(inbound("in", "1", 1)), put(inbound("other", "2", 1)));

        assertThat(store.queue().received(named("1", "p-in"))).hasValue(inbound("in", "1", 1));
        assertThat(store.queue().received(named("2", "p-in"))).isEmpty();
        assertThat(store.queue().received(new dev.parley.domain.turn.PlatformMessage(Platform.SLACK, "1", "p-in")))
                .isEmpty();
        store.commit(put(inbound("in", "1", 1).in(Inbound.State.DONE)));
        assertThat(store.queue().received(named("1", "p-in"))).isPresent();
    }

    @Core
    default void theLastOrdinalIsTheGreatestEverGiven(StoreUnderTest store) {
        store.commit(put(inbound("in-5", "1", 5)), put(inbound("in-3", "1", 3)), put(inbound("in-9", "2", 9)));
        assertThat(store.queue().lastOrdinal(key("1"))).isEqualTo(5);

        store.commit(put(inbound("in-5", "1", 5).in(Inbound.State.DONE)));
        assertThat(store.queue().lastOrdinal(key("1"))).isEqualTo(5);
    }

    @Core
    default void theLastOrdinalOutlivesItsMessage(StoreUnderTest store) {
        store.commit(put(inbound("in-5", "1", 5).in(Inbound.State.DONE)));

        store.commit(new Change.Forget(at(1000), Optional.empty()));
        store.reopen();

        assertThat(store.queue().inbound(new InboundId("in-5"))).isEmpty();
        assertThat(store.queue().lastOrdinal(key("1"))).isEqualTo(5);
    }

    // Turns

    @Core
    default void aTurnComesBackAsItWasStored(StoreUnderTest store) {
        Turn turn = new Turn(
                new TurnId("t1"),
                key("1"),
                id("s"),
                Samples.RUN,
                List.of(new InboundId("b"), new InboundId("a"), new InboundId("c")),
                at(1),
                Turn.State.CLAIMED,
                Optional.empty());
        store.commit(put(turn));
        store.reopen();
        assertThat(store.queue().turn(turn.id())).hasValue(turn);

        for (Turn.State state : Turn.State.values()) {
            store.commit(put(turn.ended(state, at(9)).in(id("other"))));
            assertThat(store.queue().turn(turn.id()))
                    .hasValue(turn.ended(state, at(9)).in(id("other")));
        }
    }

    @Core
    default void claimedTurnsComeByLaneThenStartThenId(StoreUnderTest store) {
        store.commit(
                put(turn("t5", "b", "s", 1)),
                put(turn("t4", "a", "s", 3)),
                put(turn("t2", "a", "s", 2)),
                put(turn("t1", "a", "s", 2)),
                put(turn("t3", "a", "s", 1)));

        assertThat(store.queue().claimed())
                .extracting(t -> t.id().value())
                .containsExactly("t3", "t1", "t2", "t4", "t5");
    }

    @Core
    default void anEndedTurnIsNotAmongTheClaimed(StoreUnderTest store) {
        Turn turn = turn("t1", "1", "s", 1);
        store.commit(put(turn), put(turn("t2", "1", "s", 2)));

        for (Turn.State state :
                List.of(Turn.State.COMPLETED, Turn.State.FAILED, Turn.State.INTERRUPTED, Turn.State.DROPPED)) {
            store.commit(put(turn.ended(state, at(5))));
            assertThat(store.queue().claimed()).extracting(t -> t.id().value()).containsExactly("t2");
        }
    }

    // Outgoing

    @Core
    default void anOutgoingMessageComesBackAsItWasStored(StoreUnderTest store) {
        Outgoing full = new Outgoing(
                new OutgoingId("o1"),
                Optional.empty(),
                Platform.MATRIX,
                "!room:ex.org",
                Optional.of("thread"),
                "text 🚀\nlines",
                Outgoing.Kind.BANNER,
                at(1),
                Optional.empty(),
                Outgoing.State.ATTEMPTED,
                3);
        store.commit(put(full), put(outgoing("o2", "1", 2)));

        store.reopen();

        assertThat(store.queue().undelivered()).containsExactly(full, outgoing("o2", "1", 2));
    }

    @Core
    default void undeliveredMessagesComeInTheOrderTheyWereFirstStored(StoreUnderTest store) {
        store.commit(put(outgoing("o3", "1", 50)), put(outgoing("o1", "2", 40)));
        store.commit(put(outgoing("o2", "1", 30)));
        store.commit(put(outgoing("o3", "1", 50).attempted()));

        assertThat(store.queue().undelivered()).extracting(o -> o.id().value()).containsExactly("o3", "o1", "o2");
        assertThat(store.queue().undelivered().get(0).attempts()).isEqualTo(1);
    }

    @Core
    default void deliveredAndExpiredMessagesAreNotUndelivered(StoreUnderTest store) {
        store.commit(put(outgoing("o1", "1", 1)), put(outgoing("o2", "1", 2)), put(outgoing("o3", "1", 3)));
        store.commit(
                put(outgoing("o1", "1", 1).attempted().delivered()),
                put(outgoing("o2", "1", 2).expired()));

        assertThat(store.queue().undelivered()).extracting(o -> o.id().value()).containsExactly("o3");
    }

    // Version 2

    @Core
    default void everyEventOfAChatComesBackAsItWasStored(StoreUnderTest store) {
        List<Inbound> events = new ArrayList<>();
        for (ChatEvent event : chatEvents()) {
            events.add(recorded("e" + events.size(), "1", events.size() + 1L, event));
        }
        events.forEach(event -> store.commit(put(event)));

        store.reopen();

        assertThat(events)
                .allSatisfy(
                        event -> assertThat(store.queue().inbound(event.id())).hasValue(event));
    }

    @Core
    default void aTurnSaysWhyItEndedAndWhatItUsed(StoreUnderTest store) {
        Turn full = fullTurn("full", "1", "s");
        store.commit(put(turn("full", "1", "s", 4)));
        store.commit(put(full));

        store.reopen();

        assertThat(store.queue().turn(full.id())).hasValue(full);
        assertThat(store.queue().claimed()).isEmpty();
    }

    @Core
    default void anOutgoingMessageKeepsItsAddressAndHowFarItHasCome(StoreUnderTest store) {
        Outgoing full = fullOutgoing("full", "1");
        store.commit(put(full));

        store.reopen();

        assertThat(store.queue().undelivered()).containsExactly(full);
        store.commit(put(full.sent(new SentPart(3, List.of("p:3"))).delivered()));
        List<Outgoing> kept = new ArrayList<>();
        store.queue().forEach(at(0), inbound -> {}, turn -> {}, kept::add);
        assertThat(kept)
                .singleElement()
                .satisfies(o -> assertThat(o.delivery().messageIds()).containsExactly("p:1", "p:2", "p:3"));
    }

    @Core
    default void aPostedMessageStandsBehindAllOthersOfItsLane(StoreUnderTest store) {
        store.commit(put(inbound("i1", "1", 4)));
        store.commit(new Change.PostInbound(inbound("i2", "1", 1)), new Change.PostInbound(inbound("i3", "1", 1)));
        store.commit(new Change.PostInbound(inbound("j1", "2", 9)));

        store.reopen();

        assertThat(store.queue().admitted(key("1")))
                .extracting(Inbound::ordinal)
                .containsExactly(4L, 5L, 6L);
        assertThat(ids(store.queue().admitted(key("1")))).containsExactly("i1", "i2", "i3");
        assertThat(store.queue().lastOrdinal(key("2"))).isEqualTo(1);
    }

    // forEach

    @Core
    default void everythingKeptIsHandedOutInTheOrderItWasFirstStored(StoreUnderTest store) {
        store.commit(put(inbound("i2", "2", 9)), put(turn("t2", "2", "s", 9)), put(outgoing("o2", "2", 9)));
        store.commit(put(inbound("i1", "1", 5)), put(turn("t1", "1", "s", 5)), put(outgoing("o1", "1", 5)));
        store.commit(
                put(inbound("i2", "2", 9).in(Inbound.State.DONE)),
                put(turn("t2", "2", "s", 9).ended(Turn.State.COMPLETED, at(10))),
                put(outgoing("o2", "2", 9).delivered()));

        assertThat(kept(store, at(0))).containsExactly("i2", "i1", "t2", "t1", "o2", "o1");
        assertThat(kept(store, at(9))).containsExactly("i2", "t2", "o2");
        assertThat(kept(store, at(9).plusNanos(1000))).isEmpty();
    }

    private static List<String> kept(StoreUnderTest store, Instant since) {
        List<String> inbound = new ArrayList<>();
        List<String> turns = new ArrayList<>();
        List<String> outgoing = new ArrayList<>();
        store.queue()
                .forEach(
                        since,
                        i -> inbound.add(i.id().value()),
                        t -> turns.add(t.id().value()),
                        o -> outgoing.add(o.id().value()));
        inbound.addAll(turns);
        inbound.addAll(outgoing);
        return inbound;
    }

    // Forget

    @Core
    default void whatEndedBeforeALimitIsForgotten(StoreUnderTest store) {
        store.commit(
                put(inbound("i1", "1", 1).in(Inbound.State.DONE)),
                put(inbound("i2", "1", 2).in(Inbound.State.DROPPED)),
                put(turn("t1", "1", "s", 1).ended(Turn.State.COMPLETED, at(5))),
                put(turn("t2", "1", "s", 1).ended(Turn.State.DROPPED, at(9))),
                put(outgoing("o1", "1", 1).delivered()),
                put(outgoing("o2", "1", 2).expired()));

        store.commit(new Change.Forget(at(2), Optional.empty()));
        assertThat(kept(store, at(0))).containsExactly("i2", "t1", "t2", "o2");
        assertThat(store.queue().received(named("1", "p-i1"))).isEmpty();

        store.commit(new Change.Forget(at(9), Optional.empty()));
        assertThat(kept(store, at(0))).containsExactly("t2");
        store.reopen();
        assertThat(kept(store, at(0))).containsExactly("t2");
    }

    @Core
    default void whatHasNotEndedIsNeverForgotten(StoreUnderTest store) {
        store.commit(
                put(inbound("i1", "1", 1)),
                put(inbound("i2", "1", 2).claimedBy(new TurnId("t1"))),
                put(turn("t1", "1", "s", 1)),
                put(outgoing("o1", "1", 1)),
                put(outgoing("o2", "1", 2).attempted()));

        store.commit(new Change.Forget(at(1000), Optional.of(at(1000))));

        assertThat(kept(store, at(0))).containsExactly("i1", "i2", "t1", "o1", "o2");
    }
}
