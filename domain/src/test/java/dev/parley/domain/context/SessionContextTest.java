package dev.parley.domain.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SessionContextTest {
    private static final KeyRules RULES = new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);
    private static final SessionSource THREAD = SessionSource.builder(Platform.SLACK, "C1")
            .chatType(ChatType.GROUP)
            .threadId("t")
            .build();

    @Test
    @DisplayName("X9.1 the shared flag is that of the key rules; the session is there once the lane has an entry")
    void theSharedFlagIsThatOfTheKeyRules() {
        Instant created = Instant.parse("2026-03-10T12:00:00Z");
        SessionContext context = SessionContext.of(THREAD, RULES, List.of(), List.of());

        assertThat(context.shared()).isTrue();
        assertThat(context.sessionKey()).isEmpty();
        assertThat(context.withSession(
                        RULES.keyOf(THREAD), "20260310_120000_0123abcd", created, created.plusSeconds(1)))
                .isEqualTo(new SessionContext(
                        THREAD,
                        List.of(),
                        List.of(),
                        true,
                        Optional.of(RULES.keyOf(THREAD)),
                        Optional.of("20260310_120000_0123abcd"),
                        Optional.of(created),
                        Optional.of(created.plusSeconds(1))));
    }

    @Test
    @DisplayName("X9.2 only connected platforms have home channels")
    void onlyConnectedPlatformsHaveHomeChannels() {
        HomeChannel slack = home(Platform.SLACK);
        HomeChannel signal = home(Platform.SIGNAL);

        assertThat(SessionContext.of(THREAD, RULES, List.of(Platform.SLACK), List.of(signal, slack))
                        .homeChannels())
                .containsExactly(slack);
    }

    private static HomeChannel home(Platform platform) {
        return new HomeChannel(platform, "1", Optional.empty(), Optional.empty());
    }
}
