package dev.parley.fakes.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultyProxyTest {
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private ServerSocket server;
    private Thread serving;

    /** A server that reads four bytes and answers with six. */
    @BeforeEach
    void serve() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        serving = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                    byte[] request = client.getInputStream().readNBytes(4);
                    asked.add(new String(request, StandardCharsets.UTF_8));
                    client.getOutputStream().write("answer".getBytes(StandardCharsets.UTF_8));
                } catch (IOException closed) {
                    // The next connection may go better.
                }
            }
        });
        serving.start();
    }

    @AfterEach
    void end() throws Exception {
        server.close();
        serving.join();
    }

    @Test
    void withoutAFaultEverythingPasses() throws Exception {
        try (FaultyProxy proxy = proxy(n -> new Fault.None())) {
            assertThat(ask(proxy)).isEqualTo("answer");
        }
    }

    @Test
    void aCutRequestDoesNotReachTheServerWhole() throws Exception {
        try (FaultyProxy proxy = proxy(n -> n == 0 ? new Fault.CutRequest(2) : new Fault.None())) {
            assertThatThrownBy(() -> ask(proxy)).isInstanceOf(IOException.class);
            assertThat(ask(proxy)).isEqualTo("answer");
            assertThat(asked).as("whole requests").containsExactly("ask!");
        }
    }

    @Test
    void whatIsSentIntoSilenceArrivesOnceItEnds() throws Exception {
        try (FaultyProxy proxy = proxy(n -> new Fault.None());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            proxy.silence();
            client.getOutputStream().write("late".getBytes(StandardCharsets.UTF_8));
            assertThat(asked.poll(100, TimeUnit.MILLISECONDS)).isNull();

            proxy.restore();
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("answer");
            assertThat(asked.poll(10, TimeUnit.SECONDS)).isEqualTo("late");
        }
    }

    @Test
    void aCutAnswerWasAskedForWhole() throws Exception {
        try (FaultyProxy proxy = proxy(n -> n == 0 ? new Fault.CutAnswer(3) : new Fault.None())) {
            assertThatThrownBy(() -> {
                        String got = ask(proxy);
                        if (got.length() < 6) {
                            throw new IOException("only " + got);
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(asked.poll(10, TimeUnit.SECONDS)).isEqualTo("ask!");
            assertThat(ask(proxy)).isEqualTo("answer");
        }
    }

    @Test
    void aHalfOpenConnectionSaysNothing() throws Exception {
        try (FaultyProxy proxy = proxy(n -> new Fault.HalfOpen(0));
                Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            client.setSoTimeout(300);
            client.getOutputStream().write("ask!".getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void aSeveredNetworkTakesNothingUntilItIsRestored() throws Exception {
        try (FaultyProxy proxy = proxy(n -> new Fault.None())) {
            proxy.sever();
            assertThatThrownBy(() -> {
                        if (ask(proxy).isEmpty()) {
                            throw new IOException("closed");
                        }
                    })
                    .isInstanceOf(IOException.class);
            proxy.restore();
            assertThat(ask(proxy)).isEqualTo("answer");
        }
    }

    private FaultyProxy proxy(LongFunction<Fault> plan) {
        return new FaultyProxy("127.0.0.1", server.getLocalPort(), plan);
    }

    private static String ask(FaultyProxy proxy) throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            client.getOutputStream().write("ask!".getBytes(StandardCharsets.UTF_8));
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
