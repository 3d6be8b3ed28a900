package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.at;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.event;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.key;
import static dev.parley.contracts.storage.Samples.outgoing;
import static dev.parley.contracts.storage.Samples.touch;
import static dev.parley.contracts.storage.Samples.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.EventQuery;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.OutgoingQuery;
import dev.parley.application.port.Page;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.TurnQuery;
import dev.parley.contracts.level.Core;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads by page: of lanes, history, turns, outgoing messages and sessions. */
public interface PagesContract extends StoreContract {
    /** Reads all pages of a list; between two of them something happens. */
    private static <T> List<T> all(Function<Optional<Cursor>, Page<T>> pages, Runnable between) {
        List<T> rows = new ArrayList<>();
        Optional<Cursor> after = Optional.empty();
        do {
            Page<T> page = pages.apply(after);
            rows.addAll(page.rows());
            after = page.next().map(cursor -> Cursor.parse(cursor.text()));
            between.run();
        } while (after.isPresent());
        return rows;
    }

    private static <T> List<T> all(Function<Optional<Cursor>, Page<T>> pages) {
        return all(pages, () -> {});
    }

    private static Change lane(String chat, long updatedAt) {
        return new Change.PutLane(new Lane(Samples.lane(chat, "s", 1).entry().usedAt(at(updatedAt)), 1));
    }

    private static List<String> chats(List<Lane> lanes) {
        return lanes.stream()
                .map(lane -> lane.key().value().replaceAll(".*:", ""))
                .toList();
    }

    // Lanes

    @Core
    default void lanesComeLatestActivityFirst(StoreUnderTest store) {
        assertThat(store.lanes().page(LaneQuery.first(5)).rows()).isEmpty();
        store.commit(lane("1", 100), lane("2", 300), lane("3", 300), lane("4", 200));
        store.commit(touch("1", "s", 400));

        assertThat(chats(all(after -> store.lanes().page(LaneQuery.first(1).after(after)))))
                .containsExactly("1", "3", "2", "4");
        assertThat(chats(all(after -> store.lanes().page(LaneQuery.first(3).after(after)))))
                .containsExactly("1", "3", "2", "4");
        Page<Lane> whole = store.lanes().page(LaneQuery.first(4));
        assertThat(chats(whole.rows())).hasSize(4);
        assertThat(whole.next()).isEmpty();
        assertThat(store.lanes().page(LaneQuery.first(0)).rows()).isEmpty();
    }

    @Core
    default void aLaneThatNobodyTouchesIsOnExactlyOnePage(StoreUnderTest store) {
        for (int i = 0; i < 9; i++) {
            store.commit(lane("q" + i, 10L * i));
        }
        long[] later = {1000};

        List<Lane> read = all(after -> store.lanes().page(LaneQuery.first(2).after(after)), () -> {
            store.commit(touch("q0", "s", ++later[0]), lane("new" + later[0], later[0]), touch("q8", "s", ++later[0]));
        });

        assertThat(chats(read).stream().filter(chat -> chat.startsWith("q")))
                .containsExactly("q8", "q7", "q6", "q5", "q4", "q3", "q2", "q1");
    }

    @Core
    default void lanesAreFilteredByPlatformStandingAndText(StoreUnderTest store) {
        Lane suspended = new Lane(Samples.lane("sus", "s", 1).entry().suspended(), 1);
        Lane marked = new Lane(
                Samples.lane("mark", "s", 1).entry().markedForResume(ResumeReason.RESTART_INTERRUPTED, at(1)), 1);
        Lane named = new Lane(Samples.fullEntry("full", "s"), 1);
        store.commit(
                lane("open", 5), new Change.PutLane(suspended), new Change.PutLane(marked), new Change.PutLane(named));

        LaneQuery first = LaneQuery.first(9);
        assertThat(chats(
                        store.lanes().page(first.standing(LaneQuery.Stand.OPEN)).rows()))
                .containsExactly("open");
        assertThat(chats(store.lanes()
                        .page(first.standing(LaneQuery.Stand.RESUME_PENDING))
                        .rows()))
                .containsExactly("mark");
        assertThat(chats(store.lanes()
                        .page(first.standing(LaneQuery.Stand.SUSPENDED))
                        .rows()))
                .containsExactlyInAnyOrder("sus", "full");
        assertThat(chats(store.lanes().page(first.on(Platform.DISCORD)).rows())).containsExactly("full");
        assertThat(chats(store.lanes().page(first.containing("a NAME")).rows())).containsExactly("full");
        assertThat(chats(store.lanes().page(first.containing("DM:OPE")).rows())).containsExactly("open");
        assertThat(store.lanes().page(first.containing("%")).rows()).isEmpty();
    }

    @Core
    default void aTextIsFoundOnOneOfThePagesHoweverFewLanesEachLooksAt(StoreUnderTest store) {
        for (int i = 0; i < 23; i++) {
            store.commit(lane((i % 6 == 4 ? "sought" : "other") + i, 10L * i));
        }

        for (int looks = 1; looks < 30; looks++) {
            for (int limit = 1; limit < 5; limit++) {
                LaneQuery query = LaneQuery.first(limit).containing("SOUGHT").lookingAt(looks);
                assertThat(chats(all(after -> store.lanes().page(query.after(after)))))
                        .as("looking at %s for a page of %s", looks, limit)
                        .containsExactly("sought22", "sought16", "sought10", "sought4");
            }
        }
    }

    @Core
    default void onlyATextHasPagesThatAreShort(StoreUnderTest store) {
        store.commit(lane("1", 100), lane("2", 300), lane("3", 200));

        Page<Lane> page =
                store.lanes().page(LaneQuery.first(2).on(Platform.TELEGRAM).lookingAt(1));

        assertThat(chats(page.rows())).containsExactly("2", "3");
        assertThat(page.next()).isPresent();
    }

    // History

    @Core
    default void historyComesLastAppendedFirst(StoreUnderTest store) {
        store.commit(
                new Change.AppendHistory(event("1", 5, "a")),
                new Change.AppendHistory(event("2", 5, "b")),
                new Change.AppendHistory(event("1", 5, "c")));
        store.commit(new Change.AppendHistory(event("1", 2, "d")));
        int[] more = {0};

        List<LaneEvent> read = all(
                after -> store.lanes().events(EventQuery.first(1).after(after)),
                () -> store.commit(new Change.AppendHistory(event("1", 5, "more" + more[0]++))));

        assertThat(read).extracting(LaneEvent::reason).containsExactly("d", "c", "b", "a");
        assertThat(store.lanes().events(EventQuery.first(9).of(key("2"))).rows())
                .extracting(LaneEvent::reason)
                .containsExactly("b");
    }

    @Core
    default void historyIsFilteredByKindReasonAndTime(StoreUnderTest store) {
        store.commit(
                new Change.AppendHistory(event("1", 1, "idle")),
                new Change.AppendHistory(event("1", 2, "daily")),
                new Change.AppendHistory(event("1", 3, "idle")));
        LaneEvent.Kind kind = event("1", 1, "idle").kind();
        EventQuery first = EventQuery.first(9);

        assertThat(store.lanes().events(first.because("idle")).rows()).hasSize(2);
        assertThat(store.lanes().events(first.kinds(Set.of(kind))).rows()).hasSize(3);
        assertThat(store.lanes()
                        .events(first.kinds(Set.of(LaneEvent.Kind.REMOVED)))
                        .rows())
                .isEmpty();
        assertThat(store.lanes()
                        .events(first.between(Optional.of(at(2)), Optional.of(at(3))))
                        .rows())
                .extracting(LaneEvent::reason)
                .containsExactly("daily");
    }

    @Core
    default void historyOfATimeHasEveryEventOfItAlsoWhereTheClockWentBack(StoreUnderTest store) {
        store.commit(
                new Change.AppendHistory(event("1", 5, "a")),
                new Change.AppendHistory(event("2", 2, "b")),
                new Change.AppendHistory(event("1", 9, "c")),
                new Change.AppendHistory(event("2", 4, "d")),
                new Change.AppendHistory(event("1", 1, "e")));

        assertThat(reasons(store, Optional.of(at(2)), Optional.of(at(6)))).containsExactly("d", "b", "a");
        assertThat(reasons(store, Optional.empty(), Optional.of(at(5)))).containsExactly("e", "d", "b");
        assertThat(reasons(store, Optional.of(at(5)), Optional.empty())).containsExactly("c", "a");
        assertThat(reasons(store, Optional.of(at(6)), Optional.of(at(9)))).isEmpty();
    }

    private static List<String> reasons(StoreUnderTest store, Optional<Instant> from, Optional<Instant> to) {
        return all(after -> store.lanes()
                        .events(EventQuery.first(1).between(from, to).after(after)))
                .stream()
                .map(LaneEvent::reason)
                .toList();
    }

    // Turns

    private static List<String> turns(List<Turn> turns) {
        return turns.stream().map(turn -> turn.id().value()).toList();
    }

    @Core
    default void turnsOfALaneComeLatestStartFirst(StoreUnderTest store) {
        for (int i = 0; i < 6; i++) {
            store.commit(new Change.PutTurn(turn("t" + i, i % 2 == 0 ? "1" : "2", "s", 100 - i / 4)));
        }

        assertThat(turns(all(after -> store.queue().turns(TurnQuery.first(1).after(after)))))
                .containsExactly("t3", "t2", "t1", "t0", "t5", "t4");
        assertThat(turns(all(after ->
                        store.queue().turns(TurnQuery.first(2).of(key("1")).after(after)))))
                .containsExactly("t2", "t0", "t4");
    }

    @Core
    default void turnsAreFilteredByStateSessionAndTime(StoreUnderTest store) {
        store.commit(
                new Change.PutTurn(turn("t1", "1", "a", 1).ended(Turn.State.FAILED, at(9))),
                new Change.PutTurn(turn("t2", "1", "b", 2).ended(Turn.State.COMPLETED, at(9))),
                new Change.PutTurn(turn("t3", "1", "a", 3)));
        TurnQuery first = TurnQuery.first(9);

        assertThat(turns(store.queue()
                        .turns(first.states(Set.of(Turn.State.FAILED)))
                        .rows()))
                .containsExactly("t1");
        assertThat(turns(store.queue()
                        .turns(first.states(Set.of(Turn.State.FAILED, Turn.State.CLAIMED)))
                        .rows()))
                .containsExactly("t3", "t1");
        assertThat(turns(store.queue().turns(first.in(id("a"))).rows())).containsExactly("t3", "t1");
        assertThat(turns(store.queue().turns(first.since(at(2))).rows())).containsExactly("t3", "t2");
    }

    // Outgoing messages

    private static Change put(Outgoing outgoing) {
        return new Change.PutOutgoing(outgoing);
    }

    private static List<String> ids(List<Outgoing> messages) {
        return messages.stream().map(message -> message.id().value()).toList();
    }

    @Core
    default void deliveriesComeLastStoredFirst(StoreUnderTest store) {
        store.commit(put(outgoing("o3", "1", 50)), put(outgoing("o1", "2", 40)), put(outgoing("o2", "1", 50)));
        store.commit(put(outgoing("o3", "1", 50).attempted()), put(outgoing("o0", "1", 30)));

        assertThat(ids(all(
                        after -> store.queue().outgoing(OutgoingQuery.first(1).after(after)))))
                .containsExactly("o0", "o2", "o1", "o3");
        assertThat(ids(all(after -> store.queue()
                        .outgoing(OutgoingQuery.first(1).of(key("1")).after(after)))))
                .containsExactly("o0", "o2", "o3");
    }

    @Core
    default void deliveriesAreFilteredByStatePlatformAndTime(StoreUnderTest store) {
        store.commit(
                put(outgoing("o1", "1", 1).delivered()),
                put(outgoing("o2", "1", 2)),
                put(Samples.fullOutgoing("o3", "1")));
        OutgoingQuery first = OutgoingQuery.first(9);

        assertThat(ids(store.queue()
                        .outgoing(first.states(Set.of(Outgoing.State.PENDING)))
                        .rows()))
                .containsExactly("o2");
        assertThat(ids(store.queue().outgoing(first.on(Platform.DISCORD)).rows()))
                .containsExactly("o3");
        assertThat(ids(store.queue().outgoing(first.since(at(2))).rows())).containsExactly("o3", "o2");
    }

    @Core
    default void aPageGoesOnBehindAMessageThatWasForgottenMeanwhile(StoreUnderTest store) {
        store.commit(put(outgoing("o1", "1", 1)), put(outgoing("o2", "1", 2).delivered()), put(outgoing("o3", "1", 3)));
        Page<Outgoing> page = store.queue().outgoing(OutgoingQuery.first(2));
        assertThat(ids(page.rows())).containsExactly("o3", "o2");

        store.commit(new Change.Forget(at(3), Optional.empty()));

        assertThat(ids(store.queue()
                        .outgoing(OutgoingQuery.first(2).after(page.next()))
                        .rows()))
                .containsExactly("o1");
    }

    @Core
    default void undeliveredMessagesOfALaneAreThoseOfItAlone(StoreUnderTest store) {
        store.commit(
                put(outgoing("o1", "1", 1)),
                put(outgoing("o2", "2", 2)),
                put(outgoing("o3", "1", 3).attempted()));
        store.commit(
                put(outgoing("o4", "1", 4).delivered()),
                put(outgoing("o5", "1", 4).expired()));

        assertThat(ids(store.queue().undelivered(key("1")))).containsExactly("o1", "o3");
        assertThat(store.queue().undelivered(key("3"))).isEmpty();
    }

    @Core
    default void whatWasSentToAChatComesInTheOrderOfStoring(StoreUnderTest store) {
        store.commit(
                put(outgoing("o1", "1", 9).delivered()),
                put(outgoing("o2", "1", 5).attempted()),
                put(outgoing("o3", "2", 6).delivered()),
                put(outgoing("o4", "1", 7)),
                put(outgoing("o5", "1", 8).expired()),
                put(outgoing("o6", "1", 4).delivered()));

        assertThat(ids(store.queue().sentTo(Platform.TELEGRAM, "1", Optional.empty(), 9)))
                .containsExactly("o1", "o2", "o6");
        assertThat(ids(store.queue().sentTo(Platform.TELEGRAM, "1", Optional.empty(), 2)))
                .containsExactly("o1", "o2");
        assertThat(ids(store.queue().sentTo(Platform.TELEGRAM, "1", Optional.of(new OutgoingId("o1")), 9)))
                .containsExactly("o2", "o6");
        assertThat(ids(store.queue().sentTo(Platform.TELEGRAM, "1", Optional.of(new OutgoingId("gone")), 1)))
                .containsExactly("o1");
        assertThat(store.queue().sentTo(Platform.SLACK, "1", Optional.empty(), 9))
                .isEmpty();
    }

    // Sessions

    @Core
    default void pagesOfSessionsMakeUpTheirList(StoreUnderTest store) {
        for (int i = 0; i < 7; i++) {
            store.commit(created("s" + i));
        }
        for (SessionQuery.Order order : SessionQuery.Order.values()) {
            SessionQuery query = SessionQuery.usual().window(2, 3).ordered(order);

            assertThat(all(after -> store.sessions().page(query, after)))
                    .isEqualTo(store.sessions().list(query.window(-1, 0)));
        }
    }
}
