package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.at;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.event;
import static dev.parley.contracts.storage.Samples.fullEntry;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.key;
import static dev.parley.contracts.storage.Samples.lane;
import static dev.parley.contracts.storage.Samples.put;
import static dev.parley.contracts.storage.Samples.touch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.contracts.level.Core;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.Standing;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@link dev.parley.application.port.Lanes}, and the changes that write lanes and their history. */
public interface LanesContract extends StoreContract {
    // PutLane, find

    @Core
    default void aLaneThatWasNeverStoredIsNotFound(StoreUnderTest store) {
        assertThat(store.lanes().find(key("1"))).isEmpty();
    }

    @Core
    default void aLaneComesBackAsItWasStored(StoreUnderTest store) {
        Lane lane = new Lane(fullEntry("1", "s"), 42);
        store.commit(created("s"), put(lane), put(lane("2", "s", 1)));

        assertThat(store.lanes().find(key("1"))).hasValue(lane);
        assertThat(store.lanes().find(key("2"))).hasValue(lane("2", "s", 1));
        store.reopen();
        assertThat(store.lanes().find(key("1"))).hasValue(lane);
        assertThat(store.lanes().find(key("2"))).hasValue(lane("2", "s", 1));
    }

    @Core
    default void everyStandingAndBeginningComesBack(StoreUnderTest store) {
        SessionEntry entry = lane("1", "s", 1).entry();
        List<SessionEntry> entries = List.of(
                entry,
                entry.withStanding(new Standing.ResumePending(Optional.empty(), Optional.empty())),
                entry.markedForResume(ResumeReason.SHUTDOWN_TIMEOUT, at(7)),
                entry.markedForResume(new ResumeReason("of another system"), at(7)),
                entry.suspended(),
                entry.markedForResume(ResumeReason.RESTART_INTERRUPTED, at(7)).suspended(),
                entry.followedBy(id("s"), at(8), Beginning.fresh()),
                entry.followedBy(id("s"), at(8), new Beginning.AfterReset(ResetReason.IDLE, false)),
                entry.followedBy(id("s"), at(8), new Beginning.AfterReset(ResetReason.SUSPENDED, true)),
                entry.finalised(false),
                entry.withModelOverride(
                        Optional.of(new ModelOverride(Optional.empty(), Optional.of("p"), Optional.empty()))));
        store.commit(created("s"));

        for (SessionEntry each : entries) {
            store.commit(put(new Lane(each, 1)));
            store.reopen();
            assertThat(store.lanes().find(key("1"))).hasValue(new Lane(each, 1));
        }
    }

    @Core
    default void aLaneWithoutOriginComesBack(StoreUnderTest store) {
        SessionEntry entry = lane("1", "s", 1).entry();
        SessionEntry bare = new SessionEntry(
                entry.key(),
                entry.sessionId(),
                entry.createdAt(),
                entry.updatedAt(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                entry.chatType(),
                entry.usage(),
                entry.beginning(),
                entry.standing(),
                false,
                Optional.empty());
        store.commit(created("s"), put(new Lane(bare, 1)));

        store.reopen();

        assertThat(store.lanes().find(key("1"))).hasValue(new Lane(bare, 1));
    }

    @Core
    default void storingALaneAgainReplacesIt(StoreUnderTest store) {
        store.commit(created("s"), created("t"), put(lane("1", "s", 1)));
        store.commit(put(lane("1", "t", 2)));

        assertThat(store.lanes().find(key("1"))).hasValue(lane("1", "t", 2));
        assertThat(store.lanes().count()).isEqualTo(1);
    }

    @Core
    default void aLaneMayPointAtASessionThatIsNotStored(StoreUnderTest store) {
        store.commit(put(lane("1", "unknown", 1)));

        assertThat(store.lanes().find(key("1"))).hasValue(lane("1", "unknown", 1));
    }

    @Core
    default void deletingASessionLeavesTheLaneThatPointsAtIt(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 1)));
        store.commit(new Change.DeleteSession(id("s")));

        assertThat(store.lanes().find(key("1"))).hasValue(lane("1", "s", 1));
    }

    // findBySession

    @Core
    default void aLaneIsFoundByItsCurrentSession(StoreUnderTest store) {
        store.commit(created("s"), created("t"), put(lane("1", "s", 1)), put(lane("2", "t", 1)));

        assertThat(store.lanes().findBySession(id("t"))).hasValue(lane("2", "t", 1));
        assertThat(store.lanes().findBySession(id("u"))).isEmpty();
        store.reopen();
        assertThat(store.lanes().findBySession(id("t"))).hasValue(lane("2", "t", 1));
    }

    @Core
    default void aFormerSessionFindsNoLane(StoreUnderTest store) {
        store.commit(created("s"), created("t"), put(lane("1", "s", 1)));
        store.commit(put(lane("1", "t", 2)));

        assertThat(store.lanes().findBySession(id("s"))).isEmpty();
    }

    @Core
    default void theSmallestKeyOfASessionsLanesIsFound(StoreUnderTest store) {
        store.commit(created("s"), put(lane("2", "s", 1)), put(lane("1", "s", 1)), put(lane("3", "s", 1)));

        assertThat(store.lanes().findBySession(id("s"))).hasValue(lane("1", "s", 1));
    }

    // forEach, count

    @Core
    default void lanesComeInTheOrderOfTheirKeys(StoreUnderTest store) {
        store.commit(created("s"), put(lane("b", "s", 1)), put(lane("C", "s", 1)), put(lane("a", "s", 1)));

        List<Lane> lanes = new ArrayList<>();
        store.lanes().forEach(lanes::add);

        assertThat(lanes).containsExactly(lane("C", "s", 1), lane("a", "s", 1), lane("b", "s", 1));
        assertThat(store.lanes().count()).isEqualTo(3);
    }

    @Core
    default void anEmptyStoreHasNoLanes(StoreUnderTest store) {
        List<Lane> lanes = new ArrayList<>();
        store.lanes().forEach(lanes::add);

        assertThat(lanes).isEmpty();
        assertThat(store.lanes().count()).isZero();
    }

    @Core
    default void aReadInsideTheStreamOfLanesWorks(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 1)), put(lane("2", "s", 1)));

        List<Lane> found = new ArrayList<>();
        store.lanes().forEach(lane -> store.lanes().find(lane.key()).ifPresent(found::add));

        assertThat(found).containsExactly(lane("1", "s", 1), lane("2", "s", 1));
    }

    // RemoveLane

    @Core
    default void aRemovedLaneIsGoneButItsHistoryAndSessionStay(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 1)), new Change.AppendHistory(event("1", 1, "idle")));
        store.commit(new Change.RemoveLane(key("1")));

        assertThat(store.lanes().find(key("1"))).isEmpty();
        assertThat(store.lanes().findBySession(id("s"))).isEmpty();
        assertThat(store.lanes().count()).isZero();
        assertThat(store.lanes().history(key("1"), 5)).hasSize(1);
        assertThat(store.sessions().find(id("s"))).isPresent();
        store.reopen();
        assertThat(store.lanes().find(key("1"))).isEmpty();
    }

    @Core
    default void removingALaneThatDoesNotExistDoesNothing(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 1)));
        store.commit(new Change.RemoveLane(key("2")));

        assertThat(store.lanes().count()).isEqualTo(1);
    }

    // TouchLane

    @Core
    default void aTouchNotesActivityAndUsage(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 3)));

        store.commit(new Change.TouchLane(
                key("1"), id("s"), at(60), new TokenUsage(1, 2, 3, 4, 5), 0.25, Optional.of(77L), Optional.empty()));
        store.reopen();

        SessionEntry entry = store.lanes().find(key("1")).orElseThrow().entry();
        assertThat(entry.updatedAt()).isEqualTo(at(60));
        assertThat(entry.usage().tokens()).isEqualTo(new TokenUsage(1, 2, 3, 4, 5));
        assertThat(entry.usage().totalTokens()).isEqualTo(15);
        assertThat(entry.usage().estimatedCostUsd()).isEqualTo(0.25);
        assertThat(entry.usage().lastPromptTokens()).isEqualTo(77);
        assertThat(store.lanes().find(key("1")).orElseThrow().epoch()).isEqualTo(3);
    }

    @Core
    default void touchesAddUp(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 1)));
        Change touch = new Change.TouchLane(
                key("1"), id("s"), at(60), new TokenUsage(1, 1, 0, 0, 0), 0.5, Optional.of(0L), Optional.empty());

        store.commit(touch);
        store.commit(touch, touch);

        SessionEntry entry = store.lanes().find(key("1")).orElseThrow().entry();
        assertThat(entry.usage().tokens()).isEqualTo(new TokenUsage(3, 3, 0, 0, 0));
        assertThat(entry.usage().totalTokens()).isEqualTo(6);
        assertThat(entry.usage().estimatedCostUsd()).isEqualTo(1.5);
        assertThat(entry.usage().lastPromptTokens()).isZero();
    }

    @Core
    default void anAbsentPromptSizeLeavesTheStoredOne(StoreUnderTest store) {
        SessionEntry used = lane("1", "s", 1).entry().used(TokenUsage.NONE, 0, Optional.of(88L));
        store.commit(created("s"), put(new Lane(used, 1)));

        store.commit(touch("1", "s", 60));

        assertThat(store.lanes().find(key("1")).orElseThrow().entry().usage().lastPromptTokens())
                .isEqualTo(88);
    }

    @Core
    default void activityNeverGoesBack(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 1)));
        store.commit(touch("1", "s", 60));
        store.commit(touch("1", "s", 30));

        assertThat(store.lanes().find(key("1")).orElseThrow().entry().updatedAt())
                .isEqualTo(at(60));
    }

    @Core
    default void aTouchForAnotherSessionDoesNothing(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 1)));
        store.commit(touch("1", "former", 60), touch("2", "s", 60));

        assertThat(store.lanes().find(key("1"))).hasValue(lane("1", "s", 1));
        assertThat(store.lanes().find(key("2"))).isEmpty();
    }

    @Core
    default void aTouchClearsTheMarkThatWasSeen(StoreUnderTest store) {
        SessionEntry marked = lane("1", "s", 1).entry().markedForResume(ResumeReason.RESTART_TIMEOUT, at(5));
        store.commit(created("s"), put(new Lane(marked, 1)));

        store.commit(
                clearing(new Standing.ResumePending(Optional.of(ResumeReason.SHUTDOWN_TIMEOUT), Optional.of(at(5)))));
        store.commit(
                clearing(new Standing.ResumePending(Optional.of(ResumeReason.RESTART_TIMEOUT), Optional.of(at(6)))));
        assertThat(store.lanes().find(key("1")).orElseThrow().entry().toBeResumed())
                .as("another mark than the one seen stays")
                .isEqualTo(marked.toBeResumed());

        store.commit(clearing(marked.toBeResumed().orElseThrow()));
        assertThat(store.lanes().find(key("1")).orElseThrow().entry().toBeResumed())
                .isEmpty();
    }

    private static Change clearing(Standing.ResumePending mark) {
        return new Change.TouchLane(
                key("1"), id("s"), at(60), TokenUsage.NONE, 0.0, Optional.empty(), Optional.of(mark));
    }

    @Core
    default void aTouchWithoutAMarkLeavesTheMark(StoreUnderTest store) {
        SessionEntry marked = lane("1", "s", 1).entry().markedForResume(ResumeReason.RESTART_TIMEOUT, at(5));
        store.commit(created("s"), put(new Lane(marked, 1)));

        store.commit(touch("1", "s", 60));

        assertThat(store.lanes().find(key("1")).orElseThrow().entry().toBeResumed())
                .isEqualTo(marked.toBeResumed());
    }

    @Core
    default void aTouchLeavesASuspensionAlone(StoreUnderTest store) {
        SessionEntry suspended = lane("1", "s", 1)
                .entry()
                .markedForResume(ResumeReason.RESTART_TIMEOUT, at(5))
                .suspended();
        store.commit(created("s"), put(new Lane(suspended, 1)));

        store.commit(clearing(suspended.standing().resumePending().orElseThrow()));

        assertThat(store.lanes().find(key("1")).orElseThrow().entry().standing())
                .isEqualTo(suspended.standing());
    }

    @Core
    default void activityMakesAFinalisedEntryLiveAgain(StoreUnderTest store) {
        store.commit(created("s"), put(new Lane(lane("1", "s", 1).entry().finalised(false), 1)));

        store.commit(touch("1", "s", 60));

        assertThat(store.lanes().find(key("1")).orElseThrow().entry().expiryFinalized())
                .isFalse();
    }

    // AppendHistory, history, forEachEvent

    @Core
    default void aLaneWithoutHistoryHasNone(StoreUnderTest store) {
        assertThat(store.lanes().history(key("1"), 10)).isEmpty();
    }

    @Core
    default void aLineOfHistoryComesBackAsItWasStored(StoreUnderTest store) {
        List<LaneEvent> lines = new ArrayList<>();
        for (LaneEvent.Kind kind : LaneEvent.Kind.values()) {
            lines.add(
                    0,
                    new LaneEvent(
                            key("1"),
                            at(lines.size()),
                            kind,
                            Optional.empty(),
                            Optional.of(id("s")),
                            "daily",
                            Map.of()));
        }
        lines.add(0, event("1", 90, "idle"));
        List<LaneEvent> oldestFirst = new ArrayList<>(lines);
        Collections.reverse(oldestFirst);
        oldestFirst.forEach(line -> store.commit(new Change.AppendHistory(line)));

        store.reopen();

        assertThat(store.lanes().history(key("1"), 99)).isEqualTo(lines);
        assertThat(store.lanes().history(key("1"), 1).get(0).inputs().keySet())
                .as("in the order given")
                .containsExactly("zone", "clock");
    }

    @Core
    default void historyIsCutAtTheLimit(StoreUnderTest store) {
        store.commit(
                new Change.AppendHistory(event("1", 1, "a")),
                new Change.AppendHistory(event("1", 2, "b")),
                new Change.AppendHistory(event("1", 3, "c")),
                new Change.AppendHistory(event("2", 4, "d")));

        assertThat(store.lanes().history(key("1"), 2))
                .extracting(LaneEvent::reason)
                .containsExactly("c", "b");
        assertThat(store.lanes().history(key("1"), 0)).isEmpty();
    }

    @Core
    default void historyIsInTheOrderItWasWrittenWhateverTheClockSaid(StoreUnderTest store) {
        store.commit(new Change.AppendHistory(event("1", 50, "first")));
        store.commit(new Change.AppendHistory(event("1", 40, "second")));

        assertThat(store.lanes().history(key("1"), 5))
                .extracting(LaneEvent::reason)
                .containsExactly("second", "first");
        assertThat(eventsSince(store, at(0))).extracting(LaneEvent::reason).containsExactly("first", "second");
    }

    @Core
    default void eventsOfAllLanesComeFromATimeOn(StoreUnderTest store) {
        store.commit(
                new Change.AppendHistory(event("1", 1, "a")),
                new Change.AppendHistory(event("2", 2, "b")),
                new Change.AppendHistory(event("1", 3, "c")));

        assertThat(eventsSince(store, at(2))).extracting(LaneEvent::reason).containsExactly("b", "c");
        assertThat(eventsSince(store, at(2).plusNanos(1000)))
                .extracting(LaneEvent::reason)
                .containsExactly("c");
        assertThat(eventsSince(store, at(9))).isEmpty();
    }

    private static List<LaneEvent> eventsSince(StoreUnderTest store, Instant since) {
        List<LaneEvent> events = new ArrayList<>();
        store.lanes().forEachEvent(since, events::add);
        return events;
    }

    // Forget

    @Core
    default void historyIsForgottenOnlyWhereALimitIsGiven(StoreUnderTest store) {
        store.commit(new Change.AppendHistory(event("1", 1, "a")), new Change.AppendHistory(event("1", 2, "b")));

        store.commit(new Change.Forget(at(100), Optional.empty()));
        assertThat(store.lanes().history(key("1"), 9)).hasSize(2);

        store.commit(new Change.Forget(at(100), Optional.of(at(2))));
        assertThat(store.lanes().history(key("1"), 9))
                .extracting(LaneEvent::reason)
                .containsExactly("b");
        assertThat(eventsSince(store, at(0))).hasSize(1);
    }

    // Holds

    @Core
    default void whoeverTakesALaneGetsAGreaterTokenThanAnybodyBefore(StoreUnderTest store) {
        LifeId first = new LifeId("node-1#1");
        LifeId second = new LifeId("node-2#1");
        assertThat(store.lanes().hold(key("1"))).isEqualTo(Hold.NONE);

        store.commit(new Change.TakeLane(key("1"), first));
        assertThat(store.lanes().hold(key("1"))).isEqualTo(new Hold(Optional.of(first), 1));

        store.commit(new Change.TakeLane(key("1"), second));
        store.commit(new Change.LeaveLane(key("1")));
        store.reopen();
        assertThat(store.lanes().hold(key("1"))).isEqualTo(new Hold(Optional.empty(), 2));

        store.commit(new Change.TakeLane(key("1"), first), new Change.TakeLane(key("2"), first));
        store.reopen();
        assertThat(store.lanes().hold(key("1"))).isEqualTo(new Hold(Optional.of(first), 3));
        assertThat(store.lanes().hold(key("2"))).isEqualTo(new Hold(Optional.of(first), 1));
    }

    @Core
    default void leavingALaneThatNobodyEverTookDoesNothing(StoreUnderTest store) {
        store.commit(new Change.LeaveLane(key("1")));

        assertThat(store.lanes().hold(key("1"))).isEqualTo(Hold.NONE);
        assertThat(store.lanes().find(key("1"))).isEmpty();
    }

    @Core
    default void aHoldOutlivesItsLane(StoreUnderTest store) {
        store.commit(put(lane("1", "s", 1)), new Change.TakeLane(key("1"), new LifeId("a")));
        store.commit(new Change.RemoveLane(key("1")));

        assertThat(store.lanes().hold(key("1")).token()).isEqualTo(1);
    }
}
