package dev.parley.fakes.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The proof finds nothing in what a faultless run leaves, and finds each thing that is done to it. */
class ProofTest {
    private static final Instant AT = Instant.parse("2026-03-10T09:00:00Z");
    private static final SessionKey LANE = SessionKey.of("agent:main:webhook:dm:c1");
    private static final SessionId FIRST = SessionId.of("20260310_090000_00000001");
    private static final SessionId SECOND = SessionId.of("20260310_090001_00000002");
    private static final SessionSource SOURCE =
            SessionSource.builder(Platform.WEBHOOK, "c1").build();

    /** Two messages, {@code /new}, a third that is dropped by {@code /stop}, and two that share a turn. */
    private final Remains remains = new Remains();

    ProofTest() {
        remains.created(FIRST);
        remains.ran(1, FIRST);
        remains.ran(2, FIRST);
        remains.command(3, Said.Kind.NEW, "/new");
        remains.changed(LaneEvent.Kind.RENEWED, FIRST, SECOND, "new");
        remains.dropped(4);
        remains.command(5, Said.Kind.STOP, "/stop");
        remains.ran(SECOND, 6, 7);
    }

    private static List<Violation.Kind> kinds(Remains remains) {
        return Proof.violations(remains.evidence()).stream()
                .map(Violation::kind)
                .distinct()
                .toList();
    }

    private static String token(int number) {
        return Tokens.of("c1", number);
    }

    @Test
    void aFaultlessRunIsProved() {
        assertThat(Proof.violations(remains.evidence())).isEmpty();
    }

    @Test
    void anAcknowledgedMessageThatIsNotInTheQueueIsLost() {
        remains.inbounds.removeIf(inbound -> inbound.text().contains(token(2)));
        assertThat(kinds(remains)).contains(Violation.Kind.LOST);
    }

    @Test
    void aMessageThatWasNeverAcknowledgedMayBeMissing() {
        remains.said(8, Said.Kind.TEXT, Set.of());
        assertThat(kinds(remains)).isEmpty();
    }

    @Test
    void anAcknowledgedMessageWithoutARowIsLost() {
        remains.rows.removeIf(row -> row.message().content().plainText().contains(token(7)));
        assertThat(kinds(remains)).contains(Violation.Kind.LOST);
    }

    @Test
    void anAcknowledgedMessageWithoutATurnIsLost() {
        remains.turns.remove(1);
        assertThat(kinds(remains)).contains(Violation.Kind.LOST);
    }

    @Test
    void aMessageTakenOutOfTheQueueWithoutACommandIsLost() {
        remains.inbounds.replaceAll(
                inbound -> inbound.text().contains(token(7)) ? inbound.in(Inbound.State.DROPPED) : inbound);
        assertThat(kinds(remains)).contains(Violation.Kind.LOST);
    }

    @Test
    void whatAWaitingCommandQueuedMayBeDroppedByACommandThatWaitedBehindIt() {
        remains.queuedLate(4, Inbound.State.DROPPED);
        assertThat(kinds(remains)).isEmpty();
        remains.inbounds.removeIf(inbound -> inbound.text().equals("/stop"));
        assertThat(kinds(remains)).contains(Violation.Kind.LOST);
    }

    @Test
    void aCommandThatWaitedAtAnotherNodeMayBeDroppedByALaterOne() {
        remains.posted(4);
        assertThat(kinds(remains)).isEmpty();
    }

    @Test
    void aCommandThatWaitedAtAnotherNodeAndIsDroppedWithoutALaterOneIsLost() {
        remains.posted(7);
        assertThat(kinds(remains)).contains(Violation.Kind.LOST);
    }

    @Test
    void aMessageThatIsTakenOutOfTheQueueAndRunsIsMisplaced() {
        remains.row(SECOND, Role.USER, token(4));
        assertThat(kinds(remains)).contains(Violation.Kind.MISPLACED);
    }

    @Test
    void aMessageInTwoRowsIsDoubled() {
        remains.row(SECOND, Role.USER, token(6));
        assertThat(kinds(remains)).contains(Violation.Kind.DOUBLED);
    }

    @Test
    void aMessageThatIsStoredTwiceIsDoubled() {
        remains.inbounds.add(
                remains.inbound("in-again", 99, Inbound.Kind.MESSAGE, token(2), Inbound.State.DONE, remains.named(2)));
        assertThat(kinds(remains)).contains(Violation.Kind.DOUBLED);
    }

    @Test
    void aMessageThatRanInTwoTurnsIsDoubled() {
        remains.turn(SECOND, 2);
        assertThat(kinds(remains)).contains(Violation.Kind.DOUBLED);
    }

    @Test
    void aMessageAcknowledgedUnderTwoIdsIsDoubled() {
        remains.said.replaceAll(said -> said.number() == 2
                ? new Said(LANE, 2, said.kind(), said.token(), said.name(), Set.of("in-2", "in-22"))
                : said);
        assertThat(kinds(remains)).contains(Violation.Kind.DOUBLED);
    }

    @Test
    void aModelAskedTwiceAboutOneMessageIsDoubled() {
        remains.calls.add(List.of(token(6)));
        assertThat(kinds(remains)).contains(Violation.Kind.DOUBLED);
    }

    @Test
    void aCommandAnsweredTwiceIsDoubled() {
        remains.reply("o-again", Optional.empty(), "A new session has begun.");
        remains.delivered("o-again", "A new session has begun.");
        assertThat(kinds(remains)).containsExactly(Violation.Kind.DOUBLED);
    }

    @Test
    void aCommandThatTookEffectTwiceIsDoubled() {
        SessionId third = SessionId.of("20260310_090002_00000003");
        remains.changed(LaneEvent.Kind.RENEWED, SECOND, third, "new");
        assertThat(kinds(remains)).containsExactly(Violation.Kind.DOUBLED);
    }

    @Test
    void messagesOfALaneThatRanTheOtherWayRoundAreDisordered() {
        remains.swapTexts(remains.rows, token(1), token(2));
        assertThat(kinds(remains)).contains(Violation.Kind.DISORDERED);
    }

    @Test
    void mergedMessagesTheOtherWayRoundAreDisordered() {
        remains.swapTexts(remains.rows, token(6) + " " + token(7), token(7) + " " + token(6));
        assertThat(kinds(remains)).contains(Violation.Kind.DISORDERED);
    }

    @Test
    void anAnswerThatOvertakesAnotherIsDisordered() {
        remains.deliveries.add(remains.deliveries.remove(0));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.DISORDERED);
    }

    @Test
    void anAnswerStandsWherePeopleWereFirstShownItButBehindTheAnswersBeforeIt() {
        Outgoing banner = remains.outgoing(
                "o-banner", Outgoing.Kind.BANNER, Optional.empty(), "Stopping.", Outgoing.State.DELIVERED);
        Outgoing answer = remains.outgoing.get(remains.outgoing.size() - 1);
        remains.outgoing.add(remains.outgoing.size() - 1, banner);
        remains.delivered("o-banner", "Stopping.");
        assertThat(kinds(remains)).containsExactly(Violation.Kind.DISORDERED);

        remains.outgoing.set(
                remains.outgoing.size() - 1, answer.toBuilder().replaces("7").build());
        assertThat(kinds(remains)).isEmpty();

        remains.deliveries.add(0, remains.deliveries.remove(remains.deliveries.size() - 2));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.DISORDERED);
    }

    @Test
    void anAnswerThatWasDeliveredAgainIsNot() {
        remains.deliveries.add(remains.deliveries.get(0));
        assertThat(kinds(remains)).isEmpty();
    }

    @Test
    void anAnswerThatNeverReachedThePlatformIsUndelivered() {
        remains.deliveries.remove(1);
        assertThat(kinds(remains)).containsExactly(Violation.Kind.UNDELIVERED);
    }

    @Test
    void anAnswerThatIsStillToBeSentIsUndelivered() {
        remains.outgoing.replaceAll(message -> message.id().value().equals("o-t-1")
                ? remains.outgoing("o-t-1", message.turn(), message.text(), Outgoing.State.ATTEMPTED)
                : message);
        assertThat(kinds(remains)).containsExactly(Violation.Kind.UNDELIVERED);
    }

    @Test
    void anAnswerThatWasReportedAsExpiredIsNot() {
        remains.deliveries.remove(0);
        remains.outgoing.replaceAll(message -> message.id().value().equals("o-t-1") ? message.expired() : message);
        assertThat(kinds(remains)).isEmpty();
    }

    @Test
    void aTurnWithAnAnswerThatWasNotStoredForItsPeopleIsUndelivered() {
        remains.outgoing.removeIf(message -> message.id().value().equals("o-t-1"));
        remains.deliveries.removeIf(delivery -> delivery.id().equals("o-t-1"));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.UNDELIVERED);
    }

    @Test
    void somethingThatReachedThePlatformUnstoredIsMisplaced() {
        remains.delivered("o-nobody", "Heard nothing");
        assertThat(kinds(remains)).containsExactly(Violation.Kind.MISPLACED);
    }

    @Test
    void anAnswerToSomethingElseIsMisplaced() {
        remains.outgoing.replaceAll(message -> message.id().value().equals("o-t-1")
                ? remains.outgoing("o-t-1", message.turn(), "Heard " + token(2), Outgoing.State.DELIVERED)
                : message);
        assertThat(kinds(remains)).contains(Violation.Kind.MISPLACED);
    }

    @Test
    void aModelThatDoesNotKnowWhatWasSaidBeforeHasForgotten() {
        remains.calls.set(1, List.of(token(2)));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.FORGOTTEN);
    }

    @Test
    void aModelThatIsToldSoHasNot() {
        remains.calls.set(1, List.of("[What was said before cannot be read for now.]", token(2)));
        assertThat(kinds(remains)).isEmpty();
    }

    @Test
    void aModelThatKnowsWhatWasSaidInAnotherSessionIsMisplaced() {
        remains.calls.set(2, List.of(token(1), token(6) + " " + token(7)));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.MISPLACED);
    }

    @Test
    void aSessionThatChangesWithoutACommandIsUnexplained() {
        remains.changed(LaneEvent.Kind.RESET, SECOND, SessionId.of("20260310_090002_00000003"), "daily");
        assertThat(kinds(remains)).containsExactly(Violation.Kind.UNEXPLAINED);
    }

    @Test
    void aSessionThatChangesBecauseItsLaneWasSuspendedIsExplained() {
        SessionId third = SessionId.of("20260310_090002_00000003");
        remains.event(LaneEvent.Kind.SUSPENDED, Optional.of(SECOND), SECOND, "stuck_loop");
        remains.changed(LaneEvent.Kind.RESET, SECOND, third, "suspended");
        assertThat(kinds(remains)).isEmpty();
    }

    @Test
    void aSessionThatChangesWithoutALineInTheHistoryIsUnexplained() {
        remains.history.remove(1);
        assertThat(kinds(remains)).contains(Violation.Kind.UNEXPLAINED);
    }

    @Test
    void aHistoryWithAGapIsUnexplained() {
        remains.history.set(
                1, remains.line(LaneEvent.Kind.RENEWED, Optional.of(SessionId.of("elsewhere")), SECOND, "new"));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.UNEXPLAINED);
    }

    @Test
    void aSessionThatWasLeftAndComesBackIsRevived() {
        remains.changed(LaneEvent.Kind.SWITCHED, SECOND, FIRST, "resume");
        assertThat(kinds(remains)).contains(Violation.Kind.REVIVED);
    }

    @Test
    void aRowInASessionThatWasLeftIsRevived() {
        remains.row(FIRST, Role.ASSISTANT, "too late");
        assertThat(kinds(remains)).containsExactly(Violation.Kind.REVIVED);
    }

    @Test
    void aLaneInASessionThatHasEndedIsRevived() {
        remains.ended.add(SECOND);
        assertThat(kinds(remains)).containsExactly(Violation.Kind.REVIVED);
    }

    @Test
    void aMessageThatStillWaitsIsUnfinished() {
        remains.inbounds.replaceAll(
                inbound -> inbound.text().equals("/stop") ? inbound : inbound.in(Inbound.State.ADMITTED));
        assertThat(kinds(remains)).contains(Violation.Kind.UNFINISHED);
    }

    @Test
    void aTurnWithoutAnEndIsUnfinished() {
        remains.turns.replaceAll(turn -> new Turn(
                turn.id(),
                turn.lane(),
                turn.session(),
                turn.run(),
                turn.inputs(),
                turn.startedAt(),
                Turn.State.CLAIMED,
                Optional.empty()));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.UNFINISHED);
    }

    // ---- several nodes

    @Test
    void aRowThatAnotherThanTheHolderStoresIsFenced() {
        remains.writes.add(remains.write(30, "n1-1", "parley_outgoing", "o-t-1", "delivered", false, Optional.empty()));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.FENCED);
    }

    @Test
    void aRowThatIsStoredWhileNobodyHoldsTheLaneIsFenced() {
        remains.writes.add(new NodeLog.Write(
                AT.plusSeconds(30),
                "n1-1",
                LANE,
                "parley_messages",
                "m-9",
                "user",
                true,
                Optional.empty(),
                Optional.empty(),
                1));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.FENCED);
    }

    @Test
    void aMessageThatIsLeftForTheHolderIsNot() {
        remains.writes.add(remains.write(30, "n1-1", "parley_inbound", "in-9", "admitted", true, Optional.empty()));
        assertThat(kinds(remains)).isEmpty();
    }

    @Test
    void aMessageThatAnotherThanTheHolderChangesIsFenced() {
        remains.writes.add(remains.write(30, "n1-1", "parley_inbound", "in-9", "admitted", false, Optional.empty()));
        remains.writes.add(remains.write(31, "n1-1", "parley_inbound", "in-9", "dropped", true, Optional.empty()));
        assertThat(Proof.violations(remains.evidence()))
                .extracting(Violation::kind)
                .containsExactly(Violation.Kind.FENCED, Violation.Kind.FENCED);
    }

    @Test
    void aTurnThatIsClaimedUnderAnOlderTokenIsFenced() {
        remains.writes.add(remains.write(30, "n2-1", "parley_turns", "t-9", "claimed", true, Optional.of(1L)));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.FENCED);
    }

    @Test
    void aTurnThatIsClaimedUnderNoTokenIsFenced() {
        remains.writes.add(remains.write(30, "n2-1", "parley_turns", "t-9", "claimed", true, Optional.empty()));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.FENCED);
    }

    @Test
    void aTurnThatBeginsWhileAnotherOneRunsIsFenced() {
        remains.writes.add(remains.write(30, "n2-1", "parley_turns", "t-8", "claimed", true, Optional.of(2L)));
        remains.writes.add(remains.write(31, "n2-1", "parley_turns", "t-9", "claimed", true, Optional.of(2L)));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.FENCED);
    }

    @Test
    void aTurnThatBeginsWhenTheOneBeforeWasCutOffIsNot() {
        remains.writes.add(remains.write(30, "n2-1", "parley_turns", "t-8", "claimed", true, Optional.of(2L)));
        remains.writes.add(remains.write(31, "n2-1", "parley_turns", "t-8", "interrupted", false, Optional.of(2L)));
        remains.writes.add(remains.write(32, "n2-1", "parley_turns", "t-9", "claimed", true, Optional.of(2L)));
        assertThat(kinds(remains)).isEmpty();
    }

    @Test
    void aLaneThatIsTakenFromItsHolderIsFenced() {
        remains.takes.add(remains.take(30, Optional.of("n1-1#b"), Optional.of("n2-1#a"), 3));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.FENCED);
    }

    @Test
    void aLaneThatIsTakenUnderTheSameTokenIsFenced() {
        remains.takes.add(remains.take(30, Optional.empty(), Optional.of("n2-1#a"), 2));
        remains.takes.add(remains.take(31, Optional.of("n1-1#b"), Optional.empty(), 2));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.FENCED);
    }

    @Test
    void aTokenThatFallsIsFenced() {
        remains.takes.add(remains.take(30, Optional.empty(), Optional.of("n2-1#a"), 1));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.FENCED);
    }

    @Test
    void aLaneOfWhichAChangeIsMissingIsFenced() {
        remains.takes.remove(1);
        assertThat(kinds(remains)).containsExactly(Violation.Kind.FENCED);
    }

    @Test
    void aCallOfAModelByANodeThatHasLostTheLaneStrays() {
        remains.effects.add(new NodeLog.Effect(AT.plusSeconds(30), "n1-1", token(6)));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.STRAYED);
    }

    @Test
    void aMessageSentByANodeThatNeverHadTheLaneStrays() {
        remains.effects.add(new NodeLog.Effect(AT.plusSeconds(30), "n3-1", "o-t-1"));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.STRAYED);
    }

    @Test
    void aNodeThatWasPausedMeanwhileIsExcusedAndCounted() {
        remains.effects.add(new NodeLog.Effect(AT.plusSeconds(30), "n1-1", token(6)));
        remains.troubles.add(new NodeLog.Trouble("n1-1", "PAUSE", AT.plusSeconds(15), AT.plusSeconds(25)));
        assertThat(kinds(remains)).isEmpty();
        assertThat(NodeProof.effectsOfStaleNodes(remains.evidence())).hasSize(1);
    }

    @Test
    void aNodeThatWasPausedMayKnowMoreThanWasSaidBeforeAndNothingLess() {
        remains.calls.set(0, List.of(token(2), token(1)));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.MISPLACED);
        remains.effects.add(new NodeLog.Effect(AT.plusSeconds(30), "n1-1", token(1)));
        remains.troubles.add(new NodeLog.Trouble("n1-1", "PAUSE", AT.plusSeconds(15), AT.plusSeconds(25)));
        assertThat(kinds(remains)).isEmpty();
        remains.effects.add(new NodeLog.Effect(AT.plusSeconds(30), "n1-1", token(2)));
        remains.calls.set(1, List.of(token(2)));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.FORGOTTEN);
    }

    @Test
    void troubleLongBeforeOrOfAnotherNodeExcusesNothing() {
        remains.effects.add(new NodeLog.Effect(AT.plusSeconds(300), "n1-1", token(6)));
        remains.troubles.add(new NodeLog.Trouble("n1-1", "PAUSE", AT.plusSeconds(15), AT.plusSeconds(25)));
        remains.troubles.add(new NodeLog.Trouble("n2-1", "PAUSE", AT.plusSeconds(295), AT.plusSeconds(305)));
        assertThat(kinds(remains)).containsExactly(Violation.Kind.STRAYED);
    }

    @Test
    void whatWasOnItsWayWhenTheLaneWasTakenDoesNotStray() {
        remains.effects.add(new NodeLog.Effect(AT.plusSeconds(14), "n1-1", token(6)));
        assertThat(kinds(remains)).isEmpty();
    }

    @Test
    void aLaneThatIsHeldByNobodyAliveIsUnfinished() {
        remains.left.add("the lane c1 is held by n1-1#b");
        assertThat(kinds(remains)).containsExactly(Violation.Kind.UNFINISHED);
    }

    /** What a run leaves, to be written and falsified line by line. */
    private static final class Remains {
        final List<Said> said = new ArrayList<>();
        final List<Delivery> deliveries = new ArrayList<>();
        final List<List<String>> calls = new ArrayList<>();
        final List<Inbound> inbounds = new ArrayList<>();
        final List<Turn> turns = new ArrayList<>();
        final List<Outgoing> outgoing = new ArrayList<>();
        final List<StoredMessage> rows = new ArrayList<>();
        final List<LaneEvent> history = new ArrayList<>();
        final List<SessionId> ended = new ArrayList<>();
        final List<NodeLog.Write> writes = new ArrayList<>();
        final List<NodeLog.Take> takes = new ArrayList<>();
        final List<NodeLog.Effect> effects = new ArrayList<>();
        final List<NodeLog.Trouble> troubles = new ArrayList<>();
        final List<String> left = new ArrayList<>();
        private final Map<SessionId, List<String>> asked = new LinkedHashMap<>();
        private SessionId current = FIRST;

        /** One node has the lane for ten seconds, and then another one. */
        Remains() {
            takes.add(take(0, Optional.of("n1-1#a"), Optional.empty(), 1));
            takes.add(take(10, Optional.empty(), Optional.of("n1-1#a"), 1));
            takes.add(take(10, Optional.of("n2-1#a"), Optional.empty(), 2));
            writes.add(new NodeLog.Write(
                    AT.plusSeconds(1),
                    "n1-1",
                    LANE,
                    "parley_turns",
                    "t-1",
                    "claimed",
                    true,
                    Optional.of(1L),
                    Optional.of("n1-1#a"),
                    1));
            writes.add(write(12, "n2-1", "parley_turns", "t-1", "interrupted", false, Optional.of(1L)));
            effects.add(new NodeLog.Effect(AT.plusSeconds(2), "n1-1", token(1)));
            effects.add(new NodeLog.Effect(AT.plusSeconds(20), "n2-1", token(6)));
        }

        NodeLog.Take take(int second, Optional<String> life, Optional<String> before, long token) {
            return new NodeLog.Take(AT.plusSeconds(second), LANE, life, before, token);
        }

        /** A row that is stored while the second node has the lane. */
        NodeLog.Write write(
                int second, String by, String what, String id, String state, boolean isNew, Optional<Long> token) {
            return new NodeLog.Write(
                    AT.plusSeconds(second), by, LANE, what, id, state, isNew, token, Optional.of("n2-1#a"), 2);
        }

        Evidence evidence() {
            List<Session> sessions = asked.keySet().stream()
                    .map(id -> Session.builder(id, "webhook", AT)
                            .ending(ended.contains(id) ? Ending.of(AT, "new") : null)
                            .build())
                    .toList();
            return new Evidence(
                    said,
                    deliveries,
                    calls,
                    inbounds,
                    turns,
                    outgoing,
                    rows,
                    sessions,
                    history,
                    Map.of(LANE, current),
                    new NodeLog(writes, takes, effects, troubles, left));
        }

        PlatformMessage named(int number) {
            return new PlatformMessage(Platform.WEBHOOK, "c1", "c1-" + number);
        }

        void said(int number, Said.Kind kind, Set<String> acknowledgements) {
            String token = kind == Said.Kind.TEXT ? token(number) : "";
            said.add(new Said(LANE, number, kind, token, named(number), acknowledgements));
        }

        void created(SessionId session) {
            event(LaneEvent.Kind.CREATED, Optional.empty(), session, "first_message");
            asked.put(session, new ArrayList<>());
            current = session;
        }

        void changed(LaneEvent.Kind kind, SessionId from, SessionId to, String reason) {
            event(kind, Optional.of(from), to, reason);
            asked.putIfAbsent(to, new ArrayList<>());
            ended.add(from);
            ended.remove(to);
            current = to;
        }

        void event(LaneEvent.Kind kind, Optional<SessionId> from, SessionId to, String reason) {
            history.add(line(kind, from, to, reason));
        }

        LaneEvent line(LaneEvent.Kind kind, Optional<SessionId> from, SessionId to, String reason) {
            return new LaneEvent(LANE, AT, kind, from, Optional.of(to), reason, Map.of());
        }

        /** Messages that share a turn. */
        void ran(SessionId session, int... numbers) {
            String text = String.join(
                    " ", Arrays.stream(numbers).mapToObj(ProofTest::token).toList());
            for (int number : numbers) {
                said(number, Said.Kind.TEXT, Set.of("in-" + number));
                inbounds.add(inbound(
                        "in-" + number,
                        number,
                        Inbound.Kind.MESSAGE,
                        token(number),
                        Inbound.State.DONE,
                        named(number)));
            }
            row(session, Role.USER, text);
            List<String> heard = new ArrayList<>(asked.getOrDefault(session, List.of()));
            heard.add(text);
            calls.add(List.copyOf(heard));
            asked.put(session, heard);
            Turn turn = turn(session, numbers);
            row(session, Role.ASSISTANT, "Heard " + text);
            reply("o-" + turn.id().value(), Optional.of(turn.id()), "Heard " + text);
            delivered("o-" + turn.id().value(), "Heard " + text);
        }

        void ran(int number, SessionId session) {
            ran(session, number);
        }

        void dropped(int number) {
            said(number, Said.Kind.TEXT, Set.of("in-" + number));
            inbounds.add(inbound(
                    "in-" + number, number, Inbound.Kind.MESSAGE, token(number), Inbound.State.DROPPED, named(number)));
        }

        /** Makes a message a {@code /queue} that was dropped before the node ran it for which it was stored. */
        void posted(int number) {
            inbounds.removeIf(inbound -> inbound.text().contains(token(number)));
            rows.removeIf(row -> row.message().content().plainText().contains(token(number)));
            inbounds.add(inbound(
                    "in-" + number,
                    number,
                    Inbound.Kind.COMMAND,
                    "/queue " + token(number),
                    Inbound.State.DROPPED,
                    named(number)));
        }

        /** Makes a message a {@code /queue} that waited as a command, and queued its text behind everything that was said. */
        void queuedLate(int number, Inbound.State state) {
            posted(number);
            inbounds.replaceAll(
                    inbound -> inbound.text().contains(token(number)) ? inbound.in(Inbound.State.DONE) : inbound);
            inbounds.add(inbound("in-late", 90, Inbound.Kind.QUEUED, token(number), state, named(number)).toBuilder()
                    .platformMessage(null)
                    .build());
        }

        void command(int number, Said.Kind kind, String text) {
            said(number, kind, Set.of("in-" + number));
            inbounds.add(
                    inbound("in-" + number, number, Inbound.Kind.COMMAND, text, Inbound.State.DONE, named(number)));
            reply("o-" + number, Optional.empty(), "Done.");
            delivered("o-" + number, "Done.");
        }

        Inbound inbound(
                String id, int ordinal, Inbound.Kind kind, String text, Inbound.State state, PlatformMessage name) {
            return new Inbound(
                    new InboundId(id),
                    LANE,
                    ordinal,
                    kind,
                    SOURCE,
                    text,
                    List.of(),
                    AT,
                    Optional.of(name),
                    state,
                    Optional.empty());
        }

        Turn turn(SessionId session, int... numbers) {
            Turn turn = new Turn(
                    new TurnId("t-" + (turns.size() + 1)),
                    LANE,
                    session,
                    new RunId("r-" + turns.size()),
                    Arrays.stream(numbers)
                            .mapToObj(number -> new InboundId("in-" + number))
                            .toList(),
                    AT,
                    Turn.State.COMPLETED,
                    Optional.of(AT));
            turns.add(turn);
            return turn;
        }

        void row(SessionId session, Role role, String text) {
            rows.add(new StoredMessage(
                    rows.size() + 1,
                    session,
                    Message.builder(new MessageId("m-" + rows.size()), role, Content.text(text), AT)
                            .build(),
                    StoredMessage.State.ACTIVE));
        }

        void reply(String id, Optional<TurnId> turn, String text) {
            outgoing.add(outgoing(id, turn, text, Outgoing.State.DELIVERED));
        }

        Outgoing outgoing(String id, Optional<TurnId> turn, String text, Outgoing.State state) {
            return outgoing(id, Outgoing.Kind.REPLY, turn, text, state);
        }

        Outgoing outgoing(String id, Outgoing.Kind kind, Optional<TurnId> turn, String text, Outgoing.State state) {
            return new Outgoing(
                    new OutgoingId(id),
                    Optional.of(LANE),
                    Platform.WEBHOOK,
                    "c1",
                    Optional.empty(),
                    text,
                    kind,
                    AT,
                    turn,
                    state,
                    1);
        }

        void delivered(String id, String text) {
            deliveries.add(new Delivery(id, text));
        }

        /** Puts each of two texts where the other stands. */
        void swapTexts(List<StoredMessage> among, String one, String other) {
            UnaryOperator<String> swap = text -> text.equals(one) ? other : text.equals(other) ? one : text;
            among.replaceAll(row -> new StoredMessage(
                    row.sequence(),
                    row.session(),
                    row.message().toBuilder()
                            .content(Content.text(
                                    swap.apply(row.message().content().plainText())))
                            .build(),
                    row.state()));
        }
    }
}
