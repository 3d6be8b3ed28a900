package dev.parley.contracts.degrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.degrade.StoreId;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.change.Change;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What a store with a fallback says of its health, and when it tells that it is whole. */
class HealthTest extends DegradeBench {
    private final List<OptionalLong> merged = new ArrayList<>();
    private boolean watching;

    /** Notes at each commit of the primary how far the merge says to be. */
    @Override
    Storage beforePrimary(Storage behind) {
        Ledger ledger = batch -> {
            if (watching) {
                merged.add(degraded().merged());
            }
            return behind.ledger().commit(batch);
        };
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(),
                new Class<?>[] {Storage.class},
                (proxy, method, arguments) ->
                        method.getName().equals("ledger") ? ledger : method.invoke(behind, arguments));
    }

    private Health.Degraded degraded() {
        return storage.maintenance().health().degraded().orElseThrow();
    }

    @Test
    void aStoreIsWholeUntilItsPrimaryFails() {
        begin(1);
        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
    }

    @Test
    void aDegradedStoreSaysSinceWhenAndWhyAndHowMuchWaits() {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        long first = degraded().waiting().orElseThrow();
        commit(say(1, 1, "two"));

        assertThat(degraded().since()).isEqualTo(START);
        assertThat(degraded().why()).contains("cannot be used now");
        assertThat(degraded().damaged()).isFalse();
        assertThat(degraded().waiting()).isEqualTo(OptionalLong.of(first + 1));
        assertThat(degraded().refusing()).isEmpty();
    }

    @Test
    void aStoreThatHealsSaysHowManyBatchesAreMergedBack() {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        commit(say(1, 1, "two"));
        commit(say(1, 1, "three"));
        assertThat(degraded().merged()).as("no merge is under way").isEmpty();
        watching = true;

        become(State.AVAILABLE);
        letTimersRun();

        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        assertThat(merged.stream().filter(OptionalLong::isPresent).map(OptionalLong::getAsLong))
                .as("what the merge said while it went on")
                .hasSizeGreaterThanOrEqualTo(2)
                .isSorted()
                .endsWith(4L);
    }

    @Test
    void theLatestReasonIsSaidAfterARestartToo() {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        data.open(Mode.READ_WRITE)
                .ledger()
                .commit(batch("other", List.of(), new Change.PutMeta(StoreId.NAME, "another")));
        become(State.AVAILABLE);
        letTimersRun();
        assertThat(degraded().why()).contains("is not the one that was in use before");

        restart();

        assertThat(degraded().why()).contains("is not the one that was in use before");
    }

    @Test
    void aFallbackThatRefusesTooIsSaidUntilItTakesSomethingAgain() {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        appendsLeft = 0;
        assertThatThrownBy(() -> commit(say(1, 1, "refused"))).isInstanceOf(StorageUnavailable.class);
        assertThat(degraded().refusing()).contains("The journal is full.");

        appendsLeft = Integer.MAX_VALUE;
        commit(say(1, 1, "two"));
        assertThat(degraded().refusing()).isEmpty();
    }

    @Test
    void aTaskForAWholeStoreRunsAtOnce() {
        List<String> ran = new ArrayList<>();
        storage.maintenance().whenWhole(() -> ran.add("ran"));
        assertThat(ran).containsExactly("ran");
    }

    @Test
    void aTaskForADegradedStoreRunsOnceItIsHealed() {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        List<String> ran = new ArrayList<>();
        storage.maintenance()
                .whenWhole(() -> ran.add(events.of(GatewayEvent.Healed.class).size() + " healed"));
        letTimersRun();
        assertThat(ran).isEmpty();

        become(State.AVAILABLE);
        letTimersRun();
        assertThat(ran).containsExactly("1 healed");

        become(State.UNAVAILABLE);
        commit(say(1, 1, "two"));
        become(State.AVAILABLE);
        letTimersRun();
        assertThat(ran).hasSize(1);
    }

    @Test
    void aTaskThatThrowsHoldsUpNoOther() {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        List<String> ran = new ArrayList<>();
        storage.maintenance().whenWhole(() -> {
            throw new NoSuchMethodError("of a plug-in made for another release");
        });
        storage.maintenance().whenWhole(() -> ran.add("ran"));
        become(State.AVAILABLE);
        letTimersRun();

        assertThat(ran).containsExactly("ran");
        assertThat(events.of(GatewayEvent.Trouble.class))
                .anySatisfy(trouble -> assertThat(trouble.cause()).containsInstanceOf(NoSuchMethodError.class));
    }

    @Test
    void aClosedStoreStillSaysHowItIs() {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        storage.close();
        assertThat(storage.maintenance().health()).isInstanceOf(Health.Degraded.class);
    }
}
