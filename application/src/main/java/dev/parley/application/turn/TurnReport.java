package dev.parley.application.turn;

import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import java.util.List;

/** What a running turn reports to its lane. */
public sealed interface TurnReport {
    /** The agent has begun. Not told by the agent. */
    record Begun() implements TurnReport {}

    /**
     * The agent has not begun, and does not any more. Not told by the agent.
     *
     * @param why what its people are told
     */
    record NotBegun(String why) implements TurnReport {}

    /**
     * The agent said more.
     *
     * @param delta what
     */
    record Streamed(String delta) implements TurnReport {}

    /**
     * The agent asked for tools.
     *
     * @param content what it said along with it
     * @param calls the calls
     * @param reasoning what was exposed of its reasoning
     */
    record Called(Content content, List<ToolCall> calls, Reasoning reasoning) implements TurnReport {
        public Called {
            calls = List.copyOf(calls);
        }
    }

    /**
     * A tool has answered.
     *
     * @param callId the call
     * @param tool the tool
     * @param result its answer
     */
    record ToolAnswered(String callId, String tool, Content result) implements TurnReport {}

    /**
     * The agent asks its user something.
     *
     * @param question what
     */
    record Asked(AgentQuestion question) implements TurnReport {}

    /** The turn has ended. */
    sealed interface Ended extends TurnReport {}

    /**
     * It ended with an answer, which may be empty.
     *
     * @param answer the answer
     */
    record Answered(AgentAnswer answer) implements Ended {}

    /**
     * It ended without one.
     *
     * @param failure why
     */
    record Failed(AgentFailure failure) implements Ended {}

    /**
     * It ended because it was asked to.
     *
     * @param partial what had been said
     */
    record Interrupted(AgentAnswer partial) implements Ended {}

    /** It is time to look at how long the agent has done nothing. Not told by the agent. */
    record LookDue() implements TurnReport {}

    /** The agent was asked to end and had its time. Not told by the agent. */
    record GraceOver() implements TurnReport {}
}
