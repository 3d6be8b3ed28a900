package dev.parley.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection.LaneState;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.TokenUsage;
import io.javalin.Javalin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The platform on real sockets, before a gateway that takes messages as the test says. */
class HttpPlatformTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TurnId TURN = new TurnId("turn-1");
    private static final String BRIDGE = "a-token-for-telegram";

    @TempDir
    private Path home;

    private final FakeGateway gateway = new FakeGateway();
    private final List<ChatPlatform> started = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        started.forEach(ChatPlatform::stop);
        gateway.close();
    }

    // ---- messages

    @Test
    void aMessageIsHandedInAndItsAnswerReturned() throws Exception {
        answering("hello to you");
        start();

        HttpResponse<String> response =
                post("{\"chat_id\":\"c:1/x\",\"user_id\":7,\"text\":\"hello\",\"message_id\":\"m1\"}");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response))
                .isEqualTo(
                        JSON.readTree(
                                "{\"id\":\"in-1\",\"lane\":\"agent:main:webhook:dm:c%3A1/x\",\"duplicate\":false,"
                                        + "\"status\":\"answered\",\"turn\":\"turn-1\",\"reply\":\"hello to you\",\"messages\":[]}"));
        Received message = gateway.received.get(0);
        assertThat(message.text()).isEqualTo("hello");
        assertThat(message.messageId()).contains("m1");
        assertThat(message.source().platform()).isEqualTo(Platform.WEBHOOK);
        assertThat(message.source().chatId()).isEqualTo("c:1/x");
        assertThat(message.source().userId()).contains("7");
    }

    /** S1.9 to S1.12: the dictionary form. */
    @Test
    void theSourceMayStandInItsDictionaryForm() throws Exception {
        answering("ok");
        start();

        post("{\"source\":{\"platform\":\"webhook\",\"chat_id\":\"g\",\"chat_type\":\"group\",\"thread_id\":5},"
                + "\"text\":\"\",\"attachments\":[{\"kind\":\"photo\",\"url\":\"https://example.org/a.png\"}]}");

        Received message = gateway.received.get(0);
        assertThat(message.source().chatType().value()).isEqualTo("group");
        assertThat(message.source().threadId()).contains("5");
        assertThat(message.attachments())
                .containsExactly(
                        new Attachment("photo", "https://example.org/a.png", Optional.empty(), Optional.empty()));
    }

    @Test
    void theReplyOfACommandIsTheAnswer() throws Exception {
        gateway.taking = (message, answer) -> {
            answer.replied(reply("o-1", Outgoing.Kind.ACK, "one moment"));
            answer.replied(reply("o-2", Outgoing.Kind.REPLY, "a new session"));
            answer.closed("a command");
            return FakeGateway.admitted();
        };
        start();

        JsonNode body = json(post("{\"chat_id\":\"1\",\"text\":\"/new\"}"));

        assertThat(body.get("status").asText()).isEqualTo("closed");
        assertThat(body.get("turn").isNull()).isTrue();
        assertThat(body.get("reply").asText()).isEqualTo("a new session");
        assertThat(body.get("messages")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCallerThatDoesNotWaitIsToldOnceTheMessageIsStored(boolean byHeader) throws Exception {
        CompletableFuture<Receipt> storing = new CompletableFuture<>();
        gateway.taking = (message, answer) -> storing;
        start();

        HttpRequest.Builder request = request("/v1/messages")
                .POST(text("{\"chat_id\":\"1\",\"text\":\"hi\"" + (byHeader ? "}" : ",\"wait\":false}")));
        if (byHeader) {
            request.header("Prefer", "respond-async");
        }
        CompletableFuture<HttpResponse<String>> response =
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response).isNotDone();
        storing.complete(new Receipt.Admitted(new InboundId("in-1"), FakeGateway.LANE));

        assertThat(response.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(202);
        assertThat(json(response.get()).get("status").asText()).isEqualTo("accepted");
        assertThat(json(response.get()).get("id").asText()).isEqualTo("in-1");
    }

    @Test
    void whoWaitsTooLongIsToldThatTheMessageIsKept() throws Exception {
        CountDownLatch taken = new CountDownLatch(1);
        gateway.taking = (message, answer) -> {
            taken.countDown();
            return FakeGateway.admitted();
        };
        start(Map.of("answer_timeout", "7"));

        CompletableFuture<HttpResponse<String>> response =
                client.sendAsync(message("{\"chat_id\":\"1\",\"text\":\"hi\"}"), HttpResponse.BodyHandlers.ofString());
        assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
        awaitTimers(1);
        gateway.advance(Duration.ofSeconds(7));

        assertThat(response.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(202);
        assertThat(json(response.get()).get("status").asText()).isEqualTo("waiting");
        assertThat(json(response.get()).get("why").asText()).startsWith("No answer within 7 seconds.");
        assertThat(gateway.timers()).isZero();
    }

    @Test
    void aMessageReceivedBeforeIsNotTakenTwice() throws Exception {
        gateway.taking = (message, answer) ->
                CompletableFuture.completedFuture(new Receipt.Duplicate(new InboundId("in-9"), FakeGateway.LANE));
        start();

        HttpResponse<String> response = post("{\"chat_id\":\"1\",\"text\":\"hi\",\"message_id\":\"m\"}");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response).get("duplicate").asBoolean()).isTrue();
        assertThat(json(response).get("id").asText()).isEqualTo("in-9");
    }

    @Test
    void whatCannotBeStoredIsNotAcknowledged() throws Exception {
        gateway.taking =
                (message, answer) -> CompletableFuture.completedFuture(new Receipt.Unavailable("The disk is full."));
        start();

        HttpResponse<String> response = post("{\"chat_id\":\"1\",\"text\":\"hi\"}");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).contains("5");
        assertThat(response.body()).isEqualTo("{\"error\":\"The disk is full.\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, true, PT2.5S, 3",
        "application/json, false, PT2.5S, 3",
        "text/event-stream, true, PT0S, 1",
        "application/json, false,, 5",
    })
    void whatIsTurnedAwayMayComeAgainUnderItsId(String accept, boolean wait, @Nullable Duration after, String header)
            throws Exception {
        gateway.taking = (message, answer) -> CompletableFuture.completedFuture(
                new Receipt.TurnedAway("Too many messages wait.", Optional.ofNullable(after)));
        start();

        HttpResponse<String> response = client.send(
                request("/v1/messages")
                        .header("Accept", accept)
                        .POST(text("{\"chat_id\":\"1\",\"text\":\"hi\",\"message_id\":\"m\",\"wait\":" + wait + "}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.headers().firstValue("Retry-After")).contains(header);
        assertThat(json(response).get("error").asText())
                .isEqualTo("Too many messages wait. The message is not kept; hand it in again, with the same"
                        + " 'message_id' if it had one.");
    }

    @Test
    void aQuestionOfTheAgentIsTheAnswerForNow() throws Exception {
        gateway.taking = (message, answer) -> {
            answer.replied(reply("o-1", Outgoing.Kind.ACK, "one moment"));
            answer.asked(
                    FakeGateway.outgoing("o-2", "c", Outgoing.Kind.NOTICE, "Delete everything?", Optional.of(TURN)));
            return FakeGateway.admitted();
        };
        start();

        JsonNode body = json(post("{\"chat_id\":\"c\",\"text\":\"clean up\"}"));

        assertThat(body.get("status").asText()).isEqualTo("asked");
        assertThat(body.get("turn").asText()).isEqualTo("turn-1");
        assertThat(body.get("reply").asText()).isEqualTo("Delete everything?");
        assertThat(body.get("messages").findValuesAsText("text")).containsExactly("one moment", "Delete everything?");
        assertThat(gateway.timers()).isZero();
    }

    @Test
    void aQuestionIsStreamedOnceAndTheAnswerComesBehindIt() throws Exception {
        LinkedBlockingQueue<AnswerListener> answers = new LinkedBlockingQueue<>();
        gateway.taking = (message, answer) -> {
            answers.add(answer);
            return FakeGateway.admitted();
        };
        ChatPlatform platform = start();
        Outgoing question = FakeGateway.outgoing("o-2", "c", Outgoing.Kind.NOTICE, "Delete all?", Optional.of(TURN));

        Iterator<String> lines = stream("{\"chat_id\":\"c\",\"text\":\"hi\"}");
        AnswerListener answer = answers.poll(30, TimeUnit.SECONDS);
        assertThat(event(lines)).startsWith("admitted ");
        answer.asked(question);
        platform.send(question);
        answer.finished(TURN, "done");

        assertThat(event(lines)).startsWith("asked {\"id\":\"o-2\"").contains("\"text\":\"Delete all?\"", "turn-1");
        assertThat(event(lines)).startsWith("done ");
    }

    @Test
    void whoMayNotTalkIsRefused() throws Exception {
        gateway.taking = (message, answer) ->
                CompletableFuture.completedFuture(new Receipt.Refused("This user is not on the list."));
        start();

        HttpResponse<String> response = post("{\"chat_id\":\"1\",\"text\":\"hi\"}");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).isEqualTo("{\"error\":\"This user is not on the list.\"}");
    }

    @Test
    void anAnswerIsStreamedInOrderAndEndsAfterTheCommit() throws Exception {
        LinkedBlockingQueue<AnswerListener> answers = new LinkedBlockingQueue<>();
        gateway.taking = (message, answer) -> {
            answers.add(answer);
            return FakeGateway.admitted();
        };
        ChatPlatform platform = start();

        Iterator<String> lines = stream("{\"chat_id\":\"c\",\"text\":\"hi\"}");
        AnswerListener answer = answers.poll(30, TimeUnit.SECONDS);
        assertThat(event(lines))
                .isEqualTo("admitted {\"id\":\"in-1\",\"lane\":\"agent:main:webhook:dm:c%3A1/x\",\"duplicate\":false}");
        answer.streamed(TURN, "hel");
        assertThat(event(lines)).isEqualTo("delta {\"turn\":\"turn-1\",\"text\":\"hel\"}");
        answer.replied(reply("o-1", Outgoing.Kind.ACK, "wait"));
        assertThat(event(lines)).startsWith("reply {\"id\":\"o-1\"").contains("\"kind\":\"ack\"");
        platform.send(FakeGateway.outgoing("o-1", "c", Outgoing.Kind.ACK, "wait", Optional.empty()));
        platform.send(FakeGateway.outgoing("o-2", "other", Outgoing.Kind.NOTICE, "not yours", Optional.empty()));
        platform.send(FakeGateway.outgoing("o-3", "c", Outgoing.Kind.NOTICE, "a\nnotice", Optional.empty()));
        platform.send(FakeGateway.outgoing("o-4", "c", Outgoing.Kind.REPLY, "hello", Optional.of(TURN)));
        assertThat(event(lines)).startsWith("reply {\"id\":\"o-3\"").contains("\"text\":\"a\\nnotice\"");
        answer.finished(TURN, "hello");
        assertThat(event(lines)).isEqualTo("done {\"turn\":\"turn-1\",\"text\":\"hello\"}");
        assertThat(lines.hasNext()).isFalse();
    }

    @Test
    void whatIsReportedBeforeTheReceiptIsStreamedBehindIt() throws Exception {
        gateway.taking = (message, answer) -> {
            answer.streamed(TURN, "early");
            answer.finished(TURN, "early");
            return FakeGateway.admitted();
        };
        start();

        Iterator<String> lines = stream("{\"chat_id\":\"c\",\"text\":\"hi\"}");

        assertThat(event(lines)).startsWith("admitted ");
        assertThat(event(lines)).startsWith("delta ");
        assertThat(event(lines)).startsWith("done ");
    }

    @Test
    void aStreamThatIsQuietStaysAlive() throws Exception {
        start();
        Iterator<String> lines = stream("{\"chat_id\":\"c\",\"text\":\"hi\"}");
        assertThat(event(lines)).startsWith("admitted ");
        awaitTimers(1);
        gateway.advance(Duration.ofSeconds(15));

        assertThat(lines.next()).isEqualTo(": waiting");
    }

    @Test
    void stoppingTellsThoseWhoWait() throws Exception {
        CountDownLatch taken = new CountDownLatch(2);
        gateway.taking = (message, answer) -> {
            taken.countDown();
            return FakeGateway.admitted();
        };
        ChatPlatform platform = start();
        Iterator<String> lines = stream("{\"chat_id\":\"c\",\"text\":\"hi\"}");
        assertThat(event(lines)).startsWith("admitted ");
        CompletableFuture<HttpResponse<String>> response =
                client.sendAsync(message("{\"chat_id\":\"1\",\"text\":\"hi\"}"), HttpResponse.BodyHandlers.ofString());
        assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
        awaitTimers(2);
        platform.stop();
        platform.stop();

        assertThat(event(lines)).startsWith("error {\"error\":\"The gateway is stopping. The message is kept");
        assertThat(response.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(202);
        assertThat(json(response.get()).get("status").asText()).isEqualTo("waiting");
        assertThat(platform.address()).isEmpty();
        assertThat(GatewayClient.addressFile(home)).doesNotExist();
    }

    /** Whether it was taken is not known, so it is not called a failure of the message: it is handed in again. */
    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/event-stream"})
    void aMessageThatAStopOvertakesIsToBeHandedInAgain(String accept) throws Exception {
        CountDownLatch taken = new CountDownLatch(1);
        gateway.taking = (message, answer) -> {
            taken.countDown();
            return new CompletableFuture<>();
        };
        ChatPlatform platform = start();
        HttpRequest request = request("/v1/messages")
                .header("Accept", accept)
                .POST(text("{\"chat_id\":\"1\",\"text\":\"hi\",\"message_id\":\"m1\",\"wait\":false}"))
                .build();
        CompletableFuture<HttpResponse<String>> response =
                client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
        platform.stop();

        assertThat(response.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(503);
        assertThat(response.get().headers().firstValue("Retry-After")).contains("5");
        assertThat(json(response.get()).get("error").asText())
                .startsWith("The gateway is stopping")
                .contains("hand it in again");
        assertThat(gateway.warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReceiptThatFailsIsToldToTheOperator(boolean later) throws Exception {
        RuntimeException failure = new IllegalStateException("a fault inside");
        gateway.taking = (message, answer) -> {
            if (later) {
                return CompletableFuture.failedFuture(failure);
            }
            throw failure;
        };
        start();

        HttpResponse<String> response = post("{\"chat_id\":\"1\",\"text\":\"hi\"}");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(json(response).get("error").asText())
                .isEqualTo("Something went wrong in the gateway; its log tells more.");
        assertThat(gateway.warnings)
                .singleElement()
                .asString()
                .startsWith("HTTP POST /v1/messages failed: java.lang.IllegalStateException at ")
                .doesNotContain("a fault inside");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{ | The body is not JSON that can be read:",
                "[] | The body must be a JSON object",
                "{} {} | The body is not JSON that can be read:",
                "{'text':'a','text':'b'} | The body is not JSON that can be read:",
                "{'text':'hi'} | A source needs 'chat_id'",
                "{'chat_id':'1'} | 'text' is missing",
                "{'chat_id':'1','text':5} | 'text' must be text, not a number.",
                "{'chat_id':{},'text':'hi'} | 'chat_id' must be text or a number, not an object",
                "{'chat_id':'1','text':'\\ud800'} | 'text' is not valid Unicode",
                "{'source':'x','text':'hi'} | 'source' must be an object",
                "{'platform':'telegrm','chat_id':'1','text':'hi'} | Unknown platform 'telegrm'; did you mean 'telegram'?",
                "{'chat_id':'1','text':'hi','wait':'no'} | 'wait' must be true or false.",
                "{'chat_id':'1','attachments':{}} | 'attachments' must be a list, not an object.",
                "{'chat_id':'1','attachments':[{'url':'/etc/passwd'}]} | The 'url' of an attachment must begin with",
                "{'chat_id':'1','text':'hi','message_id':[]} | 'message_id' must be text or a number",
            })
    void aBodyThatIsNoMessageGetsOneClearLine(String body, String error) throws Exception {
        start();

        HttpResponse<String> response = post(body.replace('\'', '"'));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response).get("error").asText()).startsWith(error).doesNotContain("\n", "Exception");
        assertThat(gateway.received).isEmpty();
    }

    @Test
    void jsonThatIsNestedTooDeepIsRefused() throws Exception {
        start();

        HttpResponse<String> response = post("{\"a\":".repeat(100) + "1" + "}".repeat(100));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response).get("error").asText()).contains("depth");
    }

    // ---- who may ask

    @Test
    void anotherPlatformCannotBePosedAs() throws Exception {
        start();

        HttpResponse<String> response = post("{\"platform\":\"telegram\",\"chat_id\":\"1\",\"text\":\"hi\"}");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(json(response).get("error").asText())
                .startsWith("This token may not speak for the platform 'telegram'");
        assertThat(gateway.received).isEmpty();
    }

    /** Otherwise the configuration takes the section for a mistake and nothing of it arrives here. */
    @Test
    void theTokensOfBridgesAreASectionOfTheSettings() {
        assertThat(new HttpProvider().settings()).contains("bridge_tokens.*").doesNotContain("bridge_tokens");
    }

    @Test
    void aBridgeTokenSpeaksForItsPlatformAndSeesNothingElse() throws Exception {
        answering("ok");
        ChatPlatform platform = start(Map.of("bridge_tokens.telegram", BRIDGE));

        assertThat(bridged("{\"platform\":\"telegram\",\"chat_id\":\"1\",\"text\":\"hi\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(gateway.received.get(0).source().platform()).isEqualTo(Platform.TELEGRAM);
        assertThat(bridged("{\"platform\":\"slack\",\"chat_id\":\"1\",\"text\":\"hi\"}")
                        .statusCode())
                .isEqualTo(403);
        assertThat(bridged("{\"chat_id\":\"1\",\"text\":\"hi\"}").statusCode()).isEqualTo(403);
        for (String path :
                List.of("/v1/lanes", "/v1/sessions", "/v1/search?q=x", "/v1/messages?platform=webhook&chat_id=1")) {
            assertThat(get(path, BRIDGE).statusCode()).as(path).isEqualTo(403);
        }
        assertThat(get("/v1/messages?chat_id=1", BRIDGE).statusCode()).isEqualTo(200);
        assertThat(platform.bridges()).isEqualTo(Set.of(Platform.TELEGRAM, Platform.LOCAL));
    }

    @Test
    void theOwnerOfTheHomeMaySpeakForThisMachine() throws Exception {
        answering("ok");
        start();

        assertThat(post("{\"platform\":\"local\",\"chat_id\":\"alice\",\"text\":\"hi\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(gateway.received.get(0).source().platform()).isEqualTo(Platform.LOCAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/lanes", "/v1/sessions", "/v1/search?q=a", "/v1/messages?chat_id=1", "/nothing/here"})
    void everythingButHealthNeedsTheToken(String path) throws Exception {
        start();

        for (String header : List.of("", "Bearer", "Bearer wrong", "Basic abc")) {
            HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
            if (!header.isEmpty()) {
                request.header("Authorization", header);
            }
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(header).isEqualTo(401);
            assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        }
    }

    @Test
    void theTokenIsMadeForItsOwnerOnlyAndKept() throws Exception {
        start();
        Path file = GatewayClient.tokenFile(home);
        String token = Files.readString(file);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(token.strip()).hasSizeGreaterThan(40);
        start();
        assertThat(Files.readString(file)).isEqualTo(token);
        assertThat(gateway.warnings).isEmpty();
    }

    @Test
    void aTokenThatOthersCouldReadIsClosedWithAWarning() throws Exception {
        Path file = Files.writeString(GatewayClient.tokenFile(home), "a-token-of-old\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        start();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(gateway.warnings).hasSize(1);
        assertThat(gateway.warnings.get(0)).startsWith(file + " was open to others");
        assertThat(get("/v1/lanes", "a-token-of-old").statusCode()).isEqualTo(200);
    }

    @Test
    void anEmptyTokenIsNoToken() throws Exception {
        Files.writeString(GatewayClient.tokenFile(home), "\n");

        assertThatThrownBy(this::start)
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("http-token is empty; delete it");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 200",
        "localhost:1, 200",
        "LOCALHOST, 200",
        "[::1]:8080, 200",
        "gate.example.org, 200",
        "evil.example.org, 421",
        "127.0.0.1.evil.example.org, 421",
        "10.0.0.1, 421",
    })
    void onlyTheNamesOfThisMachineAreAnswered(String host, int status) throws Exception {
        start(Map.of("hosts", "Gate.example.org"));

        String response = raw("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");

        assertThat(response).startsWith("HTTP/1.1 " + status + " ");
        assertThat(response).doesNotContain("Jetty").doesNotContain("Server:");
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedWhetherItsLengthIsToldOrNot() throws Exception {
        start(Map.of("max_body_bytes", "1024"));
        String head = "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                + token() + "\r\n";

        String told = raw(head + "Content-Length: 1000000\r\n\r\n{");
        String untold = raw(head + "Transfer-Encoding: chunked\r\n\r\n800\r\n" + " ".repeat(2048) + "\r\n0\r\n\r\n");

        assertThat(told).startsWith("HTTP/1.1 413 ").contains("{\"error\":\"The body is larger than the 1024 bytes");
        assertThat(untold).startsWith("HTTP/1.1 413 ").contains("{\"error\":\"The body is larger than the 1024 bytes");
        assertThat(gateway.received).isEmpty();
    }

    @Test
    void aRequestThatIsNoHttpGetsOneLine() throws Exception {
        start();

        String response = raw("NONSENSE\r\n\r\n");

        assertThat(response).startsWith("HTTP/1.1 400 ").contains("{\"error\":").doesNotContain("<html", "\tat ");
    }

    @Test
    void pathsThatClimbAreRefused() throws Exception {
        start();

        String response =
                raw("GET /v1/sessions/..%2f..%2fetc/messages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Authorization: Bearer " + token() + "\r\n\r\n");

        assertThat(response).startsWith("HTTP/1.1 400 ").contains("{\"error\":");
    }

    // ---- what is shown

    @Test
    void lanesAreShownWithWhatTheyDo() throws Exception {
        gateway.lanes.add(new LaneState(new Lane(entry(), 3), true, 2));
        start();

        JsonNode rows = json(get("/v1/lanes"));

        assertThat(rows).hasSize(1);
        assertThat(rows.get(0).get("session_key").asText()).isEqualTo(FakeGateway.LANE.value());
        assertThat(rows.get(0).get("session_id").asText()).isEqualTo("20260101_120000_00000001");
        assertThat(rows.get(0).get("running").asBoolean()).isTrue();
        assertThat(rows.get(0).get("depth").asInt()).isEqualTo(2);
        assertThat(rows.get(0).get("suspended").asBoolean()).isFalse();
        assertThat(rows.get(0).at("/origin/chat_id").asText()).isEqualTo("c:1/x");
    }

    @Test
    void lanesThatWaitForAPlaceAreShown() throws Exception {
        gateway.lanes.add(new LaneState(new Lane(entry(), 3), false, 2));
        gateway.awaitingPlace.add(FakeGateway.LANE);
        start();

        assertThat(json(get("/v1/lanes")).get(0).get("awaits_place").asBoolean())
                .isTrue();
        assertThat(json(get("/v1/lanes/awaiting-place")))
                .extracting(JsonNode::asText)
                .containsExactly(FakeGateway.LANE.value());
    }

    /** Keys hold slashes and percent signs, so they are never part of a path. */
    @Test
    void theHistoryOfALaneIsFoundByItsKey() throws Exception {
        gateway.events.add(new LaneEvent(
                FakeGateway.LANE,
                FakeGateway.NOW,
                LaneEvent.Kind.RESET,
                Optional.of(SessionId.of("a")),
                Optional.of(SessionId.of("b")),
                "idle",
                Map.of("zone", "UTC")));
        start();

        JsonNode rows = json(get("/v1/lanes/history?key=agent:main:webhook:dm:c%253A1%2Fx"));

        assertThat(rows)
                .isEqualTo(
                        JSON.readTree(
                                "[{\"lane\":\"agent:main:webhook:dm:c%3A1/x\",\"at\":\"2026-01-01T12:00:00Z\","
                                        + "\"kind\":\"reset\",\"from\":\"a\",\"to\":\"b\",\"reason\":\"idle\",\"inputs\":{\"zone\":\"UTC\"}}]"));
        assertThat(get("/v1/lanes/history?key=agent:main:webhook:dm:2").statusCode())
                .isEqualTo(404);
        String history = "/v1/lanes/history?key=agent:main:webhook:dm:c%253A1%2Fx";
        assertThat(json(get(history + "&from=2026-01-01&to=2026-01-01"))).hasSize(1);
        assertThat(get(history + "&from=2026-01-02").statusCode()).isEqualTo(404);
        assertThat(get("/v1/lanes/history").statusCode()).isEqualTo(400);
        assertThat(get("/v1/lanes/history?key=../x").statusCode()).isEqualTo(400);
    }

    @Test
    void anOperatorChangesLanes() throws Exception {
        gateway.lanes.add(new LaneState(new Lane(entry(), 1), false, 0));
        start();
        String key = "?key=agent:main:webhook:dm:c%253A1%2Fx";

        assertThat(json(send("/v1/lanes/reset" + key)).get("reset").asBoolean()).isTrue();
        assertThat(json(send("/v1/lanes/suspend" + key)).get("suspended").asBoolean())
                .isTrue();
        assertThat(json(send("/v1/lanes/interrupt" + key)).get("interrupted").asBoolean())
                .isFalse();
        assertThat(send("/v1/lanes/reset?key=unknown").statusCode()).isEqualTo(404);
        assertThat(gateway.changes)
                .startsWith(
                        "reset " + FakeGateway.LANE, "suspend " + FakeGateway.LANE, "interrupt " + FakeGateway.LANE);
    }

    /** A row of the list has every column of its session (storage 3.9). */
    @Test
    void sessionsAreShownWithAllTheirColumns() throws Exception {
        gateway.listings.add(
                new SessionListing(session(), "hello", Instant.parse("2026-01-01T00:00:02.25Z"), Optional.empty()));
        start();

        HttpResponse<String> response =
                get("/v1/sessions?limit=5&offset=2&source=webhook&exclude=tool,cli&children=true&raw=1");

        assertThat(json(response))
                .isEqualTo(JSON.readTree(
                        "[{\"id\":\"s1\",\"source\":\"webhook\",\"user_id\":\"u\",\"model\":null,\"model_config\":null,"
                                + "\"system_prompt\":null,\"parent_session_id\":null,\"started_at\":1767225600.0,"
                                + "\"ended_at\":1767225601.5,\"end_reason\":\"session_reset\",\"message_count\":2,\"tool_call_count\":1,"
                                + "\"input_tokens\":1,\"output_tokens\":2,\"cache_read_tokens\":3,\"cache_write_tokens\":4,"
                                + "\"reasoning_tokens\":5,\"billing_provider\":null,\"billing_base_url\":null,\"billing_mode\":null,"
                                + "\"estimated_cost_usd\":null,\"actual_cost_usd\":null,\"cost_status\":null,\"cost_source\":null,"
                                + "\"pricing_version\":null,\"title\":\"A title\",\"api_call_count\":7,\"preview\":\"hello\","
                                + "\"last_active\":1767225602.25}]"));
        assertThat(gateway.sessionQueries.get(0))
                .isEqualTo(dev.parley.application.port.SessionQuery.usual()
                        .window(5, 2)
                        .sources(Optional.of("webhook"), Set.of("tool", "cli"))
                        .shape(true, false));
    }

    /** Messages are shown as an export has them (storage 6). */
    @Test
    void theMessagesOfASessionAreShownAsInAnExport() throws Exception {
        gateway.listings.add(new SessionListing(session(), "", FakeGateway.NOW, Optional.empty()));
        SessionId id = SessionId.of("s1");
        gateway.transcripts.put(
                id,
                List.of(
                        stored(
                                1,
                                Message.builder(new MessageId("m1"), Role.USER, Content.text("hi"), FakeGateway.NOW)
                                        .build()),
                        stored(
                                2,
                                Message.builder(new MessageId("m2"), Role.ASSISTANT, Content.none(), FakeGateway.NOW)
                                        .toolCalls(ToolCalls.of(List.of(new ToolCall("c1", "look", "{}"))))
                                        .build())));
        start();

        JsonNode rows = json(get("/v1/sessions/s1/messages"));

        assertThat(rows).hasSize(2);
        assertThat(rows.get(0))
                .isEqualTo(JSON.readTree("{\"id\":1,\"session_id\":\"s1\",\"role\":\"user\",\"content\":\"hi\","
                        + "\"tool_call_id\":null,\"tool_calls\":null,\"tool_name\":null,\"timestamp\":1767268800.0,"
                        + "\"token_count\":null,\"finish_reason\":null,\"reasoning\":null,\"reasoning_content\":null,"
                        + "\"reasoning_details\":null,\"codex_reasoning_items\":null,\"codex_message_items\":null}"));
        assertThat(rows.get(1).get("content").isNull()).isTrue();
        assertThat(rows.get(1).get("tool_calls"))
                .isEqualTo(
                        JSON.readTree(
                                "[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]"));
        assertThat(json(get("/v1/sessions/s1/messages?limit=1"))).hasSize(1);
        assertThat(get("/v1/sessions/none/messages").statusCode()).isEqualTo(404);
    }

    @Test
    void theMessagesAroundOneAreShown() throws Exception {
        SessionId id = SessionId.of("s1");
        gateway.listings.add(new SessionListing(session(), "", FakeGateway.NOW, Optional.empty()));
        List<StoredMessage> messages = new ArrayList<>();
        for (int i = 1; i <= 9; i++) {
            messages.add(stored(
                    i,
                    Message.builder(new MessageId("m" + i), Role.USER, Content.text("hi " + i), FakeGateway.NOW)
                            .build()));
        }
        gateway.transcripts.put(id, messages);
        start();

        JsonNode rows = json(get("/v1/sessions/s1/messages?around=3&before=1&after=2"));

        assertThat(rows).extracting(row -> row.get("id").asInt()).containsExactly(2, 3, 4, 5);
        assertThat(json(get("/v1/sessions/s1/messages?around=9"))).hasSize(6);
        assertThat(get("/v1/sessions/s1/messages?around=10").statusCode()).isEqualTo(404);
        for (String bad : List.of("around=x", "around=3&before=-1", "around=3&after=1001", "around=3&limit=2")) {
            assertThat(get("/v1/sessions/s1/messages?" + bad).statusCode())
                    .as(bad)
                    .isEqualTo(400);
        }
    }

    /** A find has ids, role, time, source and excerpt, and nothing else of the message (storage 5.4). */
    @Test
    void searchingShowsRowsOfTheAgreedShape() throws Exception {
        gateway.hits.add(new SearchHit(
                4,
                SessionId.of("s1"),
                Role.USER,
                FakeGateway.NOW,
                Optional.of(">>>boat<<<"),
                List.of(new SearchHit.Line(Role.USER, "boat")),
                "webhook",
                Optional.empty(),
                FakeGateway.NOW,
                Optional.empty()));
        start();

        JsonNode rows = json(get("/v1/search?q=boat&source=a,b&exclude=c&role=user&sort=newest&limit=3&offset=1"));

        assertThat(rows)
                .isEqualTo(
                        JSON.readTree("[{\"id\":4,\"session_id\":\"s1\",\"role\":\"user\",\"timestamp\":1767268800.0,"
                                + "\"snippet\":\">>>boat<<<\",\"context\":[{\"role\":\"user\",\"content\":\"boat\"}],\"source\":\"webhook\","
                                + "\"model\":null,\"session_started\":1767268800.0,\"tool_name\":null}]"));
        SearchQuery query = gateway.searches.get(0);
        assertThat(query.text()).isEqualTo("boat");
        assertThat(query.sources()).contains(List.of("a", "b"));
        assertThat(query.excludeSources()).containsExactly("c");
        assertThat(query.roles()).containsExactly("user");
        assertThat(query.sort()).contains(SearchQuery.Sort.NEWEST);
        assertThat(query.limit()).isEqualTo(3);
        assertThat(query.offset()).isEqualTo(1);
        assertThat(get("/v1/search").statusCode()).isEqualTo(400);
        assertThat(get("/v1/search?q=a&sort=OLDEST").statusCode()).isEqualTo(200);
        assertThat(get("/v1/search?q=a&sort=best").statusCode()).isEqualTo(200);
        assertThat(gateway.searches.get(1).sort()).contains(SearchQuery.Sort.OLDEST);
        assertThat(gateway.searches.get(2).sort()).isEmpty();
        assertThat(get("/v1/search?q=a&limit=many").statusCode()).isEqualTo(400);
    }

    @Test
    void aSearchAndAListAreLimitedToASpanOfTime() throws Exception {
        start();

        assertThat(get("/v1/search?q=a&from=2026-11-20&to=2026-11-21").statusCode())
                .isEqualTo(200);
        assertThat(get("/v1/sessions?from=2026-11-20T10:30").statusCode()).isEqualTo(200);

        assertThat(gateway.searches.get(0))
                .isEqualTo(SearchQuery.of("a")
                        .between(
                                Optional.of(Instant.parse("2026-11-20T00:00:00Z")),
                                Optional.of(Instant.parse("2026-11-22T00:00:00Z"))));
        assertThat(gateway.sessionQueries.get(0).from()).contains(Instant.parse("2026-11-20T10:30:00Z"));
        assertThat(gateway.sessionQueries.get(0).to()).isEmpty();
        HttpResponse<String> refused = get("/v1/search?q=a&to=tomorrow");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("'to' is 'tomorrow'; say a day such as 2026-11-20");
    }

    @ParameterizedTest
    @CsvSource({"ok, 200", "degraded, 200", "draining, 503", "starting, 503"})
    void healthNeedsNoTokenAndTellsStrangersOneWord(String status, int code) throws Exception {
        gateway.state = GatewayHealth.State.valueOf(status.toUpperCase(Locale.ROOT));
        gateway.facts.put("why", "the disk is full");
        start();

        HttpResponse<String> stranger =
                client.send(HttpRequest.newBuilder(uri("/healthz")).build(), HttpResponse.BodyHandlers.ofString());

        assertThat(stranger.statusCode()).isEqualTo(code);
        assertThat(stranger.body()).isEqualTo("{\"status\":\"" + status + "\"}");
        assertThat(json(get("/healthz")).get("why").asText()).isEqualTo("the disk is full");
    }

    @Test
    void healthShowsTheOperatorEachPlatformsState() throws Exception {
        start();
        Instant since = Instant.parse("2026-03-10T09:00:00Z");
        gateway.platforms.add(new PlatformState(
                Platform.TELEGRAM,
                PlatformState.Standing.AWAY,
                since,
                Optional.of("The server is closed."),
                Optional.of("Wait.")));
        gateway.platforms.add(new PlatformState(
                Platform.WEBHOOK, PlatformState.Standing.CONNECTED, since, Optional.empty(), Optional.empty()));

        assertThat(json(get("/healthz")).get("platforms"))
                .hasToString("[{\"platform\":\"telegram\",\"state\":\"away\",\"since\":\"2026-03-10T09:00:00Z\","
                        + "\"error\":\"The server is closed.\",\"advice\":\"Wait.\"},"
                        + "{\"platform\":\"webhook\",\"state\":\"connected\",\"since\":\"2026-03-10T09:00:00Z\"}]");
    }

    @ParameterizedTest
    @CsvSource({
        "CONNECTED, ok, ok",
        "TROUBLED, ok, troubled",
        "AWAY, ok, troubled",
        "REFUSED, ok, troubled",
        "CONNECTING, ok, troubled",
        "REFUSED, degraded, degraded",
        "AWAY, draining, draining"
    })
    void healthDoesNotSayThatAllIsWellWhileAPlatformCannotHearOrAnswer(
            PlatformState.Standing standing, String status, String told) throws Exception {
        gateway.state = GatewayHealth.State.valueOf(status.toUpperCase(Locale.ROOT));
        start();
        gateway.platforms.add(new PlatformState(
                Platform.TELEGRAM,
                standing,
                Instant.parse("2026-03-10T09:00:00Z"),
                Optional.of("Telegram refused the bot's token."),
                Optional.empty()));

        HttpResponse<String> stranger =
                client.send(HttpRequest.newBuilder(uri("/healthz")).build(), HttpResponse.BodyHandlers.ofString());

        assertThat(stranger.body()).isEqualTo("{\"status\":\"" + told + "\"}");
        assertThat(json(get("/healthz")).get("status").asText()).isEqualTo(told);
    }

    @Test
    void healthOfAPlatformThatHasNotConnectedYetIsWell() throws Exception {
        start();
        gateway.platforms.add(new PlatformState(
                Platform.TELEGRAM,
                PlatformState.Standing.CONNECTING,
                Instant.parse("2026-03-10T09:00:00Z"),
                Optional.empty(),
                Optional.empty()));

        assertThat(json(get("/healthz")).get("status").asText()).isEqualTo("ok");
    }

    @Test
    void storageThatFailsIsNeverShownAsEmpty() throws Exception {
        start();
        gateway.broken = Optional.of(new StorageUnavailable("The database is locked.", null));
        HttpResponse<String> locked = get("/v1/lanes");
        gateway.broken = Optional.of(new StorageCorrupt("The database is damaged; run storage check.", null));
        HttpResponse<String> damaged = get("/v1/lanes");
        gateway.broken = Optional.of(new IllegalStateException("inside information"));
        HttpResponse<String> bug = get("/v1/lanes");

        assertThat(locked.statusCode()).isEqualTo(503);
        assertThat(locked.body()).isEqualTo("{\"error\":\"The database is locked.\"}");
        assertThat(damaged.statusCode()).isEqualTo(500);
        assertThat(damaged.body()).isEqualTo("{\"error\":\"The database is damaged; run storage check.\"}");
        assertThat(bug.statusCode()).isEqualTo(500);
        assertThat(bug.body()).doesNotContain("inside information");
        assertThat(gateway.warnings).hasSize(1);
        assertThat(gateway.warnings.get(0))
                .contains("GET /v1/lanes failed: java.lang.IllegalStateException at ")
                .doesNotContain("inside information");
    }

    @Test
    void whatDoesNotExistIsSaidInOneLine() throws Exception {
        start();

        assertThat(get("/v1/nothing").statusCode()).isEqualTo(404);
        assertThat(json(get("/v1/nothing")).get("error").asText()).startsWith("There is nothing here");
        assertThat(send("/v1/sessions").statusCode()).isEqualTo(405);
    }

    // ---- what is sent

    @Test
    void messagesAreKeptForAskingAlsoOverARestart() throws Exception {
        gateway.stored.add(FakeGateway.outgoing("o-1", "c", Outgoing.Kind.REPLY, "before", Optional.of(TURN)));
        gateway.stored.add(FakeGateway.outgoing("o-2", "other", Outgoing.Kind.REPLY, "not yours", Optional.empty()));
        ChatPlatform platform = start();

        JsonNode first = json(get("/v1/messages?chat_id=c"));
        platform.send(FakeGateway.outgoing("o-1", "c", Outgoing.Kind.REPLY, "before", Optional.of(TURN)));
        platform.send(FakeGateway.outgoing("o-3", "c", Outgoing.Kind.NOTICE, "now", Optional.empty()));
        JsonNode next = json(get("/v1/messages?chat_id=c&after=o-1"));

        assertThat(first.get("messages")).hasSize(1);
        assertThat(first.at("/messages/0"))
                .isEqualTo(JSON.readTree(
                        "{\"id\":\"o-1\",\"lane\":\"agent:main:webhook:dm:c%3A1/x\",\"platform\":\"webhook\","
                                + "\"chat_id\":\"c\",\"thread_id\":null,\"kind\":\"reply\",\"text\":\"before\",\"turn\":\"turn-1\","
                                + "\"created_at\":\"2026-01-01T12:00:00Z\"}"));
        assertThat(next.get("messages")).hasSize(1);
        assertThat(next.at("/messages/0/text").asText()).isEqualTo("now");
        assertThat(next.get("gap").asBoolean()).isFalse();
        assertThat(json(get("/v1/messages?chat_id=c&after=long-gone"))
                        .get("gap")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void messagesArePostedToTheCallbackWithTheirIdUntilItTakesThem() throws Exception {
        LinkedBlockingQueue<String> posted = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<Integer> statuses = new LinkedBlockingQueue<>(List.of(500, 429, 410, 200));
        Javalin receiver = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.jetty.host = "127.0.0.1";
                    config.jetty.port = 0;
                    config.routes.post("/hook", ctx -> {
                        posted.add(ctx.header("Idempotency-Key") + " "
                                + JSON.readTree(ctx.body()).get("text").asText());
                        ctx.status(statuses.remove());
                    });
                })
                .start();
        try {
            ChatPlatform platform = start(Map.of("callback_url", "http://127.0.0.1:" + receiver.port() + "/hook"));
            Outgoing message = FakeGateway.outgoing("o-1", "c", Outgoing.Kind.REPLY, "hello", Optional.of(TURN));

            assertThatThrownBy(() -> platform.send(message))
                    .isInstanceOfSatisfying(
                            DeliveryFailed.class,
                            e -> assertThat(e.isPermanent()).isFalse());
            assertThatThrownBy(() -> platform.send(message))
                    .isInstanceOfSatisfying(
                            DeliveryFailed.class,
                            e -> assertThat(e.isPermanent()).isFalse());
            assertThatThrownBy(() -> platform.send(message))
                    .isInstanceOfSatisfying(
                            DeliveryFailed.class,
                            e -> assertThat(e.isPermanent()).isTrue());
            platform.send(message);

            assertThat(posted).hasSize(4).containsOnly("o-1 hello");
        } finally {
            receiver.stop();
        }
        assertThatThrownBy(() -> started.get(0)
                        .send(FakeGateway.outgoing("o-2", "c", Outgoing.Kind.REPLY, "gone", Optional.empty())))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.isPermanent()).isFalse());
    }

    /** The number was made with openssl dgst -sha256 -hmac 0123456789abcdef over the seconds, a dot and the body. */
    @Test
    void aSignatureCoversTheTimeAndTheBody() {
        CallbackSecret secret = new CallbackSecret("0123456789abcdef");

        assertThat(secret.sign(Instant.ofEpochSecond(1_767_268_800), "{\"a\":1}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("t=1767268800,v1=f1261ab9d81f4f7bde6ca12377f765e701c0a39ebacc7f26bbf1171d7e399260");
        assertThat(secret).hasToString("(secret)");
    }

    @Test
    void postsToTheCallbackAreSigned() throws Exception {
        LinkedBlockingQueue<String> signatures = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<byte[]> bodies = new LinkedBlockingQueue<>();
        Javalin receiver = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.jetty.host = "127.0.0.1";
                    config.jetty.port = 0;
                    config.routes.post("/hook", ctx -> {
                        signatures.add(String.valueOf(ctx.header("Parley-Signature")));
                        bodies.add(ctx.bodyAsBytes());
                        ctx.status(500);
                    });
                })
                .start();
        try {
            ChatPlatform platform = start(Map.of(
                    "callback_url",
                    "http://127.0.0.1:" + receiver.port() + "/hook?token=hunter2",
                    "callback_secret",
                    "0123456789abcdef"));

            assertThatThrownBy(() -> platform.send(
                            FakeGateway.outgoing("o-1", "c", Outgoing.Kind.REPLY, "hello", Optional.of(TURN))))
                    .isInstanceOf(DeliveryFailed.class)
                    .hasMessageContaining("/hook answered 500")
                    .hasMessageNotContaining("hunter2");
            assertThat(signatures.remove())
                    .isEqualTo(new CallbackSecret("0123456789abcdef").sign(FakeGateway.NOW, bodies.remove()));
        } finally {
            receiver.stop();
        }
    }

    // ---- starting

    @Test
    void aPortInUseIsNamed() throws Exception {
        ChatPlatform first = start();
        int port = first.address().orElseThrow().getPort();

        assertThatThrownBy(() -> start(Map.of("port", String.valueOf(port))))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage("platforms.http.port: port " + port
                        + " on 127.0.0.1 is in use; choose another one, or 0 for any that is free.");
    }

    @Test
    void theAddressIsToldOnceItListens() throws Exception {
        ChatPlatform platform = create(Map.of());
        assertThat(platform.address()).isEmpty();
        platform.start(gateway);

        URI address = platform.address().orElseThrow();
        assertThat(address.toString()).matches("http://127\\.0\\.0\\.1:[0-9]+");
        assertThat(Files.readString(GatewayClient.addressFile(home)).strip()).isEqualTo(address.toString());
        assertThat(Files.getPosixFilePermissions(GatewayClient.addressFile(home)))
                .as("programs send their token there")
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        assertThat(gateway.connected).containsExactly(Platform.WEBHOOK);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port | 70000 | platforms.http.port: '70000' is not a whole number from 0 to 65535",
                "port | http | platforms.http.port: 'http' is not a whole number from 0 to 65535",
                "max_body_bytes | 1 | platforms.http.max_body_bytes: '1' is not a whole number from 1024",
                "callback_url | ftp://x | platforms.http.callback_url is not an address that begins with http:// or https://.",
                "callback_url | https://me:hunter2@x/ | platforms.http.callback_url holds a user or a password, which would not",
                "callback_secret | short | platforms.http.callback_secret is too short",
                "bridge_tokens.telegram | short | platforms.http.bridge_tokens.telegram is too short",
                "bridge_tokens.nowhere | 0123456789abcdef | platforms.http.bridge_tokens.nowhere: 'nowhere' is not a platform",
                "bind | 256.1.1.1 | platforms.http.bind: '256.1.1.1' is no address of this machine",
                "bind | 192.0.2.77 | platforms.http.bind: cannot listen on 192.0.2.77",
            })
    void aSettingThatCannotBeIsNamed(String name, String value, String message) {
        assertThatThrownBy(() -> start(Map.of(name, value)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith(message)
                .hasMessageNotContaining("hunter2");
    }

    // ---- the client

    @Test
    void theClientHandsMessagesInAndHearsTheAnswer() throws Exception {
        gateway.taking = (message, answer) -> {
            answer.streamed(TURN, "he");
            answer.replied(reply("o-1", Outgoing.Kind.NOTICE, "a notice"));
            answer.finished(TURN, "hello " + message.text());
            return FakeGateway.admitted();
        };
        start();
        Heard heard = new Heard();

        Receipt receipt =
                client().receive(local("you"), heard).toCompletableFuture().get(30, TimeUnit.SECONDS);

        assertThat(receipt).isEqualTo(new Receipt.Admitted(new InboundId("in-1"), FakeGateway.LANE));
        assertThat(heard.until(3))
                .containsExactly("streamed turn-1 he", "replied notice a notice", "finished turn-1 hello you");
        assertThat(gateway.received.get(0).source().platform()).isEqualTo(Platform.LOCAL);
    }

    @Test
    void theClientKeepsTheOrderOfItsMessages() throws Exception {
        start();
        GatewayClient parley = client();
        List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            receipts.add(parley.receive(local("m" + i), AnswerListener.NONE).toCompletableFuture());
        }
        CompletableFuture.allOf(receipts.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);

        assertThat(gateway.received.stream().map(Received::text))
                .containsExactlyElementsOf(Stream.iterate(0, i -> i + 1)
                        .limit(20)
                        .map(i -> "m" + i)
                        .toList());
    }

    @Test
    void theClientTellsWhatTheGatewayRefuses() throws Exception {
        start();
        GatewayClient parley = client();
        gateway.taking = (message, answer) -> CompletableFuture.completedFuture(new Receipt.Refused("not you"));
        assertThat(parley.receive(local("x"), AnswerListener.NONE)
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS))
                .isEqualTo(new Receipt.Refused("not you"));
        gateway.taking = (message, answer) -> CompletableFuture.completedFuture(new Receipt.Unavailable("disk full"));
        assertThat(parley.receive(local("x"), AnswerListener.NONE)
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS))
                .isEqualTo(new Receipt.Unavailable("disk full"));
        gateway.taking = (message, answer) ->
                CompletableFuture.completedFuture(new Receipt.TurnedAway("busy.", Optional.of(Duration.ofSeconds(9))));
        assertThat(parley.receive(local("x"), AnswerListener.NONE)
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Receipt.TurnedAway.class,
                        away -> assertThat(away.retryAfter()).contains(Duration.ofSeconds(9)));
        gateway.taking = (message, answer) ->
                CompletableFuture.completedFuture(new Receipt.Duplicate(new InboundId("in-0"), FakeGateway.LANE));
        assertThat(parley.receive(local("x"), AnswerListener.NONE)
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS))
                .isEqualTo(new Receipt.Duplicate(new InboundId("in-0"), FakeGateway.LANE));
    }

    @Test
    void theClientTellsWhenTheGatewayStops() throws Exception {
        ChatPlatform platform = start();
        Heard heard = new Heard();
        GatewayClient parley = client();
        parley.receive(local("x"), heard).toCompletableFuture().get(30, TimeUnit.SECONDS);
        awaitTimers(1);
        platform.stop();

        assertThat(heard.until(1).get(0)).startsWith("closed The gateway is stopping.");
        assertThat(parley.receive(local("x"), AnswerListener.NONE)
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS))
                .isInstanceOf(Receipt.Unavailable.class);
        assertThatThrownBy(parley::lanes)
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("does not answer");
    }

    @Test
    void theClientAsksAndChangesWhatAnOperatorMay() throws Exception {
        gateway.lanes.add(new LaneState(new Lane(entry(), 1), true, 0));
        start();
        GatewayClient parley = client();

        assertThat(parley.health()).contains("\"status\":\"ok\"");
        assertThat(parley.lanes()).contains(FakeGateway.LANE.value());
        assertThat(parley.history(FakeGateway.LANE, 5)).contains("[]");
        assertThat(parley.history(SessionKey.of("none"), 5)).isEmpty();
        assertThat(parley.reset(FakeGateway.LANE)).isTrue();
        assertThat(parley.suspend(FakeGateway.LANE)).isTrue();
        assertThat(parley.interrupt(FakeGateway.LANE)).isTrue();
        assertThat(parley.reset(SessionKey.of("none"))).isFalse();
    }

    @Test
    void aHomeWithoutAGatewayHasNoClient() {
        assertThat(GatewayClient.of(home, gateway.executor)).isEmpty();
    }

    // ---- help

    private void answering(String text) {
        gateway.taking = (message, answer) -> {
            answer.streamed(TURN, text);
            answer.finished(TURN, text);
            return FakeGateway.admitted();
        };
    }

    private static Outgoing reply(String id, Outgoing.Kind kind, String text) {
        return FakeGateway.outgoing(id, "c", kind, text, Optional.empty());
    }

    private static Received local(String text) {
        return new Received(SessionSource.builder(Platform.LOCAL, "alice").build(), text, List.of(), Optional.empty());
    }

    private static SessionEntry entry() {
        return SessionEntry.begin(
                FakeGateway.LANE,
                SessionId.of("20260101_120000_00000001"),
                SessionSource.builder(Platform.WEBHOOK, "c:1/x").build(),
                FakeGateway.NOW,
                Beginning.ordinary());
    }

    private static Session session() {
        return Session.builder(SessionId.of("s1"), "webhook", Instant.parse("2026-01-01T00:00:00Z"))
                .userId("u")
                .ending(Ending.of(Instant.parse("2026-01-01T00:00:01.5Z"), "session_reset"))
                .counts(2, 1)
                .usage(new TokenUsage(1, 2, 3, 4, 5), 7)
                .title("A title")
                .build();
    }

    private static StoredMessage stored(long sequence, Message message) {
        return new StoredMessage(sequence, SessionId.of("s1"), message, StoredMessage.State.ACTIVE);
    }

    private ChatPlatform start() {
        return start(Map.of());
    }

    private ChatPlatform start(Map<String, String> values) {
        ChatPlatform platform = create(values);
        platform.start(gateway);
        return platform;
    }

    private ChatPlatform create(Map<String, String> values) {
        ChatPlatform platform = new HttpProvider().create(gateway.settings(home, values));
        started.add(platform);
        return platform;
    }

    private GatewayClient client() {
        return GatewayClient.of(home, gateway.executor).orElseThrow();
    }

    private URI uri(String path) {
        return started.get(started.size() - 1).address().orElseThrow().resolve(path);
    }

    private String token() throws IOException {
        return Files.readString(GatewayClient.tokenFile(home)).strip();
    }

    private HttpRequest.Builder request(String path) throws IOException {
        return HttpRequest.newBuilder(uri(path)).header("Authorization", "Bearer " + token());
    }

    private HttpRequest message(String body) throws IOException {
        return request("/v1/messages").POST(text(body)).build();
    }

    private static HttpRequest.BodyPublisher text(String body) {
        return HttpRequest.BodyPublishers.ofString(body);
    }

    private HttpResponse<String> post(String body) throws Exception {
        return client.send(message(body), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> bridged(String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri("/v1/messages"))
                        .header("Authorization", "Bearer " + BRIDGE)
                        .POST(text(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> send(String path) throws Exception {
        return client.send(
                request(path).POST(HttpRequest.BodyPublishers.noBody()).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return get(path, token());
    }

    private HttpResponse<String> get(String path, String token) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri(path))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private Iterator<String> stream(String body) throws Exception {
        HttpRequest request = request("/v1/messages")
                .header("Accept", "text/event-stream")
                .POST(text(body))
                .build();
        HttpResponse<Stream<String>> response = client.send(request, HttpResponse.BodyHandlers.ofLines());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
        return response.body().iterator();
    }

    private static String event(Iterator<String> lines) {
        String name = lines.next();
        String data = lines.next();
        assertThat(name).startsWith("event: ");
        assertThat(data).startsWith("data: ");
        assertThat(lines.next()).isEmpty();
        return name.substring(7) + " " + data.substring(6);
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        return JSON.readTree(response.body());
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), uri("/").getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            StringBuilder response = new StringBuilder();
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                response.append(line).append('\n');
            }
            return response.toString();
        }
    }

    private void awaitTimers(int count) {
        while (gateway.timers() < count) {
            Thread.onSpinWait();
        }
    }

    private static final class Heard implements AnswerListener {
        private final LinkedBlockingQueue<String> log = new LinkedBlockingQueue<>();

        List<String> until(int count) throws InterruptedException {
            List<String> lines = new ArrayList<>();
            while (lines.size() < count) {
                String line = log.poll(30, TimeUnit.SECONDS);
                assertThat(line).isNotNull();
                lines.add(line);
            }
            return lines;
        }

        @Override
        public void streamed(TurnId turn, String delta) {
            log.add("streamed " + turn.value() + " " + delta);
        }

        @Override
        public void replied(Outgoing reply) {
            log.add("replied " + reply.kind().text() + " " + reply.text());
        }

        @Override
        public void finished(TurnId turn, String text) {
            log.add("finished " + turn.value() + " " + text);
        }

        @Override
        public void closed(String why) {
            log.add("closed " + why);
        }
    }
}
