package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import dev.parley.home.GatewayLock;
import dev.parley.home.HomeDirectory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom a command shows the operator's token while somebody holds the home. */
class RunningGatewayTest {
    private static final int PATIENCE_MILLIS = 20_000;

    @TempDir
    Path directory;

    private HomeDirectory home;
    private ServerSocket listening;
    private GatewayLock held;
    private CommandLineProgram program;

    @BeforeEach
    void somebodyListensWhileSomebodyHoldsTheHome() throws Exception {
        home = new HomeDirectory(directory.resolve("home"));
        home.create();
        program = new CommandLineProgram(home.path());
        listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        held = GatewayLock.take(home);
        Files.writeString(home.path().resolve("http-token"), "the-token\n");
    }

    @AfterEach
    void nobodyDoes() throws Exception {
        held.close();
        listening.close();
    }

    private void theAddressIsWritten(long secondsAfterTheHomeWasTaken) throws Exception {
        Path address = Files.writeString(
                home.path().resolve("http-address"), "http://127.0.0.1:" + listening.getLocalPort() + "\n");
        FileTime taken = Files.getLastModifiedTime(home.path().resolve("gateway.lock"));
        Files.setLastModifiedTime(address, FileTime.from(taken.toInstant().plusSeconds(secondsAfterTheHomeWasTaken)));
    }

    @Test
    void theAddressOfAKilledGatewayIsNotAsked() throws Exception {
        theAddressIsWritten(-60);

        Result reset = program.run("lanes", "reset", "agent:main:local:dm:me", "--yes");
        program.run("doctor");
        program.run("storage", "status");

        assertThat(reset.code()).isEqualTo(2);
        assertThat(reset.errors()).singleElement().asString().contains("does not listen over HTTP");
        listening.setSoTimeout(1);
        assertThatThrownBy(listening::accept).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void theAddressOfTheOneWhoHoldsTheHomeIsAsked() throws Exception {
        theAddressIsWritten(1);
        listening.setSoTimeout(PATIENCE_MILLIS);

        CompletableFuture<Result> status = CompletableFuture.supplyAsync(() -> program.run("storage", "status"));
        List<String> request = new ArrayList<>();
        answerOne(new ArrayList<>());
        answerOne(request);

        assertThat(request).contains("Authorization: Bearer the-token");
        assertThat(status.join().out()).contains("gateway_status", "ok");
    }

    private void answerOne(List<String> request) throws Exception {
        try (Socket client = listening.accept()) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                request.add(line);
            }
            String body = "{\"status\":\"ok\"}";
            client.getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.UTF_8));
        }
    }
}
