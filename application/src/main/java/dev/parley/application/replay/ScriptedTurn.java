package dev.parley.application.replay;

import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the scripted agent behaves in one turn.
 *
 * @param lane the lane whose next turn it is for; absent for the next turn of any lane
 * @param reply what it answers; absent for an echo of the input
 * @param takes how long the turn takes
 * @param tools the tools it uses, one after the other, spread evenly over that time
 * @param outcome how the turn ends
 * @param usage what it uses
 * @param obeys whether it ends when it is interrupted; otherwise it ignores the interrupt
 * @param steers whether it takes more input while it runs
 * @param asks what it asks at the end of its time, before it ends; it then waits for the answer
 * @param engaged what an interrupt would ruin while it runs
 */
public record ScriptedTurn(
        Optional<SessionKey> lane,
        Optional<String> reply,
        Duration takes,
        List<ToolUse> tools,
        Outcome outcome,
        TokenUsage usage,
        boolean obeys,
        boolean steers,
        Optional<AgentQuestion> asks,
        Optional<AgentRun.Engagement> engaged) {
    public ScriptedTurn {
        tools = List.copyOf(tools);
        if (takes.isNegative()) {
            throw new IllegalArgumentException("A turn cannot take " + takes + "; give zero or more.");
        }
    }

    /** How a turn ends. */
    public enum Outcome {
        /** With an answer. */
        OK,
        /** With an empty answer. */
        EMPTY,
        /** Without an answer. */
        FAIL,
        /** Not at all, unless it is interrupted. */
        HANG
    }

    /**
     * One use of a tool.
     *
     * @param name the tool
     * @param arguments its arguments, as text
     * @param result what it answers
     */
    public record ToolUse(String name, String arguments, String result) {}

    /** An echo, at once. */
    public static ScriptedTurn echo() {
        return new ScriptedTurn(
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                List.of(),
                Outcome.OK,
                TokenUsage.NONE,
                true,
                true,
                Optional.empty(),
                Optional.empty());
    }

    /** An answer, at once. */
    public static ScriptedTurn reply(String text) {
        return echo().replying(text);
    }

    /** A turn that ends like this, at once. */
    public static ScriptedTurn ending(Outcome outcome) {
        ScriptedTurn echo = echo();
        return new ScriptedTurn(
                echo.lane,
                echo.reply,
                echo.takes,
                echo.tools,
                outcome,
                echo.usage,
                echo.obeys,
                echo.steers,
                echo.asks,
                echo.engaged);
    }

    /** This turn with an answer. */
    public ScriptedTurn replying(String text) {
        return new ScriptedTurn(lane, Optional.of(text), takes, tools, outcome, usage, obeys, steers, asks, engaged);
    }

    /** This turn only for a lane. */
    public ScriptedTurn on(SessionKey key) {
        return new ScriptedTurn(Optional.of(key), reply, takes, tools, outcome, usage, obeys, steers, asks, engaged);
    }

    /** This turn taking so long. */
    public ScriptedTurn taking(Duration time) {
        return new ScriptedTurn(lane, reply, time, tools, outcome, usage, obeys, steers, asks, engaged);
    }

    /** This turn using these tools. */
    public ScriptedTurn using(ToolUse... uses) {
        return new ScriptedTurn(lane, reply, takes, List.of(uses), outcome, usage, obeys, steers, asks, engaged);
    }

    /** This turn using so many tokens. */
    public ScriptedTurn spending(TokenUsage tokens) {
        return new ScriptedTurn(lane, reply, takes, tools, outcome, tokens, obeys, steers, asks, engaged);
    }

    /** This turn deaf to interrupts. */
    public ScriptedTurn ignoringInterrupts() {
        return new ScriptedTurn(lane, reply, takes, tools, outcome, usage, false, steers, asks, engaged);
    }

    /** This turn taking no more input while it runs. */
    public ScriptedTurn refusingToSteer() {
        return new ScriptedTurn(lane, reply, takes, tools, outcome, usage, obeys, false, asks, engaged);
    }

    /** This turn asking something before it ends. */
    public ScriptedTurn asking(AgentQuestion.Kind kind, String text) {
        return new ScriptedTurn(
                lane,
                reply,
                takes,
                tools,
                outcome,
                usage,
                obeys,
                steers,
                Optional.of(new AgentQuestion(kind, text)),
                engaged);
    }

    /** This turn engaged in something that an interrupt would ruin. */
    public ScriptedTurn engagedIn(AgentRun.Engagement engagement) {
        return new ScriptedTurn(
                lane, reply, takes, tools, outcome, usage, obeys, steers, asks, Optional.of(engagement));
    }
}
