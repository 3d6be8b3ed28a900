package dev.parley.fakes.discord;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Connections to the fake that end at both sides. */
class DiscordConnectionsTest {
    private static final int ROUNDS = 300;

    /** What a client hears that lets go of its connection while the fake breaks it off. */
    private static final class Hearing implements WebSocket.Listener {
        final CompletableFuture<Void> greeted = new CompletableFuture<>();

        @Override
        public CompletableFuture<?> onText(WebSocket socket, CharSequence data, boolean last) {
            greeted.complete(null);
            return CompletableFuture.completedFuture(null);
        }
    }

    @Test
    void aConnectionThatBothSidesBreakOffHoldsNobody() throws Exception {
        try (FakeDiscord discord = new FakeDiscord("token", InstantSource.system())) {
            HttpClient client = HttpClient.newHttpClient();
            for (int round = 0; round < ROUNDS; round++) {
                Hearing hearing = new Hearing();
                WebSocket socket = client.newWebSocketBuilder()
                        .buildAsync(URI.create("ws://127.0.0.1:" + discord.gatewayPort()), hearing)
                        .get(30, TimeUnit.SECONDS);
                hearing.greeted.get(30, TimeUnit.SECONDS);
                CompletableFuture<Void> dropped = CompletableFuture.runAsync(discord::dropConnections);
                socket.abort();
                assertThat(dropped).as("round %s", round).succeedsWithin(30, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void aPortThatIsTakenIsToldAndNotWaitedFor() throws Exception {
        try (FakeDiscord discord = new FakeDiscord("token", InstantSource.system())) {
            discord.stop();
            try (ServerSocket other = new ServerSocket(discord.gatewayPort(), 1, InetAddress.getLoopbackAddress())) {
                CompletableFuture<Void> started = CompletableFuture.runAsync(discord::start);

                assertThat(started)
                        .failsWithin(Duration.ofSeconds(30))
                        .withThrowableThat()
                        .withMessageContaining(String.valueOf(other.getLocalPort()));
            }
        }
    }
}
