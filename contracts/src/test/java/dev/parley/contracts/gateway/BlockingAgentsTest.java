package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.contracts.port.AgentContract;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Agents made of functions keep the contract of agents; they use no tools. */
class BlockingAgentsTest implements AgentContract {
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final AgentFactory factory = new BlockingAgents(
            "functions", executor, () -> Instant.EPOCH, turn -> answer(), (history, focus) -> history.size() + " said");
    private volatile Behaviour behaviour = Behaviour.ANSWER;

    private AgentAnswer answer() throws Exception {
        return switch (behaviour) {
            case HANG -> {
                new CountDownLatch(1).await();
                yield AgentAnswer.text("never");
            }
            case FAIL -> throw new NoSuchMethodError("The model is gone.\nSee the log.");
            default -> AgentAnswer.text("Understood.");
        };
    }

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    /** As it ends a turn: an Error of a function must not leave its lane waiting. */
    @Test
    void anErrorOfTheFunctionEndsASummaryToo() throws Exception {
        LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
        Agent agent = new BlockingAgents(
                        "functions",
                        executor,
                        () -> Instant.EPOCH,
                        turn -> {
                            throw new NoSuchMethodError("gone in this release");
                        },
                        (history, focus) -> {
                            throw new StackOverflowError();
                        })
                .create(new AgentSpec(
                        SessionKey.of("lane"),
                        SessionId.of("s"),
                        SessionSource.builder(Platform.LOCAL, "a").build(),
                        "",
                        Optional.empty()));

        agent.summarise(List.of(), Optional.empty(), new Agent.SummaryListener() {
            @Override
            public void summarised(String summary) {
                ends.add("summarised " + summary);
            }

            @Override
            public void failed(String why) {
                ends.add("failed " + why);
            }
        });

        assertThat(ends.poll(30, TimeUnit.SECONDS))
                .isEqualTo("failed The model gave no answer. Please try again in a while.");
    }

    @Override
    public AgentFactory factory() {
        return factory;
    }

    @Override
    public boolean isBuiltFromItsSpecification() {
        return false;
    }

    @Override
    public boolean prepare(Behaviour next) {
        behaviour = next;
        return next != Behaviour.USE_TOOLS;
    }

    @Override
    public void workUntil(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("working").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
