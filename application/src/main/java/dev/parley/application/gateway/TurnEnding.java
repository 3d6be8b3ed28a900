package dev.parley.application.gateway;

import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.Transition;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.text.Spans;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageUpdate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ends turns: what an agent's last report stores and says, in one batch with the end of the turn; then the answer is delivered. */
final class TurnEnding {
    private final Workings works;
    private final SessionKey key;
    private final LaneDesk desk;
    private final LaneMemory memory;

    TurnEnding(LaneDesk desk) {
        this.works = desk.works;
        this.key = desk.key();
        this.desk = desk;
        this.memory = desk.memory;
    }

    void timedOut(TurnRun current, TokenUsage tokens, long calls) {
        fail(
                current,
                "The agent did nothing for "
                        + Spans.inFull(works.settings.turns().timeout())
                        + ", so the task was stopped. Please try again.",
                tokens,
                calls);
    }

    /** How a turn ends: what is stored besides, and what is said. */
    private static final class End {
        final Turn.State state;
        final List<Change> changes = new ArrayList<>();
        Optional<String> reply = Optional.empty();
        String answer = "";
        String closed = "";
        boolean real;
        boolean closesAgent;
        Optional<Lane> lane = Optional.empty();
        List<Precondition> preconditions = List.of();

        End(Turn.State state) {
            this.state = state;
        }

        void moves(Transition transition) {
            preconditions = transition.preconditions();
            changes.addAll(transition.changes());
            lane = transition.after();
        }
    }

    void answered(TurnRun current, AgentAnswer answer) {
        boolean real = !answer.content().isBlank();
        if (current.interrupted.filter(c -> c == TurnRun.Cause.TIMEOUT).isPresent() && !real) {
            timedOut(current, answer.tokens(), answer.apiCalls());
            return;
        }
        End end = new End(real ? Turn.State.COMPLETED : Turn.State.FAILED);
        end.real = real;
        SessionId before = current.session();
        SessionId session = before;
        Optional<SessionId> continued = answer.continuedAs().filter(id -> !id.equals(before));
        if (continued.isPresent()
                && memory.lane()
                        .filter(l -> l.entry().sessionId().equals(before))
                        .isPresent()) {
            continues(current, end, continued.get());
            current.messages = -1;
            session = continued.get();
        }
        if (real) {
            Message said = row(answer);
            current.stored.add(said.id());
            end.changes.add(new Change.AppendMessages(session, List.of(said)));
            end.reply = Optional.of(answer.content().plainText());
            end.answer = answer.content().plainText();
        } else {
            end.reply = Optional.of(
                    answer.apiCalls() == 0
                            ? "Your message was not processed. Please send it again."
                            : "The agent gave no answer. Please try again, perhaps in other words.");
            end.closed = "no answer";
        }
        usage(
                end,
                current,
                session,
                answer.tokens(),
                answer.apiCalls(),
                answer.model(),
                answer.billing(),
                Optional.of(answer.lastPromptTokens()));
        end(current, end);
    }

    private Message row(AgentAnswer answer) {
        return Message.builder(desk.newMessage(), Role.ASSISTANT, answer.content(), works.now())
                .reasoning(answer.reasoning())
                .finishReason(answer.finishReason().orElse(null))
                .tokenCount(
                        answer.tokens().output() > 0
                                ? (int) Math.min(
                                        Integer.MAX_VALUE, answer.tokens().output())
                                : null)
                .build();
    }

    /** The agent compressed the conversation and goes on in another session (O4.24). */
    private void continues(TurnRun current, End end, SessionId next) {
        Instant now = works.now();
        Lane before = memory.lane().orElseThrow();
        Optional<Session> old = works.storage.sessions().find(current.session());
        Session.Builder child = SessionTransitions.sessionOf(before.entry().continuedAs(next)).toBuilder();
        old.ifPresent(s -> child.parent(s.id()).model(s.model().orElse(null)));
        end.changes.add(
                new Change.EditSession(current.session(), new SessionEdit.End(Ending.of(now, Ending.COMPRESSION))));
        end.changes.add(new Change.CreateSession(child.startedAt(now).build()));
        end.moves(SessionTransitions.continueAs(before, next, now));
    }

    private void usage(
            End end,
            TurnRun current,
            SessionId session,
            TokenUsage tokens,
            long calls,
            Optional<String> model,
            Billing billing,
            Optional<Long> lastPrompt) {
        Instant now = works.now();
        end.changes.add(new Change.AddUsage(session, new UsageUpdate(tokens, calls, model, billing, false)));
        Optional<Standing.ResumePending> clears = end.real ? current.mark : Optional.empty();
        end.changes.add(new Change.TouchLane(
                key, session, now, tokens, billing.estimatedCostUsd().orElse(0.0), lastPrompt, clears));
        boolean clearing = clears.isPresent()
                && memory.lane()
                        .filter(l -> l.entry().toBeResumed().equals(clears))
                        .isPresent();
        if (clearing) {
            end.changes.add(new Change.AppendHistory(new LaneEvent(
                    key,
                    now,
                    LaneEvent.Kind.CLEARED,
                    Optional.of(session),
                    Optional.of(session),
                    clears.flatMap(Standing.ResumePending::reason)
                            .map(ResumeReason::text)
                            .orElse(""),
                    Map.of())));
        }
    }

    void failed(TurnRun current, AgentFailure failure) {
        if (current.interrupted.filter(c -> c == TurnRun.Cause.TIMEOUT).isPresent()) {
            timedOut(current, failure.tokens(), failure.apiCalls());
            return;
        }
        switch (failure.kind()) {
            case CONTEXT_TOO_LARGE -> {
                End end = new End(Turn.State.FAILED);
                end.changes.add(
                        new Change.HideMessages(current.session(), current.stored, StoredMessage.State.REWOUND));
                end.reply =
                        Optional.of("The conversation is too large for the model, so this message was not added to it."
                                + " Use /compress to shorten it or /reset to begin anew.");
                end.closed = failure.message();
                usage(
                        end,
                        current,
                        current.session(),
                        failure.tokens(),
                        failure.apiCalls(),
                        Optional.empty(),
                        Billing.NONE,
                        Optional.of(0L));
                end(current, end);
            }
            case COMPRESSION_EXHAUSTED -> exhausted(current, failure);
            default -> fail(current, failure.message(), failure.tokens(), failure.apiCalls());
        }
    }

    /** Ends a turn that did not work. */
    void fail(TurnRun current, String message, TokenUsage tokens, long calls) {
        End end = new End(Turn.State.FAILED);
        end.reply = Optional.of("Sorry, that did not work: " + message);
        end.closed = message;
        usage(end, current, current.session(), tokens, calls, Optional.empty(), Billing.NONE, Optional.of(0L));
        end(current, end);
    }

    /** The conversation cannot be made small enough: a new session begins (O4.26). */
    private void exhausted(TurnRun current, AgentFailure failure) {
        End end = new End(Turn.State.FAILED);
        end.closed = failure.message();
        end.closesAgent = true;
        end.reply = Optional.of(
                "The conversation is too large for the model and could not be compressed any further. The session"
                        + " was reset automatically; /resume goes back to it.");
        usage(
                end,
                current,
                current.session(),
                failure.tokens(),
                failure.apiCalls(),
                Optional.empty(),
                Billing.NONE,
                Optional.of(0L));
        memory.lane()
                .filter(l -> l.entry().sessionId().equals(current.session()))
                .ifPresent(before -> {
                    Instant now = works.now();
                    SessionId id = SessionId.begunAt(now, works.zone, works.ids.sessionSuffix());
                    end.moves(SessionTransitions.renew(
                            before, id, now, "compression_exhausted", Optional.empty(), Optional.empty()));
                });
        end(current, end);
    }

    void interrupted(TurnRun current, AgentAnswer partial) {
        TurnRun.Cause cause = current.interrupted.orElse(TurnRun.Cause.OPERATOR);
        if (cause == TurnRun.Cause.TIMEOUT) {
            timedOut(current, partial.tokens(), partial.apiCalls());
            return;
        }
        End end = new End(Turn.State.INTERRUPTED);
        boolean said = !partial.content().isBlank();
        if (said) {
            Message row = row(partial);
            current.stored.add(row.id());
            end.changes.add(new Change.AppendMessages(current.session(), List.of(row)));
        }
        boolean suppressed =
                cause == TurnRun.Cause.DRAIN || (cause == TurnRun.Cause.FOLLOW_UP && !memory.isQueueEmpty());
        end.closed = suppressed ? "interrupted" : "interrupted by the operator";
        if (!suppressed) {
            end.reply = Optional.of(
                    said
                            ? partial.content().plainText() + "\n\n(interrupted)"
                            : partial.apiCalls() == 0
                                    ? "Interrupted before processing started. Please send it again if it is still"
                                            + " wanted."
                                    : "Interrupted.");
        }
        usage(
                end,
                current,
                current.session(),
                partial.tokens(),
                partial.apiCalls(),
                partial.model(),
                partial.billing(),
                Optional.of(partial.lastPromptTokens()));
        end(current, end);
    }

    /** Stores the end of a turn in one batch, delivers what it says, then goes on with the next. */
    private void end(TurnRun current, End end) {
        current.phase = TurnRun.Phase.ENDING;
        current.stopWatching();
        Instant now = works.now();
        List<Precondition> preconditions = new ArrayList<>(desk.running.claimedBy(current));
        preconditions.addAll(end.preconditions);
        List<Change> changes = new ArrayList<>();
        List<Inbound> answers = List.copyOf(current.answers);
        if (!answers.isEmpty()) {
            changes.add(new Change.AppendMessages(current.session(), desk.running.rows(answers)));
            changes.addAll(Running.done(current, answers));
        }
        changes.addAll(end.changes);
        changes.add(new Change.PutTurn(current.turn.ended(end.state, now)));
        current.item
                .parts()
                .forEach(part -> changes.add(
                        new Change.PutInbound(part.claimedBy(current.turn.id()).in(Inbound.State.DONE))));
        List<Inbound> late = new ArrayList<>();
        for (Inbound steer : current.steered) {
            Inbound message = steer.as(Inbound.Kind.MESSAGE);
            late.add(message);
            changes.add(new Change.PutInbound(message));
        }
        Optional<Outgoing> reply = end.reply.map(
                text -> works.outgoing(key, current.source, text, Outgoing.Kind.REPLY, Optional.of(current.turn.id())));
        reply.ifPresent(r -> changes.add(new Change.PutOutgoing(r)));
        desk.commit(preconditions, changes, result -> {
            if (result instanceof CommitResult.Conflict c && c.failed() instanceof Precondition.LaneEpoch) {
                memory.doubt();
                current.phase = TurnRun.Phase.RUNNING;
                desk.then(() -> {
                    desk.load();
                    fail(current, LaneDesk.LOST_RACE, TokenUsage.NONE, 0);
                });
                return;
            }
            desk.running.letGo(current);
            if (!result.isCommitted()) {
                desk.running.lost(current);
                return;
            }
            answers.forEach(answer ->
                    memory.release(answer).ifPresent(waited -> desk.quietly(() -> waited.closed(BusyLane.PASSED_ON))));
            late.forEach(message -> memory.putBack(message));
            applied(changes, end.lane);
            works.tellHistory(changes);
            if (end.closesAgent) {
                works.cache.close(key);
            }
            if (end.real) {
                works.succeeded(key);
            }
            for (AnswerListener listener : current.listeners) {
                if (end.real) {
                    desk.quietly(() -> listener.finished(current.turn.id(), end.answer));
                } else {
                    reply.ifPresent(r -> desk.quietly(() -> listener.replied(r)));
                    desk.quietly(() -> listener.closed(end.closed));
                }
            }
            if (reply.isPresent()) {
                desk.outbox.add(reply.get(), () -> free(current));
            } else {
                free(current);
            }
        });
    }

    /** Ends a turn that has run for so long that it is given up (Q8.9). */
    void evict(TurnRun current) {
        if (desk.running.current() != current || current.phase != TurnRun.Phase.RUNNING) {
            return;
        }
        desk.running.interrupt(TurnRun.Cause.TIMEOUT, "Execution timed out");
        fail(
                current,
                "The task had been running for "
                        + TurnWatch.inWords(Duration.between(current.turn.startedAt(), works.now()))
                        + " and was given up for your new message.",
                TokenUsage.NONE,
                0);
    }

    /** Ends a turn whose agent does not react while the gateway stops. */
    void abandon(TurnRun current) {
        current.interrupted = Optional.of(TurnRun.Cause.DRAIN);
        End end = new End(Turn.State.INTERRUPTED);
        end.closed = "the gateway stops";
        end(current, end);
    }

    private void applied(List<Change> changes, Optional<Lane> put) {
        if (put.isPresent()) {
            memory.lane(put);
        }
        for (Change change : changes) {
            if (change instanceof Change.TouchLane touch) {
                memory.lane(memory.lane().map(l -> new Lane(touch.applyTo(l.entry()), l.epoch())));
            }
        }
    }

    /** The lane is free for its next turn. */
    private void free(TurnRun current) {
        if (desk.running.current() == current) {
            desk.running.clear();
            desk.next();
        }
    }
}
