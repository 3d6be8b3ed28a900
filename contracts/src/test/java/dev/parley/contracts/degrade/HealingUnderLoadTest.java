package dev.parley.contracts.degrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Ledger;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A store that heals while its lanes go on talking almost as fast as what they say is merged. */
class HealingUnderLoadTest extends DegradeBench {
    private static final int WAITING = 400;

    private final ExecutorService lane = Executors.newSingleThreadExecutor();
    private boolean talking;
    private int merged;
    private int saidMeanwhile;

    @AfterEach
    void stop() {
        lane.shutdownNow();
    }

    @Override
    Storage beforePrimary(Storage behind) {
        Ledger ledger = batch -> {
            CommitResult result = behind.ledger().commit(batch);
            merged++;
            // Nineteen are said while twenty are merged.
            if (talking && merged % 20 != 0) {
                talk();
            }
            return result;
        };
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(),
                new Class<?>[] {Storage.class},
                (proxy, method, arguments) ->
                        method.getName().equals("ledger") ? ledger : method.invoke(behind, arguments));
    }

    /** Says something from another thread, as lanes do; once that has to wait, nobody says any more. */
    private void talk() {
        saidMeanwhile++;
        String text = "meanwhile " + saidMeanwhile;
        Message message = Message.builder(new MessageId(text), Role.USER, Content.text(text), START)
                .build();
        Batch batch = new Batch(
                new BatchId("lane", saidMeanwhile),
                List.of(),
                List.of(new Change.AppendMessages(session(1, 1), List.of(message))));
        Future<CommitResult> answer = lane.submit(() -> storage.ledger().commit(batch));
        try {
            answer.get(2, TimeUnit.SECONDS);
        } catch (TimeoutException waits) {
            talking = false;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName(
            "Commit rule 10: lanes that talk almost as fast as what they say is merged do not put off the end of healing")
    void lanesThatTalkFastDoNotPutOffTheEnd() throws Exception {
        begin(1);
        become(State.UNAVAILABLE);
        for (int n = 1; n <= WAITING; n++) {
            commit(say(1, 1, "before " + n));
        }
        merged = 0;
        talking = true;

        become(State.AVAILABLE);
        letTimersRun();
        lane.shutdown();
        assertThat(lane.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        assertThat(merged).isLessThan(5 * WAITING);
        assertThat(said(storage, session(1, 1))).hasSize(1 + WAITING + saidMeanwhile);
    }
}
