package dev.parley.contracts.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.agents.StreamingAgent;
import dev.parley.application.agents.StreamingTurn;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentQuestion.Approval;
import dev.parley.application.port.AgentQuestion.Decision;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.TurnQuery;
import dev.parley.application.settings.BusyMode;
import dev.parley.contracts.port.AskingAgentContract;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.testing.TestGateway;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Agents on the base of streaming agents keep the contract of agents, ask, and end with an interrupt. */
class StreamingAgentTest implements AskingAgentContract {
    private static final ToolCall LOOK = new ToolCall("look", "look", "{}");
    private static final ToolCall FEEL = new ToolCall("feel", "feel", "{}");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Deque<Turn> script = new ArrayDeque<>();
    private final List<String> noted = new CopyOnWriteArrayList<>();
    private boolean takesSteering;

    @FunctionalInterface
    private interface Turn {
        AgentAnswer in(StreamingTurn now) throws Exception;
    }

    private final class Scripted extends StreamingAgent {
        Scripted() {
            super(threads, InstantSource.system());
        }

        @Override
        protected AgentAnswer answer(AgentTurn turn, StreamingTurn now) throws Exception {
            return next().in(now);
        }

        @Override
        protected AgentAnswer summary(List<Message> history, Optional<String> focus, StreamingTurn now)
                throws Exception {
            return next().in(now);
        }

        @Override
        protected boolean takesSteering() {
            return takesSteering;
        }

        @Override
        protected AgentFailure.Kind kindOf(Throwable failure) {
            if (failure instanceof UncheckedIOException) {
                throw new IllegalStateException("Nobody knows.");
            }
            return super.kindOf(failure);
        }
    }

    private final AgentFactory factory = new AgentFactory() {
        @Override
        public String signature(AgentSpec spec) {
            return spec.prompt() + spec.override();
        }

        @Override
        public Agent create(AgentSpec spec) {
            return new Scripted();
        }

        @Override
        public String model(AgentSpec spec) {
            return "scripted";
        }

        @Override
        public long contextLength(AgentSpec spec) {
            return 0;
        }
    };

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private void then(Turn turn) {
        synchronized (script) {
            script.add(turn);
        }
    }

    private Turn next() {
        synchronized (script) {
            return script.isEmpty() ? now -> says(now, "Done.") : script.remove();
        }
    }

    private static AgentAnswer says(StreamingTurn now, String text) {
        now.say(text);
        return now.answer(Optional.of("stop"));
    }

    @Override
    public AgentFactory factory() {
        return factory;
    }

    @Override
    public boolean prepare(Behaviour behaviour) {
        then(
                switch (behaviour) {
                    case ANSWER -> now -> says(now, "All is well.");
                    case USE_TOOLS ->
                        now -> {
                            now.say("I look.");
                            now.asksFor(List.of(LOOK, FEEL));
                            now.returned(LOOK, "seen");
                            now.returned(FEEL, "felt");
                            return says(now, "Seen and felt.");
                        };
                    case FAIL ->
                        now -> {
                            throw new IllegalStateException("No credit.\nAsk somebody.");
                        };
                    case HANG ->
                        now -> {
                            now.say("I beg");
                            new CountDownLatch(1).await();
                            return says(now, "in");
                        };
                });
        return true;
    }

    @Override
    public boolean prepareToAsk(AgentQuestion.Kind kind) {
        then(
                switch (kind) {
                    case APPROVAL ->
                        now -> says(
                                now,
                                now.approval("delete", "Delete everything?")
                                        .approval()
                                        .name());
                    case CLARIFICATION -> now -> says(now, now.clarification("Which ones?", List.of()));
                });
        return true;
    }

    @Override
    public boolean prepareToBeSteered() {
        takesSteering = true;
        then(now -> {
            List<String> heard = now.saidMeanwhile();
            while (heard.isEmpty()) {
                Thread.onSpinWait();
                heard = now.saidMeanwhile();
            }
            return says(now, "Heard " + heard);
        });
        return true;
    }

    @Override
    public void workUntil(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("working").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void peopleAreAskedAndTheTurnGoesOnWithTheirAnswers() {
        then(now -> {
            Decision decision = now.approval("delete", "Delete everything?");
            String which = now.clarification("Which ones?", List.of("old", "all"));
            return says(now, decision.approval() + " " + which);
        });
        try (TestGateway gateway = TestGateway.with(factory)) {
            assertThat(gateway.ask("tidy up")).contains("Delete everything?");
            gateway.say("yes");
            gateway.await("the second question", () -> gateway.seen().toString().contains("Which ones?"));
            gateway.say("old");
            gateway.await("the answer", () -> gateway.seen().contains("ONCE old"));
        }
    }

    @Test
    void whatIsAllowedForTheSessionIsNotAskedAgainAndADenialHasItsReason() {
        Turn asks = now -> {
            Decision decision = now.approval("delete", "Delete everything?");
            return says(
                    now,
                    decision.approval() == Approval.DENY
                            ? "Not: " + decision.reason().orElse("")
                            : "Deleted.");
        };
        then(asks);
        then(asks);
        then(asks);
        try (TestGateway gateway = TestGateway.with(factory)) {
            gateway.ask("tidy up");
            gateway.say("/deny not today");
            gateway.await("the answer", () -> gateway.seen().contains("Not: not today"));
            gateway.ask("tidy up");
            gateway.say("session");
            gateway.await("the answer", () -> gateway.seen().contains("Deleted."));
            assertThat(gateway.ask("tidy up")).isEqualTo("Deleted.");
        }
    }

    @Test
    void anInterruptWakesATurnThatWaitsForPeopleAndCancelsWhatItHadOpen() {
        then(now -> {
            now.onInterrupt(() -> noted.add("cancelled"));
            try {
                return says(now, now.clarification("Which ones?", List.of()));
            } catch (InterruptedException e) {
                noted.add("woken");
                now.say("too late");
                now.onInterrupt(() -> noted.add("cancelled at once"));
                throw e;
            }
        });
        try (TestGateway gateway = TestGateway.with(factory)) {
            gateway.ask("tidy up");
            gateway.say("/stop");
            gateway.pass(Duration.ofSeconds(30));
            workUntil(() -> noted.size() == 3);
            assertThat(noted).contains("cancelled", "woken", "cancelled at once");
            assertThat(gateway.ask("again")).isEqualTo("Done.");
            assertThat(gateway.seen().toString()).doesNotContain("too late");
        }
    }

    @Test
    void toolsThatNobodyAnsweredAreAnsweredWhereTheTurnFails() {
        then(now -> {
            now.asksFor(List.of(LOOK, FEEL));
            now.returned(LOOK, "seen");
            throw new IllegalStateException("Out of order.");
        });
        try (TestGateway gateway = TestGateway.with(factory)) {
            assertThat(gateway.ask("look")).contains("The model gave no answer.");
            assertThat(gateway.transcript())
                    .extracting(stored -> stored.message().content().plainText())
                    .contains("seen", "(not used: the turn failed)");
        }
    }

    @Test
    void whatAModelsFailureQuotesReachesTheOperatorAndNotItsPeople() {
        then(now -> {
            throw new IllegalStateException("401 Unauthorized: key sk-secret in /home/desk/key");
        });
        try (TestGateway gateway = TestGateway.with(factory)) {
            assertThat(gateway.ask("look"))
                    .isEqualTo("Sorry, that did not work: The model gave no answer. Please try again in a while.");
            assertThat(gateway.storage()
                            .queue()
                            .turns(TurnQuery.first(10))
                            .rows()
                            .toString())
                    .doesNotContain("sk-secret");
            assertThat(gateway.events().of(GatewayEvent.Trouble.class))
                    .extracting(trouble -> trouble.cause().orElseThrow().getMessage())
                    .containsExactly("401 Unauthorized: key sk-secret in /home/desk/key");
        }
    }

    @Test
    void whatAnAgentSaysOfARequestThatItCannotMeetIsForPeople() {
        then(now -> {
            throw new InvalidRequest("Pictures are not read here.");
        });
        try (TestGateway gateway = TestGateway.with(factory)) {
            assertThat(gateway.ask("look")).isEqualTo("Sorry, that did not work: Pictures are not read here.");
        }
    }

    @Test
    void whatASummarysFailureQuotesReachesTheOperatorAndNotItsPeople() {
        then(now -> says(now, "one"));
        then(now -> says(now, "two"));
        then(now -> says(now, "three"));
        then(now -> {
            throw new IllegalStateException("401 Unauthorized: key sk-secret");
        });
        try (TestGateway gateway = TestGateway.with(factory)) {
            gateway.ask("a");
            gateway.ask("b");
            gateway.ask("c");
            assertThat(gateway.ask("/compress"))
                    .contains("The model gave no answer.")
                    .doesNotContain("sk-secret");
            assertThat(gateway.events().of(GatewayEvent.Trouble.class))
                    .extracting(trouble -> trouble.cause().orElseThrow().getMessage())
                    .containsExactly("401 Unauthorized: key sk-secret");
        }
    }

    @Test
    void aTurnOfWhichTheAgentCannotSayHowItFailedEnds() {
        then(now -> {
            throw new UncheckedIOException(new IOException("broken pipe"));
        });
        try (TestGateway gateway = TestGateway.with(factory)) {
            assertThat(gateway.ask("look")).contains("The model gave no answer.");
            assertThat(gateway.ask("again")).isEqualTo("Done.");
        }
    }

    @Test
    void whatIsSaidMeanwhileIsTakenUntilTheTurnSaysThatItIsTheLast() {
        takesSteering = true;
        CountDownLatch said = new CountDownLatch(1);
        then(now -> {
            said.await();
            List<String> heard = now.saidLast();
            now.say("Heard " + heard);
            assertThat(now.saidLast()).isEmpty();
            return now.answer(Optional.empty());
        });
        try (TestGateway gateway = TestGateway.builder()
                .settings(s -> s.busy(b -> b.withMode(BusyMode.STEER)))
                .agents(factory)
                .start()) {
            gateway.say("look");
            workUntil(() -> script.isEmpty());
            gateway.say("and there too");
            said.countDown();
            gateway.await("the answer", () -> gateway.seen().contains("Heard [and there too]"));
        }
    }

    @Test
    void noModelIsCalledOnceTheTurnIsOver() {
        CountDownLatch begun = new CountDownLatch(1);
        then(now -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                noted.add("a tool that swallows interrupts");
            }
            try {
                now.callsModel();
            } catch (InterruptedException e) {
                noted.add("refused");
            }
            now.used(new TokenUsage(1, 1, 0, 0, 0), 1, Optional.empty());
            return now.answer(Optional.empty());
        });
        try (TestGateway gateway = TestGateway.with(factory)) {
            gateway.say("work");
            workUntil(() -> begun.getCount() == 0);
            gateway.say("/stop");
            gateway.pass(Duration.ofSeconds(30));
            workUntil(() -> noted.size() == 2);
            assertThat(noted).containsExactly("a tool that swallows interrupts", "refused");
        }
    }

    @Test
    void whatIsSaidOnceTheTurnIsOverIsNotKept() {
        CountDownLatch begun = new CountDownLatch(1);
        then(now -> {
            now.say("I begin");
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                now.say(" and go on");
                now.attach(new Attachment(Attachment.PHOTO, "chart.png", Optional.empty(), Optional.empty()));
            }
            AgentAnswer answer = now.answer(Optional.empty());
            noted.add(answer.content().plainText() + answer.attachments());
            return answer;
        });
        try (TestGateway gateway = TestGateway.with(factory)) {
            gateway.say("work");
            workUntil(() -> begun.getCount() == 0);
            gateway.say("/stop");
            workUntil(() -> noted.size() == 1);
            assertThat(noted).containsExactly("[]");
        }
    }
}
