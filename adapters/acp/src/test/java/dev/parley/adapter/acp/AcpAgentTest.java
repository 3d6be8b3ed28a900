package dev.parley.adapter.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.TurnQuery;
import dev.parley.application.settings.BusyMode;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.testing.TestGateway;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs behind a real gateway: what people say, what the program hears, and what is stored. */
class AcpAgentTest {
    @TempDir
    private Path home;

    private ScriptedPrograms programs;

    @BeforeEach
    void open() {
        programs = new ScriptedPrograms(home);
    }

    @AfterEach
    void close() {
        programs.close();
    }

    private TestGateway gateway(Map<String, String> more) {
        return TestGateway.with(programs.factory(more));
    }

    @Test
    void aConversationStaysInOneSessionOfTheProgramAndIsToldOnce() {
        try (TestGateway gateway = gateway(Map.of())) {
            assertThat(gateway.ask("one")).isEqualTo("Done.");
            assertThat(gateway.ask("two")).isEqualTo("Done.");
        }
        assertThat(programs.heard())
                .filteredOn(line -> line.startsWith("session/"))
                .containsExactly("session/new");
        assertThat(programs.heard())
                .filteredOn(line -> line.startsWith("text "))
                .last()
                .asString()
                .endsWith("two");
        assertThat(programs.heard()).noneMatch(line -> line.contains("was said before"));
    }

    @Test
    void aProgramThatIsStartedAgainTakesItsSessionUp() {
        try (TestGateway gateway = gateway(Map.of())) {
            gateway.ask("one");
            gateway.restart();
            assertThat(gateway.ask("two"))
                    .as("nothing of what it told of the past")
                    .isEqualTo("Done.");
        }
        assertThat(programs.heard())
                .filteredOn(line -> line.startsWith("session/"))
                .containsExactly("session/new", "session/load");
    }

    @Test
    void aProgramThatCannotTakeSessionsUpIsToldWhatWasSaid() {
        programs.doing("forgetful");
        try (TestGateway gateway = gateway(Map.of())) {
            gateway.ask("one");
            gateway.restart();
            gateway.ask("two");
        }
        assertThat(programs.heard())
                .filteredOn(line -> line.startsWith("session/"))
                .containsExactly("session/new", "session/new");
        assertThat(programs.heard())
                .anyMatch(line -> line.contains("was said before")
                        && line.contains("user: one")
                        && line.contains("assistant: Done."));
    }

    @Test
    void aConversationThatWasChangedBeginsAnew() {
        try (TestGateway gateway = gateway(Map.of())) {
            gateway.ask("one");
            gateway.ask("two");
            gateway.ask("/undo");
            gateway.ask("three");
        }
        assertThat(programs.heard())
                .filteredOn(line -> line.startsWith("session/"))
                .containsExactly("session/new", "session/new");
        assertThat(programs.heard())
                .filteredOn(line -> line.contains("was said before"))
                .singleElement()
                .asString()
                .contains("user: one")
                .doesNotContain("user: two");
    }

    @Test
    void toolsThatRunAtOnceAreStoredOneAfterTheOther() {
        programs.doing("tools");
        try (TestGateway gateway = gateway(Map.of())) {
            assertThat(gateway.ask("look it up")).isEqualTo("Done.");
            assertThat(gateway.transcript())
                    .extracting(stored -> stored.message().role().name() + ": "
                            + stored.message().content().plainText())
                    .containsExactly(
                            "user: look it up",
                            "assistant: I look it up.",
                            "tool: result of t1",
                            "assistant: ",
                            "tool: result of t2",
                            "assistant: Done.");
        }
    }

    @Test
    void peopleArePermittingWhatTheProgramWants() {
        programs.doing("permission");
        try (TestGateway gateway = gateway(Map.of())) {
            assertThat(gateway.ask("tidy up")).contains("Delete everything");
            gateway.say("yes");
            gateway.await("the answer", () -> gateway.seen().contains("yes-1"));

            gateway.ask("tidy up");
            gateway.say("always");
            gateway.await("the answer", () -> gateway.seen().contains("yes-2"));

            gateway.ask("tidy up");
            gateway.say("no");
            gateway.await("the answer", () -> gateway.seen().contains("no-1"));
        }
    }

    @Test
    void anOperatorMayDecideForAll() {
        programs.doing("permission");
        try (TestGateway gateway = gateway(Map.of("permissions", "deny"))) {
            assertThat(gateway.ask("tidy up")).isEqualTo("no-1");
        }
        try (TestGateway gateway = gateway(Map.of("permissions", "allow"))) {
            assertThat(gateway.ask("tidy up")).isEqualTo("yes-1");
        }
    }

    @Test
    void stopCancelsThePromptAndTheSessionGoesOn() {
        programs.doing("hang");
        try (TestGateway gateway = gateway(Map.of())) {
            gateway.say("work");
            gateway.await("work", () -> programs.heard().stream().anyMatch(line -> line.endsWith("work")));
            gateway.say("/stop");
            gateway.await("the cancelling", () -> programs.heard().contains("session/cancel"));
        }
    }

    @Test
    void aProgramThatDoesNotObeyIsEndedAndAnotherTakesItsPlace() {
        programs.doing("deaf").hurried = true;
        try (TestGateway gateway = gateway(Map.of())) {
            gateway.say("work");
            gateway.await(
                    "the start of the program",
                    () -> !gateway.gateway().running().isEmpty());
            gateway.say("/stop");
            programs.doing("answer");
            assertThat(gateway.ask("again")).isEqualTo("Done.");
        }
    }

    /** More than a pipe holds. */
    private static final String LONG = "long ".repeat(40_000);

    /** Returns the program that was begun for a message and reads nothing of it. */
    private ProcessHandle unread(TestGateway gateway) {
        gateway.say(LONG);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (programs.heard().stream().noneMatch(line -> line.startsWith("pid "))) {
            assertThat(System.nanoTime()).as("the start of the program").isLessThan(deadline);
            gateway.settle();
            Thread.onSpinWait();
        }
        String pid = programs.heard().stream()
                .filter(line -> line.startsWith("pid "))
                .findFirst()
                .orElseThrow();
        return ProcessHandle.of(Long.parseLong(pid.substring(4))).orElseThrow();
    }

    @Test
    void aProgramThatDoesNotReadIsEndedWhereItsTurnIsStopped() {
        programs.doing("unread").hurried = true;
        try (TestGateway gateway = gateway(Map.of())) {
            ProcessHandle program = unread(gateway);
            gateway.say("/stop");
            assertThat(program.onExit()).succeedsWithin(Duration.ofMinutes(1));
            programs.doing("answer");
            assertThat(gateway.ask("again")).isEqualTo("Done.");
        }
    }

    @Test
    void aProgramThatDoesNotEndByItselfIsEndedByForce() {
        programs.doing("unread stubborn").hurried = true;
        try (TestGateway gateway = gateway(Map.of())) {
            ProcessHandle program = unread(gateway);
            gateway.say("/stop");
            assertThat(program.onExit()).succeedsWithin(Duration.ofMinutes(1));
        }
    }

    @Test
    void aProgramThatDoesNotReadIsEndedWhereItsAgentIsLetGoOf() {
        programs.doing("unread");
        try (TestGateway gateway = gateway(Map.of())) {
            ProcessHandle program = unread(gateway);
            gateway.say("/stop");
            gateway.pass(Duration.ofSeconds(30));
            assertThat(program.onExit()).succeedsWithin(Duration.ofMinutes(1));
        }
    }

    @Test
    void aProgramThatAsksAndAsksAndReadsNoAnswerIsEnded() {
        programs.doing("pestering");
        try (TestGateway gateway = gateway(Map.of())) {
            assertThat(gateway.ask("work")).contains("does not read what it is told");
        }
    }

    @Test
    void aProgramThatDiesIsToldAndStartedAgain() {
        programs.doing("die");
        try (TestGateway gateway = gateway(Map.of())) {
            assertThat(gateway.ask("work")).contains("exit code 7");
            programs.doing("answer");
            assertThat(gateway.ask("again")).isEqualTo("Done.");
        }
    }

    private String note(TestGateway gateway) {
        return gateway.storage()
                .queue()
                .turns(TurnQuery.first(1))
                .rows()
                .get(0)
                .note()
                .orElse("");
    }

    @Test
    void whatAProgramRefusesIsTheOperatorsToKnow() {
        programs.doing("fail");
        try (TestGateway gateway = gateway(Map.of())) {
            assertThat(gateway.ask("work"))
                    .isEqualTo("Sorry, that did not work: The model gave no answer. Please try again in a while.");
            assertThat(note(gateway)).isEqualTo("The model gave no answer. Please try again in a while.");
        }
        assertThat(programs.warnings)
                .containsExactly(
                        "agents.acp: The program java answered with error -32603: 'No more credit. Ask your operator.'.");
    }

    @Test
    void whatAProgramRepeatsOfTheConversationIsNotInTheLog() {
        programs.doing("quote");
        try (TestGateway gateway = gateway(Map.of())) {
            gateway.ask("my secret is long enough");
        }
        assertThat(programs.warnings)
                .containsExactly("agents.acp: The program java answered with error -32603; what it says repeats the"
                        + " conversation and is left out.");
    }

    @Test
    void aProgramThatDoesNotBeginIsTheOperatorsToMend() {
        String words =
                "Sorry, that did not work: The model cannot be used as it is set up; the operator of this gateway"
                        + " finds the reason in its log.";
        programs.doing("closed");
        try (TestGateway gateway = gateway(Map.of())) {
            assertThat(gateway.ask("work")).isEqualTo(words);
        }
        programs.doing("wrong");
        try (TestGateway gateway = gateway(Map.of())) {
            assertThat(gateway.ask("work")).isEqualTo(words);
        }
        assertThat(programs.warnings)
                .containsExactly(
                        "agents.acp: The program java answered with error -32603: 'No seat at desk:secret@10.0.0.7'.",
                        "agents.acp: The program java began no session.");
    }

    @Test
    void whatAProgramSaysAfterItsPromptWasCancelledIsNotKept() {
        programs.doing("hang on");
        try (TestGateway gateway = TestGateway.builder()
                .agents(programs.factory(Map.of()))
                .settings(s -> s.busy(b -> b.withMode(BusyMode.INTERRUPT).withFollowUpWindow(Duration.ZERO)))
                .start()) {
            gateway.say("work");
            gateway.await("work", () -> programs.heard().stream().anyMatch(line -> line.endsWith("work")));
            programs.doing("answer");
            assertThat(gateway.ask("no, this")).isEqualTo("Done.");
            assertThat(gateway.transcript())
                    .extracting(stored -> stored.message().role().name() + ": "
                            + stored.message().content().plainText())
                    .containsExactly("user: work", "assistant: I begin", "user: no, this", "assistant: Done.");
        }
    }

    @Test
    void aProgramThatWantsVeryMuchAtOnceIsRefusedTheRest() {
        programs.doing("greedy");
        try (TestGateway gateway = gateway(Map.of())) {
            gateway.say("work");
            gateway.await("the answer", () -> gateway.seen().contains("refused 50"));
        }
    }

    @Test
    void aProgramThatNeedsALoginSaysWhatToDo() {
        programs.doing("login");
        try (TestGateway gateway = gateway(Map.of())) {
            assertThat(gateway.ask("work")).contains("The program java wants a login first");
        }
    }

    @Test
    void filesAreNotReadForAProgram() {
        programs.doing("file");
        try (TestGateway gateway = gateway(Map.of())) {
            assertThat(gateway.ask("read")).isEqualTo("refused with -32601");
        }
    }

    @Test
    void aProgramThatIsNotThereIsToldByItsName() {
        String nowhere = home.resolve("no-such-program").toString();
        try (TestGateway gateway = gateway(Map.of("command", nowhere + " --acp"))) {
            assertThat(gateway.ask("hello"))
                    .isEqualTo("Sorry, that did not work: The program no-such-program cannot be started.");
        }
        assertThat(programs.warnings)
                .singleElement()
                .asString()
                .startsWith("agents.acp: The program no-such-program cannot be started: ")
                .contains(nowhere, "No such file");
    }

    @Test
    void settingsThatAreWrongAreRefused() {
        assertThatThrownBy(() -> programs.factory(Map.of("command", " ")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("agents.acp.command is missing");
        assertThatThrownBy(() -> programs.factory(Map.of("permissions", "perhaps")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("perhaps");
        AgentFactory factory = programs.factory(Map.of("command", "'my agent' --acp \"two words\""));
        AgentSpec any =
                new AgentSpec(SessionKey.of("lane"), SessionId.of("s"), TestGateway.ALICE, "", Optional.empty());
        assertThat(factory.signature(any)).contains("[my agent, --acp, two words]");
    }
}
