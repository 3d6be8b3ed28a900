package dev.parley.adapter.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentQuestion.Kind;
import dev.parley.contracts.port.AskingAgentContract;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A program keeps the contract of agents. */
class AcpContractTest implements AskingAgentContract {
    @TempDir
    private Path home;

    private ScriptedPrograms programs;
    private AgentFactory factory;

    @BeforeEach
    void open() {
        programs = new ScriptedPrograms(home);
        factory = programs.factory(Map.of());
    }

    @AfterEach
    void close() {
        programs.close();
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
    public boolean prepare(Behaviour behaviour) {
        programs.doing(behaviour.name().toLowerCase(Locale.ROOT));
        return true;
    }

    @Override
    public boolean prepareToAsk(Kind kind) {
        programs.doing("permission");
        return kind == Kind.APPROVAL;
    }

    @Override
    public boolean prepareToBeSteered() {
        return false;
    }

    @Override
    public void workUntil(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("working").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
