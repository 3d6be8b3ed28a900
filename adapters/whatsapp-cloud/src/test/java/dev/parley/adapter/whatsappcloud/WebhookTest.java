package dev.parley.adapter.whatsappcloud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Receipt;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.whatsapp.FakeWhatsApp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The webhook's door: what it takes, and each way of being wrong. Bytes as they are sent, without a client between. */
class WebhookTest {
    private static final String EMPTY = "{\"object\":\"whatsapp_business_account\",\"entry\":[]}";

    @TempDir
    private Path home;

    private final FakeGateway gateway = WhatsAppCloudTesting.gateway();
    private final FakeWhatsApp whatsapp = WhatsAppCloudTesting.whatsapp(gateway);
    private ChatPlatform platform;
    private URI address;

    @BeforeEach
    void start() {
        platform = WhatsAppCloudTesting.platform(gateway, whatsapp, home, Map.of("path", "/hooks/wa"));
        platform.start(gateway);
        address = platform.address().orElseThrow();
        whatsapp.webhook(address);
    }

    @AfterEach
    void stop() {
        platform.stop();
        whatsapp.close();
        gateway.close();
    }

    @Test
    void itsAddressIsThePathOnThisMachine() {
        assertThat(address.toString()).matches("http://127\\.0\\.0\\.1:[0-9]+/hooks/wa");
    }

    @Test
    void metaSetsItUpByTheVerifyToken() {
        assertThat(whatsapp.verify("hub.mode=subscribe&hub.verify_token=" + WhatsAppCloudTesting.VERIFY
                        + "&hub.challenge=1158201444"))
                .contains("1158201444");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?hub.mode=subscribe&hub.verify_token=another&hub.challenge=1",
                "?hub.mode=subscribe&hub.challenge=1",
                "?hub.mode=unsubscribe&hub.verify_token=verify-word&hub.challenge=1",
                "?hub.mode=subscribe&hub.verify_token=verify-word",
                "?hub.mode=subscribe&hub.verify_token=verify-word&hub.challenge=%0d%0aSet-Cookie:a=b"
            })
    void whoeverDoesNotKnowTheVerifyTokenIsRefused(String query) throws Exception {
        assertThat(raw("GET /hooks/wa" + query + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                .startsWith("HTTP/1.1 403 ")
                .contains("onnection: close")
                .doesNotContain("verify-word", "Set-Cookie");
    }

    @Test
    void aSignedPostIsTakenAlsoInChunksAndWithTheSignatureInCapitals() throws Exception {
        String signature = signature(EMPTY);

        assertThat(post("/hooks/wa", EMPTY, Optional.of(signature))).startsWith("HTTP/1.1 200 ");
        assertThat(post(
                        "/hooks/wa",
                        EMPTY,
                        Optional.of("sha256=" + signature.substring(7).toUpperCase(Locale.ROOT))))
                .startsWith("HTTP/1.1 200 ");
        assertThat(raw("POST /hooks/wa HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: " + signature
                        + "\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                        + Integer.toHexString(EMPTY.length()) + "\r\n" + EMPTY + "\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sha256=",
                "sha256=00",
                "sha256=zz",
                "sha1=0000000000000000000000000000000000000000",
                "sha256=0000000000000000000000000000000000000000000000000000000000000000"
            })
    void aWrongSignatureIsRefusedWithOneWarningAnHourAndNothingIsRead(String signature) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(post("/hooks/wa", "no JSON", Optional.of(signature)))
                    .startsWith("HTTP/1.1 401 ")
                    .contains("onnection: close");
        }

        assertThat(gateway.warnings())
                .singleElement()
                .asString()
                .contains("WHATSAPP_CLOUD_APP_SECRET")
                .doesNotContain(WhatsAppCloudTesting.SECRET);
    }

    @Test
    void theSignatureOfOtherBytesDoesNotFit() throws Exception {
        assertThat(post("/hooks/wa", EMPTY + " ", Optional.of(signature(EMPTY))))
                .startsWith("HTTP/1.1 401 ");
    }

    @Test
    void aPostWithoutASignatureIsRefused() throws Exception {
        assertThat(post("/hooks/wa", EMPTY, Optional.empty())).startsWith("HTTP/1.1 401 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/hooks",
                "/hooks/wa/",
                "/hooks//wa",
                "/HOOKS/WA",
                "/hooks/x/../wa",
                "/hooks/w%61",
                "/webhook"
            })
    void anotherPathIsNotThere(String path) throws Exception {
        assertThat(post(path, EMPTY, Optional.of(signature(EMPTY)))).matches("(?s)HTTP/1.1 (404|400) .*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"})
    void anotherMethodIsNotTaken(String method) throws Exception {
        assertThat(raw(method + " /hooks/wa HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ")
                .contains("Allow: GET, POST");
    }

    @Test
    void aBodyOfMoreThanThreeMegabytesIsRefusedWhateverItSaysOfItsLength() throws Exception {
        int tooMuch = (3 << 20) + 1;

        assertThat(raw("POST /hooks/wa HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: x\r\nContent-Length: " + tooMuch
                        + "\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
        assertThat(raw(
                        "POST /hooks/wa HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + Integer.toHexString(tooMuch) + "\r\n" + "x".repeat(tooMuch) + "\r\n"))
                .startsWith("HTTP/1.1 413 ");
    }

    @Test
    void aMalformedRequestLearnsNothing() throws Exception {
        assertThat(raw("NONSENSE\r\n\r\n")).startsWith("HTTP/1.1 400 ").doesNotContain("Jetty", "html", "\tat ");
    }

    @Test
    void whatIsSignedAndIsNoPostOfMetasIsSettledWithAWarning() throws Exception {
        assertThat(post("/hooks/wa", "what people wrote", Optional.of(signature("what people wrote"))))
                .startsWith("HTTP/1.1 200 ");

        assertThat(gateway.warnings())
                .singleElement()
                .asString()
                .startsWith("platforms.whatsapp_cloud: ")
                .contains("left out")
                .doesNotContain("what people wrote");
    }

    @Test
    void aPostThatIsNotSettledYetIsToBePostedAgainWhereTheGatewayStops() throws Exception {
        CompletableFuture<Receipt> never = new CompletableFuture<>();
        gateway.taking(message -> never);
        CompletableFuture<Boolean> answered =
                whatsapp.offer(WhatsAppCloudTesting.ADA, "hello").toCompletableFuture();
        FakeGateway.until("it came", () -> gateway.received().size() == 1);

        platform.stop();

        assertThat(answered.join()).isFalse();
    }

    @Test
    void bodiesThatDripKeepNobodyFromPosting() throws Exception {
        for (int i = 0; i < 100; i++) {
            open("POST /hooks/wa HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: x\r\nContent-Length: 1000\r\n\r\n{");
        }

        assertThat(post("/hooks/wa", EMPTY, Optional.of(signature(EMPTY)))).startsWith("HTTP/1.1 200 ");
    }

    private String signature(String body) {
        return whatsapp.signature(body.getBytes(StandardCharsets.UTF_8));
    }

    private String post(String path, String body, Optional<String> signature) throws IOException {
        return raw("POST " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + signature
                        .map(value -> "X-Hub-Signature-256: " + value + "\r\n")
                        .orElse("")
                + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    private Socket open(String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort());
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return socket;
    }

    /** Sends bytes and returns what comes back until the connection is closed; answers come before all is sent where it is refused. */
    private String raw(String request) throws IOException {
        StringBuilder answer = new StringBuilder();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
            socket.setSoTimeout(60_000);
            Thread writing = new Thread(() -> {
                try {
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                    socket.getOutputStream().flush();
                } catch (IOException refused) {
                    // The answer says so.
                }
            });
            writing.start();
            byte[] buffer = new byte[8192];
            try {
                for (int n = socket.getInputStream().read(buffer);
                        n >= 0;
                        n = socket.getInputStream().read(buffer)) {
                    answer.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                }
            } catch (IOException reset) {
                // What came before counts.
            }
        }
        return answer.toString();
    }
}
