package dev.parley.fakes.slack;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SlackConnectionsTest {
    @Test
    void aPortThatIsTakenIsToldAndNotWaitedFor() throws Exception {
        try (FakeSlack slack = new FakeSlack("bot", "app", InstantSource.system())) {
            slack.stop();
            try (ServerSocket other = new ServerSocket(slack.socketPort(), 1, InetAddress.getLoopbackAddress())) {
                CompletableFuture<Void> started = CompletableFuture.runAsync(slack::start);

                assertThat(started)
                        .failsWithin(Duration.ofSeconds(30))
                        .withThrowableThat()
                        .withMessageContaining(String.valueOf(other.getLocalPort()));
            }
        }
    }
}
