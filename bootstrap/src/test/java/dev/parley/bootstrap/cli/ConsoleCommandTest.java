package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import dev.parley.home.GatewayLock;
import dev.parley.home.HomeDirectory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code parley console} prints, and what it says where there is nothing to print. */
class ConsoleCommandTest {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final String TOKEN = "the-token-of-the-owner";

    @TempDir
    private Path directory;

    private HomeDirectory home = new HomeDirectory(Path.of("unset"));
    private CommandLineProgram program = new CommandLineProgram(Path.of("unset"));

    @BeforeEach
    void makeAHome() throws Exception {
        home = new HomeDirectory(directory.resolve("home"));
        home.create();
        program = new CommandLineProgram(home.path());
        Files.writeString(home.path().resolve("http-token"), TOKEN + "\n");
    }

    /** What came of a command while a gateway that answers this held the home. */
    private record Talked(String address, List<String> request, Result result) {}

    private Talked whileAGatewayAnswers(String status, String body) throws Exception {
        try (GatewayLock held = GatewayLock.take(home);
                ServerSocket listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            assertThat(held).isNotNull();
            String address = "http://127.0.0.1:" + listening.getLocalPort();
            Files.writeString(home.path().resolve("http-address"), address + "\n");
            listening.setSoTimeout(PATIENCE_MILLIS);
            CompletableFuture<Result> printed = CompletableFuture.supplyAsync(() -> program.run("console"));
            List<String> request = new ArrayList<>();
            try (Socket client = listening.accept()) {
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                    request.add(line);
                }
                client.getOutputStream()
                        .write(("HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                                .getBytes(StandardCharsets.UTF_8));
            }
            return new Talked(address, request, printed.join());
        }
    }

    @Test
    void anAddressWithTheCodeOfTheGatewayIsPrintedAndNothingElse() throws Exception {
        Talked talked = whileAGatewayAnswers("200 OK", "one-time-code");

        assertThat(talked.request().get(0)).isEqualTo("POST /console/code HTTP/1.1");
        assertThat(talked.request()).contains("Authorization: Bearer " + TOKEN);
        assertThat(talked.result().lines()).containsExactly(talked.address() + "/console/login#code=one-time-code");
        assertThat(talked.result().err()).isEmpty();
        assertThat(talked.result().code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"404 Not Found", "403 Forbidden"})
    void aGatewayWithoutAConsoleIsToldWithTheSettingThatHelps(String status) throws Exception {
        Talked talked = whileAGatewayAnswers(status, "");

        assertThat(talked.result().out()).isEmpty();
        assertThat(talked.result().errors())
                .singleElement()
                .asString()
                .contains("platforms.http.console", "on")
                .doesNotContain(TOKEN);
        assertThat(talked.result().code()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "401 Unauthorized, {\"error\":\"Show the token.\"}, Show the token., 2",
        "429 Too Many Requests, {\"error\":\"Wait a minute.\"}, Wait a minute., 2",
        "503 Service Unavailable, {\"error\":\"The gateway stops.\"}, The gateway stops., 3",
        "500 Oops, no json at all, answered 500, 3"
    })
    void whatTheGatewaySaysInsteadIsOneLine(String status, String body, String told, int code) throws Exception {
        Talked talked = whileAGatewayAnswers(status, body);

        assertThat(talked.result().out()).isEmpty();
        assertThat(talked.result().errors())
                .singleElement()
                .asString()
                .contains(told)
                .doesNotContain(TOKEN);
        assertThat(talked.result().code()).isEqualTo(code);
    }

    @Test
    void withoutAGatewayItSaysHowToStartOne() {
        Result result = program.run("console");

        assertThat(result.out()).isEmpty();
        assertThat(result.errors()).singleElement().asString().contains("No gateway runs", "`parley gateway`");
        assertThat(result.code()).isEqualTo(2);
    }

    @Test
    void theAddressThatAKilledGatewayLeftIsNotAskedWithTheToken() throws Exception {
        try (ServerSocket stranger = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            Files.writeString(
                    home.path().resolve("http-address"), "http://127.0.0.1:" + stranger.getLocalPort() + "\n");

            Result result = program.run("console");

            assertThat(result.errors()).singleElement().asString().contains("No gateway runs");
            stranger.setSoTimeout(1);
            org.assertj.core.api.Assertions.assertThatThrownBy(stranger::accept)
                    .isInstanceOf(java.net.SocketTimeoutException.class);
        }
    }

    @Test
    void aGatewayThatDoesNotAnswerIsNotThere() throws Exception {
        try (GatewayLock held = GatewayLock.take(home)) {
            assertThat(held).isNotNull();
            int port;
            try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = gone.getLocalPort();
            }
            Files.writeString(home.path().resolve("http-address"), "http://127.0.0.1:" + port + "\n");

            Result result = program.run("console");

            assertThat(result.out()).isEmpty();
            assertThat(result.errors()).singleElement().asString().doesNotContain(TOKEN);
            assertThat(result.code()).isEqualTo(3);
        }
    }
}
