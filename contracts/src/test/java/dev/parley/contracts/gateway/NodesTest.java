package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Cluster;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection.LaneOrder;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Newcomer;
import dev.parley.application.port.Node;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.contracts.hostile.HostilePlugIns;
import dev.parley.contracts.hostile.Mischief;
import dev.parley.contracts.hostile.Misdeed;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several gateways on one store: each lane is worked on by one of them at a time, and by another one soon after that is gone. */
class NodesTest {
    private static final SessionSource ALICE = Bench.ALICE;
    private static final SessionSource BOB = Bench.BOB;
    private static final SessionKey LANE = new KeyRules(Isolation.DEFAULT, AliasLookup.NONE).keyOf(ALICE);

    private final Nodes nodes = new Nodes(7);
    private final Nodes.Node one = nodes.node("one");
    private final Nodes.Node other = nodes.node("other");

    private void start() {
        one.start();
        other.start();
        assertThat(one.started).isCompleted();
        assertThat(other.started).isCompleted();
    }

    private List<Turn.State> turns() {
        List<Turn.State> states = new ArrayList<>();
        nodes.memory.queue().forEach(Instant.EPOCH, in -> {}, turn -> states.add(turn.state()), out -> {});
        return states;
    }

    @Test
    void eachNodeAnswersWhatIsSaidToIt() {
        start();
        one.say(ALICE, "to one");
        other.say(BOB, "to the other");

        assertThat(one.seen(ALICE)).containsExactly("to one");
        assertThat(other.seen(BOB)).containsExactly("to the other");
    }

    @Test
    void aLaneIsFreeOnceNothingGoesOnThere() {
        start();
        one.say(ALICE, "first");
        assertThat(nodes.memory.lanes().hold(LANE).holder()).isEmpty();
        other.say(ALICE, "second");

        assertThat(one.seen(ALICE)).containsExactly("first");
        assertThat(other.seen(ALICE)).containsExactly("second");
        assertThat(nodes.memory.lanes().hold(LANE).token()).isEqualTo(2);
    }

    @Test
    void everyTurnCarriesTheTokenItWasClaimedUnder() {
        start();
        one.say(ALICE, "first");
        other.say(ALICE, "second");
        List<Long> tokens = new ArrayList<>();
        nodes.memory.queue().forEach(Instant.EPOCH, in -> {}, turn -> tokens.add(turn.token()), out -> {});

        assertThat(tokens).containsExactly(1L, 2L);
    }

    @Test
    void aMessageForALaneOfAnotherNodeIsAnsweredByThatOne() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofSeconds(20)));
        one.say(ALICE, "long work");
        List<String> told = new ArrayList<>();
        Receipt receipt = other.say(ALICE, "and this", "posted", new AnswerListener() {
                    @Override
                    public void finished(TurnId turn, String text) {
                        told.add(text);
                    }

                    @Override
                    public void closed(String why) {
                        told.add("closed: " + why);
                    }
                })
                .join();

        assertThat(receipt).isInstanceOf(Receipt.Admitted.class);
        nodes.pass(Duration.ofSeconds(60));
        assertThat(one.seen(ALICE)).contains("and this");
        assertThat(other.seen(ALICE)).isEmpty();
        assertThat(told).containsExactly("and this");
        assertThat(one.agents.interrupts()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stop", "/new"})
    void whoWaitsAtAnotherNodeIsToldThatTheTurnWasDropped(String command) {
        one.settings = one.settings.busy(b -> b.withMode(BusyMode.QUEUE));
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofSeconds(20)));
        one.say(ALICE, "long work");
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        List<String> told = new ArrayList<>();
        Receipt receipt = other.say(ALICE, "and this", "posted", new AnswerListener() {
                    @Override
                    public void closed(String why) {
                        told.add(why);
                    }
                })
                .join();
        assertThat(receipt).isInstanceOf(Receipt.Admitted.class);
        nodes.pass(Duration.ofSeconds(60));
        one.say(ALICE, command);
        nodes.pass(Duration.ofSeconds(60));

        assertThat(told).containsExactly("The turn was dropped.");
    }

    @Test
    void whoWaitsGetsTheAnswerOfANodeWhoseClockIsBehind() {
        one.skew = Duration.ofSeconds(-25);
        one.settings = one.settings.busy(b -> b.withMode(BusyMode.QUEUE));
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofSeconds(5)));
        one.say(ALICE, "long work");
        CompletableFuture<String> waited = new CompletableFuture<>();
        other.say(ALICE, "and this", "waiting", answerTo(waited)).join();
        nodes.pass(Duration.ofSeconds(15));

        assertThat(waited).isCompletedWithValue("and this");
    }

    @Test
    void aMessageThatIsDeliveredToTwoNodesIsTakenOnce() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofSeconds(20)));
        one.say(ALICE, "said once", "same", AnswerListener.NONE).join();
        Receipt again =
                other.say(ALICE, "said once", "same", AnswerListener.NONE).join();
        nodes.pass(Duration.ofSeconds(60));

        assertThat(again).isInstanceOf(Receipt.Duplicate.class);
        assertThat(one.seen(ALICE)).containsExactly("said once");
    }

    /** What another node stores of a message for Alice's lane. */
    private Batch posting(Inbound.Kind kind, String text, String id) {
        return posting(1, kind, text, id);
    }

    private Batch posting(long number, Inbound.Kind kind, String text, String id) {
        Inbound inbound = Inbound.builder(
                        new InboundId("in-elsewhere-" + number), LANE, 0, kind, ALICE, text, nodes.clock.instant())
                .platformMessage(new PlatformMessage(ALICE.platform(), ALICE.chatId(), id))
                .build();
        return new Batch(new BatchId("elsewhere", number), List.of(), List.of(new Change.PostInbound(inbound)));
    }

    /** The other node stores it just when this one has taken the lane, and the hint to look for it is lost. */
    @Test
    void aMessageThatIsDeliveredToTwoNodesAtOnceIsAnsweredByTheOneThatTookTheLane() {
        Batch posted = posting(Inbound.Kind.MESSAGE, "said once", "same");
        one.reached =
                storage -> new WhenTaken(storage, () -> nodes.memory.ledger().commit(posted));
        start();
        Receipt receipt =
                one.say(ALICE, "said once", "same", AnswerListener.NONE).join();
        nodes.pass(Duration.ofSeconds(3));

        assertThat(receipt).isInstanceOf(Receipt.Duplicate.class);
        assertThat(one.seen(ALICE)).containsExactly("said once");
    }

    @Test
    void aCommandReachesTheTurnAtAnotherNode() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "long work");
        other.say(ALICE, "/stop");

        nodes.pass(Duration.ofSeconds(2));
        assertThat(turns()).containsExactly(Turn.State.DROPPED);
    }

    @Test
    void aTriggerWordThatAnotherNodeStoredAnswersAQuestion() {
        one.settings = one.settings.chat(c -> c.withResetTriggers(List.of("done")));
        other.settings = other.settings.chat(c -> c.withResetTriggers(List.of("done")));
        start();
        one.script(ScriptedTurn.reply("thanks")
                .taking(Duration.ofSeconds(5))
                .asking(AgentQuestion.Kind.CLARIFICATION, "Which?"));
        one.say(ALICE, "work");
        nodes.pass(Duration.ofSeconds(10));
        other.say(ALICE, "done");
        nodes.pass(Duration.ofSeconds(10));

        assertThat(turns()).containsExactly(Turn.State.COMPLETED);
        assertThat(one.seen(ALICE)).endsWith("thanks");
    }

    /** Both are stored before the node that works on the lane is told of either. */
    @Test
    void aCommandThatIsPostedWhileAnotherMessageIsAdmittedIsNotOverlooked() {
        one.settings = one.settings.busy(b -> b.withMode(BusyMode.QUEUE));
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "long work");
        var stop = other.hand(ALICE, "/stop", "c1");
        var then = one.hand(ALICE, "and then this", "m-then");
        nodes.pass(Duration.ofSeconds(5));

        assertThat(turns()).startsWith(Turn.State.DROPPED);
        assertThat(List.of(stop, then)).allMatch(receipt -> receipt.join() instanceof Receipt.Admitted);
    }

    /** All are stored before the node that works on the lane is told of any. */
    @Test
    void aCommandThatIsPostedDropsNothingThatWasAcknowledgedBehindIt() {
        one.settings = one.settings.busy(b -> b.withMode(BusyMode.QUEUE));
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "long work");
        var before = other.hand(ALICE, "/queue before", "c1");
        var renew = other.hand(ALICE, "/new", "c2");
        var behind = other.hand(ALICE, "/queue behind", "c3");
        nodes.pass(Duration.ofMinutes(5));

        assertThat(List.of(before, renew, behind)).allMatch(receipt -> receipt.join() instanceof Receipt.Admitted);
        assertThat(one.seen(ALICE)).contains("behind").doesNotContain("before");
    }

    /** The node that works on the lane is gone, and the next one finds both. */
    @Test
    void aCommandThatIsPostedDropsWhatAnEarlierOneHasRunAgain() {
        start();
        one.say(ALICE, "old task");
        nodes.memory.ledger().commit(posting(1, Inbound.Kind.COMMAND, "/retry", "r"));
        nodes.memory.ledger().commit(posting(2, Inbound.Kind.COMMAND, "/new", "n"));
        nodes.pass(Duration.ofMinutes(1));

        assertThat(turns()).containsExactly(Turn.State.COMPLETED);
        assertThat(nodes.memory.queue().admitted()).isEmpty();
    }

    @Test
    void wordsThatLookLikeACommandAreTextForABusyLaneWhereverTheyAreSaid() {
        one.settings = one.settings.busy(b -> b.withMode(BusyMode.QUEUE));
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofSeconds(20)));
        one.say(ALICE, "work");
        other.say(ALICE, "/frob nicate");
        nodes.pass(Duration.ofMinutes(1));

        assertThat(one.seen(ALICE)).contains("work", "/frob nicate").noneMatch(text -> text.contains("Unknown"));
    }

    /** The hint to look for what the other node has stored is lost. */
    @Test
    void whatIsQueuedHereRunsBehindWhatAnotherNodeHasStoredBefore() {
        one.settings = one.settings.busy(b -> b.withMode(BusyMode.QUEUE));
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "long work");
        nodes.memory.ledger().commit(posting(Inbound.Kind.COMMAND, "/queue posted", "p"));
        var behind = one.hand(ALICE, "/queue admitted", "a");
        nodes.pass(Duration.ofHours(1));

        assertThat(behind.join()).isInstanceOf(Receipt.Admitted.class);
        assertThat(one.seen(ALICE).stream().filter(text -> text.equals("posted") || text.equals("admitted")))
                .containsExactly("posted", "admitted");
    }

    /** The lane is free by then, and its last answer on its way to people. */
    @Test
    void whatIsQueuedHereWhileAnAnswerIsSentRunsBehindWhatAnotherNodeHasStoredBefore() {
        start();
        List<CompletableFuture<Receipt>> behind = new ArrayList<>();
        one.sending = message -> {
            if (message.text().equals("first")) {
                nodes.memory.ledger().commit(posting(Inbound.Kind.COMMAND, "/queue posted", "p"));
                behind.add(one.hand(ALICE, "/queue admitted", "a"));
            }
        };
        one.say(ALICE, "first");
        nodes.pass(Duration.ofMinutes(1));

        assertThat(behind).hasSize(1).allMatch(receipt -> receipt.join() instanceof Receipt.Admitted);
        assertThat(one.seen(ALICE).stream().filter(text -> text.equals("posted") || text.equals("admitted")))
                .containsExactly("posted", "admitted");
    }

    /** The lane is free by then, and a message waits before the command of the other node. */
    @Test
    void whatIsQueuedHereRunsBehindWhatAnotherNodeHasStoredBeforeThoughAMessageWaitsBeforeThat() {
        one.settings = one.settings.busy(b -> b.withMode(BusyMode.QUEUE));
        start();
        one.reached = storage -> new WhenTaken(storage, () -> {
            nodes.memory.ledger().commit(posting(Inbound.Kind.MESSAGE, "message", "m"));
            nodes.memory.ledger().commit(posting(2, Inbound.Kind.COMMAND, "/queue posted", "p"));
        });
        one.kill();
        one.start();
        CompletableFuture<Receipt> behind = one.hand(ALICE, "/queue admitted", "a");
        nodes.pass(Duration.ofMinutes(1));

        assertThat(behind.join()).isInstanceOf(Receipt.Admitted.class);
        assertThat(one.seen(ALICE)).containsSubsequence("posted", "admitted").contains("message");
    }

    /** Each time the lane is read another message is stored there, between the looks at its messages and at its last place. */
    @Test
    void whatIsSaidHereRunsBehindWhatAnotherNodeStoresWhileTheLaneIsRead() {
        one.settings = one.settings.busy(b -> b.withMode(BusyMode.QUEUE));
        List<String> posted = new ArrayList<>();
        one.reached = storage -> new WhenTaken(storage, "admitted", () -> {
            if (posted.size() < 2) {
                posted.add("posted " + posted.size());
                nodes.memory
                        .ledger()
                        .commit(posting(posted.size(), Inbound.Kind.COMMAND, "/queue " + last(posted), last(posted)));
            }
        });
        one.start();
        one.say(ALICE, "/queue said here");
        nodes.pass(Duration.ofMinutes(1));

        assertThat(one.seen(ALICE)).containsSubsequence("posted 0", "posted 1", "said here");
    }

    @Test
    void whatIsSaidHereAndLosesEveryRaceIsStoredBehindWhatWonThem() {
        one.settings = one.settings.busy(b -> b.withMode(BusyMode.QUEUE));
        List<String> posted = new ArrayList<>();
        one.reached = storage -> new WhenTaken(storage, "admitted", () -> {
            if (posted.size() < 20) {
                posted.add("posted " + posted.size());
                nodes.memory.ledger().commit(posting(posted.size(), Inbound.Kind.MESSAGE, last(posted), last(posted)));
            }
        });
        one.start();
        CompletableFuture<Receipt> receipt = one.hand(ALICE, "said here", "m");
        nodes.pass(Duration.ofMinutes(1));

        assertThat(receipt).isCompletedWithValueMatching(Receipt.Admitted.class::isInstance);
        assertThat(one.seen(ALICE).toString()).contains("posted 0", "posted 19", "said here");
        assertThat(nodes.memory.queue().admitted()).isEmpty();
    }

    private static String last(List<String> texts) {
        return texts.get(texts.size() - 1);
    }

    @Test
    void messagesHandedToBothNodesAtOnceRunInTheOrderInWhichTheyWereStored() {
        one.settings = one.settings.busy(b -> b.withMode(BusyMode.QUEUE));
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofSeconds(20)));
        one.say(ALICE, "long work");
        List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            receipts.add(other.hand(ALICE, "/queue posted " + i, "p" + i));
            receipts.add(one.hand(ALICE, "/queue admitted " + i, "a" + i));
        }
        nodes.pass(Duration.ofMinutes(5));

        assertThat(receipts).allMatch(receipt -> receipt.join() instanceof Receipt.Admitted);
        assertThat(one.seen(ALICE).stream().filter(text -> text.startsWith("posted")))
                .containsExactly("posted 0", "posted 1", "posted 2", "posted 3", "posted 4");
        assertThat(one.seen(ALICE).stream().filter(text -> text.startsWith("admitted")))
                .containsExactly("admitted 0", "admitted 1", "admitted 2", "admitted 3", "admitted 4");
    }

    @Test
    void aTurnOfANodeThatIsKilledIsResumedByAnotherOne() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "do it");
        one.kill();
        nodes.pass(Duration.ofSeconds(6));

        assertThat(turns()).containsExactly(Turn.State.INTERRUPTED, Turn.State.COMPLETED);
        assertThat(other.seen(ALICE)).hasSize(1);
        assertThat(nodes.memory.lanes().hold(LANE).holder()).isEmpty();
    }

    @Test
    void whatIsStoppedAtAnotherNodeAfterItsOwnIsGoneIsNotResumed() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "do it");
        one.kill();
        other.say(ALICE, "/stop");
        nodes.pass(Duration.ofMinutes(1));

        assertThat(turns()).containsExactly(Turn.State.INTERRUPTED);
        assertThat(other.seen(ALICE))
                .containsExactly("No active task to stop; the one that was cut off is not resumed.");
    }

    /** The node that takes over stores that the turn was cut off, and cannot read then whether another one was. */
    @Test
    void aTurnIsResumedThoughTheStoreFailsWhileItsLaneIsTakenOver() {
        AtomicInteger looks = new AtomicInteger();
        other.reached = storage -> new WhenTaken(storage, "claimed", () -> {
            if (looks.incrementAndGet() == 2) {
                throw new StorageUnavailable("The store cannot be read now; try again.", null);
            }
        });
        start();
        looks.set(0);
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "do it");
        one.kill();
        nodes.pass(Duration.ofSeconds(30));

        assertThat(looks.get()).isGreaterThan(2);
        assertThat(turns()).containsExactly(Turn.State.INTERRUPTED, Turn.State.COMPLETED);
    }

    @Test
    void whatWaitsAtANodeThatIsKilledIsAnsweredByAnotherOneWithinTheLease() {
        one.settings = one.settings.busy(b -> b.withMode(BusyMode.QUEUE));
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "first");
        one.say(ALICE, "second");
        one.kill();
        nodes.pass(Duration.ofSeconds(7));

        assertThat(other.seen(ALICE)).anyMatch(text -> text.contains("second"));
    }

    @Test
    void aNodeThatIsLateItselfAgainAndAgainTakesOverAllTheSame() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "do it");
        one.kill();
        for (int i = 0; i < 4; i++) {
            other.pause();
            nodes.pass(Duration.ofMillis(2_700));
            other.resume();
            nodes.pass(Duration.ofSeconds(2));
        }

        assertThat(turns()).containsExactly(Turn.State.INTERRUPTED, Turn.State.COMPLETED);
        assertThat(other.seen(ALICE)).hasSize(1);
    }

    @Test
    void aMessageForANodeWithoutAPlaceIsAnsweredAtOnceByOneThatHasOne() {
        eachHasOnePlace();
        CompletableFuture<String> waited = new CompletableFuture<>();
        Receipt receipt = one.say(BOB, "hello", "waiting", answerTo(waited)).join();

        assertThat(receipt).isInstanceOf(Receipt.Admitted.class);
        assertThat(other.seen(BOB)).containsExactly("hello");
        nodes.pass(Duration.ofSeconds(1));
        assertThat(waited).isCompletedWithValue("hello");
        assertThat(one.seen(BOB)).isEmpty();
    }

    /** Both nodes have one place; that of the first is taken. */
    private void eachHasOnePlace() {
        for (Nodes.Node node : List.of(one, other)) {
            node.settings = node.settings.busy(b -> b.withMaxLanes(Optional.of(1)));
        }
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "long work");
        nodes.pass(Duration.ofSeconds(2));
    }

    @Test
    void aMessageIsTurnedAwayWhereNoNodeHasAPlace() {
        eachHasOnePlace();
        other.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        other.say(BOB, "long work too");
        nodes.pass(Duration.ofSeconds(3));

        assertThat(one.say(Bench.inGroup("-8", "3", "Carol"), "hello")).isInstanceOf(Receipt.TurnedAway.class);
        assertThat(nodes.memory.queue().admitted()).isEmpty();
    }

    @Test
    void noMoreMessagesAreLeftToAnotherNodeThanItHasPlacesFor() {
        eachHasOnePlace();
        other.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        Receipt first = one.say(BOB, "long work too");
        Receipt second = one.say(Bench.inGroup("-8", "3", "Carol"), "hello");

        assertThat(first).isInstanceOf(Receipt.Admitted.class);
        assertThat(second).isInstanceOf(Receipt.TurnedAway.class);
    }

    @Test
    void aCommandIsAnsweredByTheNodeItIsGivenToThoughThatHasNoPlace() {
        eachHasOnePlace();
        one.say(BOB, "/status");

        assertThat(one.seen(BOB)).hasSize(1);
        assertThat(other.seen(BOB)).isEmpty();
    }

    @Test
    void noMessageIsLeftToANodeThatDoesNotReachItsPeople() {
        one.shared = false;
        other.shared = false;
        eachHasOnePlace();

        assertThat(one.say(BOB, "hello")).isInstanceOf(Receipt.TurnedAway.class);
    }

    @Test
    void whatWasLeftToANodeThatIsGoneByThenIsAnsweredOnceAPlaceIsFree() {
        eachHasOnePlace();
        other.kill();
        assertThat(one.say(BOB, "hello")).isInstanceOf(Receipt.Admitted.class);
        nodes.pass(Duration.ofSeconds(10));
        assertThat(one.seen(BOB)).isEmpty();
        one.say(ALICE, "/stop");
        nodes.pass(Duration.ofSeconds(2));

        assertThat(one.seen(BOB)).containsExactly("hello");
    }

    @Test
    void whatNobodyWorksOnHasItsTurnBetweenThoseOfALongQueue() {
        eachHasOnePlace();
        one.say(ALICE, "/queue more");
        one.say(ALICE, "/queue and more");
        other.kill();
        one.say(BOB, "hello");
        nodes.pass(Duration.ofMinutes(21));

        List<SessionKey> lanes = new ArrayList<>();
        nodes.memory.queue().forEach(Instant.EPOCH, in -> {}, turn -> lanes.add(turn.lane()), out -> {});
        SessionKey bobs = new KeyRules(Isolation.DEFAULT, AliasLookup.NONE).keyOf(BOB);
        assertThat(lanes).containsExactly(LANE, bobs, LANE, LANE);
    }

    @Test
    void aLaneThatWaitsForAPlaceIsLeftToANodeThatHasOne() {
        eachHasOnePlace();
        other.kill();
        one.say(BOB, "hello");
        nodes.pass(Duration.ofSeconds(10));
        assertThat(one.gateway().awaitingPlace()).hasSize(1);
        other.start();
        nodes.pass(Duration.ofSeconds(4));

        assertThat(other.seen(BOB)).containsExactly("hello");
        assertThat(one.gateway().awaitingPlace()).isEmpty();
    }

    @Test
    void aLaneThatWaitsForAPlaceRunsThoughTurnsWereHeldMeanwhile() {
        eachHasOnePlace();
        other.kill();
        one.say(BOB, "hello");
        nodes.pass(Duration.ofSeconds(10));
        wish(one, Node.Wish.HOLD);
        nodes.pass(Duration.ofSeconds(10));
        one.say(ALICE, "/stop");
        nodes.pass(Duration.ofSeconds(10));
        wish(one, Node.Wish.NOTHING);
        nodes.pass(Duration.ofSeconds(10));

        assertThat(one.seen(BOB)).containsExactly("hello");
    }

    @Test
    void aNodeTakesOverNoMoreThanItHasPlacesFor() {
        other.settings = other.settings.busy(b -> b.withMaxLanes(Optional.of(1)));
        start();
        List<SessionSource> people = List.of(ALICE, BOB, Bench.inGroup("-8", "3", "Carol"));
        for (SessionSource each : people) {
            one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
            one.say(each, "long work");
            other.script(ScriptedTurn.echo().taking(Duration.ofSeconds(10)));
        }
        one.kill();
        long most = 0;
        for (int i = 0; i < 120; i++) {
            nodes.pass(Duration.ofMillis(500));
            // Those of the first node stand under the first token.
            most = Math.max(
                    most,
                    nodes.memory.queue().claimed().stream()
                            .filter(turn -> turn.token() > 1)
                            .count());
        }

        assertThat(most).isEqualTo(1);
        assertThat(people).allMatch(each -> other.seen(each).size() == 1);
    }

    @Test
    void aLaneThatWasTakenOverIsKeptWhileItsAnswersWaitForTheirPlatform() {
        start();
        one.telegram.disconnect();
        other.telegram.disconnect();
        one.say(ALICE, "first");
        one.kill();
        nodes.pass(Duration.ofSeconds(30));
        long token = nodes.memory.lanes().hold(LANE).token();
        assertThat(nodes.memory.lanes().hold(LANE).holder()).isPresent();
        nodes.pass(Duration.ofSeconds(30));
        assertThat(nodes.memory.lanes().hold(LANE).token()).isEqualTo(token);

        other.telegram.connect();
        nodes.pass(Duration.ofSeconds(30));
        assertThat(other.seen(ALICE)).containsExactly("first");
        assertThat(nodes.memory.lanes().hold(LANE).holder()).isEmpty();
    }

    @Test
    void whatALaneThatWasTakenOverLeftGoesOutBeforeWhatWasStoredLaterForItsChat() {
        SessionSource ann = Bench.inGroup("-9", "1", "Ann");
        SessionSource bo = Bench.inGroup("-9", "2", "Bo");
        start();
        one.telegram.disconnect();
        other.telegram.disconnect();
        other.say(bo, "first");
        one.say(ann, "second");
        other.say(bo, "third");
        one.kill();
        nodes.pass(Duration.ofSeconds(30));

        other.telegram.connect();
        nodes.pass(Duration.ofSeconds(30));
        assertThat(other.seen(ann)).containsExactly("first", "second", "third");
    }

    @Test
    void aLaneIsKeptWhileAnAnswerWaitsOfWhichItWasUnknownWhetherItWasStored() {
        start();
        one.telegram.disconnect();
        one.script(ScriptedTurn.echo().taking(Duration.ofSeconds(20)));
        one.say(ALICE, "first");
        nodes.pass(Duration.ofSeconds(19));
        one.storage.become(State.SILENT);
        nodes.pass(Duration.ofSeconds(2));
        one.storage.become(State.AVAILABLE);
        nodes.pass(Duration.ofSeconds(30));
        assertThat(nodes.memory.lanes().hold(LANE).holder()).isPresent();
        assertThat(nodes.memory.lanes().hold(LANE).token()).isEqualTo(1);

        one.telegram.connect();
        nodes.pass(Duration.ofSeconds(30));
        assertThat(one.seen(ALICE)).containsExactly("first");
        assertThat(other.seen(ALICE)).isEmpty();
        assertThat(nodes.memory.lanes().hold(LANE).holder()).isEmpty();
    }

    @Test
    void aNodeWhoseStartTakesLongerThanItsLeaseBeginsAnotherLife() {
        List<Instant> slow = new ArrayList<>();
        one.reached = storage -> new WhenTaken(storage, "wakes", () -> {
            if (slow.isEmpty()) {
                slow.add(nodes.clock.instant());
                nodes.pass(Nodes.LEASE);
            }
        });
        start();
        nodes.pass(Nodes.LEASE);
        one.say(ALICE, "first");

        assertThat(slow).hasSize(1);
        assertThat(one.seen(ALICE)).containsExactly("first");
    }

    @Test
    void aNodeThatLosesTheStoreStopsItsAgentsBeforeAnotherMayTakeItsLanes() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "do it");
        one.cutOff();
        nodes.pass(Duration.ofMillis(4_100));

        assertThat(one.agents.interrupts()).hasSize(1);
        assertThat(turns()).containsExactly(Turn.State.CLAIMED);
        nodes.pass(Duration.ofSeconds(3));
        assertThat(turns()).containsExactly(Turn.State.INTERRUPTED, Turn.State.COMPLETED);
        assertThat(other.seen(ALICE)).hasSize(1);
    }

    @Test
    void aNodeWhoseAgentsThrowWhereTheyAreAskedToEndGoesOnWithAnotherLife() {
        one.watched = new HostilePlugIns(Mischief.always("AgentRun.interrupt", Misdeed.THROW_ERROR))::agents;
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "do it");
        one.cutOff();
        nodes.pass(Duration.ofSeconds(20));
        assertThat(other.seen(ALICE)).hasSize(1);

        one.heal();
        nodes.pass(Duration.ofSeconds(5));
        assertThat(one.say(BOB, "again")).isInstanceOf(Receipt.Admitted.class);
        assertThat(one.seen(BOB)).containsExactly("again");
        assertThat(one.events.of(GatewayEvent.Trouble.class))
                .anyMatch(trouble -> trouble.cause()
                        .filter(NoSuchMethodError.class::isInstance)
                        .isPresent());
    }

    @Test
    void aNodeWhoseAgentHangsWhereItIsAskedToEndGoesOnWithAnotherLifeMeanwhile() {
        List<String> during = new ArrayList<>();
        Runnable hanging = () -> {
            one.heal();
            nodes.pass(Duration.ofSeconds(31));
            one.say(BOB, "again");
            during.addAll(one.seen(BOB));
        };
        one.watched =
                new HostilePlugIns(Mischief.first(1, "AgentRun.interrupt", Misdeed.HANG), late -> {}, hanging)::agents;
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "do it");
        one.cutOff();
        nodes.pass(Duration.ofSeconds(5));

        assertThat(during).containsExactly("again");
        assertThat(turns()).contains(Turn.State.INTERRUPTED, Turn.State.COMPLETED);
        assertThat(one.events.of(GatewayEvent.Trouble.class))
                .extracting(GatewayEvent.Trouble::what)
                .contains("The running agent could not be asked to end.");
    }

    @Test
    void aNodeThatLosesTheStoreRefusesWhatIsSaidToItAndGoesOnOnceItIsBack() {
        start();
        one.cutOff();
        nodes.pass(Duration.ofSeconds(20));
        assertThat(one.say(ALICE, "lost?")).isInstanceOf(Receipt.Unavailable.class);

        one.heal();
        nodes.pass(Duration.ofSeconds(5));
        assertThat(one.say(ALICE, "again")).isInstanceOf(Receipt.Admitted.class);
        assertThat(one.seen(ALICE)).containsExactly("again");
        assertThat(nodes.memory.cluster().orElseThrow().nodes())
                .extracting(Node::state)
                .containsExactlyInAnyOrder(Node.State.DEAD, Node.State.UP, Node.State.UP);
    }

    /** The end of a turn is tried seven times, and four times decided: then its lane is given up for a while. */
    @Test
    void aLaneThatWasGivenUpForAWhileAndThenTakenByAnotherNodeIsForgotten() {
        Writing writing = new Writing();
        one.reached = writing::noting;
        start();
        writing.writers.clear();
        writing.left = 2;
        writing.refusals = 28;
        writing.then = one::cutOff;
        other.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "first");
        List<String> lent = List.copyOf(writing.writers);
        nodes.pass(Duration.ofMinutes(1));
        assertThat(one.events.of(GatewayEvent.Trouble.class))
                .anyMatch(trouble -> trouble.what().startsWith("The lane is given up for a while"));
        assertThat(nodes.memory.queue().claimed()).hasSize(1);
        one.heal();
        writing.left = Integer.MAX_VALUE;
        nodes.pass(Duration.ofSeconds(30));
        writing.writers.clear();
        one.say(BOB, "second");

        assertThat(one.seen(BOB)).containsExactly("second");
        assertThat(writing.writers).as("what was lent to the lane").containsAll(lent);
    }

    /** Who writes to a store that takes only so many batches more, and what happens once it has refused so many. */
    private static final class Writing {
        final List<String> writers = new ArrayList<>();
        int left = Integer.MAX_VALUE;
        int refusals;
        Runnable then = () -> {};

        Storage noting(Storage storage) {
            return new ComposedStorage() {
                @Override
                public StorageParts parts() {
                    return StorageParts.of(storage).withLedger(batch -> {
                        if (left-- <= 0) {
                            if (--refusals == 0) {
                                then.run();
                            }
                            throw new IllegalStateException("The store is broken.");
                        }
                        writers.add(batch.id().writer());
                        return storage.ledger().commit(batch);
                    });
                }

                @Override
                public Optional<Cluster> cluster() {
                    return storage.cluster();
                }

                @Override
                public String location() {
                    return storage.location();
                }

                @Override
                public void close() {
                    storage.close();
                }
            };
        }
    }

    @Test
    void aNodeThatStoodStillBeyondItsLeaseStoresNothingOfWhatItDid() {
        start();
        one.script(ScriptedTurn.reply("too late").taking(Duration.ofSeconds(3)));
        one.say(ALICE, "do it");
        one.pause();
        nodes.pass(Duration.ofSeconds(30));
        one.resume();
        nodes.pass(Duration.ofSeconds(30));

        assertThat(one.seen(ALICE)).isEmpty();
        assertThat(other.seen(ALICE)).hasSize(1).doesNotContain("too late");
        assertThat(turns()).containsExactly(Turn.State.INTERRUPTED, Turn.State.COMPLETED);
    }

    @Test
    void aStoreThatWasAwayForAllKillsNoNode() {
        start();
        one.cutOff();
        other.cutOff();
        nodes.pass(Duration.ofSeconds(30));
        one.heal();
        other.heal();
        nodes.pass(Duration.ofSeconds(30));

        assertThat(one.say(ALICE, "one is back")).isInstanceOf(Receipt.Admitted.class);
        assertThat(other.say(BOB, "so is the other")).isInstanceOf(Receipt.Admitted.class);
        assertThat(nodes.memory.cluster().orElseThrow().nodes())
                .extracting(Node::state)
                .doesNotContain(Node.State.DEAD);
    }

    private List<Node.State> lives() {
        return nodes.memory.cluster().orElseThrow().nodes().stream()
                .map(Node::state)
                .toList();
    }

    @Test
    void aNodeThatIsStoppedAfterItLostTheStoreLeavesNoLifeBehind() {
        one.start();
        one.cutOff();
        nodes.pass(Duration.ofMillis(4_100));
        one.heal();
        assertThat(lives()).containsExactly(Node.State.UP);
        var unused = one.stop(StopMode.SHUTDOWN);

        assertThat(lives()).containsExactly(Node.State.LEFT);
    }

    @Test
    void aNodeThatIsStoppedWhileItBeginsAnotherLifeLeavesNoneBehind() {
        List<CompletableFuture<?>> exits = new ArrayList<>();
        List<String> joined = new ArrayList<>();
        one.reached = storage -> new WhenTaken(storage, "join", () -> {
            joined.add("joined");
            if (joined.size() == 2) {
                exits.add(one.stop(StopMode.SHUTDOWN));
            }
        });
        one.start();
        one.cutOff();
        nodes.pass(Duration.ofMillis(4_100));
        one.heal();
        nodes.pass(Duration.ofSeconds(2));

        assertThat(exits).singleElement().matches(CompletableFuture::isDone);
        assertThat(lives()).containsExactly(Node.State.LEFT, Node.State.LEFT);
    }

    @Test
    void aNodeThatStopsHandsOverWhatItCutsOff() {
        one.settings = one.settings.turns(t -> t.withDrain(Duration.ofSeconds(2)));
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "do it");
        var exit = one.stop(StopMode.SHUTDOWN);
        nodes.pass(Duration.ofSeconds(30));

        assertThat(exit).isCompleted();
        assertThat(turns()).containsExactly(Turn.State.INTERRUPTED, Turn.State.COMPLETED);
        assertThat(other.seen(ALICE)).hasSize(1);
    }

    @Test
    void whatAStopCutsOffIsResumedForNobodyWhoMayNotTalkAnyMore() {
        one.settings = one.settings.turns(t -> t.withDrain(Duration.ofSeconds(2)));
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "do it");
        one.letIn = source -> false;
        var exit = one.stop(StopMode.SHUTDOWN);
        nodes.pass(Duration.ofSeconds(30));

        assertThat(exit).isCompleted();
        assertThat(turns()).containsExactly(Turn.State.INTERRUPTED);
        assertThat(nodes.memory.lanes().hold(LANE).holder()).isEmpty();
    }

    @Test
    void whatAnswersThoughAStopHasCutItOffIsResumedNowhere() {
        one.settings = one.settings.turns(t -> t.withDrain(Duration.ofSeconds(1)));
        start();
        one.script(ScriptedTurn.reply("all done").taking(Duration.ofSeconds(3)).ignoringInterrupts());
        one.say(ALICE, "do it");
        var exit = one.stop(StopMode.SHUTDOWN);
        nodes.pass(Duration.ofSeconds(30));

        assertThat(exit).isCompleted();
        assertThat(turns()).containsExactly(Turn.State.COMPLETED);
        assertThat(one.seen(ALICE)).endsWith("all done");
    }

    @Test
    void aNodeThatStopsLetsTurnsEndThatDoSoInTime() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofSeconds(20)));
        one.say(ALICE, "do it");
        var exit = one.stop(StopMode.SHUTDOWN);
        nodes.pass(Duration.ofSeconds(60));

        assertThat(exit).isCompleted();
        assertThat(turns()).containsExactly(Turn.State.COMPLETED);
        assertThat(one.seen(ALICE)).contains("do it");
    }

    @Test
    void aPlatformThatOneGatewayMayBeConnectedAsIsStartedByOneAndThenByAnother() {
        one.shared = false;
        other.shared = false;
        start();
        assertThat(one.telegram.isStarted()).isTrue();
        assertThat(other.telegram.isStarted()).isFalse();

        one.kill();
        nodes.pass(Duration.ofSeconds(8));
        assertThat(other.telegram.isStarted()).isTrue();
        assertThat(other.say(ALICE, "still there?")).isInstanceOf(Receipt.Admitted.class);
        assertThat(other.seen(ALICE)).containsExactly("still there?");
    }

    private int starts;

    /** The first starts of the node's platform fail; {@link #starts} counts them. */
    private void failsToStart(Nodes.Node node, int times) {
        node.shared = false;
        node.starting = () -> {
            starts++;
            if (starts <= times) {
                throw new IllegalStateException("The server is away.");
            }
        };
    }

    @Test
    void aPlatformThatCouldNotBeStartedIsNotStartedAgainOnceAnotherNodeMayBeConnectedAsIt() {
        failsToStart(one, 1);
        other.shared = false;
        start();
        one.cutOff();
        nodes.pass(Duration.ofSeconds(20));

        assertThat(starts).isEqualTo(1);
        assertThat(one.telegram.isStarted()).isFalse();
        assertThat(other.telegram.isStarted()).isTrue();
    }

    @Test
    void aPlatformThatCouldNotBeStartedIsStartedOnceByTheNextLife() {
        failsToStart(one, 2);
        one.start();
        nodes.pass(Duration.ofSeconds(6));
        one.cutOff();
        nodes.pass(Duration.ofMillis(4_100));
        one.heal();
        nodes.pass(Duration.ofSeconds(20));

        assertThat(starts).isEqualTo(3);
        assertThat(one.telegram.isStarted()).isTrue();
    }

    @Test
    void aPlatformWhoseStartHangsWhileTheLeaseIsLostAndTakenAgainIsUpAfterwards() {
        one.shared = false;
        one.starting = () -> {
            starts++;
            if (starts == 1) {
                one.cutOff();
                nodes.pass(Duration.ofMillis(4_100));
                one.heal();
                nodes.pass(Duration.ofSeconds(10));
            }
        };
        one.start();
        nodes.pass(Duration.ofSeconds(10));

        assertThat(one.telegram.isStarted()).isTrue();
        one.say(ALICE, "hi");
        assertThat(one.seen(ALICE)).containsExactly("hi");
    }

    @Test
    void aLaneOfAPlatformIsWorkedOnWhereThatIsConnected() {
        one.shared = false;
        other.shared = false;
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "do it");
        other.say(ALICE, "from elsewhere");
        nodes.pass(Duration.ofSeconds(60));

        assertThat(one.seen(ALICE)).isNotEmpty();
        assertThat(other.telegram.tried()).isEmpty();
    }

    @Test
    void aNodeWithAnotherConfigurationIsRefusedAndToldWhatDiffers() {
        one.agreed = Map.of("zone", "UTC", "isolation", "per user");
        other.agreed = Map.of("zone", "Europe/Berlin", "isolation", "per user");
        one.start();
        other.start();

        assertThat(other.started)
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(InvalidRequest.class)
                .withMessageContaining("zone is Europe/Berlin here and UTC at one")
                .withMessageNotContaining("isolation");
        assertThat(nodes.memory.cluster().orElseThrow().nodes())
                .filteredOn(node -> node.state().isLive())
                .hasSize(1);
    }

    @Test
    void aNodeIsRefusedBesideAGatewayThatIsAloneAndToldWhereThatIs() {
        nodes.memory
                .cluster()
                .orElseThrow()
                .join(
                        new LifeId("alone#1"),
                        new Newcomer("gateway", "1", "there:/home", Newcomer.Kind.ALONE, new TreeMap<>()),
                        Nodes.LEASE);
        one.start();

        assertThat(one.started)
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(InvalidRequest.class)
                .withMessage("The store memory: is in use by the gateway gateway (there:/home), which runs without"
                        + " cluster.enabled and would answer the same people; stop it and set cluster.enabled to true there,"
                        + " then start this node again.");
    }

    @Test
    void aGatewayThatWasAloneAndIsGoneKeepsNoNodeAway() {
        nodes.memory
                .cluster()
                .orElseThrow()
                .join(
                        new LifeId("alone#1"),
                        new Newcomer("gateway", "1", "there:/home", Newcomer.Kind.ALONE, new TreeMap<>()),
                        Nodes.LEASE);
        nodes.pass(Nodes.LEASE.plusSeconds(1));
        one.start();

        assertThat(one.say(ALICE, "hello")).isInstanceOf(Receipt.Admitted.class);
    }

    @Test
    void aNodeThatIsStartedAgainOnItsHomeGoesOnWithItsLanesAtOnce() {
        one.place = "here:/one";
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.start();
        one.say(ALICE, "do it");
        one.kill();
        one.start();
        nodes.pass(Duration.ofSeconds(2));

        assertThat(turns()).containsExactly(Turn.State.INTERRUPTED, Turn.State.COMPLETED);
        assertThat(nodes.memory.cluster().orElseThrow().nodes())
                .extracting(Node::state)
                .containsExactly(Node.State.DEAD, Node.State.UP);
    }

    @Test
    void aNodeThatIsHeldBeginsNoTurnAndOthersAnswerMeanwhile() {
        start();
        wish(one, Node.Wish.HOLD);
        nodes.pass(Duration.ofSeconds(2));
        one.say(ALICE, "hello");
        nodes.pass(Duration.ofSeconds(3));

        assertThat(one.events.of(GatewayEvent.TurnStarted.class)).isEmpty();
        assertThat(other.seen(ALICE)).contains("hello");

        wish(one, Node.Wish.NOTHING);
        nodes.pass(Duration.ofSeconds(2));
        one.say(BOB, "and now");
        assertThat(one.seen(BOB)).containsExactly("and now");
    }

    @Test
    void whoWaitsAtANodeThatIsHeldGetsTheAnswerOfAnother() {
        start();
        wish(one, Node.Wish.HOLD);
        nodes.pass(Duration.ofSeconds(2));
        CompletableFuture<String> waited = new CompletableFuture<>();

        one.say(ALICE, "hello", "waiting", answerTo(waited)).join();
        nodes.pass(Duration.ofSeconds(5));

        assertThat(one.events.of(GatewayEvent.TurnStarted.class)).isEmpty();
        assertThat(waited).isCompletedWithValue("hello");
    }

    @Test
    void whoWaitsInTheQueueOfANodeThatIsHeldMeanwhileGetsTheAnswerOfAnother() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofSeconds(20)));
        one.say(ALICE, "long work");
        wish(one, Node.Wish.HOLD);
        nodes.pass(Duration.ofSeconds(2));
        CompletableFuture<String> waited = new CompletableFuture<>();

        one.say(ALICE, "and this", "waiting", answerTo(waited)).join();
        nodes.pass(Duration.ofSeconds(60));

        assertThat(other.seen(ALICE)).contains("and this");
        assertThat(waited).isCompletedWithValue("and this");
    }

    @Test
    void whoQueuesAMessageAtAnotherNodeWaitsForItsAnswer() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofSeconds(20)));
        one.say(ALICE, "long work");
        CompletableFuture<String> waited = new CompletableFuture<>();

        other.say(ALICE, "/queue and this", "waiting", answerTo(waited)).join();
        nodes.pass(Duration.ofSeconds(60));

        assertThat(turns()).containsExactly(Turn.State.COMPLETED, Turn.State.COMPLETED);
        assertThat(waited).isCompletedWithValue("and this");
    }

    private static AnswerListener answerTo(CompletableFuture<String> waited) {
        return new AnswerListener() {
            @Override
            public void finished(TurnId turn, String text) {
                waited.complete(text);
            }

            @Override
            public void closed(String why) {
                waited.completeExceptionally(new IllegalStateException(why));
            }
        };
    }

    @Test
    void aNodeThatIsDrainedEndsAndOthersGoOn() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofSeconds(20)));
        one.say(ALICE, "do it");
        wish(one, Node.Wish.DRAIN);
        nodes.pass(Duration.ofSeconds(60));

        assertThat(one.gateway().whenStopped().toCompletableFuture()).isCompleted();
        assertThat(turns()).containsExactly(Turn.State.COMPLETED);
        assertThat(other.say(ALICE, "still there?")).isInstanceOf(Receipt.Admitted.class);
    }

    @Test
    void anOperatorReachesALaneThroughAnyNode() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "long work");

        assertThat(nodes.asked(other, gateway -> gateway.interruptLane(LANE))).isTrue();
        nodes.pass(Duration.ofSeconds(5));
        assertThat(one.agents.interrupts()).hasSize(1);
        assertThat(nodes.asked(other, gateway -> gateway.resetLane(LANE))).isTrue();
        assertThat(nodes.asked(one, gateway -> gateway.suspendLane(LANE))).isTrue();
        assertThat(nodes.memory.lanes().find(LANE).orElseThrow().entry().isSuspended())
                .isTrue();
    }

    @Test
    void anOrderForALaneThatHasMovedSinceTheOperatorLookedDoesNothingAtAnotherNodeEither() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "long work");
        long epoch = nodes.memory.lanes().find(LANE).orElseThrow().epoch();

        assertThat(nodes.asked(other, gateway -> gateway.order(LaneOrder.RESET, LANE, epoch + 1)))
                .isFalse();
        assertThat(turns()).containsExactly(Turn.State.CLAIMED);
        assertThat(nodes.asked(other, gateway -> gateway.order(LaneOrder.RESET, LANE, epoch)))
                .isTrue();
        assertThat(turns()).containsExactly(Turn.State.DROPPED);
    }

    @Test
    void anOrderThatANodeLeavesBehindWhenItDiesIsFollowedByTheNextOne() {
        start();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "long work");
        one.kill();

        assertThat(nodes.asked(other, gateway -> gateway.suspendLane(LANE))).isTrue();
    }

    @Test
    void aNodeSaysThatItIsOneAndWhetherItHasItsLease() {
        start();
        assertThat(one.gateway().health().rows())
                .contains(entry("role", "node"), entry("lease", "held"), entry("status", "ok"));

        one.cutOff();
        nodes.pass(Duration.ofSeconds(20));
        assertThat(one.gateway().health().rows())
                .contains(entry("lease", "lost"), entry("status", "refusing"))
                .containsKey("refusing_because");
        one.heal();
        nodes.pass(Duration.ofSeconds(5));
        wish(one, Node.Wish.HOLD);
        nodes.pass(Duration.ofSeconds(2));
        assertThat(one.gateway().health().rows())
                .contains(entry("lease", "held"), entry("status", "ok"))
                .containsKey("held");
    }

    private void wish(Nodes.Node node, Node.Wish wish) {
        LifeId life = nodes.memory.cluster().orElseThrow().nodes().stream()
                .filter(each -> each.state().isLive() && each.name().equals(node.name))
                .findFirst()
                .orElseThrow()
                .life();
        nodes.memory.cluster().orElseThrow().wish(life, wish);
    }

    @Test
    void aNodeWhoseClockIsFarOffIsRefused() {
        one.skew = Duration.ofMinutes(5);
        one.start();

        assertThat(one.started)
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableThat()
                .withMessageContaining("clock of this machine is 300 s away");
    }

    @Test
    void aLaneThatKillsOneNodeAfterTheOtherIsSuspended() {
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.start();
        one.say(ALICE, "poison");
        one.kill();
        for (int death = 2; death <= 3; death++) {
            Nodes.Node next = nodes.node("next" + death);
            next.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
            next.start();
            nodes.pass(Duration.ofSeconds(12));
            next.kill();
        }
        other.start();
        nodes.pass(Duration.ofSeconds(12));

        assertThat(nodes.memory.lanes().find(LANE).orElseThrow().entry().isSuspended())
                .isTrue();
        assertThat(other.events.of(GatewayEvent.TurnStarted.class)).isEmpty();
    }
}
