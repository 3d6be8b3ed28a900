package dev.parley.adapter.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.contracts.port.HurriedTime;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.TurnId;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream with bytes written over it, or cut anywhere, ends its turn once, as an answer or a failure, and breaks nothing. */
class MutatedStreamsTest {
    private static final int ROUNDS = 60;
    private static final byte[] WHOLE = """
            : a comment

            event: message
            data: {"id":"1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]}

            data: {"choices":[{"index":0,"delta":{"content":"lo \\ud83d\\ude80 \u00fc","reasoning_content":"why"}}]}

            data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function",
            data: "function":{"name":"look","arguments":"{\\"a\\":1}"}}]}}]}

            data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

            data: {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":30}}}

            data: [DONE]

            """.getBytes(StandardCharsets.UTF_8);
    private static final List<String> PIECES = List.of(
            "\n",
            "\r",
            "\r\n\r\n",
            "data: ",
            "data:[DONE]\n\n",
            "{",
            "}",
            "[",
            "null",
            "1e999999999",
            "\"",
            "\\",
            "\\ud800",
            "-1",
            "\u0000",
            "data: {\"error\":{}}\n\n",
            "data: {\"error\":1}\n\n",
            "data: null\n\n",
            "data: []\n\n",
            "[".repeat(2_000),
            "9".repeat(2_000));

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final HurriedTime time = new HurriedTime();
    private final LinkedBlockingQueue<String> warnings = new LinkedBlockingQueue<>();
    private FakeServer server;

    @BeforeEach
    void open() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void close() {
        server.close();
        executor.shutdownNow();
        time.close();
    }

    private AgentFactory agents() {
        Class<GatewayInspection> type = GatewayInspection.class;
        return new OpenAiProvider()
                .create(new ProviderSettings(
                        "agents.openai",
                        Map.of("base_url", server.url(), "model", "m", "retries", "0", "max_tool_rounds", "1"),
                        Map.of("OPENAI_API_KEY", "sk-secret"),
                        Path.of("target"),
                        Instant::now,
                        time,
                        time,
                        executor,
                        warnings::add,
                        type.cast(Proxy.newProxyInstance(
                                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                                    throw new AssertionError("not asked for here: " + method);
                                }))));
    }

    private static byte[] mutated(Random random) {
        byte[] stream = WHOLE.clone();
        switch (random.nextInt(3)) {
            case 0 -> {
                for (int edits = random.nextInt(4); edits >= 0; edits--) {
                    stream[random.nextInt(stream.length)] = (byte) random.nextInt(256);
                }
                return stream;
            }
            case 1 -> {
                return Arrays.copyOf(stream, random.nextInt(stream.length));
            }
            default -> {
                String text = new String(stream, StandardCharsets.ISO_8859_1);
                int at = random.nextInt(text.length());
                return (text.substring(0, at) + PIECES.get(random.nextInt(PIECES.size())) + text.substring(at))
                        .getBytes(StandardCharsets.ISO_8859_1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aTurnEndsOnceWhateverComes(long seed) throws Exception {
        Random random = new Random(seed);
        AgentFactory agents = agents();
        for (int round = 0; round < ROUNDS; round++) {
            byte[] stream = mutated(random);
            String type = random.nextInt(8) == 0 ? "application/json" : "text/event-stream";
            int status = random.nextInt(8) == 0 ? 400 : 200;
            for (int calls = 0; calls < 3; calls++) {
                server.then(connection -> {
                    connection.raw("HTTP/1.1 " + status + " Status\r\nContent-Type: " + type
                            + "\r\nConnection: close\r\n\r\n");
                    connection.bytes(stream);
                });
            }
            LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
            agents.create(spec()).start(turn(), new Ends(ends));
            String end = ends.poll(60, TimeUnit.SECONDS);
            assertThat(end).as(new String(stream, StandardCharsets.ISO_8859_1)).isNotNull();
            assertThat(ends).isEmpty();
            server.forget();
        }
        assertThat(warnings)
                .noneMatch(warning -> warning.contains("The call of the model broke"))
                .noneMatch(warning -> warning.contains("sk-secret"))
                .allMatch(warning -> warning.lines().count() == 1);
    }

    private static AgentSpec spec() {
        return new AgentSpec(
                SessionKey.of("lane"),
                SessionId.of("s"),
                SessionSource.builder(Platform.LOCAL, "a").userId("u").build(),
                "the context",
                Optional.empty());
    }

    private static AgentTurn turn() {
        return new AgentTurn(
                new TurnId("t"),
                SessionId.of("s"),
                "the context",
                List.of(),
                Message.builder(new MessageId("m"), Role.USER, Content.text("hello there, model"), Instant.EPOCH)
                        .build(),
                List.of(),
                Optional.empty());
    }

    private record Ends(LinkedBlockingQueue<String> ends) implements AgentEvents {
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
            ends.add("failed");
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            ends.add("interrupted");
        }
    }
}
