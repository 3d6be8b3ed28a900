package dev.parley.application.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.actor.Timing;
import dev.parley.application.guard.Guard;
import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.replay.SeededIds;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages of a chat are let on in order, however many wait for one of them and whatever becomes of it. */
class EntranceTest {
    private static final int MANY = 20_000;
    private static final SessionSource ALICE =
            SessionSource.builder(Platform.TELEGRAM, "1").userId("1").build();
    private static final SessionSource BOB =
            SessionSource.builder(Platform.TELEGRAM, "2").userId("2").build();

    private final List<Runnable> asked = new ArrayList<>();
    private final List<String> trouble = new ArrayList<>();
    private final List<Integer> letOn = new ArrayList<>();
    private final Guard guard =
            new Guard(GatewayEvents.prompt(event -> trouble.add(((GatewayEvent.Trouble) event).what())));
    private final Entrance entrance = new Entrance(
            new Authorization() {
                @Override
                public boolean mayTalk(SessionSource source) {
                    return true;
                }

                @Override
                public boolean isAdmin(SessionSource source) {
                    return false;
                }
            },
            new TimedCalls(
                    asked::add,
                    new Timing(() -> Instant.EPOCH, (delay, task) -> () -> {}, new SeededIds(1)),
                    guard,
                    Duration.ofSeconds(20)),
            guard);

    private void ask(SessionSource source, int number) {
        entrance.ask(source, may -> letOn.add(number));
    }

    private void answer(int call) {
        asked.get(call).run();
    }

    @Test
    void howeverManyWaitBehindAMessageTheyAreLetOnWithItAndSoIsTheNext() {
        for (int i = 0; i < MANY; i++) {
            ask(ALICE, i);
        }
        for (int i = 1; i < MANY; i++) {
            answer(i);
        }
        assertThat(letOn).isEmpty();
        answer(0);
        assertThat(letOn).isEqualTo(IntStream.range(0, MANY).boxed().toList());

        ask(ALICE, MANY);
        answer(MANY);
        assertThat(letOn).hasSize(MANY + 1);
    }

    @Test
    void whicheverIsAnsweredFirstAChatKeepsItsOrderAndWaitsForNoOther() {
        ask(ALICE, 1);
        ask(ALICE, 2);
        ask(BOB, 3);
        entrance.pass(ALICE, () -> letOn.add(4));
        answer(1);
        answer(2);
        assertThat(letOn).containsExactly(3);
        answer(0);
        assertThat(letOn).containsExactly(3, 1, 2, 4);
    }

    @Test
    void whatIsAskedWhileAMessageIsLetOnIsLetOnBehindIt() {
        entrance.ask(ALICE, may -> {
            ask(ALICE, 3);
            answer(2);
            letOn.add(1);
        });
        ask(ALICE, 2);
        answer(1);
        answer(0);
        assertThat(letOn).containsExactly(1, 2, 3);
    }

    @Test
    void aMessageThatCannotBeLetOnKeepsNoneBehindItFromThat() {
        entrance.ask(ALICE, may -> {
            throw new IllegalStateException("broken");
        });
        ask(ALICE, 2);
        answer(1);
        answer(0);
        assertThat(letOn).containsExactly(2);
        assertThat(trouble).hasSize(1);
    }
}
