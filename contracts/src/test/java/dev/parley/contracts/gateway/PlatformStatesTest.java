package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.TELEGRAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.ability.Diagnosing;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.PlatformState.Standing;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an operator sees of each platform. */
class PlatformStatesTest {
    private final Bench bench = new Bench();
    private final Patient patient = new Patient();

    /** A platform that says how it is, and comes up when it is told to. */
    private static final class Patient implements ChatPlatform, Diagnosing {
        private final Deque<RuntimeException> failures = new ArrayDeque<>();
        private Optional<Ailment> ailment = Optional.empty();
        private boolean hostile;
        private @Nullable InboundListener listener;

        @Override
        public Platform name() {
            return TELEGRAM;
        }

        @Override
        public Traits traits() {
            return new Traits(false, false, false);
        }

        @Override
        public void start(InboundListener inbound) {
            if (!failures.isEmpty()) {
                throw failures.remove();
            }
            listener = inbound;
        }

        InboundListener told() {
            return Objects.requireNonNull(listener);
        }

        @Override
        public void send(Outgoing message) {}

        @Override
        public void stop() {}

        @Override
        public Optional<Ailment> ailment() {
            if (hostile) {
                throw new IllegalStateException("nobody knows");
            }
            return ailment;
        }
    }

    private void start() {
        bench.dressed = real -> patient;
        bench.start();
    }

    private PlatformState state() {
        List<PlatformState> all = bench.running().platforms();
        assertThat(all).extracting(PlatformState::platform).containsExactly(TELEGRAM, Platform.SLACK);
        return all.get(0);
    }

    private static Instant after(Duration time) {
        return Bench.BEGIN.plus(time);
    }

    @Test
    void aPlatformIsConnectingUntilItCanSendAndConnectedSinceThen() {
        start();
        PlatformState first = state();
        bench.pass(Duration.ofSeconds(3));
        patient.told().connected(TELEGRAM);
        bench.pass(Duration.ofSeconds(3));
        patient.told().connected(TELEGRAM);

        assertThat(first)
                .isEqualTo(new PlatformState(
                        TELEGRAM, Standing.CONNECTING, Bench.BEGIN, Optional.empty(), Optional.empty()));
        assertThat(state())
                .isEqualTo(new PlatformState(
                        TELEGRAM,
                        Standing.CONNECTED,
                        after(Duration.ofSeconds(3)),
                        Optional.empty(),
                        Optional.empty()));
    }

    @Test
    void thePlatformsReasonForBeingAwayIsKeptAlsoAfterwards() {
        start();
        patient.told().connected(TELEGRAM);
        bench.pass(Duration.ofSeconds(3));
        patient.told().disconnected(TELEGRAM, "The server\nis closed.");
        PlatformState away = state();
        bench.pass(Duration.ofSeconds(3));
        patient.told().connected(TELEGRAM);

        assertThat(away.standing()).isEqualTo(Standing.AWAY);
        assertThat(away.since()).isEqualTo(after(Duration.ofSeconds(3)));
        assertThat(away.error()).contains("The server is closed.");
        assertThat(state().standing()).isEqualTo(Standing.CONNECTED);
        assertThat(state().since()).isEqualTo(after(Duration.ofSeconds(6)));
        assertThat(state().error()).contains("The server is closed.");
        assertThat(state().advice()).isEmpty();
    }

    @Test
    void whatAPlatformSaysOfItselfIsAskedForWhenSomebodyLooks() {
        start();
        patient.told().connected(TELEGRAM);
        patient.ailment = Optional.of(new Diagnosing.Ailment("The token is refused", "Set another."));
        assertThat(state().standing()).isEqualTo(Standing.TROUBLED);
        assertThat(state().error()).contains("The token is refused");
        assertThat(state().advice()).contains("Set another.");

        patient.told().disconnected(TELEGRAM);
        assertThat(state().standing()).isEqualTo(Standing.AWAY);
        assertThat(state().advice()).contains("Set another.");
        patient.ailment = Optional.of(new Diagnosing.Ailment("It is away", ""));
        assertThat(state().advice()).isEmpty();
    }

    @Test
    void aPlatformThatCannotSayHowItIsIsShownAsTheGatewayKnowsIt() {
        patient.hostile = true;
        start();
        patient.told().connected(TELEGRAM);

        assertThat(state().standing()).isEqualTo(Standing.CONNECTED);
        assertThat(bench.trouble()).isNotEmpty();
    }

    @Test
    void aPlatformThatDoesNotStartIsAwayAndTheForeignMessageIsNotShown() {
        patient.failures.add(new IllegalStateException("no route to https://api/bot4711:secret"));
        start();

        assertThat(state().standing()).isEqualTo(Standing.AWAY);
        assertThat(state().error())
                .contains("It could not be started (IllegalStateException); it is tried again, and the log says more.");
        assertThat(state().toString()).doesNotContain("secret");
    }

    @Test
    void aPlatformThatRefusesItsConfigurationLaterIsRefusedAndSaysWhy() {
        patient.failures.add(new IllegalStateException("no network"));
        patient.failures.add(new InvalidRequest("The token is not known."));
        start();
        bench.pass(Duration.ofSeconds(5));

        assertThat(state().standing()).isEqualTo(Standing.REFUSED);
        assertThat(state().since()).isEqualTo(after(Duration.ofSeconds(5)));
        assertThat(state().error()).contains("The token is not known.");
        assertThat(state().advice()).contains("Correct its configuration and restart the gateway.");
    }
}
