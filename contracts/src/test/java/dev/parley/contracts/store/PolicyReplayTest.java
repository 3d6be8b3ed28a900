package dev.parley.contracts.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.expiry.PolicyReplay;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What another policy would have done. The policy that was resets after a day without activity. */
class PolicyReplayTest {
    private static final SessionSource KIM =
            SessionSource.builder(Platform.TELEGRAM, "kim").userId("k").build();
    private static final ResetPolicy IDLE = ResetPolicy.DEFAULT.withMode(ResetMode.IDLE);

    private final CommandBench bench = new CommandBench(new KeyRules(Isolation.DEFAULT, AliasLookup.NONE));

    @Test
    @DisplayName("a stricter policy is told by when it would have reset, and carries fewer tokens")
    void stricter() {
        bench.turn(KIM, "one");
        bench.clock.move(Duration.ofHours(3));
        bench.turn(KIM, "two");
        Instant second = bench.clock.instant();
        bench.clock.move(Duration.ofMinutes(5));
        bench.turn(KIM, "three");
        PolicyReplay.LaneReplay lane =
                replay(IDLE.withIdle(Duration.ofHours(2))).get(0);
        assertThat(lane.turns()).isEqualTo(3);
        assertThat(lane.happened()).isEmpty();
        assertThat(lane.imagined()).singleElement().satisfies(reset -> {
            assertThat(reset.at()).isEqualTo(second);
            assertThat(reset.reason()).isEqualTo(ResetReason.IDLE);
        });
        assertThat(lane.tokensImagined()).isLessThan(lane.tokensCarried());
    }

    @Test
    @DisplayName("with the policy that was, the imagined resets are those that happened")
    void theSamePolicy() {
        bench.turn(KIM, "one");
        bench.clock.move(Duration.ofHours(25));
        bench.turn(KIM, "two");
        bench.clock.move(Duration.ofHours(23));
        bench.turn(KIM, "three");
        PolicyReplay.LaneReplay lane = replay(IDLE).get(0);
        assertThat(lane.happened()).hasSize(1).isEqualTo(lane.imagined());
        assertThat(lane.tokensImagined()).isEqualTo(lane.tokensCarried());
    }

    @Test
    @DisplayName("what was said at one instant is carried as a whole, and the shortest word is a token")
    void shortWordsCount() {
        bench.turn(KIM, "a");
        bench.clock.move(Duration.ofMinutes(1));
        bench.turn(KIM, "b");
        PolicyReplay.LaneReplay lane = replay(IDLE).get(0);
        assertThat(lane.tokensCarried()).isGreaterThanOrEqualTo(2);
    }

    @Test
    @DisplayName("a policy that never resets carries on, except where a person began anew")
    void never() {
        bench.turn(KIM, "one");
        bench.clock.move(Duration.ofHours(25));
        bench.turn(KIM, "two");
        bench.renew(KIM);
        bench.turn(KIM, "three");
        PolicyReplay.LaneReplay lane = replay(IDLE.withMode(ResetMode.NONE)).get(0);
        assertThat(lane.happened()).hasSize(1);
        assertThat(lane.imagined()).isEmpty();
        assertThat(lane.tokensCarried()).isZero();
        assertThat(lane.tokensImagined()).isPositive();
    }

    @Test
    @DisplayName("the policy of a lane is that of its platform, and only what is recent enough counts")
    void platformsAndWindow() {
        bench.turn(KIM, "one");
        bench.clock.move(Duration.ofHours(3));
        bench.turn(KIM, "two");
        ResetPolicies other =
                ResetPolicies.of(IDLE).withPlatform(Platform.TELEGRAM, IDLE.withIdle(Duration.ofHours(1)));
        PolicyReplay replay = new PolicyReplay(bench.storage, ZoneOffset.UTC);
        assertThat(replay.replay(other, Instant.EPOCH).get(0).imagined()).hasSize(1);
        assertThat(replay.replay(other, bench.clock.instant()).get(0).turns()).isEqualTo(1);
        assertThat(replay.replay(other, bench.clock.instant().plusSeconds(1))).isEmpty();
    }

    private List<PolicyReplay.LaneReplay> replay(ResetPolicy policy) {
        return new PolicyReplay(bench.storage, ZoneOffset.UTC).replay(ResetPolicies.of(policy), Instant.EPOCH);
    }
}
