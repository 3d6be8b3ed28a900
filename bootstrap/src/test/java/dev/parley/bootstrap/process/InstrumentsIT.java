package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the distribution tells of itself, as a process. */
class InstrumentsIT {
    @TempDir
    private Path directory;

    private Path home(String yaml) throws IOException {
        Path home = Files.createTempDirectory(directory, "home");
        Files.writeString(home.resolve("parley.yaml"), "platforms:\n  http:\n    port: 0\n" + yaml);
        return home;
    }

    @Test
    void tracesReachACollectorBeforeTheProcessHasEnded() throws Exception {
        try (ServerSocket collector = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<String> asked = CompletableFuture.supplyAsync(() -> first(collector));
            Path home = home("observers:\n  otlp:\n    endpoint: http://127.0.0.1:" + collector.getLocalPort() + "\n");
            try (ParleyProcess gateway = ParleyProcess.gateway(home, "INFO")) {
                Caller caller = new Caller(gateway.ready(), home);
                assertThat(caller.say("c1", "hello", "m1").status()).isEqualTo(200);
                assertThat(gateway.terminate()).isZero();

                assertThat(asked.get(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .isEqualTo("POST /v1/traces HTTP/1.1");
                assertThat(gateway.errors()).doesNotContain("otlp", "opentelemetry");
            }
        }
    }

    @Test
    void aCollectorThatIsAwayIsToldInTheLogAndStopsNothing() throws Exception {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        Path home = home("");
        Map<String, String> environment = Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "http://127.0.0.1:" + port,
                "OTEL_EXPORTER_OTLP_TIMEOUT",
                "200",
                "OTEL_BSP_SCHEDULE_DELAY",
                "100");
        try (ParleyProcess gateway = ParleyProcess.gateway(home, environment)) {
            Caller caller = new Caller(gateway.ready(), home);
            assertThat(caller.say("c1", "hello", "m1").status()).isEqualTo(200);
            assertThat(caller.say("c1", "still there?", "m2").status()).isEqualTo(200);
            assertThat(gateway.terminate()).isZero();

            assertThat(gateway.errors().lines().filter(line -> line.contains("otlp lost")))
                    .hasSize(1)
                    .allSatisfy(line -> assertThat(line).contains("WARN", "the collector at http://127.0.0.1:" + port));
        }
    }

    /** Takes one request and answers it; returns its first line. */
    private static String first(ServerSocket collector) {
        try (Socket client = collector.accept();
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1))) {
            String line = String.valueOf(in.readLine());
            client.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.ISO_8859_1));
            client.getOutputStream().flush();
            return line;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
