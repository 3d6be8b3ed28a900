package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.ability.Asking.Choice;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.Happened;
import dev.parley.application.port.Receipt;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.settings.BusyMode;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What happens to messages and chats: edits of what waits, pressed buttons, chats that move. */
class HappenedTest {
    private final Bench bench = new Bench();
    private final AblePlatform telegram = new AblePlatform(bench.telegram);
    private final StreamingAgents agents = new StreamingAgents();
    private int events;

    private Bench start() {
        bench.dressed = unused -> telegram;
        bench.factory = agents;
        return bench.start();
    }

    private Receipt happens(SessionSource source, ChatEvent event) {
        return happens(source, event, "e" + ++events);
    }

    private Receipt happens(SessionSource source, ChatEvent event, String id) {
        CompletableFuture<Receipt> receipt = bench.running()
                .happened(new Happened(source, event, Optional.of(id)))
                .toCompletableFuture();
        bench.settle();
        return receipt.join();
    }

    private Receipt press(String choice) {
        return happens(ALICE, new ChatEvent.Pressed("s1", choice));
    }

    private List<Choice> buttons() {
        return telegram.buttons.values().stream().flatMap(List::stream).toList();
    }

    private static void isOfNoUse(Receipt receipt) {
        assertThat(receipt).isInstanceOf(Receipt.Refused.class);
        assertThat(((Receipt.Refused) receipt).reason()).isEqualTo(Receipt.Reason.NO_USE);
    }

    @Test
    void anEditedMessageThatWaitsHasItsNewText() {
        bench.with(settings -> settings.busy(busy -> busy.withMode(BusyMode.QUEUE)));
        start().say(ALICE, "one", "m1");
        bench.say(ALICE, "two", "m2");
        assertThat(happens(ALICE, new ChatEvent.Edited("m2", "two, please"))).isInstanceOf(Receipt.Admitted.class);
        agents.answer("done");
        bench.settle();

        assertThat(bench.transcript(ALICES)).contains("user: two, please").doesNotContain("user: two");
    }

    @Test
    void anEditOfWhatIsAnsweredAlreadyMakesNoSecondTurn() {
        start().say(ALICE, "one", "m1");
        agents.answer("done");
        bench.settle();

        isOfNoUse(happens(ALICE, new ChatEvent.Edited("m1", "one, please")));
        assertThat(agents.turns).hasSize(1);
    }

    @Test
    void nobodyElseEditsAMessage() {
        SessionSource bobInThread = Bench.inThread("g", "t", "2", "Bob");
        SessionSource aliceInThread = Bench.inThread("g", "t", "1", "Alice");
        start().say(aliceInThread, "one", "m1");
        bench.say(bobInThread, "/queue two", "m2");

        isOfNoUse(happens(aliceInThread, new ChatEvent.Edited("m2", "rubbish")));
    }

    @Test
    void anApprovalIsAskedWithButtonsAndOneOfThemAnswersIt() {
        start().say(ALICE, "clean up");
        agents.ask(new AgentQuestion(AgentQuestion.Kind.APPROVAL, "rm -r?"));
        bench.settle();
        assertThat(buttons()).extracting(Choice::label).containsExactly("Once", "This session", "Always", "No");
        assertThat(buttons()).allSatisfy(each -> assertThat(each.value()).matches("[a-z0-9_]{1,16}"));

        assertThat(press(buttons().get(0).value())).isInstanceOf(Receipt.Admitted.class);
        assertThat(agents.decided).containsExactly("ONCE");
    }

    @Test
    void aButtonPressedTwiceDecidesOnce() {
        start().say(ALICE, "clean up");
        agents.ask(new AgentQuestion(AgentQuestion.Kind.APPROVAL, "rm -r?"));
        bench.settle();
        ChatEvent pressed = new ChatEvent.Pressed("s1", buttons().get(0).value());
        happens(ALICE, pressed, "p1");

        assertThat(happens(ALICE, pressed, "p1")).isInstanceOf(Receipt.Refused.class);
        isOfNoUse(happens(ALICE, pressed, "p2"));
        assertThat(agents.decided).containsExactly("ONCE");
    }

    @Test
    void aButtonUnderAnEarlierQuestionAnswersNothing() {
        start().say(ALICE, "clean up");
        AgentQuestion question = new AgentQuestion(AgentQuestion.Kind.APPROVAL, "rm -r?");
        agents.ask(question);
        bench.settle();
        String first = buttons().get(0).value();
        press(first);
        agents.ask(question);
        bench.settle();

        isOfNoUse(press(first));
        assertThat(agents.decided).containsExactly("ONCE");
    }

    @Test
    void aChosenAnswerIsWhatItsUserSaid() {
        start().say(ALICE, "book it");
        agents.ask(new AgentQuestion(AgentQuestion.Kind.CLARIFICATION, "Which?", List.of("Monday", "Tuesday")));
        bench.settle();
        press(buttons().get(1).value());
        assertThat(agents.decided).containsExactly("Tuesday");

        agents.answer("Booked.");
        bench.settle();
        assertThat(bench.transcript(ALICES)).contains("user: Tuesday");
    }

    @Test
    void theNumberOfAnAnswerMeansTheAnswer() {
        start().say(ALICE, "book it");
        agents.ask(new AgentQuestion(AgentQuestion.Kind.CLARIFICATION, "Which?", List.of("Monday", "Tuesday")));
        bench.settle();
        bench.say(ALICE, "2");

        assertThat(agents.decided).containsExactly("Tuesday");
    }

    @Test
    void aChatThatMovedKeepsItsLaneAlsoAfterARestart() {
        SessionSource before = Bench.inGroup("old", "1", "Alice");
        SessionSource after = Bench.inGroup("new", "1", "Alice");
        SessionKey lane = bench.rules().keyOf(before);
        bench.script(ScriptedTurn.reply("one"), ScriptedTurn.reply("two"), ScriptedTurn.reply("three"))
                .start();
        bench.say(before, "a");
        assertThat(happens(after, new ChatEvent.Moved("old"))).isInstanceOf(Receipt.Admitted.class);
        bench.say(after, "b");
        bench.crash();
        bench.start();
        bench.say(after, "c");

        assertThat(bench.turns(lane)).containsExactly("a", "b", "c");
        assertThat(bench.telegram.texts("new")).containsExactly("two", "three");
        assertThat(bench.memory.lanes().find(bench.rules().keyOf(after))).isEmpty();
    }

    @Test
    void whatCannotBeStoredIsNotSettled() {
        start().say(ALICE, "one", "m1");
        bench.storage.become(State.UNAVAILABLE);

        assertThat(happens(ALICE, new ChatEvent.Moved("old"))).isInstanceOf(Receipt.Unavailable.class);
    }

    @Test
    void whatIsOfNoUseIsSettledWithoutATrace() {
        start();

        isOfNoUse(happens(ALICE, new ChatEvent.Reacted("m1", "+1", false)));
        isOfNoUse(happens(ALICE, new ChatEvent.Deleted("m1")));
        isOfNoUse(press("1234_once"));
        assertThat(bench.memory.queue().lastOrdinal(ALICES)).isZero();
    }
}
