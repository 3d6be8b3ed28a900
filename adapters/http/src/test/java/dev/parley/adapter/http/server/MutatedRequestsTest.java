package dev.parley.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Receipt;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests with bytes written over them, pieces put in or cut: each is answered as what it says or refused, never with a fault. */
class MutatedRequestsTest {
    private static final int ROUNDS = 150;
    private static final Pattern STATUS = Pattern.compile("\\AHTTP/1.1 ([1-5]\\d\\d) ");
    private static final String JSON =
            "{\"chat_id\":\"c\",\"user_id\":7,\"user_name\":\"Ada\",\"thread_id\":\"t\",\"message_id\":\"m1\","
                    + "\"text\":\"hello\",\"wait\":false,\"attachments\":[{\"kind\":\"photo\",\"url\":\"/x\"}],\"chat_type\":\"group\"}";
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "[]",
            "{}",
            "1e999999999",
            "-1",
            "\"\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "{\"a\":[{}]}",
            "[[[[[[[[[]]]]]]]]]",
            "1.5",
            "\"" + "x".repeat(3_000) + "\"");
    private static final List<String> PIECES = List.of(
            "\r\n",
            "\n",
            "\r\n\r\n",
            " ",
            "\t",
            "\u0000",
            ":",
            ",",
            "\"",
            "{",
            "%",
            "%2e%2e/",
            "?",
            "&",
            "#",
            ";",
            "//",
            "Content-Length: 5\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Expect: 100-continue\r\n",
            "Connection: Upgrade\r\nUpgrade: websocket\r\n",
            "Host: evil.example\r\n",
            "Range: bytes=0-\r\n",
            "Accept: text/event-stream\r\n",
            "Content-Encoding: gzip\r\n",
            "Last-Event-ID: x\r\n",
            "x".repeat(9_000));

    @TempDir
    Path home;

    private final FakeGateway gateway = new FakeGateway();
    private ChatPlatform platform;
    private String head;

    @BeforeEach
    void start() throws IOException {
        gateway.taking = (message, answer) -> CompletableFuture.completedFuture(new Receipt.Refused("not now"));
        platform = new HttpProvider().create(gateway.settings(home, Map.of()));
        platform.start(gateway);
        head = "Host: localhost\r\nAuthorization: Bearer "
                + Files.readString(GatewayClient.tokenFile(home)).strip() + "\r\nConnection: close\r\n";
    }

    @AfterEach
    void stop() {
        platform.stop();
        gateway.close();
    }

    private String answer(byte[] request) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(),
                platform.address().orElseThrow().getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request);
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (java.net.SocketException closedAtOnce) {
            return "";
        }
    }

    private void assertNoFault(byte[] request) throws IOException {
        String answer;
        try {
            answer = answer(request);
        } catch (IOException e) {
            throw new AssertionError(new String(request, StandardCharsets.ISO_8859_1), e);
        }
        Matcher status = STATUS.matcher(answer);
        if (status.find()) {
            assertThat(Integer.parseInt(status.group(1)))
                    .as(new String(request, StandardCharsets.ISO_8859_1) + "\n" + answer)
                    .isNotIn(500, 502, 503, 504);
        }
        assertThat(answer).doesNotContain("\tat ", "Exception", "Jetty");
    }

    private byte[] post(String more, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return ("POST /v1/messages HTTP/1.1\r\n" + head + more + "Content-Length: " + bytes.length + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void bodiesOfOtherValues(long seed) throws Exception {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder body = new StringBuilder(JSON);
            for (int edits = random.nextInt(3); edits >= 0; edits--) {
                int colon = body.indexOf(":", random.nextInt(body.length()));
                if (random.nextInt(4) > 0 && colon >= 0) {
                    int end = body.indexOf(",", colon);
                    body.replace(
                            colon + 1, end < 0 ? body.length() - 1 : end, VALUES.get(random.nextInt(VALUES.size())));
                } else {
                    int at = random.nextInt(body.length());
                    body.delete(at, Math.min(body.length(), at + random.nextInt(20)));
                }
            }
            assertNoFault(post(random.nextBoolean() ? "Accept: text/event-stream\r\n" : "", body.toString()));
        }
        assertThat(gateway.warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void bytesAndPiecesAnywhere(long seed) throws Exception {
        Random random = new Random(seed);
        List<byte[]> requests = List.of(
                post("Content-Type: application/json\r\n", JSON),
                ("POST /v1/messages HTTP/1.1\r\n" + head + "Transfer-Encoding: chunked\r\n\r\n"
                                + Integer.toHexString(JSON.length()) + "\r\n" + JSON + "\r\n0\r\n\r\n")
                        .getBytes(StandardCharsets.UTF_8),
                ("GET /v1/messages?chat_id=c&after=o-1&limit=5 HTTP/1.1\r\n" + head + "\r\n")
                        .getBytes(StandardCharsets.UTF_8),
                ("GET /v1/sessions?limit=5&source=webhook HTTP/1.1\r\n" + head + "\r\n")
                        .getBytes(StandardCharsets.UTF_8),
                ("GET /v1/search?q=a%20b&from=2026-01-01 HTTP/1.1\r\n" + head + "\r\n")
                        .getBytes(StandardCharsets.UTF_8));
        for (int round = 0; round < ROUNDS; round++) {
            String request = new String(requests.get(random.nextInt(requests.size())), StandardCharsets.ISO_8859_1);
            for (int edits = random.nextInt(3); edits >= 0; edits--) {
                int at = random.nextInt(request.length());
                request = switch (random.nextInt(3)) {
                    case 0 -> request.substring(0, at) + (char) random.nextInt(256) + request.substring(at + 1);
                    case 1 ->
                        request.substring(0, at) + PIECES.get(random.nextInt(PIECES.size())) + request.substring(at);
                    default -> request.substring(0, at + 1);
                };
            }
            assertNoFault(request.getBytes(StandardCharsets.ISO_8859_1));
        }
    }
}
