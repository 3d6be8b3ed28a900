package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Received;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.source.SessionSource;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two lanes that share a chat, on a store that answers one of them late. */
class ChatOrderTest {
    private static final SessionSource ANN = Bench.inGroup("-9", "1", "Ann");
    private static final SessionSource BO = Bench.inGroup("-9", "2", "Bo");

    private final Bench bench = new Bench();
    private boolean begun;

    /** Once something is stored that is to be sent to a chat, {@code meanwhile} happens before the store says so. */
    private void startWithAStoreThatAnswersLate(Runnable meanwhile) {
        Ledger late = batch -> {
            CommitResult result = bench.storage.ledger().commit(batch);
            if (!begun && isSaying(batch)) {
                begun = true;
                meanwhile.run();
            }
            return result;
        };
        bench.opened = unused -> (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(),
                new Class<?>[] {Storage.class},
                (proxy, method, arguments) ->
                        method.getName().equals("ledger") ? late : method.invoke(bench.storage, arguments));
        bench.start();
    }

    private static boolean isSaying(Batch batch) {
        return batch.changes().stream().anyMatch(Change.PutOutgoing.class::isInstance);
    }

    private void handIn(SessionSource from, String text) {
        bench.running().receive(new Received(from, text, List.of(), Optional.of(text)), AnswerListener.NONE);
        bench.settle();
    }

    private List<String> firstWords() {
        return bench.seen(ANN).stream().map(text -> text.split("\\W", 2)[0]).toList();
    }

    @ParameterizedTest
    @CsvSource({"one, one, two, two", "/title One, There, two, two", "one, one, /title Two, There"})
    void messagesOfOneChatAreDeliveredInTheOrderTheyWereStoredThoughTheStoreAnswersInAnother(
            String first, String itsAnswer, String second, String other) {
        startWithAStoreThatAnswersLate(() -> handIn(BO, second));
        handIn(ANN, first);
        assertThat(firstWords()).isEqualTo(List.of(itsAnswer, other));
    }

    @Test
    void aBatchThatTheStoreDoesNotAnswerKeepsTheOthersOfItsChatWaitingForTenSecondsAtMost() {
        startWithAStoreThatAnswersLate(() -> {
            handIn(BO, "two");
            assertThat(bench.seen(ANN)).isEmpty();
            bench.pass(Duration.ofSeconds(10));
            assertThat(bench.seen(ANN)).containsExactly("two");
        });
        handIn(ANN, "one");
        assertThat(begun).isTrue();
        assertThat(bench.seen(ANN)).containsExactly("two", "one");
    }

    @Test
    void whatTheStoreDidNotAnswerForIsDeliveredWhereItWasStored() {
        bench.start();
        bench.telegram.disconnect();
        bench.say(BO, "one");
        bench.storage.become(State.SILENT);
        bench.say(ANN, "/title Two");
        bench.storage.become(State.AVAILABLE);
        bench.say(BO, "three");
        bench.pass(Duration.ofMinutes(1));
        bench.telegram.connect();
        bench.settle();
        assertThat(firstWords()).containsExactly("one", "There", "three");
    }
}
