package dev.parley.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.ChatPlatform;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers that mean harm, or are merely broken, can do: nothing to others. Bytes as they are sent, without a client between. */
@Timeout(120)
class HostileCallersTest {
    private static final String UPGRADE =
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    private static final List<String> PATHS = List.of(
            "/",
            "/x",
            "/v1/messages",
            "/v1/messages?chat_id=1",
            "/v1/lanes",
            "/v1/lanes/history?key=a",
            "/v1/lanes/reset?key=a",
            "/v1/sessions",
            "/v1/sessions/s/messages",
            "/v1/search?q=a",
            "/healthz/",
            "/healthz;a=b",
            "/healthz/../v1/lanes",
            "/healthz/%2e%2e/v1/lanes",
            "//healthz",
            "/HEALTHZ",
            "/%68ealthz",
            "*");
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get");

    @TempDir
    Path home;

    private final FakeGateway gateway = new FakeGateway();
    private final List<Socket> open = new ArrayList<>();
    private final List<ChatPlatform> started = new ArrayList<>();
    private int port;

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        started.forEach(ChatPlatform::stop);
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", UPGRADE})
    void noPathAndNoMethodIsReachedWithoutTheToken(String upgrade) throws Exception {
        start(Map.of());

        for (String path : PATHS) {
            for (String method : METHODS) {
                String response = raw(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + upgrade + "\r\n");

                assertThat(response)
                        .as(method + " " + path)
                        .matches("(?s)HTTP/1.1 (401|400|405|501) .*")
                        .doesNotContainIgnoringCase("Set-Cookie")
                        .doesNotContain("<html", "\tat ", "Jetty");
            }
        }
        assertThat(gateway.received).isEmpty();
        assertThat(gateway.warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", UPGRADE})
    void noPathIsReachedUnderAForeignNameEvenWithTheToken(String upgrade) throws Exception {
        start(Map.of());

        for (String path : List.of("/x", "/healthz", "/v1/messages", "/v1/lanes")) {
            String response = raw("GET " + path + " HTTP/1.1\r\nHost: evil.example\r\nOrigin: https://evil.example\r\n"
                    + "Authorization: Bearer " + token() + "\r\n" + upgrade + "\r\n");

            assertThat(response).as(path).startsWith("HTTP/1.1 421 ").doesNotContainIgnoringCase("Set-Cookie");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/x", "/healthz", "/v1/messages", "/v1/lanes"})
    void thereAreNoWebSocketsForTheOwnerEither(String path) throws Exception {
        start(Map.of());

        String response = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token()
                + "\r\n" + UPGRADE + "\r\n");

        assertThat(response)
                .startsWith("HTTP/1.1 400 ")
                .contains("{\"error\":\"There are no WebSockets here")
                .doesNotContainIgnoringCase("Set-Cookie");
    }

    /** As a client does that would rather speak HTTP/2: the offer may be passed over. */
    @Test
    void anOfferOfAnotherProtocolIsPassedOver() throws Exception {
        start(Map.of());

        String response = raw(String.join(
                "\r\n",
                "GET /healthz HTTP/1.1",
                "Host: localhost",
                "Connection: Upgrade, HTTP2-Settings, close",
                "Upgrade: h2c",
                "HTTP2-Settings: AAMAAABkAAQAAP__",
                "",
                ""));

        assertThat(response).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void manyUpgradesLeaveNothingBehind() throws Exception {
        start(Map.of());

        for (int i = 0; i < 200; i++) {
            assertThat(raw("GET /x HTTP/1.1\r\nHost: evil.example\r\n" + UPGRADE + "\r\n"))
                    .startsWith("HTTP/1.1 421 ")
                    .doesNotContainIgnoringCase("Set-Cookie");
        }
    }

    @Test
    void whoIsRefusedKeepsNoConnection() throws Exception {
        start(Map.of());

        assertThat(raw("GET /v1/lanes HTTP/1.1\r\nHost: localhost\r\n\r\n")).contains("Connection: close");
    }

    @Test
    void healthIsToldWhileManyBodiesDrip() throws Exception {
        start(Map.of("max_connections", "2000"));
        for (int i = 0; i < 700; i++) {
            send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token()
                    + "\r\nContent-Length: 1000\r\n\r\n{");
        }

        assertThat(raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void aBodyThatNeverGetsWholeIsGivenUp() throws Exception {
        start(Map.of("body_timeout", "1"));

        Socket socket = send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token()
                + "\r\nContent-Length: 1000\r\n\r\n{");

        assertThat(read(socket))
                .startsWith("HTTP/1.1 408 ")
                .contains("{\"error\":\"The body did not come within 1 seconds.\"}");
        assertThat(gateway.warnings).isEmpty();
    }

    @Test
    void aRequestThatNeverGetsWholeIsGivenUp() throws Exception {
        start(Map.of("idle_timeout", "1"));
        Socket socket = send("GET /healthz HTTP/1.1\r\nHost: loc");

        assertThat(read(socket)).doesNotContain("HTTP/1.1 200");
    }

    @Test
    void aCallerThatLeavesInTheMiddleIsNobodysTrouble() throws Exception {
        start(Map.of());
        for (int i = 0; i < 20; i++) {
            send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token()
                            + "\r\nContent-Length: 1000\r\n\r\n{")
                    .close();
        }
        raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        started.get(0).stop();

        assertThat(gateway.warnings).isEmpty();
    }

    @Test
    void aBodyThatIsStillComingWhenTheGatewayStopsIsToBeSentAgain() throws Exception {
        start(Map.of());
        Socket socket = send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token()
                + "\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n");
        BufferedReader in = reader(socket);
        assertThat(in.readLine()).isEqualTo("HTTP/1.1 100 Continue");
        started.get(0).stop();

        assertThat(rest(in))
                .contains("HTTP/1.1 503 ")
                .contains("Retry-After: 5")
                .contains("The gateway is stopping");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/sessions, limit, 0",
        "/v1/sessions, limit, -1",
        "/v1/sessions, limit, 1001",
        "/v1/sessions, limit, 2147483648",
        "/v1/sessions, offset, -1",
        "/v1/search?q=a, limit, -1",
        "/v1/search?q=a, limit, 1000000",
        "/v1/messages?chat_id=1, limit, -1",
        "/v1/messages?chat_id=1, limit, 1001",
        "/v1/lanes/history?key=a, limit, 0",
        "/v1/lanes/history?key=a, limit, 99999999999",
    })
    void howMuchIsAskedForAtOnceIsBounded(String path, String name, String value) throws Exception {
        start(Map.of());
        String asked = path + (path.contains("?") ? "&" : "?") + name + "=" + value;

        String response = raw("GET " + asked
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " + token() + "\r\n\r\n");

        assertThat(response)
                .startsWith("HTTP/1.1 400 ")
                .contains("'" + name + "' must be a whole number from ")
                .contains("not '" + value + "'.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'chat_id':1e999999999,'text':'x'} | 'chat_id' must be text or a whole number",
                "{'chat_id':1e10000000,'text':'x'} | 'chat_id' must be text or a whole number",
                "{'chat_id':'c','user_id':1e99999999,'text':'x'} | 'user_id' must be text or a whole number",
                "{'chat_id':'c','thread_id':-1E-999999999,'text':'x'} | 'thread_id' must be text or a whole number",
                "{'chat_id':1.5,'text':'x'} | 'chat_id' must be text or a whole number",
                "{'chat_id':'c','message_id':1e999999999,'text':'x'} | 'message_id' must be text or a whole number",
                "{'source':{'chat_id':1e999999999},'text':'x'} | 'chat_id' must be text or a whole number",
            })
    void aNumberWithAHugeExponentIsNoId(String body, String error) throws Exception {
        start(Map.of());

        assertThat(post(body.replace('\'', '"')))
                .startsWith("HTTP/1.1 400 ")
                .contains("{\"error\":\"" + error)
                .hasSizeLessThan(1_000);
        assertThat(gateway.received).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "chat_id",
                "chat_type",
                "user_id",
                "user_name",
                "chat_name",
                "thread_id",
                "chat_topic",
                "user_id_alt",
                "chat_id_alt",
                "scope_id",
                "guild_id",
                "parent_chat_id",
                "message_id",
                "profile",
                "platform",
                "auto_thread_initial_name"
            })
    void everyFieldOfASourceIsBounded(String field) throws Exception {
        start(Map.of());
        String chat = field.equals("chat_id") ? "" : "\"chat_id\":\"1\",";

        String response = post("{" + chat + "\"text\":\"x\",\"" + field + "\":\"" + "a".repeat(1_001) + "\"}");

        assertThat(response)
                .startsWith("HTTP/1.1 400 ")
                .contains("'" + field + "' has 1001 characters; at most ")
                .hasSizeLessThan(1_000);
        assertThat(gateway.received).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"chat_id", "user_id", "thread_id", "message_id", "chat_type"})
    void anIdBreaksNoLine(String field) throws Exception {
        start(Map.of());
        String chat = field.equals("chat_id") ? "" : "\"chat_id\":\"1\",";

        for (String character : List.of("\\n", "\\r", "\\u0000", "\\u001b", "\\u0085")) {
            assertThat(post("{" + chat + "\"text\":\"x\",\"" + field + "\":\"a" + character + "b\"}"))
                    .as(character)
                    .startsWith("HTTP/1.1 400 ")
                    .contains("'" + field + "' holds a control character");
        }
        assertThat(gateway.received).isEmpty();
    }

    /** Senders put things of their own beside what we read. */
    @Test
    void whatIsNotReadMayBeAnything() throws Exception {
        start(Map.of());

        assertThat(post(
                        "{\"chat_id\":\"1\",\"text\":\"x\",\"wait\":false,\"score\":1e999999999,\"tags\":[1.5],\"note\":\""
                                + "n".repeat(5_000) + "\"}"))
                .startsWith("HTTP/1.1 202 ");
        assertThat(gateway.received.get(0).source().chatId()).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"c0af", "eda080", "ff", "e9", "f4908080"})
    void aBodyThatIsNotUtf8IsRefused(String bytes) throws Exception {
        start(Map.of());
        String body = "{\"chat_id\":\"1\",\"text\":\""
                + new String(HexFormat.of().parseHex(bytes), StandardCharsets.ISO_8859_1) + "\"}";

        assertThat(rawBytes((head("x".repeat(body.length())) + "\r\n" + body).getBytes(StandardCharsets.ISO_8859_1)))
                .startsWith("HTTP/1.1 400 ")
                .contains("{\"error\":\"The body is not UTF-8.\"}");
        assertThat(gateway.received).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /healthz\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "GET /healthz HTTP/3.0\r\nHost: localhost\r\n\r\n"
            })
    void anotherVersionOfHttpIsNobodysTrouble(String request) throws Exception {
        start(Map.of());

        assertThat(raw(request)).contains("{\"error\":").doesNotContain("<html", "\tat ");
        assertThat(gateway.warnings).isEmpty();
    }

    @Test
    void whatIsAttachedIsBounded() throws Exception {
        start(Map.of());
        String one = "{\"url\":\"https://example.org/a\"}";

        assertThat(post("{\"chat_id\":\"1\",\"attachments\":[" + (one + ",").repeat(100) + one + "]}"))
                .startsWith("HTTP/1.1 400 ")
                .contains("'attachments' has 101 entries; at most 100 are taken.");
        assertThat(post("{\"chat_id\":\"1\",\"attachments\":[{\"url\":\"https://example.org/a\",\"kind\":\""
                        + "k".repeat(500) + "\"}]}"))
                .startsWith("HTTP/1.1 400 ")
                .contains("'kind' has 500 characters");
        assertThat(gateway.received).isEmpty();
    }

    @Test
    void aWholeNumberIsTakenAsItIsWritten() throws Exception {
        start(Map.of());

        post("{\"chat_id\":-1001234567890123456789,\"user_id\":7,\"text\":\"x\",\"wait\":false}");

        assertThat(gateway.received.get(0).source().chatId()).isEqualTo("-1001234567890123456789");
        assertThat(gateway.received.get(0).source().userId()).contains("7");
    }

    /** However early the stop comes: here it is in the middle of handing the message in. */
    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/event-stream"})
    void aStopInTheMiddleOfHandingInIsAnsweredOnTheConnection(String accept) throws Exception {
        start(Map.of());
        gateway.taking = (message, answer) -> {
            started.get(0).stop();
            return new CompletableFuture<>();
        };

        String body = "{\"chat_id\":\"1\",\"text\":\"x\"}";
        assertThat(raw(head(body) + "Accept: " + accept + "\r\n\r\n" + body))
                .startsWith("HTTP/1.1 503 ")
                .contains("Retry-After: 5")
                .contains("hand it in again");
        assertThat(gateway.warnings).isEmpty();
    }

    private String post(String body) throws IOException {
        return raw(head(body) + "\r\n" + body);
    }

    private String head(String body) throws IOException {
        return "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " + token()
                + "\r\nContent-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n";
    }

    private void start(Map<String, String> values) {
        ChatPlatform platform = new HttpProvider().create(gateway.settings(home, new HashMap<>(values)));
        started.add(platform);
        platform.start(gateway);
        port = platform.address().orElseThrow().getPort();
    }

    private String token() throws IOException {
        return Files.readString(GatewayClient.tokenFile(home)).strip();
    }

    private String rawBytes(byte[] request) throws IOException {
        try (Socket socket = send("")) {
            socket.getOutputStream().write(request);
            return read(socket);
        }
    }

    private Socket send(String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        open.add(socket);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private String raw(String request) throws IOException {
        try (Socket socket = send(request)) {
            return read(socket);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("not closed after " + request, e);
        }
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static String read(Socket socket) throws IOException {
        return rest(reader(socket));
    }

    private static String rest(BufferedReader in) throws IOException {
        StringBuilder response = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            response.append(line).append('\n');
        }
        return response.toString();
    }
}
