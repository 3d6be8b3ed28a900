package dev.parley.adapter.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentQuestion.Kind;
import dev.parley.contracts.port.AskingAgentContract;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** A model of LangChain4j keeps the contract of agents. */
class LangChainContractTest implements AskingAgentContract {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScriptedModel model = new ScriptedModel();
    private final AgentFactory factory = LangChainAgents.builder("scripted", model)
            .executor(threads)
            .clock(InstantSource.system())
            .tool(ToolSpecification.builder().name("weather").build(), request -> "sunny")
            .tool(ToolSpecification.builder().name("time").build(), request -> "noon")
            .toolWithApproval(ToolSpecification.builder().name("delete").build(), request -> "gone")
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
            case FAIL -> model.then(handler -> handler.onError(new IllegalStateException("No credit.\nAsk somebody.")));
            case HANG -> model.then(handler -> handler.onPartialResponse("I beg"));
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
        model.then(handler -> {
                    try {
                        working.await();
                        handler.onCompleteResponse(ScriptedModel.response(AiMessage.from("Where?")));
                    } catch (InterruptedException e) {
                        handler.onError(e);
                    }
                })
                .then(handler -> handler.onCompleteResponse(ScriptedModel.response(AiMessage.from(
                        "Heard " + model.lastMessages().get(model.lastMessages().size() - 1)))));
        return true;
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
