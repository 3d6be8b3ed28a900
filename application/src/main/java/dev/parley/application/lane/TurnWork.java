package dev.parley.application.lane;

import dev.parley.application.port.AgentQuestion;
import dev.parley.application.turn.TurnPlan;
import dev.parley.application.turn.TurnWatch;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A claimed turn and how far it has come.
 *
 * @param plan the turn as it was claimed
 * @param watch what its people were told of it
 * @param lastEvent when its agent last reported something
 * @param open what its agent has asked and waits for; absent where it waits for nothing
 * @param cause why its agent was asked to end; absent where it was not
 * @param stored the messages that this run has stored, its input first
 * @param steered input that the agent took while it ran and that is not stored yet
 * @param answers answers to the agent's questions that it took and that are not stored yet
 * @param answerers the messages by which its agent's questions were answered: their senders wait for the turn's answer too
 */
record TurnWork(
        TurnPlan plan,
        TurnWatch watch,
        Instant lastEvent,
        Optional<OpenQuestion> open,
        Optional<Cause> cause,
        List<MessageId> stored,
        List<Inbound> steered,
        List<Inbound> answers,
        List<InboundId> answerers) {
    /**
     * What an agent waits for.
     *
     * @param question what it asked
     * @param message the message in which its people were asked
     */
    record OpenQuestion(AgentQuestion question, OutgoingId message) {}

    TurnWork {
        answerers = List.copyOf(answerers);
        stored = List.copyOf(stored);
        steered = List.copyOf(steered);
        answers = List.copyOf(answers);
    }

    static TurnWork of(TurnPlan plan, TurnWatch watch) {
        return new TurnWork(
                plan,
                watch,
                plan.turn().startedAt(),
                Optional.empty(),
                Optional.empty(),
                List.of(plan.input().id()),
                List.of(),
                List.of(),
                List.of());
    }

    /** Returns what must hold of everything that a run stores (commit rule 4). */
    Precondition claim() {
        return new Precondition.TurnClaimed(plan.turn().id(), plan.run());
    }

    /** Returns the admitted messages that the agent holds: answers first. */
    List<Inbound> taken() {
        return joined(answers, steered);
    }

    /** Returns whether its agent was asked to end because nothing came for too long, of it or of its people. */
    boolean isTimedOut() {
        return cause.filter(why -> why == Cause.TIMEOUT || why == Cause.UNANSWERED)
                .isPresent();
    }

    /** Returns this with the time when its agent began; unchanged where that is not known, or known already. */
    TurnWork begun(Optional<Instant> since) {
        Turn turn = plan.turn();
        return turn.workingSince().isPresent()
                ? this
                : since.map(at -> knowing(turn.working(at))).orElse(this);
    }

    /** Returns this after a piece of the answer came. */
    TurnWork saying(Instant at) {
        Turn turn = plan.turn();
        return turn.usage().firstWordAt().isPresent()
                ? this
                : knowing(turn.used(turn.usage().answeringAt(at)));
    }

    /** Returns this after the agent called so many tools. */
    TurnWork calling(int tools) {
        Turn turn = plan.turn();
        return knowing(turn.used(turn.usage().withToolCalls(turn.usage().toolCalls() + tools)));
    }

    private TurnWork knowing(Turn turn) {
        return new TurnWork(plan.with(turn), watch, lastEvent, open, cause, stored, steered, answers, answerers);
    }

    /** Returns this after the agent reported something, which ends its question. */
    TurnWork heard(Instant at) {
        return new TurnWork(plan, watch, at, Optional.empty(), cause, stored, steered, answers, answerers);
    }

    /** Returns this as it is now: what lies in the future, by a clock that was set back, counts as now. */
    TurnWork at(Instant now) {
        Instant heard = lastEvent.isAfter(now) ? now : lastEvent;
        return new TurnWork(plan, watch.at(now), heard, open, cause, stored, steered, answers, answerers);
    }

    TurnWork watched(TurnWatch next) {
        return new TurnWork(plan, next, lastEvent, open, cause, stored, steered, answers, answerers);
    }

    /** Returns this while its agent waits for the answer to a question. */
    TurnWork asking(AgentQuestion question, OutgoingId message) {
        return asking(Optional.of(new OpenQuestion(question, message)));
    }

    /** Returns this while its agent waits for no answer. */
    TurnWork askingNothing() {
        return asking(Optional.empty());
    }

    private TurnWork asking(Optional<OpenQuestion> next) {
        return new TurnWork(plan, watch, lastEvent, next, cause, stored, steered, answers, answerers);
    }

    /** Returns what its agent has asked and waits for. */
    Optional<AgentQuestion> question() {
        return open.map(OpenQuestion::question);
    }

    /** Returns this with its agent asked to end; the first cause counts, unless time or the gateway is up. */
    TurnWork interrupted(Cause why) {
        boolean counts = cause.isEmpty() || (why != Cause.FOLLOW_UP && why != Cause.OPERATOR);
        return counts
                ? new TurnWork(plan, watch, lastEvent, open, Optional.of(why), stored, steered, answers, answerers)
                : this;
    }

    TurnWork storing(List<Message> rows) {
        List<MessageId> ids = rows.stream().map(Message::id).toList();
        return new TurnWork(plan, watch, lastEvent, open, cause, joined(stored, ids), steered, answers, answerers);
    }

    TurnWork steeredBy(Inbound input) {
        return new TurnWork(
                plan,
                watch,
                lastEvent,
                open,
                cause,
                stored,
                joined(steered, List.of(input.as(Inbound.Kind.STEER))),
                answers,
                answerers);
    }

    TurnWork answeredBy(Inbound answer) {
        return new TurnWork(
                plan,
                watch,
                lastEvent,
                Optional.empty(),
                cause,
                stored,
                steered,
                joined(answers, List.of(answer.as(Inbound.Kind.STEER))),
                joined(answerers, List.of(answer.id())));
    }

    /** Returns the messages whose senders wait for the turn's answer. */
    List<InboundId> awaited() {
        return joined(plan.parts().stream().map(Inbound::id).toList(), answerers);
    }

    /** Returns this after what the agent held was stored. */
    TurnWork withNothingTaken() {
        return new TurnWork(plan, watch, lastEvent, open, cause, stored, List.of(), List.of(), answerers);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
