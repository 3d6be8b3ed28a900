package dev.parley.contracts.degrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.degrade.StoreId;
import dev.parley.application.guard.GuardedStorage;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Transcripts;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.contracts.storage.MemoryHarness;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What others do to a degrading store: listeners that throw, reads in the midst of commits, primaries that throw Errors. */
class DegradingSeamsTest extends DegradeBench {
    private final AtomicReference<Runnable> afterLoad = new AtomicReference<>(() -> {});

    /** The primary, which runs something between reading a transcript and returning it. */
    private Storage interrupted(Storage behind) {
        Transcripts transcripts = (Transcripts) Proxy.newProxyInstance(
                Transcripts.class.getClassLoader(), new Class<?>[] {Transcripts.class}, (proxy, method, arguments) -> {
                    try {
                        Object read = method.invoke(behind.transcripts(), arguments);
                        afterLoad.getAndSet(() -> {}).run();
                        return read;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        StorageParts of = StorageParts.of(behind);
        StorageParts parts = new StorageParts(
                of.ledger(),
                of.lanes(),
                of.sessions(),
                transcripts,
                of.search(),
                of.queue(),
                of.meta(),
                of.maintenance());
        return new ComposedStorage() {
            @Override
            public StorageParts parts() {
                return parts;
            }

            @Override
            public String location() {
                return behind.location();
            }

            @Override
            public void close() {
                behind.close();
            }
        };
    }

    @Override
    Storage beforePrimary(Storage behind) {
        return interrupted(behind);
    }

    @Test
    @DisplayName("A listener that throws when storage degrades does not keep the primary from being tried again")
    void aListenerThatThrowsDoesNotStopProbing() {
        begin(1);
        throwing = event -> event instanceof GatewayEvent.Degraded || event instanceof GatewayEvent.Healed;
        become(State.UNAVAILABLE);
        assertThat(commit(say(1, 1, "one")).isCommitted()).isTrue();
        become(State.AVAILABLE);
        letTimersRun();

        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        assertThat(said(data.open(Mode.READ_ONLY), session(1, 1))).containsExactly("hello 1", "one");
    }

    @Test
    @DisplayName(
            "Where the storage lies is told as it is now: after a start without the primary it is the primary again")
    void whereItLiesIsToldAsItIsNow() {
        become(State.UNAVAILABLE);
        restart();
        Storage guarded = GuardedStorage.of(storage);
        assertThat(guarded.location()).isEqualTo("the fallback");
        become(State.AVAILABLE);
        letTimersRun();

        assertThat(guarded.location()).isEqualTo(data.open(Mode.READ_ONLY).location());
    }

    @Test
    @DisplayName("A listener may read and commit while it is told that storage degrades")
    void aListenerMayUseTheStorage() {
        begin(1);
        List<Long> seen = new ArrayList<>();
        listening = event -> {
            if (event instanceof GatewayEvent.Degraded) {
                commit(say(1, 1, "from the listener"));
                seen.add(storage.lanes().count());
            }
        };
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));

        assertThat(seen).containsExactly(1L);
        assertThat(storage.transcripts().count(session(1, 1)))
                .isEqualTo(storage.transcripts().load(session(1, 1)).size());
    }

    @Test
    @DisplayName("Promise 5: a commit in the midst of a read is not taken out of what is known of the conversation")
    void aCommitInTheMidstOfAReadIsKept() {
        begin(1);
        storage.sessions().find(session(1, 1));
        storage.transcripts().load(session(1, 1));
        afterLoad.set(() -> commit(say(1, 1, "in between")));
        storage.transcripts().load(session(1, 1));
        commit(say(1, 1, "after"));
        become(State.UNAVAILABLE);

        assertThat(said(storage, session(1, 1))).containsExactly("hello 1", "in between", "after");
        assertThat(storage.transcripts().isWhole(session(1, 1))).isTrue();
    }

    @Test
    @DisplayName("An operator who reads every conversation pushes no lane's out that was active later")
    void anOperatorsReadsPushNobodyOut() {
        for (int n = 1; n <= 600; n++) {
            begin(n);
        }
        for (int n = 1; n <= 100; n++) {
            storage.transcripts().load(session(n, 1));
        }
        become(State.UNAVAILABLE);

        assertThat(storage.transcripts().isWhole(session(600, 1))).isTrue();
        assertThat(said(storage, session(600, 1))).containsExactly("hello 600");
        assertThat(storage.transcripts().isWhole(session(101, 1))).isTrue();
        assertThat(storage.transcripts().isWhole(session(50, 1))).isFalse();
    }

    @Test
    @DisplayName("Whoever is handed lanes may read and commit while the primary fails")
    void aReaderOfLanesMayCommit() {
        begin(1);
        begin(2);
        become(State.AVAILABLE);
        List<Lane> lanes = new ArrayList<>();
        storage.lanes().forEach(lane -> {
            become(State.UNAVAILABLE);
            lanes.add(lane);
            assertThat(commit(say(1, 1, "to " + lane.key())).isCommitted()).isTrue();
        });

        assertThat(lanes).hasSize(2);
        assertThat(storage.maintenance().health()).isInstanceOf(Health.Degraded.class);
    }

    @Test
    @DisplayName("Whoever is handed sessions may commit while the primary fails, and is told that there are no more")
    void aReaderOfSessionsMayCommit() {
        begin(1);
        begin(2);
        List<SessionId> sessions = new ArrayList<>();
        storage.sessions().forEach(each -> {
            become(State.UNAVAILABLE);
            sessions.add(each.id());
            commit(say(1, 1, "to " + each.id()));
        });

        assertThat(sessions).isNotEmpty();
        assertThatThrownBy(() -> storage.sessions().forEach(each -> {})).isInstanceOf(StorageUnavailable.class);
    }

    @Test
    @DisplayName("Reads write nothing into the fallback")
    void readsWriteNothing() {
        begin(1);
        begin(2);
        restart();
        begin(3);
        become(State.UNAVAILABLE);
        storage.lanes().find(key(1));
        storage.lanes().forEach(lane -> storage.transcripts().load(lane.entry().sessionId()));
        storage.sessions().find(session(2, 1));
        storage.queue().admitted();
        storage.queue().undelivered();

        assertThat(storage.maintenance().health().degraded().orElseThrow().waiting())
                .hasValue(0);
        List<StoredMessage> read = storage.transcripts().load(session(2, 1));
        commit(say(2, 1, "on"));
        assertThat(storage.transcripts().load(session(2, 1)).subList(0, read.size()))
                .extracting(StoredMessage::message)
                .isEqualTo(read.stream().map(StoredMessage::message).toList());
    }

    @Test
    @DisplayName("A primary that throws an Error is left for the fallback, and the cause is told")
    void aPrimaryThatThrowsAnErrorIsLeft() {
        begin(1);
        failing = Optional.of(new NoSuchMethodError("of a provider made for another release"));

        assertThat(commit(say(1, 1, "one")).isCommitted()).isTrue();

        assertThat(storage.maintenance().health().degraded().orElseThrow().why())
                .contains("java.lang.NoSuchMethodError at ");
        letTimersRun();
        assertThat(storage.maintenance().health()).isInstanceOf(Health.Degraded.class);
        failing = Optional.empty();
        letTimersRun();
        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        assertThat(said(data.open(Mode.READ_ONLY), session(1, 1))).containsExactly("hello 1", "one");
    }

    @Test
    @DisplayName("A fallback without room does not keep a gateway from starting: it refuses until there is room")
    void aFallbackWithoutRoomRefusesUntilThereIs() {
        begin(1);
        storage.close();
        noRoom = Optional.of(
                StorageUnavailable.outOfSpace("The journal cannot be opened: No space left on device.", null));
        become(State.FULL);
        restart();

        assertThat(storage.maintenance().health().degraded().orElseThrow().refusing())
                .hasValueSatisfying(why -> assertThat(why).contains("No space left"));
        assertThatThrownBy(() -> commit(say(1, 1, "refused"))).isInstanceOf(StorageUnavailable.class);

        noRoom = Optional.empty();
        become(State.AVAILABLE);
        letTimersRun();
        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        assertThat(commit(say(1, 1, "taken")).isCommitted()).isTrue();
    }

    @Test
    void aFallbackThatCannotBeUsedForAnotherReasonPreventsTheStart() {
        storage.close();
        noRoom = Optional.of(new StorageUnavailable("The directory is in use by process 1.", null));
        assertThatThrownBy(this::restart)
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("in use by process 1");
    }

    private Change received(String id) {
        return new Change.PutInbound(new Inbound(
                new InboundId("in-" + id),
                key(1),
                Long.parseLong(id),
                Inbound.Kind.MESSAGE,
                source(1),
                "text",
                List.of(),
                clock.instant(),
                Optional.of(new PlatformMessage(Platform.TELEGRAM, "1", id)),
                Inbound.State.DONE,
                Optional.empty()));
    }

    /** The same store, as it was when less had been received. */
    private MemoryHarness olderCopy(Change received) {
        String id = data.open(Mode.READ_ONLY).meta().get(StoreId.NAME).orElseThrow();
        MemoryHarness older = new MemoryHarness("primary");
        older.open(Mode.READ_WRITE)
                .ledger()
                .commit(batch(
                        "older",
                        List.of(),
                        new Change.PutMeta(StoreId.NAME, id),
                        create(1, 1),
                        new Change.PutLane(lane(1, 1, 1)),
                        received));
        return older;
    }

    private List<String> troubles() {
        return events.of(GatewayEvent.Trouble.class).stream()
                .map(GatewayEvent.Trouble::what)
                .toList();
    }

    @Test
    @DisplayName("An older copy in the primary's place is told by the messages it lacks, at the start")
    void anOlderCopyIsToldAtTheStart() {
        begin(1);
        commit(received("1"));
        commit(received("2"), say(1, 1, "lost"));
        storage.close();
        data = olderCopy(received("1"));
        restart();
        letTimersRun();

        assertThat(troubles())
                .singleElement()
                .asString()
                .contains("1 of the last 2 messages", "telegram chat 1 message 2");
    }

    @Test
    @DisplayName("An older copy in the primary's place is told by the messages it lacks, once it is healed")
    void anOlderCopyIsToldOnceHealed() {
        begin(1);
        commit(received("1"));
        commit(received("2"));
        become(State.UNAVAILABLE);
        commit(received("3"));
        data = olderCopy(received("1"));
        primary.close();
        become(State.AVAILABLE);
        letTimersRun();

        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        assertThat(troubles())
                .filteredOn(what -> what.contains("were received are not in"))
                .singleElement()
                .asString()
                .contains("1 of the last 3 messages", "telegram chat 1 message 2");
    }

    @Test
    @DisplayName("A fallback that was emptied is told by the messages that are nowhere any more")
    void anEmptiedFallbackIsTold() {
        begin(1);
        become(State.UNAVAILABLE);
        commit(received("1"));
        commit(received("2"));
        storage.close();
        spill = new MemoryHarness("spill");
        become(State.AVAILABLE);
        restart();
        letTimersRun();

        assertThat(troubles()).singleElement().asString().contains("2 of the last 2 messages");
    }

    @Test
    void nothingIsToldWhereNothingIsMissing() {
        begin(1);
        commit(received("1"));
        become(State.UNAVAILABLE);
        commit(received("2"));
        storage.close();
        become(State.AVAILABLE);
        restart();
        letTimersRun();

        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        assertThat(troubles()).isEmpty();
    }
}
