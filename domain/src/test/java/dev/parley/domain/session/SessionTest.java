package dev.parley.domain.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SessionTest {
    private static final Instant THEN = Instant.parse("2026-03-10T09:00:00Z");

    private static Session full() {
        return Session.builder(SessionId.of("s"), "telegram", THEN)
                .userId("u")
                .model("m")
                .modelConfig(new RawJson("{}"))
                .systemPrompt("p")
                .parent(SessionId.of("parent"))
                .ending(Ending.of(THEN, "idle"))
                .counts(1, 2)
                .usage(new TokenUsage(1, 2, 3, 4, 5), 6)
                .billing(Billing.NONE)
                .title("T")
                .peer(new SessionPeer(SessionKey.of("agent:main:x"), Optional.empty()))
                .rewindCount(3)
                .archived(true)
                .build();
    }

    @Test
    void aCopyWithoutChangesIsTheSame() {
        assertThat(full().toBuilder().build()).isEqualTo(full());
        Session bare = Session.builder(SessionId.of("s"), "cli", THEN).build();
        assertThat(bare.toBuilder().build()).isEqualTo(bare);
    }

    @Test
    void aSessionNeedsASource() {
        assertThatThrownBy(() -> Session.builder(SessionId.of("s"), " ", THEN).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("s");
    }

    @Test
    void aSessionIsLiveUntilItEnds() {
        assertThat(full().isLive()).isFalse();
        assertThat(full().toBuilder().ending(null).build().isLive()).isTrue();
        assertThat(full().endedBy("idle")).isTrue();
        assertThat(full().endedBy("daily")).isFalse();
        assertThat(full().toBuilder()
                        .ending(new Ending(THEN, Optional.empty()))
                        .build()
                        .endedBy("idle"))
                .isFalse();
    }

    @Test
    @DisplayName("G3.16, D5: only sessions whose agent or connection went away are recovered")
    void onlySessionsWhoseAgentWentAwayAreRecovered() {
        for (String reason : List.of(Ending.AGENT_CLOSE, Ending.ORPHAN_REAP)) {
            assertThat(Ending.of(THEN, reason).isRecoverable()).as(reason).isTrue();
        }
        for (String reason : List.of(
                Ending.SESSION_RESET, Ending.SESSION_SWITCH, Ending.COMPRESSION, Ending.PRUNED, "branched", "")) {
            assertThat(Ending.of(THEN, reason).isRecoverable()).as(reason).isFalse();
        }
        assertThat(new Ending(THEN, Optional.empty()).isRecoverable()).isFalse();
    }

    @Test
    @DisplayName("P7.20: exactly the reasons of restarts resume a lane by itself")
    void exactlyTheReasonsOfRestartsResumeALaneByItself() {
        assertThat(List.of("restart_timeout", "shutdown_timeout", "restart_interrupted"))
                .allSatisfy(text -> assertThat(new ResumeReason(text).isResumedAutomatically())
                        .isTrue());
        assertThat(new ResumeReason("something_else").isResumedAutomatically()).isFalse();
    }
}
