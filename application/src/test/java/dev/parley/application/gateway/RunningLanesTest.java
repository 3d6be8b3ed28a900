package dev.parley.application.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.lane.Places;
import dev.parley.domain.key.SessionKey;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The places of running lanes: what was accepted waits in a line, and a free place goes to the first of it at once. */
class RunningLanesTest {
    private static final SessionKey A = SessionKey.of("agent:main:local:dm:a");
    private static final SessionKey B = SessionKey.of("agent:main:local:dm:b");
    private static final SessionKey C = SessionKey.of("agent:main:local:dm:c");

    private final Phase phase = new Phase();
    private final List<SessionKey> placed = new ArrayList<>();
    private final RunningLanes lanes = new RunningLanes(Optional.of(1), phase, signals());

    private Signals signals() {
        return (Signals) Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {Signals.class}, (self, method, values) -> {
                    if (method.getName().equals("placed")) {
                        placed.add((SessionKey) values[0]);
                    }
                    return null;
                });
    }

    private Optional<Places.Ticket> await(SessionKey lane, boolean resumes) {
        return lanes.await(lane, resumes, Optional::empty);
    }

    private Places.Ticket taken(SessionKey lane) {
        return await(lane, false).orElseThrow();
    }

    @Test
    void aFreePlaceGoesToWhoeverHasWaitedLongest() {
        Places.Ticket first = taken(A);
        assertThat(await(C, false)).isEmpty();
        assertThat(await(B, false)).isEmpty();
        assertThat(await(C, false)).isEmpty();

        first.close();

        assertThat(placed).containsExactly(C);
        assertThat(lanes.line()).containsExactly(B);
        assertThat(lanes.size()).isEqualTo(1);
        taken(C).close();
        assertThat(placed).containsExactly(C, B);
    }

    @Test
    void lanesThatResumeStandBeforeTheOthers() {
        Places.Ticket first = taken(A);
        await(B, false);
        await(C, true);

        first.close();

        assertThat(placed).containsExactly(C);
    }

    @Test
    void nobodyElseIsGivenAPlaceWhileALaneWaits() {
        Places.Ticket first = taken(A);
        await(B, false);
        first.close();

        assertThat(lanes.reserve(C, Optional::empty)).isEmpty();
        assertThat(lanes.shown()).isEqualTo("1/1");
    }

    @Test
    void aLaneWaitsUntilItHasTakenItsPlaceUp() {
        Places.Ticket first = taken(A);
        await(B, false);
        first.close();

        assertThat(lanes.isAwaitedBy(B)).isTrue();
        taken(B);
        assertThat(lanes.isAwaitedBy(B)).isFalse();
    }

    @Test
    void aPlaceThatIsNotTakenUpGoesToTheNext() {
        Places.Ticket first = taken(A);
        await(B, false);
        await(C, false);
        first.close();

        lanes.withdraw(B);

        assertThat(placed).containsExactly(B, C);
        lanes.withdraw(C);
        assertThat(lanes.size()).isZero();
    }

    @Test
    void whoWaitsNoLongerIsGivenNothing() {
        Places.Ticket first = taken(A);
        await(B, false);
        lanes.withdraw(B);

        first.close();

        assertThat(placed).isEmpty();
        assertThat(lanes.size()).isZero();
    }

    @Test
    void lanesAreLinedUpInTheirOrder() {
        lanes.line(List.of(C, A, B), false);

        assertThat(placed).containsExactly(C);
        assertThat(lanes.line()).containsExactly(A, B);
    }

    @Test
    void aStopGivesNoPlaces() {
        Places.Ticket first = taken(A);
        await(B, false);
        await(C, true);
        phase.stopping(StopMode.SHUTDOWN);

        first.close();

        assertThat(placed).isEmpty();
        assertThat(lanes.size()).isZero();
    }

    @Test
    void whileTurnsAreHeldOnlyLanesThatResumeAreGivenPlaces() {
        Places.Ticket first = taken(A);
        await(B, false);
        await(C, true);
        phase.hold(true);

        first.close();

        assertThat(placed).containsExactly(C);
        assertThat(lanes.isAwaited()).isFalse();
    }

    @Test
    void withoutALimitNobodyWaits() {
        RunningLanes any = new RunningLanes(Optional.empty(), phase, signals());
        any.line(List.of(A, B), false);

        assertThat(any.await(C, false, Optional::empty)).isPresent();
        assertThat(any.isAwaited()).isFalse();
        assertThat(placed).isEmpty();
    }
}
