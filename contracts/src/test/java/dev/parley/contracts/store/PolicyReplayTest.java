package dev.parley.contracts.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.expiry.PolicyEffect;
import dev.parley.application.expiry.PolicyReplay;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.SessionId;
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

    @Test
    @DisplayName("a reset is told with the session it ends, and what happened is set against what would have")
    void differences() {
        SessionId first = bench.turn(KIM, "one");
        bench.clock.move(Duration.ofHours(25));
        bench.turn(KIM, "two");
        bench.clock.move(Duration.ofHours(2));
        SessionId second = bench.turn(KIM, "three");
        bench.clock.move(Duration.ofHours(23));
        bench.turn(KIM, "four");

        PolicyReplay.LaneReplay shorter =
                replay(IDLE.withIdle(Duration.ofHours(22))).get(0);
        PolicyReplay.LaneReplay longer =
                replay(IDLE.withIdle(Duration.ofDays(2))).get(0);

        assertThat(shorter.added()).extracting(PolicyReplay.Reset::session).containsExactly(second);
        assertThat(shorter.spared()).isEmpty();
        assertThat(longer.added()).isEmpty();
        assertThat(longer.spared()).extracting(PolicyReplay.Reset::session).containsExactly(first);
        assertThat(longer.policyFrom()).isEqualTo("session_reset");
    }

    @Test
    @DisplayName("a walk looks at one lane at a time and can be left where it is")
    void walk() {
        for (int i = 0; i < 5; i++) {
            SessionSource someone = SessionSource.builder(Platform.TELEGRAM, "chat" + i)
                    .userId("u" + i)
                    .build();
            bench.turn(someone, "one");
        }
        PolicyReplay.Walk walk =
                new PolicyReplay(bench.storage, ZoneOffset.UTC).walk(ResetPolicies.of(IDLE), Instant.EPOCH);

        assertThat(walk.total()).isEqualTo(5);
        assertThat(walk.next()).isPresent();
        assertThat(walk.done()).isEqualTo(1);
        assertThat(walk.isOver()).isFalse();
        while (!walk.isOver()) {
            assertThat(walk.next()).isPresent();
        }
        assertThat(walk.next()).isEmpty();
    }

    @Test
    @DisplayName("sums are over all lanes, and only the lanes with the most changes are kept")
    void effect() {
        PolicyEffect effect = new PolicyEffect(2);
        for (int i = 0; i < 4; i++) {
            SessionSource someone = SessionSource.builder(Platform.TELEGRAM, "chat" + i)
                    .userId("u" + i)
                    .build();
            for (int j = 0; j <= i; j++) {
                bench.turn(someone, "word " + j);
                bench.clock.move(Duration.ofHours(2));
            }
        }

        replay(IDLE.withIdle(Duration.ofHours(1))).forEach(effect::add);

        assertThat(effect.sums().lanes()).isEqualTo(4);
        assertThat(effect.sums().differing()).isEqualTo(3);
        assertThat(effect.sums().turns()).isEqualTo(10);
        assertThat(effect.sums().imagined())
                .isEqualTo(6)
                .isEqualTo(effect.sums().added());
        assertThat(effect.sums().happened()).isZero().isEqualTo(effect.sums().spared());
        assertThat(effect.sums().tokensImagined()).isLessThan(effect.sums().tokensCarried());
        assertThat(effect.mostChanged())
                .extracting(lane -> lane.lane().value())
                .containsExactly("agent:main:telegram:dm:chat3", "agent:main:telegram:dm:chat2");
    }

    private List<PolicyReplay.LaneReplay> replay(ResetPolicy policy) {
        return new PolicyReplay(bench.storage, ZoneOffset.UTC).replay(ResetPolicies.of(policy), Instant.EPOCH);
    }
}
