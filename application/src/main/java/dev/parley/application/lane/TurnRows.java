package dev.parley.application.lane;

import dev.parley.application.turn.TurnPlan;
import dev.parley.domain.change.Change;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.PlatformMessage;
import java.util.List;

/** What is stored of messages that a turn takes. Pure. */
final class TurnRows {
    /** What those who wrote them are told. */
    static final String PASSED_ON = "Passed on to the running task.";

    private TurnRows() {}

    /** Returns what people have said to a running agent as messages of its session, which begin no turn. */
    static List<Message> said(TurnPlan plan, List<Inbound> inputs, Moment moment) {
        return inputs.stream()
                .map(input -> moment.message(Role.USER, Content.text(plan.said(input)))
                        .platformMessageId(input.platformMessage()
                                .map(PlatformMessage::messageId)
                                .orElse(null))
                        .kind(Message.Kind.STEERED)
                        .build())
                .toList();
    }

    /** Returns the changes by which messages are done with their turn. */
    static List<Change> done(TurnPlan plan, List<Inbound> inputs) {
        return inputs.stream()
                .<Change>map(input ->
                        new Change.PutInbound(input.claimedBy(plan.turn().id()).in(Inbound.State.DONE)))
                .toList();
    }
}
