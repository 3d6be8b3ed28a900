package dev.parley.adapter.kit.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.adapter.kit.api.ApiClient.ApiCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiClientTest {
    private static final String TOKEN = "12345:secret-token";
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ApiClient client = new ApiClient(threads, Duration.ofSeconds(5), new Secrets(TOKEN), 1000);

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void aConnectionThatIsRefusedWasNotSent() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }

        assertThatThrownBy(() -> client.call(call(port)))
                .isInstanceOf(ApiFailure.NotSent.class)
                .hasMessageContaining("sendMessage at 127.0.0.1:" + port + " could not be reached");
    }

    @Test
    void aConnectionThatIsCutBeforeTheAnswerLeavesItUnknown() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            answerOnce(server, "");

            assertThatThrownBy(() -> client.call(call(server.getLocalPort()))).isInstanceOf(ApiFailure.Unknown.class);
        }
    }

    @Test
    void aConnectionThatIsCutWithinTheAnswerLeavesItUnknown() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            answerOnce(server, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"ok\":");

            assertThatThrownBy(() -> client.call(call(server.getLocalPort()))).isInstanceOf(ApiFailure.Unknown.class);
        }
    }

    @Test
    void anAnswerThatStopsHalfWayIsGivenUpAtItsTimeout() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<Socket> silent = threads.submit(() -> {
                Socket connection = server.accept();
                connection
                        .getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{".getBytes(StandardCharsets.UTF_8));
                return connection;
            });
            ApiCall call = ApiCall.get(
                    "getUpdates",
                    URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"),
                    Map.of(),
                    Duration.ofMillis(200));

            assertThatThrownBy(() -> client.call(call)).isInstanceOf(ApiFailure.Unknown.class);
            silent.get().close();
        }
    }

    @Test
    void aFileThatStopsHalfWayIsGivenUp() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<Socket> silent = threads.submit(() -> {
                Socket connection = server.accept();
                connection
                        .getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhalf".getBytes(StandardCharsets.UTF_8));
                return connection;
            });
            ApiCall call = ApiCall.get(
                    "file",
                    URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"),
                    Map.of(),
                    Duration.ofMillis(500));
            CompletableFuture<byte[]> read = CompletableFuture.supplyAsync(
                    () -> {
                        try (InputStream file = client.fetch(call).body()) {
                            return file.readAllBytes();
                        } catch (IOException | InterruptedException e) {
                            throw new CompletionException(e);
                        }
                    },
                    threads);

            assertThat(read)
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withRootCauseInstanceOf(IOException.class)
                    .withMessageContaining("stopped half-way");
            silent.get().close();
        }
    }

    @Test
    void anEndlessAnswerIsCutOff() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            answerOnce(server, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(50_000));

            assertThatThrownBy(() -> client.call(call(server.getLocalPort())))
                    .isInstanceOf(ApiFailure.Unknown.class)
                    .hasMessageContaining("longer than 1000 bytes");
        }
    }

    @Test
    void noSecretStandsInWhatIsThrownNorInItsStack() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            answerOnce(server, "HTTP/1.1 bad " + TOKEN + "\r\n\r\n");

            assertThatThrownBy(() -> client.call(call(server.getLocalPort()))).satisfies(e -> {
                StringWriter all = new StringWriter();
                e.printStackTrace(new PrintWriter(all));
                assertThat(all.toString()).doesNotContain("secret-token");
            });
        }
    }

    @Test
    void everyStatusIsAnAnswerAndSaysHowLongToWait() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            answerOnce(server, "HTTP/1.1 429 Slow\r\nRetry-After: 1.5\r\nContent-Length: 12\r\n\r\n{\"ok\":false}");

            ApiAnswer answer = client.call(call(server.getLocalPort()));

            assertThat(answer.isSuccess()).isFalse();
            assertThat(answer.retryAfter()).contains(Duration.ofMillis(1500));
            assertThat(answer.body().path("ok").asBoolean(true)).isFalse();
        }
    }

    @Test
    void aFormCarriesFieldsAndFiles(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("a.txt"), "content of the file");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<String> received = threads.submit(() -> readAndAnswer(server, "HTTP/1.1 204 No\r\n\r\n"));
            Multipart form =
                    new Multipart("bound").field("text", "hello").file("document", file, "a\"b\r\n.txt", "text/plain");
            URI address = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/sendDocument");

            client.call(new ApiCall(
                    "sendDocument",
                    "POST",
                    address,
                    Map.of(),
                    Optional.empty(),
                    Optional.of(form),
                    Duration.ofSeconds(5)));

            assertThat(received.get())
                    .contains("Content-Type: multipart/form-data; boundary=bound\r\n")
                    .contains("name=\"text\"\r\n\r\nhello\r\n", "filename=\"a%22b%0D%0A.txt\"", "content of the file")
                    .endsWith("--bound--\r\n");
        }
    }

    @Test
    void secondsAreReadOrNot() {
        assertThat(ApiAnswer.seconds("35")).contains(Duration.ofSeconds(35));
        assertThat(ApiAnswer.seconds("-1")).isEmpty();
        assertThat(ApiAnswer.seconds("NaN")).isEmpty();
        assertThat(ApiAnswer.seconds("soon")).isEmpty();
        assertThat(ApiAnswer.seconds("1e300")).contains(Duration.ofDays(1));
    }

    private static ApiCall call(int port) {
        return ApiCall.post(
                "sendMessage",
                URI.create("http://127.0.0.1:" + port + "/bot" + TOKEN + "/sendMessage"),
                Map.of(),
                Map.of("text", "hello"),
                Duration.ofSeconds(10));
    }

    private void answerOnce(ServerSocket server, String answer) {
        threads.execute(() -> {
            try {
                readAndAnswer(server, answer);
            } catch (IOException theClientHasLeft) {
                // What the client made of it is what is looked at.
            }
        });
    }

    /** Takes one request whose text is "hello", to its end, and answers; returns the request. */
    private static String readAndAnswer(ServerSocket server, String answer) throws IOException {
        try (Socket connection = server.accept()) {
            StringBuilder request = new StringBuilder();
            byte[] piece = new byte[8192];
            while (!request.toString().endsWith("\"hello\"}")
                    && !request.toString().contains("--bound--\r\n")) {
                int read = connection.getInputStream().read(piece);
                if (read < 0) {
                    break;
                }
                request.append(new String(piece, 0, read, StandardCharsets.UTF_8));
            }
            connection.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            connection.getOutputStream().flush();
            return request.toString();
        }
    }
}
