package dev.parley.adapter.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AgentFactory;
import dev.parley.contracts.port.AgentContract;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import reactor.core.publisher.Flux;

/** A chat client of Spring AI keeps the contract of agents. */
class SpringAiContractTest implements AgentContract {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScriptedModel model = new ScriptedModel();
    private final AgentFactory factory = SpringAiAgents.builder(
                    "scripted",
                    ChatClient.builder(model)
                            .defaultToolCallbacks(
                                    Tools.named("weather", input -> "sunny"), Tools.named("time", input -> "noon"))
                            .build())
            .executor(threads)
            .clock(InstantSource.system())
            .build();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Override
    public AgentFactory factory() {
        return factory;
    }

    @Override
    public boolean prepare(Behaviour behaviour) {
        switch (behaviour) {
            case ANSWER -> model.says("All is well.");
            case USE_TOOLS -> model.uses("I look.", "weather", "time").says("Sunny at noon.");
            case FAIL -> model.then(Flux.error(new IllegalStateException("No credit.\nAsk somebody.")));
            case HANG ->
                model.then(Flux.create(
                        sink -> sink.next(new ChatResponse(List.of(new Generation(new AssistantMessage("I beg")))))));
        }
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
}
