package dev.parley.application.lane;

import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.Happened;
import dev.parley.application.port.Receipt;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Inbound;
import java.util.List;
import java.util.Optional;

/**
 * Decides what becomes of something that happened to a message or to a chat. An edited message that still waits has its new text; a
 * pressed button answers the question above it; a chat that moved keeps its lane. Everything else is of no use to the lane. Pure.
 */
final class EventDecider {
    private static final String NO_USE = "This concerns nothing that is open.";

    private EventDecider() {}

    /** Decides on the state of the lane. */
    static LaneStep decide(LaneState state, Happened what, Moment moment) {
        if (what.event() instanceof ChatEvent.Edited edited) {
            return edited(state, what, edited, moment);
        }
        if (what.event() instanceof ChatEvent.Pressed pressed) {
            return pressed(state, what, pressed, moment);
        }
        if (what.event() instanceof ChatEvent.Moved moved) {
            return recorded(state, what, moment)
                    .store(new Change.PutMeta(
                            MovedChats.key(
                                    what.source().platform(), what.source().chatId()),
                            moved.from()))
                    .done();
        }
        return noUse(state);
    }

    private static LaneStep edited(LaneState state, Happened what, ChatEvent.Edited edited, Moment moment) {
        Optional<Inbound> waiting = state.waiting().messages().stream()
                .filter(each -> each.kind() == Inbound.Kind.MESSAGE || each.kind() == Inbound.Kind.QUEUED)
                .filter(each -> each.source().userId().equals(what.source().userId()))
                .filter(each -> each.platformMessage()
                        .filter(name -> name.chatId().equals(what.source().chatId())
                                && name.messageId().equals(edited.messageId()))
                        .isPresent())
                .findFirst();
        if (waiting.isEmpty()) {
            return noUse(state);
        }
        Inbound next = waiting.get().edited(edited.text());
        return recorded(state, what, moment)
                .require(new Precondition.StillAdmitted(next.id()))
                .store(new Change.PutInbound(next))
                .after(s -> s.with(s.waiting().with(next)))
                .done();
    }

    private static LaneStep pressed(LaneState state, Happened what, ChatEvent.Pressed pressed, Moment moment) {
        Optional<TurnWork.OpenQuestion> question = state.slot().working().flatMap(TurnWork::open);
        Optional<AgentQuestion.Approval> approval =
                question.flatMap(open -> Choices.approval(open.question(), open.message(), pressed.choice()));
        if (approval.isPresent()) {
            return recorded(state, what, moment)
                    .then(new Effect.Decide(AgentQuestion.Decision.of(approval.get()), what.source()))
                    .done();
        }
        Optional<String> words =
                question.flatMap(open -> Choices.words(open.question(), open.message(), pressed.choice()));
        if (words.isEmpty()) {
            return noUse(state);
        }
        Inbound answer = moment.inbound(
                state.waiting(),
                Inbound.Kind.MESSAGE,
                Inbound.State.ADMITTED,
                what.source(),
                words.get(),
                List.of(),
                what.name());
        return new LaneStep.Draft(state)
                .store(new Change.PutInbound(answer))
                .after(s -> s.with(s.waiting().with(answer)))
                .then(new Effect.Receive(new Receipt.Admitted(answer.id(), moment.lane())))
                .then(new Effect.Clarify(answer, false))
                .done();
    }

    /** Starts a step that records the event, so that one handed in again does nothing. */
    private static LaneStep.Draft recorded(LaneState state, Happened what, Moment moment) {
        Inbound event = moment
                .inbound(
                        state.waiting(),
                        Inbound.Kind.EVENT,
                        Inbound.State.DONE,
                        what.source(),
                        "",
                        List.of(),
                        what.name())
                .toBuilder()
                .event(what.event())
                .build();
        return new LaneStep.Draft(state)
                .store(new Change.PutInbound(event))
                .after(s -> s.with(s.waiting().used(event)))
                .then(new Effect.Receive(new Receipt.Admitted(event.id(), moment.lane())));
    }

    private static LaneStep noUse(LaneState state) {
        return new LaneStep.Draft(state)
                .then(new Effect.Receive(new Receipt.Refused(Receipt.Reason.NO_USE, NO_USE)))
                .done();
    }
}
