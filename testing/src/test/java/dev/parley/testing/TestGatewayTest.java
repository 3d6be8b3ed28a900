package dev.parley.testing;

import static dev.parley.testing.TestGateway.ALICE;
import static dev.parley.testing.TestGateway.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.testing.memory.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A gateway in a test does what a gateway does, and says what it did. */
class TestGatewayTest {

    @Test
    void answersInThreeLines() {
        try (TestGateway gateway = TestGateway.answering(said -> said.toUpperCase(Locale.ROOT))) {
            assertThat(gateway.ask("hello")).isEqualTo("HELLO");
        }
    }

    @Test
    void aScriptTakesVirtualTimeOnly() {
        try (TestGateway gateway = TestGateway.scripted(
                ScriptedTurn.reply("Done.").taking(Duration.ofMinutes(20)), ScriptedTurn.reply("Again."))) {
            assertThat(gateway.ask("work")).isEqualTo("Done.");
            assertThat(gateway.clock().instant()).isAfterOrEqualTo(TestGateway.BEGIN.plus(Duration.ofMinutes(20)));
            assertThat(gateway.ask("again")).isEqualTo("Again.");
            assertThat(gateway.ask("hello")).as("after the script").isEqualTo("hello");
            assertThat(gateway.transcript())
                    .extracting(stored -> stored.message().content().plainText())
                    .containsExactly("work", "Done.", "again", "Again.", "hello", "hello");
            assertThat(gateway.agents().turns()).hasSize(3);
        }
    }

    @Test
    void whatIsSaidWaitsUntilTimePasses() {
        try (TestGateway gateway =
                TestGateway.scripted(ScriptedTurn.reply("Done.").taking(Duration.ofMinutes(1)))) {
            assertThat(gateway.say("work")).isInstanceOf(Receipt.Admitted.class);
            assertThat(gateway.seen()).isEmpty();

            gateway.pass(Duration.ofMinutes(1));

            assertThat(gateway.seen()).containsExactly("Done.");
            assertThat(gateway.seen(BOB)).isEmpty();
        }
    }

    @Test
    void agentsOfOnesOwnMayWorkOnTheirThreads() {
        ExecutorService threads = Executors.newCachedThreadPool();
        CountDownLatch bothWork = new CountDownLatch(2);
        BlockingAgents agents = new BlockingAgents(
                "own",
                threads,
                InstantSource.system(),
                turn -> {
                    bothWork.countDown();
                    bothWork.await();
                    return AgentAnswer.text("for " + turn.sender().orElse("nobody"));
                },
                (history, focus) -> "");
        try (TestGateway gateway = TestGateway.with(agents)) {
            gateway.say(BOB, "hello");
            assertThat(gateway.ask("hello")).isEqualTo("for Alice");
            gateway.await("Bob's answer", () -> !gateway.seen(BOB).isEmpty());
            assertThat(gateway.seen(BOB)).containsExactly("for Bob");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aQuestionComesBackAndItsAnswerGoesOn() {
        try (TestGateway gateway = TestGateway.scripted(
                ScriptedTurn.reply("Deleted.").asking(AgentQuestion.Kind.APPROVAL, "Delete everything?"))) {
            assertThat(gateway.ask("tidy up")).contains("Delete everything?");

            gateway.say("yes");
            gateway.settle();

            assertThat(gateway.agents().answers()).containsExactly("ONCE");
            assertThat(gateway.seen()).last().isEqualTo("Deleted.");
        }
    }

    @Test
    void aCommandIsAnsweredByTheGateway() {
        try (TestGateway gateway = TestGateway.scripted()) {
            gateway.ask("hello");
            assertThat(gateway.ask("/title Plans")).contains("Plans");
            assertThat(gateway.storage().lanes().find(gateway.lane(ALICE))).isPresent();
        }
    }

    @Test
    void aTurnThatFailsIsToldInTheChat() {
        try (TestGateway gateway = TestGateway.scripted(
                ScriptedTurn.ending(ScriptedTurn.Outcome.FAIL).replying("The model is out."))) {
            assertThat(gateway.ask("hello")).contains("The model is out.");
            assertThat(gateway.seen()).hasSize(1);
        }
    }

    @Test
    void whatNeverComesFailsWithWhatHappened() {
        CountDownLatch never = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (TestGateway gateway = TestGateway.builder()
                .agents(new BlockingAgents(
                        "stuck",
                        threads,
                        InstantSource.system(),
                        turn -> {
                            never.await();
                            return AgentAnswer.text("");
                        },
                        (history, focus) -> ""))
                .patience(Duration.ofMillis(50))
                .start()) {
            assertThatThrownBy(() -> gateway.ask("hello"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("Nothing happened for 50 ms while waiting for an answer");
            never.countDown();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void whoMayNotTalkIsTold() {
        try (TestGateway gateway = TestGateway.builder()
                .authorization(new Authorization() {
                    @Override
                    public boolean mayTalk(SessionSource source) {
                        return source.equals(ALICE);
                    }

                    @Override
                    public boolean isAdmin(SessionSource source) {
                        return false;
                    }
                })
                .start()) {
            assertThat(gateway.ask("hello")).isEqualTo("hello");
            assertThatThrownBy(() -> gateway.ask(BOB, "hello"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("not taken");
        }
    }

    @Test
    void aRestartKeepsTheConversation() {
        try (TestGateway gateway = TestGateway.scripted()) {
            gateway.ask("one");
            gateway.restart();
            gateway.ask("two");
            assertThat(gateway.transcript()).hasSize(4);
            assertThat(gateway.agents().turns().get(1).history()).hasSize(2);
        }
    }

    @Test
    void aCrashCutsOffATurnWhichIsResumed() {
        try (TestGateway gateway =
                TestGateway.scripted(ScriptedTurn.reply("never said").taking(Duration.ofMinutes(5)))) {
            gateway.say("work");
            gateway.pass(Duration.ofMinutes(1));

            gateway.crash();
            gateway.pass(Duration.ofMinutes(1));

            assertThat(gateway.agents().turns())
                    .as("the turn and its resumption")
                    .hasSize(2);
            assertThat(gateway.seen()).isNotEmpty().doesNotContain("never said");
        }
    }

    @Test
    void timeEndsSessions() {
        try (TestGateway gateway = TestGateway.scripted()) {
            gateway.ask("one");
            gateway.pass(Duration.ofDays(2));
            gateway.ask("two");
            assertThat(gateway.transcript()).as("a new session").hasSize(2);
            assertThat(gateway.hooks().calls()).anyMatch(call -> call.startsWith("finalized"));
        }
    }

    @Test
    void operatorsAreAnsweredThoughTheyWaitForALane() {
        try (TestGateway gateway = TestGateway.scripted()) {
            gateway.ask("one");
            assertThat(gateway.<Boolean>operate(g -> g.resetLane(gateway.lane(ALICE))))
                    .isTrue();
            gateway.ask("two");
            assertThat(gateway.transcript()).hasSize(2);
        }
    }

    @Test
    void aPlatformThatFailsIsTriedAgain() {
        try (TestGateway gateway = TestGateway.builder()
                .recording(Platform.SLACK, Platform.TELEGRAM)
                .start()) {
            gateway.platform(Platform.TELEGRAM).behave(RecordingPlatform.Behaviour.FAIL);
            gateway.say("hello");
            assertThat(gateway.seen()).isEmpty();
            gateway.platform().behave(RecordingPlatform.Behaviour.DELIVER);
            gateway.pass(Duration.ofMinutes(10));
            assertThat(gateway.seen()).containsExactly("hello");
            assertThat(gateway.events().of(GatewayEvent.Sent.class)).hasSize(1);
        }
    }

    @Test
    void aStoppedGatewayCannotBeAsked() {
        TestGateway gateway = TestGateway.scripted();
        assertThat(gateway.stop()).isEqualTo(new ExitStatus(StopMode.SHUTDOWN, false));
        assertThatThrownBy(() -> gateway.ask("hello")).isInstanceOf(IllegalStateException.class);
        gateway.close();
    }

    @Test
    void aStoreInMemoryOutlivesWhatWasOpenedOnIt() {
        MemoryStore store = new MemoryStore("shared");
        try (TestGateway gateway = TestGateway.builder()
                .storage(store.open(StorageSettings.Mode.READ_WRITE))
                .start()) {
            gateway.ask("hello");
        }
        try (TestGateway gateway = TestGateway.builder()
                .storage(store.open(StorageSettings.Mode.READ_WRITE))
                .start()) {
            assertThat(gateway.transcript()).hasSize(2);
        }
    }
}
