package dev.parley.adapter.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentQuestion.Kind;
import dev.parley.contracts.port.AskingAgentContract;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
class SpringAiContractTest implements AskingAgentContract {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScriptedModel model = new ScriptedModel();
    private final AgentFactory factory = SpringAiAgents.builder(
                    "scripted",
                    ChatClient.builder(model)
                            .defaultToolCallbacks(
                                    Tools.named("weather", input -> "sunny"),
                                    Tools.named("time", input -> "noon"),
                                    Tools.named("delete", input -> "gone"))
                            .build())
            .executor(threads)
            .clock(InstantSource.system())
            .approval("delete")
            .build();
    private final CountDownLatch working = new CountDownLatch(1);

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
    public boolean prepareToAsk(Kind kind) {
        model.uses("I tidy up.", "delete").says("Tidy.");
        return kind == Kind.APPROVAL;
    }

    /** The model is silent until the contract has handed in its input, and repeats it then. */
    @Override
    public boolean prepareToBeSteered() {
        model.then(Flux.create(sink -> {
                    try {
                        working.await();
                        sink.next(answer("Where?"));
                        sink.complete();
                    } catch (InterruptedException e) {
                        sink.error(e);
                    }
                }))
                .then(Flux.create(sink -> {
                    sink.next(answer("Heard "
                            + model.lastMessages()
                                    .get(model.lastMessages().size() - 1)
                                    .getText()));
                    sink.complete();
                }));
        return true;
    }

    private static ChatResponse answer(String text) {
        return new ChatResponse(List.of(new Generation(new AssistantMessage(text))));
    }

    @Override
    public void workUntil(BooleanSupplier condition) {
        working.countDown();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("working").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
