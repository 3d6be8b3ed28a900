package dev.parley.application.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.AppliedPolicy;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Decision;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a decision about a lane becomes in storage (G3.1 to O4.29). */
class SessionTransitionsTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant NOW = Instant.parse("2026-03-10T11:00:00Z");
    private static final Instant LATELY = NOW.minus(Duration.ofMinutes(5));
    private static final SessionKey KEY = new SessionKey("agent:main:telegram:dm:99");
    private static final SessionSource SOURCE = SessionSource.builder(Platform.TELEGRAM, "99")
            .userId("7")
            .userName("Kim")
            .build();
    private static final SessionId OLD = SessionId.of("20260309_211300_0000000a");
    private static final SessionId FRESH = SessionId.of("20260310_120000_0000000b");
    private static final ModelOverride OVERRIDE =
            new ModelOverride(Optional.of("big"), Optional.empty(), Optional.empty());

    @ParameterizedTest(name = "suspended {0}, to be resumed {1}, policy {2}, forced {3}: {4}")
    @DisplayName("G3.1–G3.6: the table of decisions")
    @CsvSource({
        "false, false, none,  true,  create",
        "true,  true,  idle,  true,  create",
        "true,  false, none,  false, suspended",
        "true,  true,  idle,  false, suspended",
        "false, true,  idle,  false, resume",
        "false, true,  none,  false, resume",
        "false, false, idle,  false, idle",
        "false, false, daily, false, daily",
        "false, false, none,  false, reuse",
    })
    void decisions(boolean suspended, boolean pending, String fires, boolean forced, String expected) {
        Instant last = switch (fires) {
            case "idle" -> NOW.minus(Duration.ofDays(3));
            case "daily" -> Instant.parse("2026-03-10T02:59:59.999Z");
            default -> LATELY;
        };
        SessionEntry entry = entry(last);
        entry = pending ? entry.markedForResume(ResumeReason.RESTART_TIMEOUT, last) : entry;
        entry = suspended ? entry.suspended() : entry;
        Access access =
                LaneAccess.decide(facts(Optional.of(new Lane(entry, 4)), forced, LaneFacts.Row.LIVE), FRESH, false);
        String was = access.decision() instanceof Decision.Reset reset
                ? reset.reason().text()
                : access.decision().text();
        assertThat(was).isEqualTo(expected);
        boolean same = expected.equals("reuse") || expected.equals("resume");
        assertThat(access.entry().sessionId()).isEqualTo(same ? OLD : FRESH);
        assertThat(access.lane().epoch()).isEqualTo(same ? 4 : 5);
        assertThat(access.transition().preconditions()).contains(new Precondition.LaneEpoch(KEY, 4));
    }

    @Test
    @DisplayName("G3.3: resuming keeps the session and its mark, and bumps its last activity")
    void resumingKeepsTheMark() {
        SessionEntry entry = entry(LATELY).markedForResume(ResumeReason.RESTART_TIMEOUT, LATELY);
        Access access = LaneAccess.decide(facts(entry), FRESH, true);
        assertThat(access.entry().toBeResumed()).isEqualTo(entry.toBeResumed());
        assertThat(access.entry().updatedAt()).isEqualTo(NOW);
        assertThat(access.entry().beginning()).isEqualTo(Beginning.ordinary());
    }

    @Test
    @DisplayName("G3.5, G3.11: reuse only bumps the last activity, in a change that loses nothing stored meanwhile")
    void reuseOnlyTouches() {
        SessionEntry entry = entry(LATELY);
        Access access = LaneAccess.decide(facts(entry), FRESH, true);
        assertThat(access.transition().changes())
                .singleElement()
                .isInstanceOfSatisfying(
                        Change.TouchLane.class,
                        touch -> assertThat(touch.applyTo(entry)).isEqualTo(access.entry()));
        assertThat(access.transition().left()).isEmpty();
    }

    @Test
    @DisplayName("G3.7, G3.8: an automatic reset ends the old session and begins one from the current source")
    void autoResetBeginsFromTheCurrentSource() {
        SessionEntry old = entry(NOW.minus(Duration.ofDays(3)))
                .used(new TokenUsage(3, 4, 0, 0, 0), 0.5, Optional.of(9L))
                .withModelOverride(Optional.of(OVERRIDE));
        Access access = LaneAccess.decide(facts(old), FRESH, false);
        assertThat(access.entry())
                .isEqualTo(
                        SessionEntry.begin(KEY, FRESH, SOURCE, NOW, new Beginning.AfterReset(ResetReason.IDLE, true)));
        assertThat(access.begins()).isTrue();
        List<Change> changes = access.transition().changes();
        assertThat(changes)
                .contains(new Change.EditSession(OLD, new SessionEdit.End(Ending.of(NOW, Ending.SESSION_RESET))));
        assertThat(changes)
                .filteredOn(Change.CreateSession.class::isInstance)
                .singleElement()
                .satisfies(c -> {
                    Session session = ((Change.CreateSession) c).session();
                    assertThat(session.id()).isEqualTo(FRESH);
                    assertThat(session.source()).isEqualTo("telegram");
                    assertThat(session.userId()).contains("7");
                    assertThat(session.startedAt()).isEqualTo(NOW);
                    assertThat(session.peer()).contains(new SessionPeer(KEY, Optional.of(SOURCE)));
                });
        assertThat(access.transition().preconditions()).contains(new Precondition.SessionAbsent(FRESH));
        assertThat(access.transition().left()).contains(OLD);
    }

    @Test
    @DisplayName("C5: a reset without any token used before has had no activity")
    void noTokensNoActivity() {
        Access access = LaneAccess.decide(facts(entry(NOW.minus(Duration.ofDays(3)))), FRESH, false);
        assertThat(access.beginning()).isEqualTo(new Beginning.AfterReset(ResetReason.IDLE, false));
    }

    @Test
    @DisplayName(
            "G3.19, G3.20: a turn takes notice of a reset once; an access that is no turn leaves it for the next turn")
    void theResetIsNoticedOnce() {
        SessionEntry expired = entry(NOW.minus(Duration.ofDays(3)));
        Access looked = LaneAccess.decide(facts(expired), FRESH, false);
        assertThat(looked.entry().autoResetReason()).contains(ResetReason.IDLE);
        Access turn = LaneAccess.decide(facts(looked.entry()), SessionId.of("unused"), true);
        assertThat(turn.decision()).isInstanceOf(Decision.Reuse.class);
        assertThat(turn.beginning()).isEqualTo(new Beginning.AfterReset(ResetReason.IDLE, false));
        assertThat(turn.begins()).isTrue();
        assertThat(turn.entry().beginning()).isEqualTo(Beginning.ordinary());
        Access next = LaneAccess.decide(facts(turn.entry()), SessionId.of("unused"), true);
        assertThat(next.beginning()).isEqualTo(Beginning.ordinary());
        assertThat(next.begins()).isFalse();
    }

    @Test
    @DisplayName("G3.6, G3.10: a forced session carries no flags and ends the one it replaces")
    void forcedSessionsEndTheOldOne() {
        Access access = LaneAccess.decide(
                facts(Optional.of(new Lane(entry(LATELY).suspended(), 2)), true, LaneFacts.Row.LIVE), FRESH, false);
        assertThat(access.decision()).isEqualTo(new Decision.Create(Decision.Create.Why.FORCED));
        assertThat(access.entry()).isEqualTo(SessionEntry.begin(KEY, FRESH, SOURCE, NOW, Beginning.ordinary()));
        assertThat(access.transition().changes())
                .contains(new Change.EditSession(OLD, new SessionEdit.End(Ending.of(NOW, Ending.SESSION_RESET))));
    }

    @Test
    @DisplayName("G3.6: the first message of a lane begins a session, on the condition that the lane is still absent")
    void firstMessage() {
        Access access = LaneAccess.decide(facts(Optional.empty(), false, LaneFacts.Row.MISSING), FRESH, true);
        assertThat(access.decision()).isEqualTo(new Decision.Create(Decision.Create.Why.FIRST_MESSAGE));
        assertThat(access.lane().epoch()).isEqualTo(1);
        assertThat(access.transition().preconditions()).contains(new Precondition.LaneEpoch(KEY, Lane.ABSENT));
        assertThat(access.transition().history()).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(LaneEvent.Kind.CREATED);
            assertThat(event.from()).isEmpty();
        });
    }

    @Test
    @DisplayName("G3.14: a compressed session goes on in its tip, and the decision is about the tip")
    void compressionTip() {
        Session tip = Session.builder(SessionId.of("tip"), "telegram", LATELY).build();
        LaneFacts facts = new LaneFacts(
                KEY,
                SOURCE,
                Optional.of(new Lane(entry(LATELY).markedForResume(ResumeReason.RESTART_TIMEOUT, LATELY), 4)),
                LaneFacts.Row.LIVE,
                Optional.of(tip),
                Optional.empty(),
                policy(),
                NOW,
                BERLIN,
                false,
                false);
        Access access = LaneAccess.decide(facts, FRESH, true);
        assertThat(access.decision()).isInstanceOf(Decision.Resume.class);
        assertThat(access.entry().sessionId()).isEqualTo(tip.id());
        assertThat(access.entry().toBeResumed()).isPresent();
        assertThat(access.lane().epoch()).isEqualTo(5);
        assertThat(access.transition().history()).extracting(LaneEvent::kind).containsExactly(LaneEvent.Kind.CONTINUED);
    }

    @Test
    @DisplayName("D3, G3.15: a session that is expired and ended elsewhere is reset, though it could be recovered")
    void resetComesBeforeRecovery() {
        Session closed =
                stored(OLD).ending(Ending.of(LATELY, Ending.AGENT_CLOSE)).build();
        LaneFacts facts = recoverable(
                Optional.of(new Lane(entry(NOW.minus(Duration.ofDays(3))), 4)), LaneFacts.Row.ENDED, closed);
        Access access = LaneAccess.decide(facts, FRESH, true);
        assertThat(access.decision()).isEqualTo(new Decision.Reset(ResetReason.IDLE));
        assertThat(access.entry().sessionId()).isEqualTo(FRESH);
    }

    @Test
    @DisplayName("G3.15, G3.16: a live entry whose session was ended by an agent's end takes it up again")
    void recoversWhatAnAgentClosed() {
        Session closed = stored(OLD)
                .ending(Ending.of(LATELY, Ending.AGENT_CLOSE))
                .usage(new TokenUsage(1, 2, 0, 0, 0), 1)
                .build();
        LaneFacts facts = recoverable(Optional.of(new Lane(entry(LATELY), 4)), LaneFacts.Row.ENDED, closed);
        Access access = LaneAccess.decide(facts, FRESH, true);
        assertThat(access.decision()).isInstanceOf(Decision.Reuse.class);
        assertThat(access.entry().createdAt()).isEqualTo(closed.startedAt());
        assertThat(access.entry().updatedAt()).isEqualTo(NOW);
        assertThat(access.entry().usage().totalTokens()).isEqualTo(3);
        assertThat(access.begins()).isFalse();
        assertThat(access.transition().changes()).contains(new Change.EditSession(OLD, new SessionEdit.Reopen()));
        assertThat(access.transition().history()).extracting(LaneEvent::reason).containsExactly("recovered");
    }

    @Test
    @DisplayName(
            "G3.15: a session ended elsewhere with nothing to recover gives way to a new one, with the reason recorded")
    void endedElsewhere() {
        Access access = LaneAccess.decide(
                facts(Optional.of(new Lane(entry(LATELY), 4)), false, LaneFacts.Row.ENDED), FRESH, true);
        assertThat(access.decision()).isEqualTo(new Decision.Create(Decision.Create.Why.ENDED_ELSEWHERE));
        assertThat(access.beginning()).isEqualTo(Beginning.ordinary());
        assertThat(access.transition().history()).extracting(LaneEvent::reason).containsExactly("ended_elsewhere");
    }

    @Test
    @DisplayName(
            "Commit rule 11: a session that vanished behind its lane is stored again under its id, and that is recorded")
    void missingSessionsAreStoredAgain() {
        Access access = LaneAccess.decide(
                facts(Optional.of(new Lane(entry(LATELY), 4)), false, LaneFacts.Row.MISSING), FRESH, true);
        assertThat(access.decision()).isInstanceOf(Decision.Reuse.class);
        assertThat(access.transition().changes())
                .filteredOn(Change.CreateSession.class::isInstance)
                .extracting(c -> ((Change.CreateSession) c).session().id())
                .containsExactly(OLD);
        assertThat(access.transition().history()).extracting(LaneEvent::reason).containsExactly("session_missing");
    }

    @Test
    @DisplayName("G3.15: a store that cannot be asked does not make a session stale")
    void unknownIsNotStale() {
        Access access = LaneAccess.decide(
                facts(Optional.of(new Lane(entry(LATELY), 4)), false, LaneFacts.Row.UNKNOWN), FRESH, true);
        assertThat(access.entry().sessionId()).isEqualTo(OLD);
        assertThat(access.transition().history()).isEmpty();
    }

    @Test
    @DisplayName("O4.2: /new keeps where the chat is, clears everything else, and never looks like an expiry")
    void renew() {
        SessionEntry old = entry(LATELY)
                .used(new TokenUsage(1, 1, 1, 1, 1), 1, Optional.of(5L))
                .withModelOverride(Optional.of(OVERRIDE))
                .markedForResume(ResumeReason.RESTART_TIMEOUT, LATELY)
                .suspended();
        Transition renewed =
                SessionTransitions.renew(new Lane(old, 7), FRESH, NOW, "new", Optional.of("Team"), Optional.of("Plan"));
        SessionEntry entry = renewed.after().orElseThrow().entry();
        assertThat(entry.beginning()).isEqualTo(Beginning.fresh());
        assertThat(entry.origin()).isEqualTo(old.origin());
        assertThat(entry.displayName()).contains("Team");
        assertThat(entry.modelOverride()).isEmpty();
        assertThat(entry.usage().totalTokens()).isZero();
        assertThat(entry.isSuspended()).isFalse();
        assertThat(entry.standing().resumePending()).isEmpty();
        assertThat(renewed.after().orElseThrow().epoch()).isEqualTo(8);
        assertThat(renewed.preconditions())
                .containsExactlyInAnyOrder(
                        new Precondition.LaneEpoch(KEY, 7),
                        new Precondition.SessionAbsent(FRESH),
                        new Precondition.TitleFree("Plan", FRESH));
        assertThat(renewed.history()).extracting(LaneEvent::kind).containsExactly(LaneEvent.Kind.RENEWED);
    }

    @Test
    @DisplayName("O4.2: a lane of an unknown platform begins a session of source \"unknown\"")
    void renewWithoutPlatform() {
        SessionEntry known = entry(LATELY);
        SessionEntry old = new SessionEntry(
                KEY,
                OLD,
                LATELY,
                LATELY,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                known.chatType(),
                known.usage(),
                known.beginning(),
                known.standing(),
                false,
                Optional.empty());
        Transition renewed =
                SessionTransitions.renew(new Lane(old, 1), FRESH, NOW, "new", Optional.empty(), Optional.empty());
        assertThat(renewed.changes())
                .filteredOn(Change.CreateSession.class::isInstance)
                .extracting(c -> ((Change.CreateSession) c).session().source())
                .containsExactly("unknown");
    }

    @Test
    @DisplayName("O4.3: a switch ends the current session and makes the target live and this lane's")
    void switchTo() {
        Session target = stored(SessionId.of("target"))
                .ending(Ending.of(LATELY, Ending.SESSION_RESET))
                .peer(null)
                .usage(new TokenUsage(10, 0, 0, 0, 0), 1)
                .build();
        Transition switched =
                SessionTransitions.switchTo(new Lane(entry(LATELY).suspended(), 3), target, NOW, "resume");
        SessionEntry entry = switched.after().orElseThrow().entry();
        assertThat(entry.sessionId()).isEqualTo(target.id());
        assertThat(entry.createdAt()).isEqualTo(NOW);
        assertThat(entry.isSuspended()).isFalse();
        assertThat(entry.hadActivity()).isTrue();
        assertThat(switched.changes())
                .contains(
                        new Change.EditSession(OLD, new SessionEdit.End(Ending.of(NOW, Ending.SESSION_SWITCH))),
                        new Change.EditSession(target.id(), new SessionEdit.Reopen()),
                        new Change.EditSession(
                                target.id(), new SessionEdit.Peer(new SessionPeer(KEY, Optional.of(SOURCE)))));
        assertThat(switched.preconditions())
                .contains(new Precondition.NotCurrent(target.id()), new Precondition.SessionExists(target.id()));
    }

    @Test
    @DisplayName("O4.3: a switch to the session the lane has already stores nothing")
    void switchToItself() {
        Lane lane = new Lane(entry(LATELY), 3);
        Transition switched = SessionTransitions.switchTo(lane, stored(OLD).build(), NOW, "resume");
        assertThat(switched.isEmpty()).isTrue();
        assertThat(switched.after()).contains(lane);
    }

    @Test
    @DisplayName("O4.4: suspending raises the epoch, keeps a mark underneath, and a second time does nothing")
    void suspend() {
        SessionEntry marked = entry(LATELY).markedForResume(ResumeReason.RESTART_TIMEOUT, LATELY);
        Lane suspended = SessionTransitions.suspend(new Lane(marked, 3), NOW, "stop")
                .after()
                .orElseThrow();
        assertThat(suspended.epoch()).isEqualTo(4);
        assertThat(suspended.entry().isSuspended()).isTrue();
        assertThat(suspended.entry().standing().resumePending()).isPresent();
        assertThat(SessionTransitions.suspend(suspended, NOW, "stop").isEmpty()).isTrue();
    }

    @Test
    @DisplayName(
            "Z12.3: going back to a stopped session takes back the suspension and counts as use; the session keeps its row")
    void takeUp() {
        SessionEntry stopped = entry(LATELY)
                .markedForResume(ResumeReason.RESTART_TIMEOUT, LATELY)
                .suspended();
        Transition back = SessionTransitions.takeUp(new Lane(stopped, 3), SessionRows.of(stopped), NOW, "resume");
        assertThat(back.after().orElseThrow().epoch()).isEqualTo(4);
        assertThat(back.after().orElseThrow().entry()).satisfies(entry -> {
            assertThat(entry.isSuspended()).isFalse();
            assertThat(entry.toBeResumed()).isEmpty();
            assertThat(entry.updatedAt()).isEqualTo(NOW);
            assertThat(entry.sessionId()).isEqualTo(stopped.sessionId());
        });
        assertThat(back.history())
                .singleElement()
                .satisfies(line -> assertThat(line.kind()).isEqualTo(LaneEvent.Kind.CLEARED));
        assertThat(back.changes()).noneMatch(Change.EditSession.class::isInstance);
    }

    @Test
    @DisplayName("Activity in the future counts as activity now, once the clock has come back; any other is left alone")
    void clockCameBack() {
        Lane ahead = new Lane(entry(NOW.plus(Duration.ofDays(9000))), 3);
        Lane right = SessionTransitions.clockCameBack(ahead, NOW).after().orElseThrow();
        assertThat(right.entry().updatedAt()).isEqualTo(NOW);
        assertThat(right.epoch()).isEqualTo(3);
        assertThat(SessionTransitions.clockCameBack(new Lane(entry(NOW), 3), NOW)
                        .isEmpty())
                .isTrue();
    }

    @Test
    @DisplayName("O4.5: marking leaves a suspended lane alone, and marking again refreshes reason and time")
    void mark() {
        assertThat(SessionTransitions.markToBeResumed(
                                new Lane(entry(LATELY).suspended(), 3), ResumeReason.RESTART_TIMEOUT, NOW)
                        .isEmpty())
                .isTrue();
        Lane once = SessionTransitions.markToBeResumed(new Lane(entry(LATELY), 3), ResumeReason.RESTART_TIMEOUT, LATELY)
                .after()
                .orElseThrow();
        Lane again = SessionTransitions.markToBeResumed(once, ResumeReason.SHUTDOWN_TIMEOUT, NOW)
                .after()
                .orElseThrow();
        assertThat(again.entry().toBeResumed()).hasValueSatisfying(mark -> {
            assertThat(mark.reason()).contains(ResumeReason.SHUTDOWN_TIMEOUT);
            assertThat(mark.markedAt()).contains(NOW);
        });
        assertThat(again.epoch()).isEqualTo(3);
    }

    @Test
    @DisplayName("O4.6: clearing takes away the mark that was seen, and not one made since")
    void clear() {
        SessionEntry marked = entry(LATELY).markedForResume(ResumeReason.RESTART_TIMEOUT, LATELY);
        Transition cleared = SessionTransitions.clearMark(new Lane(marked, 3), NOW);
        assertThat(cleared.preconditions()).isEmpty();
        Change.TouchLane touch = (Change.TouchLane) cleared.changes().get(0);
        assertThat(touch.applyTo(marked).toBeResumed()).isEmpty();
        SessionEntry newer = entry(LATELY).markedForResume(ResumeReason.RESTART_TIMEOUT, NOW);
        assertThat(touch.applyTo(newer).toBeResumed()).isPresent();
        assertThat(SessionTransitions.clearMark(new Lane(entry(LATELY), 3), NOW).isEmpty())
                .isTrue();
    }

    @Test
    @DisplayName("D5: pruning removes the lane and ends its session with a reason that is never recovered")
    void prune() {
        Transition pruned = SessionTransitions.prune(new Lane(entry(LATELY), 3), NOW);
        assertThat(pruned.after()).isEmpty();
        assertThat(pruned.left()).contains(OLD);
        assertThat(pruned.changes())
                .contains(
                        new Change.RemoveLane(KEY),
                        new Change.EditSession(OLD, new SessionEdit.End(Ending.of(NOW, Ending.PRUNED))));
        assertThat(Ending.of(NOW, Ending.PRUNED).isRecoverable()).isFalse();
    }

    @Test
    @DisplayName(
            "W10.4, W10.6: finalising sets the flag and drops the override unless it gave up; it ends nothing (W10.5)")
    void finalise() {
        Lane lane = new Lane(entry(LATELY).withModelOverride(Optional.of(OVERRIDE)), 3);
        Lane done = SessionTransitions.finalise(lane, NOW, true, "session_expired")
                .after()
                .orElseThrow();
        assertThat(done.entry().expiryFinalized()).isTrue();
        assertThat(done.entry().modelOverride()).isEmpty();
        assertThat(done.entry().sessionId()).isEqualTo(OLD);
        Transition forced = SessionTransitions.finalise(lane, NOW, false, "gave_up");
        assertThat(forced.after().orElseThrow().entry().modelOverride()).contains(OVERRIDE);
        assertThat(forced.changes()).noneMatch(Change.EditSession.class::isInstance);
    }

    @Test
    @DisplayName("D15: a finalised entry that is used again can be finalised again")
    void finalisedEntriesComeToLife() {
        Access access = LaneAccess.decide(facts(entry(LATELY).finalised(true)), FRESH, true);
        assertThat(access.entry().expiryFinalized()).isFalse();
    }

    @Test
    @DisplayName("a reset explains itself in words, with clock, zone, policy and where the policy came from")
    void resetsAreExplained() {
        Instant now = Instant.parse("2026-03-10T03:00:00Z");
        LaneFacts facts = new LaneFacts(
                KEY,
                SOURCE,
                Optional.of(new Lane(entry(Instant.parse("2026-03-09T21:13:00Z")), 1)),
                LaneFacts.Row.LIVE,
                Optional.empty(),
                Optional.empty(),
                new AppliedPolicy(ResetPolicy.DEFAULT, "platforms.telegram.session_reset"),
                now,
                BERLIN,
                false,
                false);
        Access access = LaneAccess.decide(facts, FRESH, true);
        LaneEvent event = access.transition().history().get(0);
        assertThat(Explanation.inWords(event, ZoneId.of("UTC")))
                .isEqualTo(
                        "reset on 10 March 2026 03:00: daily boundary 04:00 Europe/Berlin, last activity 9 March 2026 21:13,"
                                + " policy platforms.telegram.session_reset");
        assertThat(Explanation.inWords(event, BERLIN))
                .isEqualTo(
                        "reset on 10 March 2026 04:00: daily boundary 04:00 Europe/Berlin, last activity 9 March 2026 22:13,"
                                + " policy platforms.telegram.session_reset");
        assertThat(event.inputs())
                .containsEntry(Explanation.CLOCK, "2026-03-10T03:00:00Z")
                .containsEntry(Explanation.BOUNDARY, "2026-03-10T03:00:00Z")
                .containsEntry(Explanation.TOKENS, "0");
    }

    private static SessionEntry entry(Instant updated) {
        return SessionEntry.begin(KEY, OLD, SOURCE, updated.minus(Duration.ofMinutes(1)), Beginning.ordinary())
                .usedAt(updated);
    }

    private static Session.Builder stored(SessionId id) {
        return Session.builder(id, "telegram", LATELY.minus(Duration.ofHours(1)))
                .peer(new SessionPeer(KEY, Optional.of(SOURCE)));
    }

    private static AppliedPolicy policy() {
        return new AppliedPolicy(ResetPolicy.DEFAULT.withMode(ResetMode.BOTH), "session_reset");
    }

    private static LaneFacts facts(SessionEntry entry) {
        return facts(Optional.of(new Lane(entry, 4)), false, LaneFacts.Row.LIVE);
    }

    private static LaneFacts facts(Optional<Lane> lane, boolean forced, LaneFacts.Row row) {
        return new LaneFacts(
                KEY, SOURCE, lane, row, Optional.empty(), Optional.empty(), policy(), NOW, BERLIN, false, forced);
    }

    private static LaneFacts recoverable(Optional<Lane> lane, LaneFacts.Row row, Session found) {
        return new LaneFacts(
                KEY, SOURCE, lane, row, Optional.empty(), Optional.of(found), policy(), NOW, BERLIN, false, false);
    }
}
