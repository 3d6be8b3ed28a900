package dev.parley.adapter.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.contracts.port.AgentContract;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The agent keeps the contract of agents, before a server on a real socket; it uses no tools of its own. */
class OpenAiContractTest implements AgentContract {
    private static final String SAID =
            "{\"model\":\"model-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Done.\"}}]}";
    private static final String STOP = "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}";

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private FakeServer server;
    private AgentFactory factory;

    @BeforeEach
    void open() throws IOException {
        server = new FakeServer();
        factory = new OpenAiProvider().create(settings());
    }

    @AfterEach
    void close() {
        server.close();
        executor.shutdownNow();
    }

    /** Time stands still, so that no time-out ends a turn; chance is the least there is. */
    private ProviderSettings settings() {
        return new ProviderSettings(
                "agents.openai",
                Map.of("base_url", server.url(), "model", "model-1"),
                Map.of("OPENAI_API_KEY", "sk-secret"),
                Path.of("target"),
                () -> Instant.EPOCH,
                unneeded(Ids.class),
                (delay, task) -> () -> {},
                executor,
                warning -> {},
                unneeded(GatewayInspection.class));
    }

    private static <T> T unneeded(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    throw new AssertionError("not asked for here: " + method);
                }));
    }

    @Override
    public AgentFactory factory() {
        return factory;
    }

    @Override
    public boolean prepare(Behaviour behaviour) {
        switch (behaviour) {
            case ANSWER -> server.streams(SAID, STOP);
            case FAIL -> server.answers(400, "", "{\"error\":{\"message\":\"No such model.\"}}");
            case HANG ->
                server.then(connection -> {
                    connection.head(200, "text/event-stream", "");
                    connection.untilHungUp();
                });
            case USE_TOOLS -> {
                return false;
            }
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
