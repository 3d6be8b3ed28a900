package dev.parley.application.lane;

import dev.parley.application.delivery.FilesInWords;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.store.SessionRows;
import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.Transition;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.text.Spans;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.turn.TurnUsage;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageUpdate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ends turns: what an agent's last report stores and says, in one batch with the end of the turn. Pure. */
final class TurnEnding {
    private final LaneState state;
    private final TurnWork turn;
    private final Moment moment;
    private final Turn.State how;
    private final List<Change> changes = new ArrayList<>();
    private final List<Message> rows = new ArrayList<>();
    private Optional<Transition> transition = Optional.empty();
    private Optional<String> reply = Optional.empty();
    private Optional<String> answer = Optional.empty();
    private List<Attachment> attachments = List.of();
    private String closed = "";
    private boolean sameSession = true;
    private boolean keepsAnswers = true;
    private boolean closesAgent;
    private Optional<TurnReason> reason = Optional.empty();
    private TurnUsage used = TurnUsage.NONE;

    private TurnEnding(LaneState state, TurnWork turn, Moment moment, Turn.State how) {
        this.state = state;
        this.turn = turn;
        this.moment = moment;
        this.how = how;
    }

    /**
     * The agent has answered, perhaps with nothing.
     *
     * @param stored the turn's session as stored, where the agent goes on in another one; absent where it is not known
     */
    static LaneStep answered(
            LaneState state,
            TurnWork turn,
            AgentAnswer answer,
            Optional<Session> stored,
            Duration timeout,
            Moment moment) {
        boolean real = !answer.isEmpty();
        if (turn.isTimedOut() && !real) {
            return timedOut(state, turn, timeout, answer.tokens(), answer.apiCalls(), moment);
        }
        TurnEnding end = new TurnEnding(
                state,
                real ? turn.saying(moment.now()) : turn,
                moment,
                real ? Turn.State.COMPLETED : Turn.State.FAILED);
        SessionId session = turn.plan().session();
        Optional<SessionId> continued = continuation(state, turn, answer);
        if (continued.isPresent()) {
            end.continues(state.lane().orElseThrow(), continued.get(), stored);
            session = continued.get();
        }
        if (real) {
            end.says(session, answer);
            end.reply = Optional.of(answer.content().plainText());
            end.answer = end.reply;
            end.attachments = answer.attachments();
        } else {
            end.reply = Optional.of(
                    answer.apiCalls() == 0
                            ? "Your message was not processed. Please send it again."
                            : "The agent gave no answer. Please try again, perhaps in other words.");
            end.closed = "no answer";
            end.reason = Optional.of(TurnReason.NO_ANSWER);
        }
        end.uses(
                session,
                answer.tokens(),
                answer.apiCalls(),
                answer.model(),
                answer.billing(),
                Optional.of(answer.lastPromptTokens()));
        return end.step();
    }

    /** Returns the session that an agent goes on in which compressed the conversation, where the lane has not left it (O4.24). */
    static Optional<SessionId> continuation(LaneState state, TurnWork turn, AgentAnswer answer) {
        SessionId session = turn.plan().session();
        return answer.continuedAs()
                .filter(id -> !id.equals(session))
                .filter(id -> state.lane()
                        .filter(l -> l.entry().sessionId().equals(session))
                        .isPresent());
    }

    /** The agent has ended without an answer. */
    static LaneStep failed(LaneState state, TurnWork turn, AgentFailure failure, Duration timeout, Moment moment) {
        if (turn.isTimedOut()) {
            return timedOut(state, turn, timeout, failure.tokens(), failure.apiCalls(), moment);
        }
        return switch (failure.kind()) {
            case CONTEXT_TOO_LARGE -> tooLarge(state, turn, failure, moment);
            case COMPRESSION_EXHAUSTED -> exhausted(state, turn, failure, moment);
            case MODEL ->
                failed(state, turn, TurnReason.MODEL, failure.message(), failure.tokens(), failure.apiCalls(), moment);
            case CONFIGURATION ->
                failed(
                        state,
                        turn,
                        TurnReason.CONFIGURATION,
                        failure.message(),
                        failure.tokens(),
                        failure.apiCalls(),
                        moment);
        };
    }

    /** The turn did not work. */
    static LaneStep failed(
            LaneState state,
            TurnWork turn,
            TurnReason reason,
            String message,
            TokenUsage tokens,
            long calls,
            Moment moment) {
        TurnEnding end = new TurnEnding(state, turn, moment, Turn.State.FAILED);
        end.reason = Optional.of(reason);
        end.reply = Optional.of("Sorry, that did not work: " + message);
        end.closed = message;
        end.failed(tokens, calls);
        return end.step();
    }

    /** The agent did nothing for too long, or nobody answered what it asked. */
    static LaneStep timedOut(
            LaneState state, TurnWork turn, Duration timeout, TokenUsage tokens, long calls, Moment moment) {
        return failed(
                state,
                turn,
                TurnReason.TIMEOUT,
                (turn.cause().equals(Optional.of(Cause.UNANSWERED))
                                ? "Nobody answered the question for "
                                : "The agent did nothing for ")
                        + Spans.inFull(timeout) + ", so the task was stopped. Please try again.",
                tokens,
                calls,
                moment);
    }

    /** A turn that has run for so long that it is given up for a new message (Q8.9). */
    static LaneStep givenUp(LaneState state, TurnWork turn, Moment moment) {
        return failed(
                state,
                turn.interrupted(Cause.TIMEOUT),
                TurnReason.TIMEOUT,
                "The task had been running for "
                        + Spans.inWords(Duration.between(turn.plan().turn().startedAt(), moment.now()))
                        + " and was given up for your new message.",
                TokenUsage.NONE,
                0,
                moment);
    }

    /** The message does not fit any more: it is not part of the conversation. */
    private static LaneStep tooLarge(LaneState state, TurnWork turn, AgentFailure failure, Moment moment) {
        TurnEnding end = new TurnEnding(state, turn, moment, Turn.State.FAILED);
        end.changes.add(new Change.HideMessages(turn.plan().session(), turn.stored(), StoredMessage.State.REWOUND));
        end.keepsAnswers = false;
        end.reply = Optional.of("The conversation is too large for the model, so this message was not added to it."
                + " Use /compress to shorten it or /reset to begin anew.");
        end.closed = failure.message();
        end.reason = Optional.of(TurnReason.CONTEXT_TOO_LARGE);
        end.failed(failure.tokens(), failure.apiCalls());
        return end.step();
    }

    /** The conversation cannot be made small enough: a new session begins (O4.26). */
    private static LaneStep exhausted(LaneState state, TurnWork turn, AgentFailure failure, Moment moment) {
        TurnEnding end = new TurnEnding(state, turn, moment, Turn.State.FAILED);
        end.closed = failure.message();
        end.reason = Optional.of(TurnReason.COMPRESSION_EXHAUSTED);
        end.closesAgent = true;
        end.reply = Optional.of(
                "The conversation is too large for the model and could not be compressed any further. The session"
                        + " was reset automatically; /resume goes back to it.");
        end.failed(failure.tokens(), failure.apiCalls());
        state.lane()
                .filter(l -> l.entry().sessionId().equals(turn.plan().session()))
                .ifPresent(before -> end.moves(SessionTransitions.renew(
                        before,
                        moment.session(),
                        moment.now(),
                        "compression_exhausted",
                        Optional.empty(),
                        Optional.empty())));
        return end.step();
    }

    /** The agent has ended because it was asked to. */
    static LaneStep interrupted(LaneState state, TurnWork turn, AgentAnswer partial, Duration timeout, Moment moment) {
        Cause cause = turn.cause().orElse(Cause.OPERATOR);
        if (turn.isTimedOut()) {
            return timedOut(state, turn, timeout, partial.tokens(), partial.apiCalls(), moment);
        }
        TurnEnding end = new TurnEnding(state, turn, moment, Turn.State.INTERRUPTED);
        end.reason = Optional.of(reason(cause));
        boolean said = !partial.isEmpty();
        if (said) {
            end.says(turn.plan().session(), partial);
        }
        boolean suppressed = cause == Cause.DRAIN
                || (cause == Cause.FOLLOW_UP && !state.waiting().isEmpty());
        end.closed = suppressed ? "interrupted" : "interrupted by the operator";
        if (!suppressed) {
            end.attachments = partial.attachments();
            end.reply = Optional.of(
                    said
                            ? (partial.content().plainText() + "\n\n(interrupted)").strip()
                            : partial.apiCalls() == 0
                                    ? "Interrupted before processing started. Please send it again if it is still"
                                            + " wanted."
                                    : "Interrupted.");
        }
        end.uses(
                turn.plan().session(),
                partial.tokens(),
                partial.apiCalls(),
                partial.model(),
                partial.billing(),
                Optional.of(partial.lastPromptTokens()));
        return end.step();
    }

    /** The gateway stops, and the agent does not react. */
    static LaneStep abandoned(LaneState state, TurnWork turn, Moment moment) {
        TurnEnding end = new TurnEnding(state, turn.interrupted(Cause.DRAIN), moment, Turn.State.INTERRUPTED);
        end.closed = "the gateway stops";
        end.reason = Optional.of(TurnReason.RESTART);
        return end.step();
    }

    private static TurnReason reason(Cause cause) {
        return switch (cause) {
            case FOLLOW_UP -> TurnReason.NEWER_MESSAGE;
            case OPERATOR -> TurnReason.OPERATOR;
            case TIMEOUT, UNANSWERED -> TurnReason.TIMEOUT;
            case DRAIN -> TurnReason.RESTART;
        };
    }

    // ------------------------------------------------------------------ what is collected

    private void says(SessionId session, AgentAnswer said) {
        Message row = moment.message(Role.ASSISTANT, FilesInWords.content(said))
                .reasoning(said.reasoning())
                .finishReason(said.finishReason().orElse(null))
                .tokenCount(
                        said.tokens().output() > 0
                                ? (int) Math.min(
                                        Integer.MAX_VALUE, said.tokens().output())
                                : null)
                .build();
        rows.add(row);
        changes.add(new Change.AppendMessages(session, List.of(row)));
    }

    private void moves(Transition next) {
        transition = Optional.of(next);
        changes.addAll(next.changes());
    }

    private void continues(Lane before, SessionId next, Optional<Session> stored) {
        sameSession = false;
        Session.Builder child = SessionRows.of(before.entry().continuedAs(next)).toBuilder();
        stored.ifPresent(s -> child.parent(s.id()).model(s.model().orElse(null)));
        changes.add(new Change.EditSession(
                turn.plan().session(), new SessionEdit.End(Ending.of(moment.now(), Ending.COMPRESSION))));
        changes.add(new Change.CreateSession(child.startedAt(moment.now()).build()));
        moves(SessionTransitions.continueAs(before, next, moment.now()));
    }

    private void failed(TokenUsage tokens, long calls) {
        uses(turn.plan().session(), tokens, calls, Optional.empty(), Billing.NONE, Optional.of(0L));
    }

    private void uses(
            SessionId session,
            TokenUsage tokens,
            long calls,
            Optional<String> model,
            Billing billing,
            Optional<Long> lastPrompt) {
        used = new TurnUsage(model, billing.provider(), tokens, calls, 0, billing.estimatedCostUsd(), Optional.empty());
        changes.add(new Change.AddUsage(
                session, new UsageUpdate(tokens, calls, model, billing, false), Optional.of(moment.now())));
        Optional<Standing.ResumePending> clears = answer.isPresent() ? mark() : Optional.empty();
        changes.add(new Change.TouchLane(
                moment.lane(),
                session,
                moment.now(),
                tokens,
                billing.estimatedCostUsd().orElse(0.0),
                lastPrompt,
                clears));
        boolean clearing = clears.isPresent()
                && state.lane()
                        .filter(l -> l.entry().toBeResumed().equals(clears))
                        .isPresent();
        if (clearing) {
            changes.add(new Change.AppendHistory(new LaneEvent(
                    moment.lane(),
                    moment.now(),
                    LaneEvent.Kind.CLEARED,
                    Optional.of(session),
                    Optional.of(session),
                    clears.flatMap(Standing.ResumePending::reason)
                            .map(ResumeReason::text)
                            .orElse(""),
                    Map.of())));
        }
    }

    /** Returns the mark that a success clears: the one that the turn was claimed with, or that of the drain that cut it off in vain (P7.33). */
    private Optional<Standing.ResumePending> mark() {
        return turn.cause().equals(Optional.of(Cause.DRAIN))
                ? state.lane()
                        .map(Lane::entry)
                        .filter(entry -> entry.sessionId().equals(turn.plan().session()))
                        .flatMap(SessionEntry::toBeResumed)
                : turn.plan().mark();
    }

    private LaneStep step() {
        List<Inbound> late =
                turn.steered().stream().map(s -> s.as(Inbound.Kind.MESSAGE)).toList();
        LaneStep.Draft step = new LaneStep.Draft(state)
                .ofTurn()
                .during(state.with(new TurnSlot.Ending(turn)))
                .require(turn.claim())
                .require(transition.map(Transition::preconditions).orElse(List.of()));
        List<Message> answers = keepsAnswers ? TurnRows.said(turn.plan(), turn.answers(), moment) : List.of();
        if (!answers.isEmpty()) {
            step.store(new Change.AppendMessages(turn.plan().session(), answers));
            rows.addAll(answers);
        }
        step.store(TurnRows.done(turn.plan(), turn.answers()))
                .store(changes)
                .store(new Change.PutTurn(ended()))
                .store(TurnRows.done(turn.plan(), turn.plan().parts()))
                .store(late.stream().map(Change.PutInbound::new).toList());
        Optional<Outgoing> said =
                reply.map(text -> moment
                        .outgoing(
                                turn.plan().source(),
                                text,
                                Outgoing.Kind.REPLY,
                                Optional.of(turn.plan().turn().id()))
                        .toBuilder()
                        .attachments(attachments)
                        .replyTo(turn.plan().answered().orElse(null))
                        .cause(turn.plan().cause())
                        .build());
        said.ifPresent(r -> step.store(new Change.PutOutgoing(r)));
        step.after(s -> {
            LaneState next = s.storing(changes).with(TurnSlot.free());
            for (Inbound message : late) {
                next = next.with(next.waiting().with(message));
            }
            return next;
        });
        effects(step, said);
        return step.done();
    }

    private Turn ended() {
        TurnUsage known = turn.plan().turn().usage();
        TurnUsage whole = used.withToolCalls(known.toolCalls());
        Turn ended = turn.plan()
                .turn()
                .ended(how, moment.now())
                .used(known.firstWordAt().map(whole::answeringAt).orElse(whole));
        return reason.map(why -> ended.because(why).noted(closed)).orElse(ended);
    }

    private void effects(LaneStep.Draft step, Optional<Outgoing> said) {
        step.then(new Effect.LetGo(
                sameSession ? turn.stored().size() + rows.size() : -1,
                turn.cause().isPresent()));
        Histories.told(changes).forEach(step::then);
        if (closesAgent) {
            step.then(new Effect.CloseAgent());
        }
        Histories.finalized(state.lane(), changes).forEach(step::then);
        List<InboundId> awaited = turn.awaited();
        if (answer.isPresent()) {
            step.then(new Effect.Succeeded()).then(new Effect.Finish(awaited, said.orElseThrow()));
        } else {
            said.ifPresent(r -> awaited.forEach(each -> step.then(new Effect.Reply(each, r))));
            step.then(new Effect.Close(awaited, closed));
        }
        said.ifPresent(r -> step.then(new Effect.DeliverAnswer(r)));
    }
}
