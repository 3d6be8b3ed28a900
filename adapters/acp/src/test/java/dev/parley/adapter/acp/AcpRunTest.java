package dev.parley.adapter.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.kit.json.Json;
import dev.parley.application.actor.SerialTasks;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A turn ends with a report whatever fails on its way. */
class AcpRunTest {
    @TempDir
    private Path home;

    private ScriptedPrograms programs;
    private final List<String> ends = new ArrayList<>();
    private Optional<AcpRun> running = Optional.empty();
    private final SerialTasks tasks =
            new SerialTasks(Runnable::run, fault -> running.ifPresent(run -> run.broke(fault)));

    @BeforeEach
    void open() {
        programs = new ScriptedPrograms(home);
    }

    @AfterEach
    void close() {
        programs.close();
    }

    private AcpRun run() {
        AcpRun run =
                new AcpRun(programs.settings(Map.of()), tasks, AcpSettings.Permissions.DENY, new Ends(), List.of());
        running = Optional.of(run);
        return run;
    }

    @Test
    void aPromptThatCannotBeMadeFailsTheTurn() {
        CompletableFuture<AcpAgent.Place> session = new CompletableFuture<>();
        run().begin(session, place -> {
            throw new NoSuchMethodError("a fault");
        });

        session.complete(null);

        assertThat(ends)
                .containsExactly(
                        "failed The model cannot be used as it is set up; the operator of this gateway finds the"
                                + " reason in its log. java.lang.NoSuchMethodError: a fault");
    }

    @Test
    void aFaultThatTheOperatorCannotBeToldFailsTheTurn() {
        programs.operator = line -> {
            throw new NoSuchMethodError("a fault");
        };
        CompletableFuture<AcpAgent.Place> session = new CompletableFuture<>();
        run().begin(session, place -> Json.object());

        session.completeExceptionally(AcpFault.forOperators("The program began no session"));

        assertThat(ends).hasSize(1).first().asString().endsWith("java.lang.NoSuchMethodError: a fault");
    }

    private final class Ends implements AgentEvents {
        @Override
        public void streamed(String delta) {}

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {}

        @Override
        public void toolAnswered(String callId, String tool, Content result) {}

        @Override
        public void answered(AgentAnswer answer) {
            ends.add("answered");
        }

        @Override
        public void failed(AgentFailure failure) {
            ends.add("failed " + failure.message() + " "
                    + failure.cause().map(Throwable::toString).orElse(""));
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            ends.add("interrupted");
        }
    }
}
