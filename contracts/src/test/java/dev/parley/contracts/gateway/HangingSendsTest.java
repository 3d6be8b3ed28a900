package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.GatewayEvent;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sends that take longer than they may: they count as hanging until they return, and no longer. */
class HangingSendsTest {
    private static final Duration LONG = Duration.ofSeconds(70);

    private final Bench bench = new Bench();
    /** What happens during the next sends, in order; a send beyond them takes no time. */
    private final Deque<Runnable> during = new ArrayDeque<>();

    @BeforeEach
    void dress() {
        bench.dressed = real -> new FailingPlatform(real, 0, new IllegalStateException()) {
            @Override
            public void send(Outgoing message) {
                Runnable happens = during.poll();
                if (happens != null) {
                    happens.run();
                }
                super.send(message);
            }
        };
    }

    private void takesLong() {
        bench.pass(LONG);
    }

    private void failsLate() {
        takesLong();
        throw new DeliveryFailed("The connection broke.", false, null);
    }

    private List<Outgoing.State> states() {
        List<Outgoing.State> states = new ArrayList<>();
        bench.memory.queue().forEach(Bench.BEGIN, i -> {}, t -> {}, o -> states.add(o.state()));
        return states;
    }

    @Test
    void aPlatformWhoseHangingSendsComeBackIsSentToAgainAtOnce() {
        during.add(this::failsLate);
        during.add(this::failsLate);
        during.add(() -> {
            takesLong();
            bench.say(BOB, "hello");
            assertThat(bench.seen(BOB)).as("while three sends hang").isEmpty();
            throw new DeliveryFailed("The connection broke.", false, null);
        });
        bench.start();
        bench.say(ALICE, "one");

        assertThat(bench.seen(BOB)).containsExactly("hello");
        assertThat(bench.seen(ALICE)).containsExactly("one");
    }

    @Test
    void aSendThatComesBackAfterItsMessageWasDeliveredByAnotherAttemptHangsNoMore() {
        bench.start();
        IntStream.range(0, 3).forEach(each -> {
            during.add(this::failsLate);
            bench.say(ALICE, "m" + each);
        });
        bench.say(BOB, "hello");

        assertThat(bench.seen(ALICE)).containsExactly("m0", "m1", "m2");
        assertThat(bench.seen(BOB)).containsExactly("hello");
    }

    @Test
    void aMessageThatArrivesAfterItWasGivenUpIsStoredAsDelivered() {
        bench.with(s -> s.delivery(d -> d.withAtMostOnce(true)));
        during.add(this::takesLong);
        bench.start();
        bench.say(ALICE, "one");

        assertThat(bench.events.of(GatewayEvent.Expired.class)).hasSize(1);
        assertThat(bench.seen(ALICE)).containsExactly("one");
        assertThat(bench.events.of(GatewayEvent.Sent.class)).hasSize(1);
        assertThat(states()).containsExactly(Outgoing.State.DELIVERED);
    }
}
