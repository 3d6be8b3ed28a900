package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.settings.Showing;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.SentPart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Long messages arrive part by part, each once as far as the platform lets us know, and platforms that ask for a pause get it. */
class PartsTest {
    private static final String LONG = "aaaaaaaaaabbbbbbbbbbcc";

    private final Bench bench = new Bench();
    private final AblePlatform telegram = new AblePlatform(bench.telegram);

    private Bench started() {
        bench.dressed = unused -> telegram;
        return bench.with(s ->
                        s.withShowing(Map.of(Platform.TELEGRAM, new Showing(false, Showing.Previews.NEVER, false))))
                .start();
    }

    private List<Outgoing> stored() {
        List<Outgoing> stored = new ArrayList<>();
        bench.memory.queue().forEach(Instant.EPOCH, i -> {}, t -> {}, stored::add);
        return stored;
    }

    @Test
    void theNamesOfWhatWasSentAreStoredPartByPart() {
        bench.script(ScriptedTurn.reply(LONG));
        started();
        bench.say(ALICE, "hello");

        assertThat(telegram.texts()).containsExactly("aaaaaaaaaa", "bbbbbbbbbb", "cc");
        assertThat(stored())
                .singleElement()
                .satisfies(one -> assertThat(one.state()).isEqualTo(Outgoing.State.DELIVERED))
                .satisfies(one -> assertThat(one.attempts()).isEqualTo(1))
                .satisfies(one -> assertThat(one.delivery().parts())
                        .containsExactly(
                                new SentPart(1, List.of("s1")),
                                new SentPart(2, List.of("s2")),
                                new SentPart(3, List.of("s3"))));
    }

    @Test
    void aFailedPartIsSentAgainAndThoseBeforeItAreNot() {
        bench.script(ScriptedTurn.reply(LONG));
        telegram.fail(new AblePlatform.Passes(), new DeliveryFailed("out of order", false, null));
        started();
        bench.say(ALICE, "hello");
        assertThat(telegram.texts()).containsExactly("aaaaaaaaaa");

        bench.pass(Duration.ofSeconds(10));
        assertThat(telegram.texts()).containsExactly("aaaaaaaaaa", "bbbbbbbbbb", "cc");
    }

    @Test
    void afterACrashBetweenPartsTheNextProcessContinuesBehindTheLastStoredOne() {
        bench.script(ScriptedTurn.reply(LONG));
        telegram.fail(new AblePlatform.Passes(), new DeliveryFailed("out of order", false, null));
        started();
        bench.say(ALICE, "hello");
        bench.crash();
        bench.start();
        bench.pass(Duration.ofSeconds(10));

        assertThat(telegram.texts()).containsExactly("aaaaaaaaaa", "bbbbbbbbbb", "cc");
    }

    @Test
    void aPlatformThatAsksForAPauseIsLeftAloneUntilItIsOver() {
        telegram.fail(DeliveryFailed.rateLimited("Too many requests", Duration.ofSeconds(35)));
        bench.script(ScriptedTurn.reply("one"));
        started();
        bench.say(ALICE, "hello");
        bench.pass(Duration.ofSeconds(34));
        bench.telegram.disconnect();
        bench.telegram.connect();
        bench.settle();
        assertThat(telegram.sends()).as("sends before the pause is over").isEqualTo(1);

        bench.pass(Duration.ofSeconds(1));
        assertThat(telegram.texts()).containsExactly("one");
    }

    @Test
    void aPauseOutlivesTheProcess() {
        telegram.fail(DeliveryFailed.rateLimited("Too many requests", Duration.ofSeconds(35)));
        bench.script(ScriptedTurn.reply("one"));
        started();
        bench.say(ALICE, "hello");
        bench.crash();
        bench.start();
        bench.pass(Duration.ofSeconds(34));
        assertThat(telegram.sends()).isEqualTo(1);

        bench.pass(Duration.ofSeconds(1));
        assertThat(telegram.texts()).containsExactly("one");
    }

    @Test
    void aShortPauseDoesNotShortenTheGatewaysOwn() {
        telegram.fail(
                DeliveryFailed.rateLimited("slow down", Duration.ofMillis(1)),
                DeliveryFailed.rateLimited("slow down", Duration.ofMillis(1)),
                DeliveryFailed.rateLimited("slow down", Duration.ofMillis(1)));
        bench.script(ScriptedTurn.reply("one"));
        started();
        bench.say(ALICE, "hello");
        bench.pass(Duration.ofMillis(400));
        assertThat(telegram.sends()).isEqualTo(1);

        bench.pass(Duration.ofSeconds(20));
        assertThat(telegram.texts()).containsExactly("one");
    }

    @Test
    void aChatThatIsGoneIsGivenUpAtOnceWithTheReason() {
        telegram.fail(new DeliveryFailed(DeliveryFailed.Kind.CHAT_GONE, "chat not found", null));
        bench.script(ScriptedTurn.reply("one"), ScriptedTurn.reply("two"));
        started();
        bench.say(ALICE, "hello");

        assertThat(stored())
                .singleElement()
                .satisfies(one -> assertThat(one.state()).isEqualTo(Outgoing.State.EXPIRED))
                .satisfies(one -> assertThat(one.delivery().failure()).isEqualTo(Optional.of("chat not found")));
        bench.say(ALICE, "again");
        assertThat(telegram.texts()).containsExactly("two");
    }

    @Test
    void secretsThatAreNotAcceptedKeepTheMessageWaiting() {
        telegram.fail(new DeliveryFailed(DeliveryFailed.Kind.UNAUTHORIZED, "unauthorized", null));
        bench.script(ScriptedTurn.reply("one"));
        started();
        bench.say(ALICE, "hello");
        bench.pass(Duration.ofSeconds(10));

        assertThat(telegram.texts()).containsExactly("one");
    }

    @Test
    void aSimplePlatformIsStillSentTheWholeText() {
        bench.script(ScriptedTurn.reply(LONG)).start();
        bench.say(ALICE, "hello");

        assertThat(bench.seen(ALICE)).containsExactly(LONG);
        assertThat(stored())
                .singleElement()
                .satisfies(one -> assertThat(one.delivery().parts()).isEmpty());
    }

    @Test
    void aTextThatThePlatformCutUpIsOneTurn() {
        bench.dressed = platform -> new AblePlatform(
                platform, platform.traits().cutting(new ChatPlatform.Cutting(4000, Duration.ofSeconds(2))));
        bench.start();
        String first = "a".repeat(4096);
        bench.say(ALICE, first, "m1");
        bench.pass(Duration.ofSeconds(1));
        bench.say(ALICE, first, "m2");
        bench.pass(Duration.ofSeconds(1));
        bench.say(ALICE, "and the end", "m3");

        assertThat(bench.turns(Bench.ALICES)).containsExactly(first + "\n" + first + "\nand the end");
    }

    @ParameterizedTest
    @EnumSource(BusyMode.class)
    void filesThatBelongTogetherAreOneTurn(BusyMode mode) {
        bench.dressed = platform -> new AblePlatform(
                platform,
                platform.traits()
                        .cutting(new ChatPlatform.Cutting(
                                4000, Duration.ofSeconds(2), Optional.of(Duration.ofMillis(800)))));
        bench.with(settings -> settings.busy(busy -> busy.withMode(mode))).start();
        bench.photo(ALICE, "look");
        bench.pass(Duration.ofMillis(500));
        bench.photo(ALICE, "");
        bench.pass(Duration.ofMillis(500));
        bench.photo(ALICE, "");
        bench.pass(Duration.ofMillis(800));

        assertThat(bench.turns(Bench.ALICES))
                .singleElement()
                .satisfies(said -> assertThat(said.lines())
                        .hasSize(4)
                        .startsWith("look")
                        .filteredOn(line -> line.startsWith("[photo: "))
                        .hasSize(3));
    }

    @Test
    void aLongTextWithoutARestIsAnsweredOnceNothingMoreComes() {
        bench.dressed = platform -> new AblePlatform(
                platform, platform.traits().cutting(new ChatPlatform.Cutting(4000, Duration.ofSeconds(2))));
        bench.start();
        bench.say(ALICE, "a".repeat(4096), "m1");
        assertThat(bench.turns(Bench.ALICES)).isEmpty();

        bench.pass(Duration.ofSeconds(2));
        assertThat(bench.turns(Bench.ALICES)).hasSize(1);
    }

    @Test
    void whatACrashFindsOfATextThatWasCutUpIsAnsweredAfterwards() {
        bench.dressed = platform -> new AblePlatform(
                platform, platform.traits().cutting(new ChatPlatform.Cutting(4000, Duration.ofSeconds(2))));
        bench.start();
        bench.say(ALICE, "a".repeat(4096), "m1");
        bench.say(ALICE, "b".repeat(4096), "m2");
        bench.crash();
        bench.start();
        bench.pass(Duration.ofSeconds(2));

        assertThat(bench.turns(Bench.ALICES)).containsExactly("a".repeat(4096) + "\n" + "b".repeat(4096));
    }

    @Test
    void aClockThatIsSetBackMakesNobodyWaitLongerForARestThatMayCome() {
        bench.dressed = platform -> new AblePlatform(
                platform, platform.traits().cutting(new ChatPlatform.Cutting(4000, Duration.ofSeconds(2))));
        bench.start();
        bench.say(ALICE, "a".repeat(4096), "m1");
        bench.crash();
        bench.clock.move(Duration.ofMinutes(-15));
        bench.start();
        bench.pass(Duration.ofSeconds(2));

        assertThat(bench.turns(Bench.ALICES)).containsExactly("a".repeat(4096));
    }
}
