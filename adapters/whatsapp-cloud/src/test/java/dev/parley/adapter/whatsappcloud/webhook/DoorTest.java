package dev.parley.adapter.whatsappcloud.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.source.Platform;
import dev.parley.fakes.gateway.FakeGateway;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long the webhook's door waits. */
class DoorTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String SECRET = "a-secret";

    @TempDir
    private Path home;

    private final FakeGateway gateway = new FakeGateway(Platform.WHATSAPP_CLOUD, Map.of(), Map.of());

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void aBodyThatNeverGetsWholeIsGivenUp() throws Exception {
        assertThat(answer(new Door.Patience(SHORT, LONG), "Content-Length: 1000\r\n\r\n{"))
                .startsWith("HTTP/1.1 408 ")
                .contains("onnection: close");
    }

    @Test
    void aPostThatIsNotSettledInTimeIsToBePostedAgain() throws Exception {
        assertThat(answer(new Door.Patience(LONG, SHORT), "Connection: close\r\nContent-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 503 ")
                .contains("Retry-After: ");
    }

    /** Posts to a server whose posts are never settled, and returns what it answers. */
    private String answer(Door.Patience patience, String rest) throws Exception {
        Posts never = body -> new CompletableFuture<>();
        Door door = new Door("/webhook", new Signature(SECRET), "word", never, () -> {}, patience);
        WebhookServer server = new WebhookServer(
                new Listening(InetAddress.getLoopbackAddress(), 0, "/webhook"), gateway.settings(home, Map.of()), door);
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.start().getPort())) {
            socket.setSoTimeout(60_000);
            String request = "POST /webhook HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: " + signature("{}") + "\r\n";
            socket.getOutputStream().write((request + rest).getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return read(socket);
        } finally {
            server.stop();
        }
    }

    private static String read(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private static String signature(String body) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    }
}
