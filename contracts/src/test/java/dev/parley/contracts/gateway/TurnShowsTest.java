package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.ability.Previewing.Preview;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.settings.Showing;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people see of a turn while it runs: typing, the answer while it is written, a mark; and that nothing of it stays behind. */
class TurnShowsTest {
    private static final CursorName SHOWN = new CursorName(Platform.TELEGRAM, "previews", ALICES.value());

    private final Bench bench = new Bench();
    private final AblePlatform telegram = new AblePlatform(bench.telegram);
    private final StreamingAgents agents = new StreamingAgents();

    @BeforeEach
    void anAgentThatSaysWhatItIsTold() {
        bench.dressed = unused -> telegram;
        bench.factory = agents;
    }

    private Bench start() {
        return bench.start();
    }

    private Bench showing(Showing showing) {
        return bench.with(s -> s.withShowing(Map.of(Platform.TELEGRAM, showing)))
                .start();
    }

    @Test
    void somebodyWritesFromTheBeginningOfATurnToItsEnd() {
        start().say(ALICE, "hello");
        bench.pass(Duration.ofSeconds(9));
        assertThat(telegram.typing).containsExactly("1 on", "1 on", "1 on");

        agents.answer("done");
        bench.settle();
        bench.pass(Duration.ofMinutes(1));
        assertThat(telegram.typing).containsExactly("1 on", "1 on", "1 on", "1 off");
    }

    @Test
    void whileAnAgentWaitsForAnAnswerNobodyWrites() {
        start().say(ALICE, "hello");
        agents.ask("which one?");
        bench.settle();
        bench.pass(Duration.ofSeconds(20));
        assertThat(telegram.typing).containsExactly("1 on", "1 off");
    }

    @Test
    void anAnswerIsShownWhileItIsWrittenAndTakesTheMessagesPlace() {
        start().say(ALICE, "hello");
        agents.say("I think");
        bench.settle();
        assertThat(telegram.texts()).containsExactly("I think…");

        agents.say(" that this is what you want to know");
        bench.pass(Duration.ofSeconds(1));
        assertThat(telegram.texts()).containsExactly("I think that this is what you want to know…");

        agents.answer("It is so.");
        bench.settle();
        assertThat(telegram.texts()).containsExactly("It is so.");
        assertThat(bench.memory.meta().cursor(SHOWN))
                .as("the message that showed it")
                .isEmpty();
    }

    @Test
    void previewsKeepThePlatformsPause() {
        start().say(ALICE, "hello");
        for (int i = 0; i < 100; i++) {
            agents.say("and so on, and so on, and so on. ");
            bench.pass(Duration.ofMillis(100));
        }

        assertThat(telegram.previews).hasSizeBetween(10, 11);
    }

    @Test
    void aLongAnswerGoesOnInFurtherMessages() {
        start().say(ALICE, "hello");
        agents.say("aaaaaaaaaa");
        bench.settle();
        agents.answer("aaaaaaaaaabbbbbbbbbbcc");
        bench.settle();

        assertThat(telegram.texts()).containsExactly("aaaaaaaaaa", "bbbbbbbbbb", "cc");
    }

    @Test
    void afterACrashTheResumedTurnsAnswerTakesTheMessagesPlace() {
        start().say(ALICE, "hello");
        agents.say("I think that it");
        bench.settle();
        bench.crash();
        bench.start();
        agents.answer("It is so.");
        bench.settle();

        assertThat(telegram.texts()).containsExactly("It is so.");
    }

    @Test
    void anAnswerThatWasStoredBeforeACrashTakesTheMessagesPlaceToo() {
        start().say(ALICE, "hello");
        agents.say("I think that it");
        bench.settle();
        bench.telegram.disconnect();
        agents.answer("It is so.");
        bench.settle();
        bench.crash();
        bench.telegram.connect();
        bench.start();

        assertThat(telegram.texts()).containsExactly("It is so.");
    }

    @Test
    void anAnswerToALaterMessageLeavesWhatAStoppedTurnHadShown() {
        start().say(ALICE, "hello");
        agents.say("I think that it");
        bench.settle();
        bench.say(ALICE, "/stop");
        bench.say(ALICE, "and now?");
        agents.answer("Later.");
        bench.settle();

        assertThat(telegram.texts()).contains("I think that it…", "Later.");
    }

    @Test
    void anAnswerIsNotShownAboveTheOneBeforeItThatWaitsForThePlatform() {
        start().say(ALICE, "hello");
        telegram.fail(DeliveryFailed.rateLimited("slow down", Duration.ofSeconds(5)));
        agents.answer("It is so.");
        bench.settle();
        bench.say(ALICE, "and now?");
        agents.say("I think");
        bench.pass(Duration.ofSeconds(2));
        assertThat(telegram.texts()).isEmpty();

        bench.pass(Duration.ofSeconds(5));
        assertThat(telegram.texts()).containsExactly("It is so.", "I think…");
        agents.answer("Later.");
        bench.settle();
        assertThat(telegram.texts()).containsExactly("It is so.", "Later.");
    }

    @Test
    void whatAStoppedTurnIsStillShowingComesBeforeWhatTheNextOneShows() {
        start().say(ALICE, "hello");
        telegram.meanwhile = Optional.of(() -> {
            bench.say(ALICE, "/stop");
            bench.say(ALICE, "and now?");
            agents.say("I think");
            bench.pass(Duration.ofSeconds(2));
            agents.answer("Later.");
            bench.settle();
        });
        agents.say("I think that it");
        bench.pass(Duration.ofSeconds(5));

        assertThat(telegram.texts()).containsSubsequence("I think that it…", "Later.");
    }

    @Test
    void threeFailuresEndThePreviewsAndTheAnswerComesAllTheSame() {
        start().say(ALICE, "hello");
        agents.say("I think that it");
        bench.settle();
        for (int i = 0; i < 3; i++) {
            telegram.previewFailures.add(DeliveryFailed.rateLimited("slow down", Duration.ofSeconds(5)));
        }
        for (int i = 0; i < 60; i++) {
            agents.say("and so on, and so on, and so on. ");
            bench.pass(Duration.ofSeconds(1));
        }
        assertThat(telegram.previews)
                .as("one that was shown and three that were not")
                .hasSize(4);

        agents.answer("Done.");
        bench.settle();
        assertThat(telegram.texts()).containsExactly("Done.");
        assertThat(bench.events.of(GatewayEvent.Trouble.class)).hasSize(1);
    }

    @Test
    void aFirstPreviewThatMayBeThereIsNotShownTwice() {
        telegram.previewFailures.add(new IllegalStateException("no whole answer"));
        start().say(ALICE, "hello");
        for (int i = 0; i < 10; i++) {
            agents.say("and so on, and so on, and so on. ");
            bench.pass(Duration.ofSeconds(1));
        }

        assertThat(telegram.previews).hasSize(1);
    }

    @Test
    void whatAnAgentSaysBehindItsToolsIsAnotherText() {
        start().say(ALICE, "hello");
        agents.say("Let me look that up.");
        bench.settle();
        agents.call("search");
        agents.say("It is on page seven, I think");
        bench.pass(Duration.ofSeconds(1));

        assertThat(telegram.previews).extracting(Preview::text).last().isEqualTo("It is on page seven, I think");
        assertThat(telegram.texts()).hasSize(1);
    }

    @Test
    void inGroupsNothingIsShownUnlessItIsSetSo() {
        SessionSource group = Bench.inGroup("g", "1", "Alice");
        start().say(group, "hello");
        agents.say("I think that it");
        bench.settle();
        assertThat(telegram.previews).isEmpty();
        bench.halt(StopMode.SHUTDOWN);

        showing(new Showing(true, Showing.Previews.ALWAYS, false)).say(group, "again");
        agents.say("I think that it");
        bench.settle();
        assertThat(telegram.previews).hasSize(1);
    }

    @Test
    void whatIsSwitchedOffIsNotShown() {
        showing(new Showing(false, Showing.Previews.NEVER, false)).say(ALICE, "hello");
        agents.say("I think that it");
        bench.pass(Duration.ofSeconds(10));

        assertThat(telegram.typing).isEmpty();
        assertThat(telegram.previews).isEmpty();
    }

    @Test
    void aMessageIsMarkedWhileItIsAnsweredAndAfterwards() {
        showing(new Showing(false, Showing.Previews.NEVER, true)).say(ALICE, "hello", "m7");
        agents.answer("Yes.");
        bench.settle();

        assertThat(telegram.marks).containsExactly("m7 RECEIVED", "m7 DONE");
    }

    @Test
    void aPlatformWithoutTheseAbilitiesIsLeftAlone() {
        bench.dressed = platform -> platform;
        bench.factory = null;
        bench.script(ScriptedTurn.reply("one")).start();
        bench.say(ALICE, "hello");

        assertThat(bench.seen(ALICE)).containsExactly("one");
    }
}
