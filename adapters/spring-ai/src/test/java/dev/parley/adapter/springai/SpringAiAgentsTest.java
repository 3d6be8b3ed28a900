package dev.parley.adapter.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.settings.BusyMode;
import dev.parley.domain.turn.TurnUsage;
import dev.parley.testing.TestGateway;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import reactor.core.publisher.Flux;

/** Chat clients of Spring AI behind a real gateway. */
class SpringAiAgentsTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScriptedModel model = new ScriptedModel();
    private final List<String> used = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private SpringAiAgents.Builder agents(ToolCallback... more) {
        ChatClient client = ChatClient.builder(model)
                .defaultSystem("You are kind.")
                .defaultOptions(ToolCallingChatOptions.builder()
                        .model("small")
                        .temperature(0.5)
                        .build())
                .defaultToolCallbacks(
                        Tools.named("weather", input -> {
                            used.add(input);
                            return "sunny";
                        }),
                        Tools.named("delete", input -> {
                            used.add("deleted");
                            return "gone";
                        }))
                .defaultToolCallbacks(more)
                .build();
        return SpringAiAgents.builder("scripted", client)
                .executor(threads)
                .clock(InstantSource.system())
                .approval("delete");
    }

    @Test
    void theModelReadsTheWholeConversationAndTheClientsOwnSystemText() {
        model.says("Hello Alice.").says("You said one.");
        try (TestGateway gateway = TestGateway.with(agents().build())) {
            assertThat(gateway.ask("one")).isEqualTo("Hello Alice.");
            assertThat(gateway.ask("two")).isEqualTo("You said one.");
        }
        assertThat(model.lastMessages())
                .extracting(Message::getMessageType)
                .containsExactly(MessageType.SYSTEM, MessageType.USER, MessageType.ASSISTANT, MessageType.USER);
        assertThat(model.lastMessages().get(0).getText())
                .startsWith("You are kind.\n\n")
                .hasSizeGreaterThan(30);
        assertThat(model.lastMessages().get(2).getText()).isEqualTo("Hello Alice.");
    }

    @Test
    void theClientsOptionsHoldAndOnlyToolsAreCalledHere() {
        try (TestGateway gateway = TestGateway.with(agents().build())) {
            gateway.ask("one");
            gateway.ask("/model large");
            gateway.ask("two");
        }
        ToolCallingChatOptions first =
                (ToolCallingChatOptions) model.prompts().get(0).getOptions();
        assertThat(first.getInternalToolExecutionEnabled()).isFalse();
        assertThat(first.getTemperature()).isEqualTo(0.5);
        assertThat(first.getModel()).isEqualTo("small");
        assertThat(first.getToolCallbacks()).hasSize(2);
    }

    @Test
    void toolsAreStoredWithTheirResultsAndGivenToTheModelAgain() {
        model.uses("I look.", "weather").says("It is sunny.").says("Still sunny.");
        try (TestGateway gateway = TestGateway.with(agents().build())) {
            assertThat(gateway.ask("the weather?")).isEqualTo("It is sunny.");
            assertThat(gateway.transcript())
                    .extracting(stored -> stored.message().role().name() + ": "
                            + stored.message().content().plainText())
                    .containsExactly(
                            "user: the weather?", "assistant: I look.", "tool: sunny", "assistant: It is sunny.");
            gateway.ask("and now?");
        }
        assertThat(used).containsExactly("{\"of\":\"weather\"}");
        assertThat(model.lastMessages())
                .filteredOn(ToolResponseMessage.class::isInstance)
                .singleElement()
                .satisfies(message -> assertThat(((ToolResponseMessage) message)
                                .getResponses()
                                .get(0)
                                .responseData())
                        .isEqualTo("sunny"));
    }

    @Test
    void usageIsCounted() {
        model.uses("", "weather").says("It is sunny.");
        try (TestGateway gateway = TestGateway.with(agents().build())) {
            gateway.ask("the weather?");
            TurnUsage usage = gateway.events()
                    .of(GatewayEvent.TurnEnded.class)
                    .get(0)
                    .turn()
                    .usage();
            assertThat(usage.tokens().input()).as("both calls").isEqualTo(200);
            assertThat(usage.tokens().output()).isEqualTo(20);
            assertThat(usage.apiCalls()).isEqualTo(2);
            assertThat(usage.model()).contains("scripted-1");
        }
    }

    @Test
    void peopleApproveOfToolsOnceOrForTheSession() {
        for (int i = 0; i < 3; i++) {
            model.uses("", "delete").says("Gone " + i + ".");
        }
        try (TestGateway gateway = TestGateway.with(agents().build())) {
            assertThat(gateway.ask("tidy up")).contains("May I use delete?");
            assertThat(used).isEmpty();
            gateway.say("yes");
            gateway.await("the answer", () -> gateway.seen().contains("Gone 0."));
            assertThat(gateway.ask("tidy up")).contains("May I use delete?");
            gateway.say("session");
            gateway.await("the answer", () -> gateway.seen().contains("Gone 1."));
            assertThat(gateway.ask("tidy up")).isEqualTo("Gone 2.");
        }
        assertThat(used).hasSize(3);
    }

    @Test
    void aToolThatIsDeniedIsNotUsedAndTheModelHearsWhy() {
        model.uses("", "delete").says("Then not.");
        try (TestGateway gateway = TestGateway.with(agents().build())) {
            gateway.ask("tidy up");
            gateway.say("/deny not today");
            gateway.await("the answer", () -> gateway.seen().contains("Then not."));
        }
        assertThat(used).isEmpty();
        assertThat(model.lastMessages().toString()).contains("The user does not allow this: not today");
    }

    @Test
    void aToolThatFailsOrIsNotThereIsToldToTheModel() {
        model.uses("", "broken", "unknown").says("I could not.");
        try (TestGateway gateway = TestGateway.with(agents(Tools.named("broken", input -> {
                    throw new IllegalStateException("Out of order.\nCall somebody.");
                }))
                .build())) {
            assertThat(gateway.ask("try")).isEqualTo("I could not.");
        }
        assertThat(model.lastMessages().toString())
                .contains("The tool failed: Out of order.")
                .doesNotContain("Call somebody")
                .contains("unknown");
    }

    @Test
    void aToolWhoseResultIsTheAnswerEndsTheTurn() {
        model.uses("", "report");
        try (TestGateway gateway = TestGateway.with(
                agents(Tools.direct("report", input -> "All numbers.")).build())) {
            assertThat(gateway.ask("report")).isEqualTo("All numbers.");
        }
        assertThat(model.prompts()).hasSize(1);
    }

    @Test
    void aModelThatAsksForToolsForEverIsGivenUp() {
        model.uses("", "weather").uses("", "weather").uses("", "weather");
        try (TestGateway gateway = TestGateway.with(agents().rounds(2).build())) {
            assertThat(gateway.ask("the weather?")).contains("more than 2 times");
        }
        assertThat(used).hasSize(2);
    }

    @Test
    void stopCancelsTheStream() throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        model.then(Flux.<ChatResponse>create(
                        sink -> sink.next(new ChatResponse(List.of(new Generation(new AssistantMessage("I begin"))))))
                .doOnCancel(left::countDown));
        try (TestGateway gateway = TestGateway.with(agents().build())) {
            gateway.say("work");
            gateway.await("the call of the model", () -> !model.prompts().isEmpty());
            gateway.say("/stop");
            gateway.pass(Duration.ofSeconds(30));
            left.await();
            assertThat(gateway.ask("again")).isEqualTo("Done.");
        }
    }

    @Test
    void whatIsSaidMeanwhileIsGivenToTheModelWithTheNextResult() {
        CountDownLatch looks = new CountDownLatch(1);
        model.uses("", "slow").says("Both.");
        try (TestGateway gateway = TestGateway.builder()
                .settings(s -> s.busy(b -> b.withMode(BusyMode.STEER)))
                .agents(agents(Tools.named("slow", input -> {
                            try {
                                looks.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return "seen";
                        }))
                        .build())
                .start()) {
            gateway.say("look");
            gateway.await("the tool", () -> !model.prompts().isEmpty());
            gateway.say("and there too");
            looks.countDown();
            gateway.await("the answer", () -> gateway.seen().contains("Both."));
        }
        assertThat(model.lastMessages())
                .last()
                .satisfies(last -> assertThat(last.getText()).contains("and there too"));
    }

    @Test
    void whatIsMissingIsToldWhenAgentsAreBuilt() {
        assertThatThrownBy(() -> SpringAiAgents.builder(
                                "scripted", ChatClient.builder(model).build())
                        .clock(InstantSource.system())
                        .build())
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("executor");
    }
}
