package dev.parley.adapter.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingHandle;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Models and tools of LangChain4j behind a real gateway. */
class LangChainAgentsTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScriptedModel model = new ScriptedModel();
    private final List<String> used = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private LangChainAgents.Builder agents() {
        return LangChainAgents.builder("scripted", model)
                .executor(threads)
                .clock(InstantSource.system())
                .tool(named("weather"), request -> {
                    used.add(request.arguments());
                    return "sunny";
                })
                .toolWithApproval(named("delete"), request -> {
                    used.add("deleted");
                    return "gone";
                });
    }

    private static ToolSpecification named(String name) {
        return ToolSpecification.builder().name(name).description("A tool.").build();
    }

    @Test
    void theModelReadsTheWholeConversation() {
        model.says("Hello Alice.").says("You said one.");
        try (TestGateway gateway =
                TestGateway.with(agents().systemPrompt("You are kind.").build())) {
            assertThat(gateway.ask("one")).isEqualTo("Hello Alice.");
            assertThat(gateway.ask("two")).isEqualTo("You said one.");
        }
        assertThat(model.lastMessages())
                .extracting(message -> message.type())
                .containsExactly(
                        ChatMessageType.SYSTEM, ChatMessageType.USER, ChatMessageType.AI, ChatMessageType.USER);
        assertThat(model.lastMessages().get(0).toString()).contains("You are kind.");
        assertThat(((AiMessage) model.lastMessages().get(2)).text()).isEqualTo("Hello Alice.");
        assertThat(model.requests().get(0).toolSpecifications())
                .extracting(ToolSpecification::name)
                .containsExactlyInAnyOrder("weather", "delete");
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
                .filteredOn(ToolExecutionResultMessage.class::isInstance)
                .singleElement()
                .extracting(message -> ((ToolExecutionResultMessage) message).text())
                .isEqualTo("sunny");
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
        model.uses("", "delete")
                .says("Gone.")
                .uses("", "delete")
                .says("Gone again.")
                .uses("", "delete")
                .says("And again.");
        try (TestGateway gateway = TestGateway.with(agents().build())) {
            assertThat(gateway.ask("tidy up")).contains("May I use delete?");
            assertThat(used).isEmpty();
            gateway.say("yes");
            gateway.await("the answer", () -> gateway.seen().contains("Gone."));
            assertThat(gateway.ask("tidy up")).contains("May I use delete?");
            gateway.say("session");
            gateway.await("the answer", () -> gateway.seen().contains("Gone again."));
            assertThat(gateway.ask("tidy up")).isEqualTo("And again.");
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
        try (TestGateway gateway = TestGateway.with(agents().tool(named("broken"), request -> {
                    throw new IllegalStateException("Out of order.\nCall somebody.");
                })
                .build())) {
            assertThat(gateway.ask("try")).isEqualTo("I could not.");
        }
        assertThat(model.lastMessages().toString())
                .contains("The tool failed: Out of order.")
                .doesNotContain("Call somebody")
                .contains("There is no tool unknown.");
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
    void stopCancelsTheStreamAndKeepsWhatWasSaid() throws Exception {
        AtomicBoolean cancelled = new AtomicBoolean();
        CountDownLatch left = new CountDownLatch(1);
        StreamingHandle handle = new StreamingHandle() {
            @Override
            public void cancel() {
                cancelled.set(true);
                left.countDown();
            }

            @Override
            public boolean isCancelled() {
                return cancelled.get();
            }
        };
        model.then(handler ->
                handler.onPartialResponse(new PartialResponse("I begin"), new PartialResponseContext(handle)));
        try (TestGateway gateway = TestGateway.with(agents().build())) {
            gateway.say("work");
            gateway.await("the call of the model", () -> !model.requests().isEmpty());
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
                .agents(agents().tool(named("slow"), request -> {
                            looks.await();
                            return "seen";
                        })
                        .build())
                .start()) {
            gateway.say("look");
            gateway.await("the tool", () -> !model.requests().isEmpty());
            gateway.say("and there too");
            looks.countDown();
            gateway.await("the answer", () -> gateway.seen().contains("Both."));
        }
        assertThat(model.lastMessages())
                .last()
                .isInstanceOf(UserMessage.class)
                .asString()
                .contains("and there too");
    }

    @Test
    void whatIsMissingIsToldWhenAgentsAreBuilt() {
        assertThatThrownBy(() -> LangChainAgents.builder("scripted", model)
                        .clock(InstantSource.system())
                        .build())
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("executor");
    }
}
