package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.inbound;
import static dev.parley.contracts.storage.Samples.key;
import static dev.parley.contracts.storage.Samples.lane;
import static dev.parley.contracts.storage.Samples.put;
import static dev.parley.contracts.storage.Samples.retitle;
import static dev.parley.contracts.storage.Samples.turn;

import dev.parley.contracts.level.Concurrent;
import dev.parley.contracts.storage.Race.Wish;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.Lane;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import java.util.List;

/**
 * Each precondition is checked and its batch applied as one step: of two batches that are committed at once, each on a condition that
 * the other ends, one wins and the other meets a conflict.
 */
public interface RaceContract extends StoreContract {
    @Concurrent
    default void oneOfTwoMovesALane(StoreUnderTest store) {
        store.commit(created("s"));
        Race.hold(store, round -> {
            String chat = "lane-" + round;
            Precondition absent = new Precondition.LaneEpoch(key(chat), Lane.ABSENT);
            return List.of(Wish.of(absent, put(lane(chat, "s", 1))), Wish.of(absent, put(lane(chat, "s", 1))));
        });
    }

    @Concurrent
    default void oneOfTwoEndsATurn(StoreUnderTest store) {
        store.commit(created("s"));
        Race.hold(store, round -> {
            Turn claimed = turn("t" + round, "1", "s", round);
            store.commit(new Change.PutTurn(claimed));
            Precondition mine = new Precondition.TurnClaimed(claimed.id(), claimed.run());
            return List.of(
                    Wish.of(mine, new Change.PutTurn(claimed.ended(Turn.State.COMPLETED, Samples.at(round + 1)))),
                    Wish.of(mine, new Change.PutTurn(claimed.ended(Turn.State.INTERRUPTED, Samples.at(round + 1)))));
        });
    }

    @Concurrent
    default void oneOfTwoReceivesAMessage(StoreUnderTest store) {
        Race.hold(store, round -> {
            PlatformMessage name = Samples.named("1", "p" + round);
            Precondition unknown = new Precondition.NotReceived(name);
            return List.of(
                    Wish.of(unknown, new Change.PutInbound(inbound("m" + round, "1", 2L * round, name))),
                    Wish.of(unknown, new Change.PutInbound(inbound("n" + round, "1", 2L * round + 1, name))));
        });
    }

    @Concurrent
    default void oneOfTwoTakesAMessageOutOfTheQueue(StoreUnderTest store) {
        Race.hold(store, round -> {
            Inbound waiting = inbound("m" + round, "1", round);
            store.commit(new Change.PutInbound(waiting));
            Precondition waits = new Precondition.StillAdmitted(waiting.id());
            return List.of(
                    Wish.of(waits, new Change.PutInbound(waiting.in(Inbound.State.DONE))),
                    Wish.of(waits, new Change.PutInbound(waiting.in(Inbound.State.DROPPED))));
        });
    }

    @Concurrent
    @Having(Capability.TITLES)
    default void oneOfTwoGetsATitle(StoreUnderTest store) {
        Race.hold(store, round -> {
            String first = "a" + round;
            String second = "b" + round;
            store.commit(created(first), created(second));
            String title = "Title " + round;
            return List.of(
                    Wish.of(new Precondition.TitleFree(title, id(first)), retitle(first, title)),
                    Wish.of(new Precondition.TitleFree(title, id(second)), retitle(second, title)));
        });
    }

    @Concurrent
    default void oneOfTwoDeletesASession(StoreUnderTest store) {
        Race.hold(store, round -> {
            String session = "s" + round;
            store.commit(created(session));
            Precondition there = new Precondition.SessionExists(id(session));
            Change deletion = new Change.DeleteSession(id(session));
            return List.of(Wish.of(there, deletion), Wish.of(there, deletion));
        });
    }

    @Concurrent
    default void oneOfTwoCreatesASession(StoreUnderTest store) {
        Race.hold(store, round -> {
            Precondition absent = new Precondition.SessionAbsent(id("s" + round));
            return List.of(Wish.of(absent, created("s" + round)), Wish.of(absent, created("s" + round)));
        });
    }

    @Concurrent
    default void aSessionIsDeletedOrPointedAt(StoreUnderTest store) {
        Race.hold(store, round -> {
            String session = "s" + round;
            store.commit(created(session));
            return List.of(
                    Wish.of(new Precondition.NotCurrent(id(session)), new Change.DeleteSession(id(session))),
                    Wish.of(new Precondition.SessionExists(id(session)), put(lane("lane-" + round, session, 1))));
        });
    }

    @Concurrent
    default void oneOfTwoTakesAFreeLane(StoreUnderTest store) {
        Race.hold(store, round -> {
            Precondition free = new Precondition.HoldFree(key("lane-" + round), 0);
            return List.of(
                    Wish.of(free, new Change.TakeLane(key("lane-" + round), new LifeId("a"))),
                    Wish.of(free, new Change.TakeLane(key("lane-" + round), new LifeId("b"))));
        });
    }

    @Concurrent
    default void oneOfTwoTakesALaneFromItsHolder(StoreUnderTest store) {
        Race.hold(store, round -> {
            String chat = "lane-" + round;
            store.commit(new Change.TakeLane(key(chat), new LifeId("dead")));
            Precondition held = new Precondition.HeldBy(key(chat), 1);
            return List.of(
                    Wish.of(held, new Change.TakeLane(key(chat), new LifeId("a"))),
                    Wish.of(held, new Change.LeaveLane(key(chat))));
        });
    }

    @Concurrent
    default void oneOfTwoGetsAPlaceInTheQueue(StoreUnderTest store) {
        Race.hold(store, round -> {
            String chat = "lane-" + round;
            Precondition empty = new Precondition.LastOrdinal(key(chat), 0);
            return List.of(
                    Wish.of(empty, new Change.PutInbound(inbound("m" + round, chat, 1))),
                    Wish.of(empty, new Change.PutInbound(inbound("n" + round, chat, 1))));
        });
    }
}
