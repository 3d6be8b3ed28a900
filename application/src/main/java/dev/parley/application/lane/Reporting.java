package dev.parley.application.lane;

import dev.parley.application.port.AgentQuestion;
import dev.parley.application.turn.TurnReport;
import dev.parley.domain.change.Change;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is stored and told of a running turn while it runs. Pure. */
final class Reporting {
    private static final String WITHOUT_CONTEXT =
            "The storage cannot be read for now, so I go on without what was said here before. It is not lost and will be back.";

    private Reporting() {}

    /** The people of a turn whose earlier conversation cannot be read are told so before it begins (commit rule 9). */
    static LaneStep missingContext(LaneState state, TurnWork turn, Moment moment) {
        Outgoing notice = notice(turn, WITHOUT_CONTEXT, moment);
        return new LaneStep.Draft(state)
                .store(new Change.PutOutgoing(notice))
                .then(new Effect.Deliver(notice))
                .done();
    }

    /** The agent has asked for tools. */
    static LaneStep called(LaneState state, TurnWork turn, TurnReport.Called report, Moment moment) {
        Message row = moment.message(Role.ASSISTANT, report.content())
                .toolCalls(ToolCalls.of(report.calls()))
                .reasoning(report.reasoning())
                .finishReason("tool_calls")
                .build();
        return new LaneStep.Draft(state)
                .ofTurn()
                .require(turn.claim())
                .store(new Change.AppendMessages(turn.plan().session(), List.of(row)))
                .after(s -> s.working(
                        turn.storing(List.of(row)).calling(report.calls().size())))
                .done();
    }

    /** A tool has answered; what people said meanwhile stands behind its answer. */
    static LaneStep toolAnswered(LaneState state, TurnWork turn, TurnReport.ToolAnswered report, Moment moment) {
        List<Message> rows = new ArrayList<>();
        rows.add(moment.message(Role.TOOL, report.result())
                .toolCallId(report.callId())
                .toolName(report.tool())
                .build());
        List<Inbound> taken = turn.taken();
        rows.addAll(TurnRows.said(turn.plan(), taken, moment));
        LaneStep.Draft step = new LaneStep.Draft(state)
                .ofTurn()
                .require(turn.claim())
                .store(new Change.AppendMessages(turn.plan().session(), rows))
                .store(TurnRows.done(turn.plan(), taken))
                .after(s -> s.working(turn.storing(rows).withNothingTaken()));
        if (!turn.steered().isEmpty()) {
            step.then(new Effect.Close(turn.steered().stream().map(Inbound::id).toList(), TurnRows.PASSED_ON));
        }
        return step.done();
    }

    /**
     * The turn's people are asked what its agent wants to know; not any more once the turn would be over without an answer.
     *
     * @param timeout how long the turn waits; zero: for ever
     */
    static LaneStep asked(LaneState state, TurnWork turn, AgentQuestion question, Duration timeout, Moment moment) {
        String how = switch (question.kind()) {
            case APPROVAL -> "\nAnswer yes, session, always or no.";
            case CLARIFICATION -> Choices.inWords(question);
        };
        boolean ends = !timeout.isZero() && !timeout.isNegative();
        Outgoing asked = notice(turn, question.text() + how, moment).toBuilder()
                .expiresAt(ends ? moment.now().plus(timeout) : null)
                .build();
        return new LaneStep.Draft(state)
                .ofTurn()
                .require(turn.claim())
                .store(new Change.PutOutgoing(asked))
                .after(s -> s.working(turn.asking(question, asked.id())))
                .then(new Effect.Ask(turn.awaited(), asked))
                .then(new Effect.Question(asked, Choices.of(question, asked.id())))
                .done();
    }

    /** The turn's people are told something. */
    static LaneStep told(LaneState state, TurnWork turn, String text, Moment moment) {
        Outgoing notice = notice(turn, text, moment);
        return new LaneStep.Draft(state)
                .ofTurn()
                .require(turn.claim())
                .store(new Change.PutOutgoing(notice))
                .then(new Effect.Deliver(notice))
                .done();
    }

    private static Outgoing notice(TurnWork turn, String text, Moment moment) {
        return moment.outgoing(
                turn.plan().source(),
                text,
                Outgoing.Kind.NOTICE,
                Optional.of(turn.plan().turn().id()));
    }
}
