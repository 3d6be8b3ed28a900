package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static dev.parley.contracts.gateway.Bench.BOB;
import static dev.parley.contracts.gateway.Bench.BOBS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lanes whose platform is away, and lanes for which there is no room. */
class AwayPlatformTest {
    private static final SessionSource CYD =
            SessionSource.builder(Platform.SLACK, "3").userId("3").build();

    private final Bench bench = new Bench();

    private static ScriptedTurn slow(String reply) {
        return ScriptedTurn.reply(reply).taking(Duration.ofMinutes(1));
    }

    @Test
    void aLaneWhoseAnswersCannotBeDeliveredGoesOnAndDoesNotCountAsRunning() {
        bench.with(s -> s.busy(b -> b.withMaxLanes(Optional.of(1)))).start();
        bench.telegram.disconnect();
        for (String text : List.of("a", "b", "c")) {
            bench.say(ALICE, text);
        }
        assertThat(bench.turns(ALICES)).containsExactly("a", "b", "c");
        assertThat(bench.running().lane(ALICES).orElseThrow().running()).isFalse();
        bench.say(CYD, "other");
        assertThat(bench.slack.texts("3")).containsExactly("other");
        assertThat(bench.stop(StopMode.SHUTDOWN).join().timedOut()).isFalse();
    }

    @Test
    void messagesOfOneChatAreDeliveredInTheOrderTheyWereStoredWhoeverStoredThem() {
        SessionSource ann = Bench.inGroup("-9", "1", "Ann");
        SessionSource bo = Bench.inGroup("-9", "2", "Bo");
        bench.start();
        bench.telegram.disconnect();
        bench.say(ann, "1");
        bench.say(bo, "2");
        bench.say(ann, "3");
        bench.say(bo, "4");
        bench.telegram.connect();
        bench.settle();
        assertThat(bench.telegram.texts("-9")).containsExactly("1", "2", "3", "4");
    }

    @Test
    void acknowledgementsAreNotSentWhenTheyAreFalseAndAnswersAre() {
        bench.script(slow("done").ignoringInterrupts()).start();
        bench.say(ALICE, "task");
        bench.telegram.disconnect();
        bench.say(ALICE, "hurry");
        bench.pass(Duration.ofHours(3));
        bench.telegram.connect();
        bench.settle();
        assertThat(bench.seen(ALICE)).containsExactly("done", "hurry");
    }

    @Test
    void aBannerOfTheProcessBeforeIsNotSent() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ZERO)))
                .script(slow("x"))
                .start();
        bench.say(ALICE, "task");
        bench.telegram.disconnect();
        bench.halt(StopMode.SHUTDOWN);
        bench.telegram.connect();
        bench.start();
        bench.pass(Duration.ofMinutes(2));
        assertThat(bench.seen(ALICE)).noneMatch(text -> text.startsWith("The gateway is shutting down"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/queue z", "/steer z", "/retry", "plain"})
    void whatWouldRunOverTheLimitIsTurnedAwayAndMayComeAgain(String text) {
        bench.with(s -> s.busy(b -> b.withMaxLanes(Optional.of(1)))).start();
        bench.say(BOB, "before");
        bench.script(slow("long").ignoringInterrupts());
        bench.say(ALICE, "task");
        assertThat(bench.say(BOB, text, "again")).isInstanceOf(Receipt.TurnedAway.class);
        assertThat(bench.say(BOB, text, "again")).isInstanceOf(Receipt.TurnedAway.class);
        assertThat(bench.seen(BOB))
                .containsExactly("before", "Active session limit reached (1/1). Please try again in a moment.");
        assertThat(bench.turns(BOBS)).containsExactly("before");
        bench.pass(Duration.ofMinutes(2));
        assertThat(bench.say(BOB, text, "again")).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.turns(BOBS)).hasSize(2);
    }

    @Test
    void aMessageThatIsOneTooManyMayComeAgain() {
        bench.with(s -> s.busy(b -> b.withMaxPending(1)))
                .script(slow("x").ignoringInterrupts())
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "one");
        assertThat(bench.say(ALICE, "two", "again")).isInstanceOf(Receipt.TurnedAway.class);
        bench.pass(Duration.ofMinutes(2));
        assertThat(bench.say(ALICE, "two", "again")).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.say(ALICE, "two", "again")).isInstanceOf(Receipt.Duplicate.class);
        assertThat(bench.turns(ALICES)).containsExactly("task", "one", "two");
    }

    @Test
    void aPhotoAloneCanBeQueued() {
        bench.script(slow("x").ignoringInterrupts()).start();
        bench.say(ALICE, "task");
        bench.say(
                new Received(
                        ALICE,
                        "/queue",
                        List.of(new Attachment(Attachment.PHOTO, "/p.jpg", Optional.empty(), Optional.empty())),
                        Optional.of("q")),
                AnswerListener.NONE);
        bench.pass(Duration.ofMinutes(2));
        assertThat(bench.turns(ALICES)).containsExactly("task", "[photo: /p.jpg]");
    }
}
