package dev.parley.adapter.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.TokenUsage;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent before a server on a real socket; time passes only as the test says. */
class OpenAiAgentTest {
    private static final String KEY = "sk-very-secret";
    private static final String USAGE =
            "{\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":20,\"total_tokens\":120,"
                    + "\"prompt_tokens_details\":{\"cached_tokens\":30},\"completion_tokens_details\":{\"reasoning_tokens\":5}}}";

    private final Clockwork clockwork = new Clockwork();
    private final Heard heard = new Heard(clockwork.warnings);
    private FakeServer server;

    @BeforeEach
    void open() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void close() {
        server.close();
        clockwork.executor.shutdownNow();
    }

    // ---- answers

    @Test
    void anAnswerIsStreamedAndCounted() throws Exception {
        server.streams(said("Hel"), said("lo"), stop("stop"), USAGE);
        start("hi");

        assertThat(heard.end()).isEqualTo("answered Hello");
        assertThat(heard.log).containsExactly("streamed Hel", "streamed lo", "answered Hello");
        AgentAnswer answer = heard.answer;
        assertThat(answer.tokens()).isEqualTo(new TokenUsage(70, 15, 30, 0, 5));
        assertThat(answer.tokens().total()).isEqualTo(120);
        assertThat(answer.lastPromptTokens()).isEqualTo(100);
        assertThat(answer.apiCalls()).isEqualTo(1);
        assertThat(answer.finishReason()).contains("stop");
        assertThat(answer.model()).contains("model-1-2026");
        assertThat(answer.billing().provider()).contains("openai");
        assertThat(answer.billing().baseUrl()).contains(server.url());
    }

    @Test
    void theRequestIsWhatTheProtocolSays() throws Exception {
        server.streams(said("ok"), stop("stop"));
        start(
                Map.of("temperature", "0.5", "max_tokens", "77", "system_prompt", "Be kind."),
                turn(List.of(message(Role.USER, "before"), message(Role.ASSISTANT, "answer")), "now"));
        heard.end();

        FakeServer.Request request = server.request();
        assertThat(request.line()).isEqualTo("POST /v1/chat/completions HTTP/1.1");
        assertThat(request.headers()).containsEntry("authorization", "Bearer " + KEY);
        assertThat(request.headers()).containsEntry("content-type", "application/json");
        assertThat(request.body())
                .isEqualTo(json("{\"model\":\"model-1\",\"messages\":["
                        + "{\"role\":\"system\",\"content\":\"Be kind.\\n\\nthe context\"},"
                        + "{\"role\":\"user\",\"content\":\"before\"},{\"role\":\"assistant\",\"content\":\"answer\"},"
                        + "{\"role\":\"user\",\"content\":\"now\"}],\"stream\":true,"
                        + "\"stream_options\":{\"include_usage\":true},\"temperature\":0.5,\"max_tokens\":77}"));
    }

    @Test
    void linesThatAreSplitOrCommentsDoNotMatter() throws Exception {
        server.then(connection -> {
            connection.head(200, "text/event-stream; charset=utf-8", "");
            connection.chunk(": keep-alive\r\n\r\nevent: x\nda");
            connection.chunk("ta:{\"choices\":[{\"delta\":\ndata: {\"content\":\"gr\u00fc\u00df\"}}]}\r\n\r\n");
            connection.chunk("data: " + stop("stop"));
            connection.end();
        });
        start("hi");

        assertThat(heard.end()).isEqualTo("answered grüß");
    }

    @Test
    void aServerThatDoesNotStreamIsUnderstood() throws Exception {
        server.answers(
                200,
                "",
                "{\"model\":\"m\",\"choices\":[{\"message\":{\"role\":\"assistant\",\n\"content\":\"all at once\"},"
                        + "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}");
        start("hi");

        assertThat(heard.end()).isEqualTo("answered all at once");
        assertThat(heard.answer.tokens()).isEqualTo(new TokenUsage(3, 4, 0, 0, 0));
    }

    @Test
    void reasoningIsKeptApart() throws Exception {
        server.streams(
                "{\"choices\":[{\"delta\":{\"reasoning_content\":\"let me \"}}]}",
                "{\"choices\":[{\"delta\":{\"reasoning_content\":\"think\"}}]}",
                said("42"),
                stop("stop"));
        start("hi");

        assertThat(heard.end()).isEqualTo("answered 42");
        assertThat(heard.answer.reasoning().content()).contains("let me think");
    }

    @Test
    void nothingIsReportedBeforeStartReturns() throws Exception {
        server.streams(said("ok"), stop("stop"));
        synchronized (heard.log) {
            start("hi");
            assertThat(heard.log).isEmpty();
        }
        assertThat(heard.end()).isEqualTo("answered ok");
    }

    // ---- tools

    @Test
    void callsOfToolsAreRecordedAndAnsweredThatThereAreNone() throws Exception {
        server.streams(
                said("One moment."),
                "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"look\","
                        + "\"arguments\":\"{\\\"a\"}}]}}]}",
                "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"function\":{\"name\":\"see\",\"arguments\":\"\"}}]}}]}",
                "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\\":1}\"}}]}}]}",
                stop("tool_calls"),
                USAGE);
        server.streams(said("I cannot look."), stop("stop"), USAGE);
        start("hi");

        assertThat(heard.end()).isEqualTo("answered I cannot look.");
        assertThat(heard.log)
                .containsExactly(
                        "streamed One moment.",
                        "called One moment. [ToolCall[id=c1, name=look, arguments={\"a\":1}], ToolCall[id=call-1, name=see, arguments=]]",
                        "result c1 look " + OpenAiRun.NO_TOOL,
                        "result call-1 see " + OpenAiRun.NO_TOOL,
                        "streamed \n\n",
                        "streamed I cannot look.",
                        "answered I cannot look.");
        assertThat(heard.answer.tokens().total()).isEqualTo(240);
        assertThat(heard.answer.apiCalls()).isEqualTo(2);
        server.request();
        JsonNode messages = server.request().body().get("messages");
        assertThat(messages.get(2))
                .isEqualTo(
                        json(
                                "{\"role\":\"assistant\",\"content\":\"One moment.\",\"tool_calls\":["
                                        + "{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"a\\\":1}\"}},"
                                        + "{\"id\":\"call-1\",\"type\":\"function\",\"function\":{\"name\":\"see\",\"arguments\":\"\"}}]}"));
        assertThat(messages.get(3))
                .isEqualTo(
                        json("{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"" + OpenAiRun.NO_TOOL + "\"}"));
        assertThat(messages).hasSize(5);
    }

    @Test
    void aModelThatOnlyAsksForToolsIsStopped() throws Exception {
        for (int i = 0; i < 3; i++) {
            server.streams(
                    "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c" + i
                            + "\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}}]}",
                    stop("tool_calls"));
        }
        start(Map.of("max_tool_rounds", "2"), turn(List.of(), "hi"));

        assertThat(heard.end()).isEqualTo("failed MODEL model-1 keeps asking for tools, and none is available here.");
        assertThat(heard.failure.apiCalls()).isEqualTo(3);
    }

    /** Servers refuse a conversation in which calls and results do not belong together. */
    @Test
    void historyIsMadeWhole() throws Exception {
        server.streams(said("ok"), stop("stop"));
        Message asked = message(Role.ASSISTANT, "").toBuilder()
                .content(Content.none())
                .toolCalls(ToolCalls.of(List.of(new ToolCall("c1", "look", "{}"), new ToolCall("c2", "see", "{}"))))
                .build();
        Message result =
                message(Role.TOOL, "found").toBuilder().toolCallId("c2").build();
        Message stray = message(Role.TOOL, "stray").toBuilder().toolCallId("c9").build();
        Message picture = message(Role.USER, "").toBuilder()
                .content(new Content.Multipart(new RawJson("[{\"type\":\"text\",\"text\":\"see\"}]"), List.of("see")))
                .build();
        start(
                Map.of(),
                turn(
                        List.of(
                                stray,
                                asked,
                                result,
                                picture,
                                message(Role.SESSION_META, "x"),
                                message(Role.UNKNOWN, "?")),
                        "now"));
        heard.end();

        JsonNode messages = server.request().body().get("messages");
        assertThat(messages.toString())
                .isEqualTo(
                        "[{\"role\":\"system\",\"content\":\"the context\"},{\"role\":\"assistant\",\"content\":null,"
                                + "\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}},"
                                + "{\"id\":\"c2\",\"type\":\"function\",\"function\":{\"name\":\"see\",\"arguments\":\"{}\"}}]},"
                                + "{\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"found\"},"
                                + "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"" + Conversation.NO_RESULT
                                + "\"},"
                                + "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"see\"}]},"
                                + "{\"role\":\"user\",\"content\":\"?\"},{\"role\":\"user\",\"content\":\"now\"}]");
    }

    // ---- steering and interrupting

    @Test
    void whatIsSteeredInBecomesTheNextRound() throws Exception {
        LinkedBlockingQueue<String> go = new LinkedBlockingQueue<>();
        server.then(connection -> {
            connection.head(200, "text/event-stream", "");
            connection.event(said("first"));
            go.take();
            connection.event(stop("stop"));
            connection.end();
        });
        server.streams(said("second"), stop("stop"));
        AgentRun run = start("hi");
        heard.until("streamed first");

        assertThat(run.steer("and also this")).isTrue();
        go.add("on");

        assertThat(heard.end()).isEqualTo("answered first\n\nsecond");
        assertThat(run.steer("too late")).isFalse();
        server.request();
        JsonNode messages = server.request().body().get("messages");
        assertThat(messages.get(2)).isEqualTo(json("{\"role\":\"assistant\",\"content\":\"first\"}"));
        assertThat(messages.get(3)).isEqualTo(json("{\"role\":\"user\",\"content\":\"and also this\"}"));
    }

    @Test
    void interruptingEndsTheRequestAndKeepsWhatWasSaid() throws Exception {
        server.then(connection -> {
            connection.head(200, "text/event-stream", "");
            connection.event(said("half an "));
            connection.untilHungUp();
        });
        AgentRun run = start("hi");
        heard.until("streamed half an ");
        run.interrupt("stop");
        run.interrupt("stop");

        assertThat(heard.end()).isEqualTo("interrupted half an ");
        assertThat(server.hungUp.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(run.steer("more")).isFalse();
        assertThat(clockwork.timers()).isZero();
    }

    @Test
    void interruptingARequestThatIsNotAnsweredYetEndsItToo() throws Exception {
        server.then(FakeServer.Connection::untilHungUp);
        AgentRun run = start("hi");
        server.request();
        run.interrupt("stop");

        assertThat(heard.end()).isEqualTo("interrupted ");
        assertThat(server.hungUp.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(heard.answer.apiCalls()).isZero();
    }

    // ---- answers without an end

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data: {\"choices\":[{\"delta\":{\"content\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}}]}\n\n",
                "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"aaaaaaaaaaaaaaaaaaaaaaaa\"}}]}\n\n",
                "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"aaaa\"}}]}}]}\n\n",
                "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":%d,\"id\":\"x\"}]}}]}\n\n",
                "data: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            })
    void anAnswerWithoutAnEndIsStopped(String piece) throws Exception {
        server.then(connection -> {
            connection.head(200, "text/event-stream", "");
            for (int i = 0; connection.isOpen(); i++) {
                connection.chunk(piece.replace("%d", String.valueOf(i)));
            }
        });
        start(Map.of("max_answer_size", "20000"), turn(List.of(), "hi"));

        assertThat(heard.end())
                .isEqualTo("failed MODEL The answer of " + server.url() + " is longer than the 20000 characters that"
                        + " agents.openai.max_answer_size allows.");
        assertThat(server.request().line()).startsWith("POST ");
        assertThat(server.isIdle()).as("it is not tried again").isTrue();
    }

    @Test
    void aWholeAnswerWithoutAnEndIsStopped() throws Exception {
        server.then(connection -> {
            connection.head(200, "application/json", "");
            while (connection.isOpen()) {
                connection.chunk("[\n[\n[\n[\n[\n[\n[\n[\n");
            }
        });
        start(Map.of("max_answer_size", "20000"), turn(List.of(), "hi"));

        assertThat(heard.end())
                .startsWith("failed MODEL The answer of ")
                .contains("is longer than the 20000 characters");
    }

    /** What still comes in is no progress for ever: here a comment each minute. */
    @Test
    void aTurnThatGoesOnAndOnIsStopped() throws Exception {
        server.then(connection -> {
            connection.head(200, "text/event-stream", "");
            while (connection.isOpen()) {
                connection.chunk(": still here\n\n");
            }
        });
        AgentRun run = start(Map.of("answer_timeout", "300"), turn(List.of(), "hi"));
        clockwork.until(run, "receiving");
        while (heard.isGoingOn()) {
            clockwork.advance(Duration.ofSeconds(30));
        }

        assertThat(heard.end())
                .startsWith("failed MODEL The answer of " + server.url()
                        + " did not end within the 300 seconds that agents.openai.answer_timeout allows.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "1e300", "-5", "200000000"})
    void aCountThatNoModelReachesIsNotBelieved(String count) throws Exception {
        server.streams(
                said("ok"),
                stop("stop"),
                "{\"choices\":[],\"usage\":{\"prompt_tokens\":" + count + ",\"completion_tokens\":3}}");
        start("hi");

        assertThat(heard.end()).isEqualTo("answered ok");
        assertThat(heard.answer.tokens()).isEqualTo(TokenUsage.NONE);
        assertThat(heard.answer.lastPromptTokens()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sk-secret\u2013123", "sk-secret 123", "sk-secret\n123", "sk-secr\u00e9t"})
    void aKeyThatCannotBeSentIsRefusedWithoutShowingIt(String key) {
        assertThatThrownBy(() -> factory(Map.of(), key))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("The environment variable OPENAI_API_KEY holds no key: its character ")
                .hasMessageNotContaining("sk-")
                .hasMessageNotContaining("\n");
    }

    /** An Error out of a report stands for any fault: the turn ends, nobody waits. */
    @Test
    void aFaultOfOursEndsTheTurn() throws Exception {
        server.streams(said("Hel"), said("lo"), stop("stop"));
        heard.faultAt("Hel");
        start("hi");

        assertThat(heard.end()).startsWith("failed MODEL The call of the model broke: java.lang.NoSuchMethodError at ");
    }

    @Test
    void anAnswerThatCannotBeReportedEndsTheTurnAsAFailure() throws Exception {
        server.streams(said("Hello"), stop("stop"));
        heard.faultAtAnswer();
        AgentRun run = start("hi");

        assertThat(heard.end()).startsWith("failed MODEL The call of the model broke: java.lang.NoSuchMethodError at ");
        assertThat(run.steer("more")).isFalse();
        assertThat(clockwork.timers()).isZero();
    }

    // ---- failures

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 503})
    void aServerThatIsBusyIsAskedAgainAfterTheTimeItNames(int status) throws Exception {
        server.answers(status, "Retry-After: 7\r\n", "{\"error\":{\"message\":\"busy\"}}");
        server.streams(said("ok"), stop("stop"));
        AgentRun run = start("hi");
        server.request();
        clockwork.until(run, "trying again (1 of 3)");
        clockwork.advance(Duration.ofMillis(6_999));
        assertThat(server.isIdle()).isTrue();
        clockwork.advance(Duration.ofMillis(1));

        assertThat(heard.end()).isEqualTo("answered ok");
        assertThat(heard.answer.apiCalls()).isEqualTo(1);
    }

    @Test
    void withoutATimeToWaitTheWaitDoubles() throws Exception {
        for (int i = 0; i < 3; i++) {
            server.answers(500, "", "");
        }
        server.answers(500, "", "{\"error\":{\"message\":\"still " + KEY + " broken\"}}");
        AgentRun run = start("hi");
        for (int i = 0; i < 3; i++) {
            clockwork.until(run, "trying again (" + (i + 1) + " of 3)");
            clockwork.advance(Duration.ofMillis(500L << i));
        }

        assertThat(heard.end())
                .isEqualTo("failed MODEL " + server.url() + " answered 500: 'still (key) broken'. Tried 4 times.");
        assertThat(clockwork.jitters).containsExactly("PT0.25S-PT0.5S", "PT0.5S-PT1S", "PT1S-PT2S");
        assertThat(heard.failure.apiCalls()).isZero();
        assertThat(clockwork.timers()).isZero();
    }

    @Test
    void aWaitThatIsTooLongIsToldInstead() throws Exception {
        server.answers(429, "Retry-After: 3600\r\n", "{\"error\":{\"message\":\"limit\"}}");
        start("hi");

        assertThat(heard.end())
                .isEqualTo("failed MODEL " + server.url() + " answered 429: 'limit'. It asks to wait 3600 seconds.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7 | PT7S",
                "0.5 | PT0.5S",
                "Thu, 01 Jan 2026 12:00:30 GMT | PT30S",
                "Thu, 01 Jan 2026 11:00:00 GMT | PT0S",
                "-3 |",
                "soon |",
            })
    void aTimeToWaitIsSecondsOrADate(String header, Duration wait) {
        assertThat(Refusal.wait(header, clockwork.now)).isEqualTo(Optional.ofNullable(wait));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "400 | {'error':{'code':'context_length_exceeded','message':'no'}} | CONTEXT_TOO_LARGE The conversation is too large for model-1: 'no'.",
                "400 | {'error':{'message':'This model has a maximum context length of 8 tokens'}} | CONTEXT_TOO_LARGE The conversation is too large",
                "413 | too big | CONTEXT_TOO_LARGE The conversation is too large for model-1: 'too big'.",
                "401 | {'error':{'message':'bad key'}} | CONFIGURATION URL answered 401: it does not accept the key; check OPENAI_API_KEY: 'bad key'.",
                "404 | {'error':'no such model'} | CONFIGURATION URL answered 404: check base_url and the model model-1: 'no such model'.",
                "400 | <html>no</html> | MODEL URL answered 400: '<html>no</html>'.",
                "429 | {'error':{'code':'insufficient_quota','message':'pay'}} | MODEL URL answered 429: 'pay'.",
                "302 | | MODEL URL answered 302.",
            })
    void whatCannotBeRepairedByTryingAgainIsToldAtOnce(int status, String body, String failure) throws Exception {
        server.answers(status, "", body == null ? "" : body.replace('\'', '"'));
        start("hi");

        assertThat(heard.end()).startsWith("failed " + failure.replace("URL", server.url()));
        assertThat(clockwork.timers()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "xylophone-of-marked-text | Invalid value: xylophone-of-marked-text",
                "xylophone-of-marked-text | Cannot parse \"ylophone-of-ma\" (position 3)",
                "4711 | Invalid value 4711.",
            })
    void whatAServerRepeatsOfTheConversationIsNotInTheLog(String text, String message) throws Exception {
        server.answers(
                400, "", Json.write(Json.object().set("error", Json.object().put("message", message))));
        start(text);

        assertThat(heard.end())
                .isEqualTo("failed MODEL " + server.url()
                        + " answered 400; what it says repeats the conversation and is left out.");
    }

    @Test
    void aWarningThatCannotBeToldKeepsNoTurnFromEnding() throws Exception {
        clockwork.told = warning -> {
            clockwork.warnings.add(warning);
            throw new NoSuchMethodError("a fault");
        };
        server.answers(404, "", "");
        start("hi");

        assertThat(heard.end()).startsWith("failed CONFIGURATION");
    }

    @Test
    void aConnectionThatBreaksBeforeAnythingWasSaidIsTriedAgain() throws Exception {
        server.then(connection -> {
            connection.head(200, "text/event-stream", "");
            connection.event("{\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}");
        });
        server.then(connection -> {
            connection.head(200, "text/event-stream", "");
            connection.end();
        });
        server.then(connection -> {
            connection.head(200, "text/event-stream", "");
            connection.event("{broken");
            connection.end();
        });
        server.streams(said("ok"), stop("stop"));
        AgentRun run = start("hi");
        for (int i = 1; i <= 3; i++) {
            clockwork.until(run, "trying again (" + i + " of 3)");
            clockwork.advance(Duration.ofSeconds(5));
        }

        assertThat(heard.end()).isEqualTo("answered ok");
        assertThat(heard.log).containsExactly("streamed ok", "answered ok");
    }

    @Test
    void nothingIsTriedAgainOnceSomethingWasSaid() throws Exception {
        server.then(connection -> {
            connection.head(200, "text/event-stream", "");
            connection.event(said("half"));
        });
        start("hi");

        assertThat(heard.end()).startsWith("failed MODEL The answer of " + server.url() + " did not come:");
        assertThat(heard.log).hasSize(2);
        assertThat(clockwork.timers()).isZero();
    }

    @Test
    void anAnswerThatEndsWithoutAnEndIsNoAnswer() throws Exception {
        server.then(connection -> {
            connection.head(200, "text/event-stream", "");
            connection.event(said("half"));
            connection.end();
        });
        start("hi");

        assertThat(heard.end())
                .isEqualTo("failed MODEL The answer of " + server.url()
                        + " did not come: the connection ended in the middle of the answer.");
    }

    @Test
    void anErrorInTheMiddleOfTheStreamIsTold() throws Exception {
        server.streams(said("half"), "{\"error\":{\"message\":\"overloaded\"}}");
        start("hi");

        assertThat(heard.end()).isEqualTo("failed MODEL " + server.url() + " broke off: 'overloaded'.");
    }

    @Test
    void aServerThatFallsSilentIsLeft() throws Exception {
        server.then(connection -> {
            connection.head(200, "text/event-stream", "");
            connection.event(said("well"));
            connection.untilHungUp();
        });
        start(Map.of("timeout", "60"), turn(List.of(), "hi"));
        heard.until("streamed well");
        clockwork.advance(Duration.ofSeconds(60));

        assertThat(heard.end())
                .isEqualTo(
                        "failed MODEL The answer of " + server.url() + " did not come: it was silent for 60 seconds.");
        assertThat(server.hungUp.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aServerThatIsNotThereIsTold() throws Exception {
        server.close();
        start(Map.of("retries", "0"), turn(List.of(), "hi"));

        assertThat(heard.end()).startsWith("failed MODEL The answer of " + server.url() + " did not come:");
        assertThat(heard.failure.apiCalls()).isZero();
    }

    // ---- summaries

    @Test
    void aSummaryIsAskedOfTheModel() throws Exception {
        server.streams(said(" They met. "), stop("stop"));
        agent(Map.of())
                .summarise(
                        List.of(message(Role.USER, "hello"), message(Role.ASSISTANT, "hi")),
                        Optional.of("names"),
                        heard);

        assertThat(heard.end()).isEqualTo("summarised They met.");
        JsonNode messages = server.request().body().get("messages");
        assertThat(messages.get(0).get("content").asText()).endsWith("Keep above all what concerns: names");
        assertThat(messages.get(1).get("content").asText()).isEqualTo("user: hello\nassistant: hi\n");
    }

    @Test
    void aSummaryThatCannotBeMadeSaysWhy() throws Exception {
        server.answers(413, "", "");
        agent(Map.of()).summarise(List.of(message(Role.USER, "hello")), Optional.empty(), heard);

        assertThat(heard.end()).isEqualTo("failed The conversation is too large for the model.");
        assertThat(clockwork.warnings).containsExactly("agents.openai: The conversation is too large for model-1.");
    }

    // ---- settings

    /** The signature covers what an agent is built from, the key by its digest (A11.3). */
    @Test
    void theSignatureChangesWithWhatTheAgentIsBuiltFromAndHidesTheKey() {
        AgentFactory factory = factory(Map.of());
        String signature = factory.signature(spec("p", "u", Optional.empty()));

        assertThat(signature).matches("[0-9a-f]{64}");
        assertThat(factory.signature(spec("p", "u", Optional.empty()))).isEqualTo(signature);
        assertThat(List.of(
                        factory.signature(spec("other", "u", Optional.empty())),
                        factory.signature(spec("p", "other", Optional.empty())),
                        factory.signature(spec("p", "u", Optional.of("model-2"))),
                        factory(Map.of("max_tokens", "5")).signature(spec("p", "u", Optional.empty())),
                        factory(Map.of("context_length", "5")).signature(spec("p", "u", Optional.empty())),
                        factory(Map.of(), "another-key").signature(spec("p", "u", Optional.empty()))))
                .doesNotHaveDuplicates()
                .doesNotContain(signature);
    }

    @Test
    void aModelChosenForTheLaneIsAskedAndTheKeyStaysWithItsServer() throws Exception {
        server.streams(said("ok"), stop("stop"));
        AgentFactory factory = new OpenAiProvider()
                .create(clockwork.settings(
                        Map.of("base_url", "http://localhost:1/v1", "model", "model-1"),
                        Map.of("OPENAI_API_KEY", KEY)));
        AgentSpec spec = new AgentSpec(
                SessionKey.of("lane"),
                SessionId.of("s"),
                SessionSource.builder(Platform.LOCAL, "a").build(),
                "p",
                Optional.of(new ModelOverride(Optional.of("model-2"), Optional.of("mine"), Optional.of(server.url()))));
        factory.create(spec).start(turn(List.of(), "hi"), heard);
        heard.end();

        FakeServer.Request request = server.request();
        assertThat(request.body().get("model").asText()).isEqualTo("model-2");
        assertThat(request.headers()).doesNotContainKey("authorization");
        assertThat(factory.model(spec)).isEqualTo("model-2");
        assertThat(heard.answer.billing().provider()).contains("mine");
    }

    /** An address stands in lines for the operator, and is stored with what a session has cost. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user:s3cret@host/v1",
                "https://s3cret@host/v1",
                "https://user:s3c ret@host/v1",
                "https://user:s3cret/more@host/v1",
                "HTTPS://user:s3c@ret@host"
            })
    void anAddressWithAUserOrAPasswordIsRefusedAndNotRepeated(String address) {
        AgentFactory factory = factory(Map.of());
        AgentSpec spec = new AgentSpec(
                SessionKey.of("lane"),
                SessionId.of("s"),
                SessionSource.builder(Platform.LOCAL, "a").build(),
                "p",
                Optional.of(new ModelOverride(Optional.of("model-2"), Optional.empty(), Optional.of(address))));

        assertThatThrownBy(() -> factory(Map.of("base_url", address)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage("agents.openai.base_url holds a user or a password, which would not be sent; take them"
                        + " out, and put the key of the server into the environment variable OPENAI_API_KEY.");
        assertThatThrownBy(() -> factory.create(spec))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage("The address that was chosen for this conversation's model holds a user or a password,"
                        + " which would not be sent; choose it without them.");
        assertThatThrownBy(() -> factory.signature(spec)).isInstanceOf(InvalidRequest.class);
        assertThat(factory.model(spec)).isEqualTo("model-2");
    }

    @Test
    void aMissingKeyIsToldWhereOneIsExpected() {
        assertThatThrownBy(() -> new OpenAiProvider().create(clockwork.settings(Map.of("model", "m"), Map.of())))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("The environment variable OPENAI_API_KEY is not set");
        assertThatThrownBy(() -> new OpenAiProvider()
                        .create(clockwork.settings(
                                Map.of("model", "m", "base_url", "http://localhost:1", "api_key_env", "MINE"),
                                Map.of())))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("The environment variable MINE is not set");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "base_url | localhost | agents.openai.base_url: 'localhost' is not an address",
                "temperature | hot | agents.openai.temperature: 'hot' is not a number from 0 to 10.",
                "max_tokens | 0 | agents.openai.max_tokens: '0' is not a whole number from 1",
                "timeout | 0 | agents.openai.timeout: '0' is not a whole number from 1",
                "retries | 99 | agents.openai.retries: '99' is not a whole number from 0 to 20",
                "model | '' | agents.openai.model is missing",
            })
    void aSettingThatCannotBeIsNamed(String name, String value, String message) {
        assertThatThrownBy(() -> factory(Map.of(name, value)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith(message);
    }

    // ---- help

    private static String said(String text) {
        return "{\"model\":\"model-1-2026\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + text + "\"}}]}";
    }

    private static String stop(String reason) {
        return "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" + reason + "\"}]}";
    }

    private static JsonNode json(String text) {
        return Json.read(text).orElseThrow();
    }

    private AgentRun start(String text) {
        return start(Map.of(), turn(List.of(), text));
    }

    private AgentRun start(Map<String, String> values, AgentTurn turn) {
        return agent(values).start(turn, heard);
    }

    private Agent agent(Map<String, String> values) {
        return factory(values).create(spec("the context", "u", Optional.empty()));
    }

    private AgentFactory factory(Map<String, String> values) {
        return factory(values, KEY);
    }

    private AgentFactory factory(Map<String, String> values, String key) {
        Map<String, String> all = new HashMap<>(Map.of("base_url", server.url() + "/", "model", "model-1"));
        all.putAll(values);
        return new OpenAiProvider().create(clockwork.settings(all, Map.of("OPENAI_API_KEY", key)));
    }

    private static AgentSpec spec(String prompt, String user, Optional<String> model) {
        return new AgentSpec(
                SessionKey.of("lane"),
                SessionId.of("s"),
                SessionSource.builder(Platform.LOCAL, "a").userId(user).build(),
                prompt,
                model.map(m -> new ModelOverride(Optional.of(m), Optional.empty(), Optional.empty())));
    }

    private static AgentTurn turn(List<Message> history, String text) {
        return new AgentTurn(
                new TurnId("t"),
                SessionId.of("s"),
                "the context",
                history,
                message(Role.USER, text),
                List.of(),
                Optional.empty());
    }

    private static Message message(Role role, String text) {
        return Message.builder(new MessageId("m"), role, Content.text(text), Instant.EPOCH)
                .build();
    }

    /** Time that stands still until it is told to pass. */
    private static final class Clockwork implements Timers, Ids {
        private final ExecutorService executor = Executors.newCachedThreadPool();
        private final LinkedBlockingQueue<String> warnings = new LinkedBlockingQueue<>();
        private Consumer<String> told = warnings::add;
        private final List<Due> due = new ArrayList<>();
        private final List<String> jitters = new ArrayList<>();
        private volatile Instant now = Instant.parse("2026-01-01T12:00:00Z");

        private record Due(Instant at, Runnable task) {}

        ProviderSettings settings(Map<String, String> values, Map<String, String> environment) {
            return new ProviderSettings(
                    "agents.openai",
                    values,
                    environment,
                    Path.of("target"),
                    () -> now,
                    this,
                    this,
                    executor,
                    warning -> told.accept(warning),
                    (GatewayInspection) Proxy.newProxyInstance(
                            GatewayInspection.class.getClassLoader(),
                            new Class<?>[] {GatewayInspection.class},
                            (proxy, method, arguments) -> {
                                throw new AssertionError("an agent does not look into the gateway: " + method);
                            }));
        }

        void advance(Duration by) {
            List<Due> ready;
            synchronized (this) {
                now = now.plus(by);
                ready = due.stream().filter(d -> !d.at().isAfter(now)).toList();
                due.removeAll(ready);
            }
            ready.forEach(d -> d.task().run());
        }

        /** Waits until the run is at this and has set its timer. */
        void until(AgentRun run, String activity) {
            while (!run.activity().equals(Optional.of(activity)) || timers() == 0) {
                Thread.onSpinWait();
            }
        }

        synchronized int timers() {
            return due.size();
        }

        @Override
        public synchronized Timer after(Duration delay, Runnable task) {
            Due entry = new Due(now.plus(delay), task);
            due.add(entry);
            return () -> {
                synchronized (this) {
                    due.remove(entry);
                }
            };
        }

        @Override
        public String sessionSuffix() {
            return "00000000";
        }

        @Override
        public String unique(String prefix) {
            return prefix + "-1";
        }

        @Override
        public synchronized Duration jitter(Duration least, Duration most) {
            jitters.add(least + "-" + most);
            return most;
        }
    }

    private static final class Heard implements AgentEvents, Agent.SummaryListener {
        private final LinkedBlockingQueue<String> warnings;
        private final List<String> log = new ArrayList<>();
        private final LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
        private volatile String fault = "";
        private volatile boolean faultAtAnswer;
        private AgentAnswer answer = AgentAnswer.text("none yet");
        private AgentFailure failure = new AgentFailure(AgentFailure.Kind.MODEL, "none yet", TokenUsage.NONE, -1);

        Heard(LinkedBlockingQueue<String> warnings) {
            this.warnings = warnings;
        }

        String end() throws InterruptedException {
            String end = ends.poll(30, TimeUnit.SECONDS);
            assertThat(end).isNotNull();
            assertThat(ends).isEmpty();
            return end;
        }

        void until(String line) throws InterruptedException {
            synchronized (log) {
                while (!log.contains(line)) {
                    log.wait(30_000);
                }
            }
        }

        private void add(String line) {
            synchronized (log) {
                log.add(line);
                log.notifyAll();
            }
        }

        private void ended(String line) {
            add(line);
            ends.add(line);
        }

        boolean isGoingOn() {
            return ends.isEmpty();
        }

        void faultAt(String delta) {
            fault = delta;
        }

        void faultAtAnswer() {
            faultAtAnswer = true;
        }

        @Override
        public void streamed(String delta) {
            add("streamed " + delta);
            if (delta.equals(fault)) {
                throw new NoSuchMethodError("a fault");
            }
        }

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            add("called " + content.plainText() + " " + calls);
        }

        @Override
        public void toolAnswered(String callId, String tool, Content result) {
            add("result " + callId + " " + tool + " " + result.plainText());
        }

        @Override
        public void answered(AgentAnswer given) {
            answer = given;
            if (faultAtAnswer) {
                throw new NoSuchMethodError("a fault");
            }
            ended("answered " + given.content().plainText());
        }

        @Override
        public void failed(AgentFailure why) {
            failure = why;
            assertThat(why.message()).as("what people are told").doesNotContain("://", "sk-", "'");
            ended("failed " + why.kind() + " " + operatorWasTold());
        }

        private String operatorWasTold() {
            String warning = String.valueOf(warnings.poll());
            assertThat(warning).startsWith("agents.openai: ");
            return warning.substring("agents.openai: ".length());
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            answer = partial;
            ended("interrupted " + partial.content().plainText());
        }

        @Override
        public void summarised(String summary) {
            ended("summarised " + summary);
        }

        @Override
        public void failed(String why) {
            ended("failed " + why);
        }
    }
}
