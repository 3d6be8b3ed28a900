package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFactory;
import dev.parley.contracts.port.AgentContract;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

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
            case FAIL -> throw new IllegalStateException("The model is gone.\nSee the log.");
            default -> AgentAnswer.text("Understood.");
        };
    }

    @AfterEach
    void stop() {
        executor.shutdownNow();
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
