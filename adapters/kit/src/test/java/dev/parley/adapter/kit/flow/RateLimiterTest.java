package dev.parley.adapter.kit.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.kit.flow.RateLimiter.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private static final Rate CHAT = new Rate(1, Duration.ofSeconds(1), 3);
    private static final Rate ALL = new Rate(2, Duration.ofSeconds(1), 2);
    private Instant now = Instant.parse("2026-03-10T09:00:00Z");
    private final RateLimiter limiter = new RateLimiter(() -> now);

    @Test
    void aBurstPassesAndThenThePaceHolds() {
        for (int i = 0; i < 3; i++) {
            assertThat(take("a")).isZero();
        }
        assertThat(take("a")).isEqualTo(Duration.ofSeconds(1));

        now = now.plusMillis(400);
        assertThat(take("a")).isEqualTo(Duration.ofMillis(600));
        now = now.plusMillis(600);
        assertThat(take("a")).isZero();
        assertThat(take("a")).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void oneChatsPaceIsNotAnothers() {
        for (int i = 0; i < 4; i++) {
            take("a");
        }
        assertThat(take("b")).isZero();
    }

    @Test
    void whereOneLimitSaysWaitNoneIsUsedUp() {
        take("a", "all");
        take("b", "all");
        assertThat(take("c", "all")).isEqualTo(Duration.ofMillis(500));

        now = now.plusMillis(500);
        for (int i = 0; i < 3; i++) {
            assertThat(take("c")).as("permit %d of the chat", i).isZero();
        }
    }

    @Test
    void aServersTimeOutHoldsToTheEndAndAShorterOneDoesNotShortenIt() {
        limiter.pause("all", Duration.ofSeconds(35));
        limiter.pause("all", Duration.ofSeconds(5));

        assertThat(take("a", "all")).isEqualTo(Duration.ofSeconds(35));
        now = now.plusSeconds(35);
        assertThat(take("a", "all")).isZero();
    }

    private Duration take(String chat) {
        return limiter.take(List.of(new Demand(chat, CHAT)));
    }

    private Duration take(String chat, String all) {
        return limiter.take(List.of(new Demand(chat, CHAT), new Demand(all, ALL)));
    }
}
