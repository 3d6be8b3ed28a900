package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentQuestion.Approval;
import dev.parley.application.port.AgentQuestion.Kind;
import dev.parley.application.port.AgentRun;
import dev.parley.contracts.level.Core;
import java.util.function.Predicate;

/**
 * An {@link Agent} that asks its user while a turn runs, and takes more input meanwhile: a question waits for its answer, takes one, and
 * the turn ends once.
 */
public interface AskingAgentContract extends AgentContract {
    /**
     * Makes the next turn of the agents ask for this, once, and answer after any decision or answer; returns false where these agents never
     * do that.
     */
    boolean prepareToAsk(Kind kind);

    /**
     * Makes the next turn of the agents run until it was handed more input, and answer then with a text in which the input stands; returns
     * false where these agents take no input while they run.
     */
    boolean prepareToBeSteered();

    private void asking(Kind kind, String said, Predicate<AgentRun> answer) {
        assumeTrue(prepareToAsk(kind), () -> "These agents never ask for " + kind + ".");
        try (Agent agent = factory().create(AgentContract.spec("Be brief."))) {
            EventLog log = new EventLog();
            AgentRun run = agent.start(AgentContract.turn("delete it"), log);
            workUntil(() -> !log.questions().isEmpty() || log.ends() > 0);

            assertThat(log.questions()).as("what the agent has asked").hasSize(1);
            AgentQuestion question = log.questions().get(0);
            assertThat(question.kind()).isEqualTo(kind);
            assertThat(question.text()).as("the text of the question").isNotBlank();
            assertThat(log.ends())
                    .as("how often the turn has ended while its question waits")
                    .isZero();

            assertThat(answer.test(run)).as("whether the run took " + said).isTrue();
            workUntil(() -> log.ends() > 0);

            assertThat(log.ends()).as("how often the turn has ended").isEqualTo(1);
            assertThat(run.approve(Approval.ONCE))
                    .as("whether a run that has ended takes an approval")
                    .isFalse();
            assertThat(run.clarify("blue"))
                    .as("whether a run that has ended takes an answer")
                    .isFalse();
        }
    }

    @Core
    default void anApprovalIsTakenOnceAndTheTurnGoesOn() {
        asking(Kind.APPROVAL, "an approval", run -> run.approve(Approval.ONCE));
    }

    @Core
    default void aDenialIsTakenOnceAndTheTurnGoesOn() {
        asking(Kind.APPROVAL, "a denial with a reason", run -> run.deny("Not today."));
    }

    @Core
    default void anAnswerToAClarificationIsTakenOnceAndTheTurnGoesOn() {
        asking(Kind.CLARIFICATION, "an answer", run -> run.clarify("the blue one"));
    }

    @Core
    default void anApprovalIsNoClarification() {
        asking(
                Kind.APPROVAL,
                "an approval behind a text that it did not ask for",
                run -> !run.clarify("the blue one") && run.approve(Approval.ONCE));
    }

    @Core
    default void anInterruptedQuestionTakesNoDecision() {
        assumeTrue(prepareToAsk(Kind.APPROVAL), "These agents never ask for an approval.");
        try (Agent agent = factory().create(AgentContract.spec("Be brief."))) {
            EventLog log = new EventLog();
            AgentRun run = agent.start(AgentContract.turn("delete it"), log);
            workUntil(() -> !log.questions().isEmpty());
            run.interrupt("never mind");
            workUntil(() -> log.ends() > 0);

            assertThat(log.events().get(log.events().size() - 1)).isEqualTo("interrupted");
            assertThat(log.ends()).as("how often the turn has ended").isEqualTo(1);
            assertThat(run.approve(Approval.ONCE))
                    .as("whether the interrupted run takes an approval")
                    .isFalse();
        }
    }

    @Core
    default void whatIsHandedToARunningTurnIsInItsAnswer() {
        assumeTrue(prepareToBeSteered(), "These agents take no input while they run.");
        try (Agent agent = factory().create(AgentContract.spec("Be brief."))) {
            EventLog log = new EventLog();
            AgentRun run = agent.start(AgentContract.turn("begin"), log);

            assertThat(run.steer("rather in zanzibar"))
                    .as("whether the running turn took the input")
                    .isTrue();
            workUntil(() -> log.ends() > 0);

            assertThat(log.events())
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("answered")
                    .contains("rather in zanzibar");
        }
    }
}
