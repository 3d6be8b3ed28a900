package dev.parley.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.ChatPlatform;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private ChatPlatform platform;
    private int port;

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        platform.stop();
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

        String response = raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\n"
                + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");

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
        platform.stop();

        assertThat(gateway.warnings).isEmpty();
    }

    @Test
    void aBodyThatIsStillComingWhenTheGatewayStopsIsToBeSentAgain() throws Exception {
        start(Map.of());
        Socket socket = send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token()
                + "\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n");
        BufferedReader in = reader(socket);
        assertThat(in.readLine()).isEqualTo("HTTP/1.1 100 Continue");
        platform.stop();

        assertThat(rest(in)).contains("HTTP/1.1 503 ").contains("Retry-After: 5").contains("The gateway is stopping");
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

        String response = raw("GET " + asked + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                + token() + "\r\n\r\n");

        assertThat(response)
                .startsWith("HTTP/1.1 400 ")
                .contains("'" + name + "' must be a whole number from ")
                .contains("not '" + value + "'.");
    }

    private void start(Map<String, String> values) {
        platform = new HttpProvider().create(gateway.settings(home, new HashMap<>(values)));
        platform.start(gateway);
        port = platform.address().orElseThrow().getPort();
    }

    private String token() throws IOException {
        return Files.readString(GatewayClient.tokenFile(home)).strip();
    }

    private Socket send(String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        open.add(socket);
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private String raw(String request) throws IOException {
        try (Socket socket = send(request)) {
            return read(socket);
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
