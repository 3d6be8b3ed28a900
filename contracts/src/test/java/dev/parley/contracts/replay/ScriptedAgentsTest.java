package dev.parley.contracts.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.replay.ScriptedAgents;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.ScriptedTurn.Outcome;
import dev.parley.application.replay.ScriptedTurn.ToolUse;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.contracts.port.AgentContract;
import dev.parley.contracts.port.AskingAgentContract;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class ScriptedAgentsTest implements AskingAgentContract {
    private static final Instant START = Instant.parse("2026-03-10T08:00:00Z");

    private final VirtualClock clock = new VirtualClock(START);
    private final VirtualTimers timers = new VirtualTimers(clock, new SerialExecutor());
    private final ScriptedAgents agents = new ScriptedAgents(clock, timers);

    @Override
    public AgentFactory factory() {
        return agents;
    }

    @Override
    public boolean prepare(Behaviour behaviour) {
        agents.then(
                switch (behaviour) {
                    case ANSWER -> ScriptedTurn.echo().taking(Duration.ofSeconds(1));
                    case USE_TOOLS ->
                        ScriptedTurn.reply("done")
                                .using(new ToolUse("search", "{}", "found"), new ToolUse("open", "{}", "read"))
                                .taking(Duration.ofSeconds(3));
                    case FAIL -> ScriptedTurn.ending(Outcome.FAIL);
                    case HANG -> ScriptedTurn.ending(Outcome.HANG);
                });
        return true;
    }

    @Override
    public boolean prepareToAsk(AgentQuestion.Kind kind) {
        agents.then(ScriptedTurn.echo().taking(Duration.ofSeconds(1)).asking(kind, "Really?"));
        return true;
    }

    /** They note what they are handed, and answer as their script says. */
    @Override
    public boolean prepareToBeSteered() {
        return false;
    }

    @Override
    public void workUntil(BooleanSupplier condition) {
        timers.advance(Duration.ofMinutes(1));
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static AgentTurn turn(String text) {
        return new AgentTurn(
                new TurnId("t"),
                SessionId.of("s"),
                "prompt",
                List.of(),
                Message.builder(new MessageId("m"), Role.USER, Content.text(text), START)
                        .build(),
                List.of(),
                Optional.empty());
    }

    private EventLog start(String text) {
        EventLog log = new EventLog();
        agents.create(AgentContract.spec("x")).start(turn(text), log);
        return log;
    }

    @Test
    void withoutAScriptAgentsEchoAtOnceAndNeverNothing() {
        EventLog hello = start("hello");
        EventLog silence = start(" ");
        timers.runUntilIdle();

        assertThat(hello.events()).containsExactly("answered hello");
        assertThat(silence.events().get(0)).hasSizeGreaterThan("answered ".length());
        assertThat(clock.instant()).isEqualTo(START);
    }

    @Test
    void toolsAreSpreadOverTheTurn() {
        agents.then(ScriptedTurn.reply("done")
                .using(new ToolUse("a", "{}", "1"), new ToolUse("b", "{}", "2"))
                .taking(Duration.ofSeconds(90)));
        EventLog log = start("go");

        timers.runUntilIdle();
        assertThat(log.events()).containsExactly("called call-1-1");
        timers.advanceTo(START.plusSeconds(30));
        assertThat(log.events()).containsExactly("called call-1-1", "result call-1-1", "called call-1-2");
        timers.advanceTo(START.plusSeconds(89));
        assertThat(log.ends()).isZero();
        timers.advanceTo(START.plusSeconds(90));
        assertThat(log.events()).endsWith("result call-1-2", "answered done");
    }

    @Test
    void aScriptedTurnForALaneWaitsForThatLane() {
        agents.then(ScriptedTurn.reply("for another").on(SessionKey.of("agent:main:telegram:dm:other")));
        agents.then(ScriptedTurn.reply("for anyone"));
        EventLog first = start("hello");
        EventLog second = start("hello");
        timers.runUntilIdle();

        assertThat(first.events()).containsExactly("answered for anyone");
        assertThat(second.events()).containsExactly("answered hello");
        assertThat(agents.scripted()).isEqualTo(1);
    }

    @Test
    void anEmptyAnswerIsAnAnswer() {
        agents.then(ScriptedTurn.ending(Outcome.EMPTY));
        EventLog log = start("hello");
        timers.runUntilIdle();

        assertThat(log.events()).containsExactly("answered ");
    }

    @Test
    void aDeafAgentGoesOnAfterAnInterrupt() {
        agents.then(ScriptedTurn.reply("anyway").taking(Duration.ofSeconds(5)).ignoringInterrupts());
        EventLog log = new EventLog();
        try (Agent agent = agents.create(AgentContract.spec("x"))) {
            AgentRun run = agent.start(turn("hello"), log);
            run.interrupt("stop");
            timers.advance(Duration.ofSeconds(5));
        }

        assertThat(log.events()).containsExactly("answered anyway");
        assertThat(agents.interrupts()).containsExactly("stop");
    }

    @Test
    void aRunningTurnTakesMoreInputUnlessItRefuses() {
        agents.then(ScriptedTurn.ending(Outcome.HANG));
        agents.then(ScriptedTurn.ending(Outcome.HANG).refusingToSteer());
        try (Agent agent = agents.create(AgentContract.spec("x"))) {
            AgentRun taking = agent.start(turn("one"), new EventLog());
            AgentRun refusing = agent.start(turn("two"), new EventLog());

            assertThat(taking.steer("more")).isTrue();
            assertThat(refusing.steer("more")).isFalse();
            assertThat(taking.activity()).isPresent();
        }
        assertThat(agents.steered()).containsExactly("more");
        assertThat(agents.turns()).hasSize(2);
        assertThat(agents.closed()).isEqualTo(1);
    }
}
