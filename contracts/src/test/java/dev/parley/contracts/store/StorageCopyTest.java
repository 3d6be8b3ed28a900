package dev.parley.contracts.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.spi.Storage;
import dev.parley.application.transfer.CopyProgress;
import dev.parley.application.transfer.StorageCopy;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.SentPart;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.turn.TurnUsage;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageUpdate;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies between stores. */
class StorageCopyTest {
    private final VirtualClock clock = new VirtualClock(Instant.parse("2026-03-10T12:00:00Z"));
    private long copies;

    private StorageCopy copy(Storage from, Storage to) {
        return new StorageCopy(from, to, clock, new SeededIds(++copies));
    }

    @Test
    @DisplayName("everything the ports carry arrives, in the same order, and is verified")
    void everythingArrives() {
        MemoryStorage from = filled(5);
        MemoryStorage to = new MemoryStorage();
        List<CopyProgress> told = new ArrayList<>();
        StorageCopy copy = copy(from, to);
        StorageCopy.Outcome outcome = copy.copy(StorageCopy.Into.EMPTY, told::add);
        assertThat(copy.verify(told::add)).isEmpty();
        assertThat(outcome.messages()).isEqualTo(from.transcripts().countAll());
        assertThat(content(to)).isEqualTo(content(from));
        assertThat(told)
                .extracting(CopyProgress::phase)
                .contains(CopyProgress.Phase.MESSAGES, CopyProgress.Phase.VERIFY);
    }

    @ParameterizedTest(name = "seed {0}")
    @DisplayName("a copy that was killed after any batch goes on, with nothing missing and nothing twice")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void resumes(long seed) {
        Random random = new Random(seed);
        MemoryStorage from = filled(seed);
        MemoryStorage to = new MemoryStorage();
        StorageCopy.Into into = StorageCopy.Into.EMPTY;
        int kills = 0;
        boolean done = false;
        while (!done) {
            int batches = 1 + random.nextInt(9);
            try {
                new StorageCopy(from, new Dying(to, batches), clock, new SeededIds(++copies), 7)
                        .copy(into, progress -> {});
                done = true;
            } catch (StorageUnavailable e) {
                kills++;
                into = StorageCopy.Into.RESUME;
            }
        }
        assertThat(kills).isPositive();
        assertThat(copy(from, to).verify(progress -> {})).isEmpty();
        assertThat(content(to)).isEqualTo(content(from));
    }

    @Test
    @DisplayName("a target with something in it is refused, as is resuming what was not begun, or copying over it")
    void refusals() {
        MemoryStorage from = filled(1);
        MemoryStorage to = filled(2);
        assertThatThrownBy(() -> copy(from, to).copy(StorageCopy.Into.EMPTY, p -> {}))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("not empty");
        assertThatThrownBy(() -> copy(from, to).copy(StorageCopy.Into.RESUME, p -> {}))
                .isInstanceOf(InvalidRequest.class);
        MemoryStorage half = new MemoryStorage();
        assertThatThrownBy(() -> copy(from, new Dying(half, 1)).copy(StorageCopy.Into.EMPTY, p -> {}))
                .isInstanceOf(StorageUnavailable.class);
        assertThatThrownBy(() -> copy(from, half).copy(StorageCopy.Into.MERGE, p -> {}))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("resume");
    }

    @Test
    @DisplayName("merging keeps what the target has and numbers a title that another session has there")
    void merges() {
        CommandBench one = new CommandBench(new KeyRules(Isolation.DEFAULT, AliasLookup.NONE));
        CommandBench two = new CommandBench(new KeyRules(Isolation.DEFAULT, AliasLookup.NONE));
        SessionSource kim = dm("kim");
        SessionId theirs = two.turn(kim, "theirs");
        two.run(kim, "/title Plan");
        one.turn(dm("other"), "so that ids differ");
        SessionId ours = one.turn(kim, "ours");
        one.run(kim, "/title Plan");
        StorageCopy copy = copy(one.storage, two.storage);
        StorageCopy.Outcome outcome = copy.copy(StorageCopy.Into.MERGE, p -> {});
        assertThat(outcome.renamed()).isEqualTo(1);
        assertThat(outcome.keptLanes()).isEqualTo(1);
        assertThat(two.current(kim)).isEqualTo(theirs);
        assertThat(two.storage.sessions().find(ours).flatMap(Session::title)).contains("Plan #2");
        assertThat(two.texts(ours)).hasSize(2);
        assertThat(two.texts(theirs)).hasSize(2);
    }

    @Test
    @DisplayName("verification names a session that is missing and one that differs")
    void verifyFindsDifferences() {
        MemoryStorage from = filled(3);
        MemoryStorage to = new MemoryStorage();
        StorageCopy copy = copy(from, to);
        copy.copy(StorageCopy.Into.EMPTY, p -> {});
        CommandBench writer = new CommandBench(new KeyRules(Isolation.DEFAULT, AliasLookup.NONE));
        SessionId missing = SessionId.of("missing");
        from.ledger()
                .commit(new Batch(
                        new BatchId("later", 1),
                        List.of(),
                        List.of(new Change.CreateSession(Session.builder(missing, "cli", writer.clock.instant())
                                .build()))));
        assertThat(copy.verify(p -> {})).anySatisfy(line -> assertThat(line).contains("missing"));
        List<StoredMessage> active = new ArrayList<>();
        to.transcripts().forEach(m -> {
            if (m.isActive()) {
                active.add(m);
            }
        });
        to.ledger()
                .commit(new Batch(
                        new BatchId("later", 1),
                        List.of(),
                        List.of(new Change.HideMessages(
                                active.get(0).session(),
                                List.of(active.get(0).message().id()),
                                StoredMessage.State.COMPACTED))));
        assertThat(copy.verify(p -> {})).anySatisfy(line -> assertThat(line).contains("is not the same"));
    }

    /** A store with everything in it: several lanes, hidden rows, a branch, history, queue and values. */
    private MemoryStorage filled(long seed) {
        Random random = new Random(seed);
        CommandBench bench = new CommandBench(new KeyRules(Isolation.DEFAULT, AliasLookup.NONE));
        for (int i = 0; i < 60; i++) {
            SessionSource from = dm("c" + random.nextInt(6));
            bench.turn(from, "text " + i + " " + "x".repeat(random.nextInt(200)));
            switch (random.nextInt(8)) {
                case 0 -> bench.run(from, "/undo");
                case 1 -> bench.run(from, "/compress here 1");
                case 2 -> bench.run(from, "/branch");
                case 3 -> bench.run(from, "/title T" + i);
                case 4 -> bench.renew(from);
                default -> bench.say(bench.current(from), Role.TOOL, "result " + i);
            }
        }
        SessionSource kim = dm("c0");
        SessionId session = bench.turn(kim, "waiting");
        InboundId inbound = new InboundId("i1");
        TurnId turn = new TurnId("t1");
        bench.commit(
                new Change.PutInbound(new Inbound(
                        inbound,
                        bench.rules.keyOf(kim),
                        1,
                        Inbound.Kind.MESSAGE,
                        kim,
                        "hello",
                        List.of(),
                        bench.clock.instant(),
                        Optional.empty(),
                        Inbound.State.ADMITTED,
                        Optional.empty())),
                new Change.PutTurn(new Turn(
                        turn,
                        bench.rules.keyOf(kim),
                        session,
                        new RunId("r1"),
                        List.of(inbound),
                        bench.clock.instant(),
                        Turn.State.CLAIMED,
                        Optional.empty())),
                new Change.PutOutgoing(new Outgoing(
                        new OutgoingId("o1"),
                        Optional.of(bench.rules.keyOf(kim)),
                        Platform.TELEGRAM,
                        "c0",
                        Optional.empty(),
                        "answer",
                        Outgoing.Kind.REPLY,
                        bench.clock.instant(),
                        Optional.of(turn),
                        Outgoing.State.PENDING,
                        0)),
                new Change.PutOutgoing(new Outgoing(
                                new OutgoingId("o2"),
                                Optional.empty(),
                                Platform.TELEGRAM,
                                "c1",
                                Optional.empty(),
                                "in parts",
                                Outgoing.Kind.NOTICE,
                                bench.clock.instant(),
                                Optional.empty(),
                                Outgoing.State.PENDING,
                                0)
                        .attempted(bench.clock.instant())
                        .failed("429", Optional.of(bench.clock.instant()))
                        .sent(new SentPart(1, List.of("p-1")))),
                new Change.PutCursor(new CursorName(Platform.TELEGRAM, "bot-1", "updates"), Optional.of("77")),
                new Change.AddUsage(
                        session,
                        UsageUpdate.added(new TokenUsage(1, 2, 3, 4, 5), 6, Optional.of("big")),
                        Optional.of(bench.clock.instant())),
                new Change.PutMeta("some value", "kept"));
        bench.commit(new Change.PutTurn(new Turn(
                        turn,
                        bench.rules.keyOf(kim),
                        session,
                        new RunId("r1"),
                        List.of(inbound),
                        bench.clock.instant(),
                        Turn.State.CLAIMED,
                        Optional.empty())
                .ended(Turn.State.FAILED, bench.clock.instant())
                .because(TurnReason.TIMEOUT)
                .noted("nothing was heard of it")
                .used(TurnUsage.of("big", new TokenUsage(1, 2, 3, 4, 5), 6))));
        return bench.storage;
    }

    /** Everything a store holds, as text, without what stores number themselves. */
    private static List<String> content(MemoryStorage storage) {
        List<String> all = new ArrayList<>();
        storage.sessions().forEach(s -> all.add(s.toString()));
        storage.transcripts().forEach(m -> all.add(m.session() + " " + m.message() + " " + m.state()));
        storage.lanes().forEach(lane -> all.add(lane.toString()));
        storage.lanes().forEach((Lane lane) -> {
            List<LaneEvent> history = storage.lanes().history(lane.key(), 999);
            history.forEach(event -> all.add(event.toString()));
        });
        storage.queue()
                .forEach(
                        Instant.EPOCH,
                        i -> all.add(i.toString()),
                        t -> all.add(t.toString()),
                        o -> all.add(o.toString()));
        storage.meta().cursors().forEach((name, value) -> all.add(name + " at " + value));
        storage.sessions()
                .usage(Instant.EPOCH, Instant.parse("2100-01-01T00:00:00Z"))
                .forEach(slot -> all.add(slot.toString()));
        storage.meta().all().forEach((key, value) -> {
            if (!key.equals(StorageCopy.MARKER)) {
                all.add(key + "=" + value);
            }
        });
        return all;
    }

    private static SessionSource dm(String chat) {
        return SessionSource.builder(Platform.TELEGRAM, chat).userId("u" + chat).build();
    }

    /** A store that takes some batches and then dies. */
    private static final class Dying extends OtherLedger {
        Dying(Storage storage, int batches) {
            super(storage, new Ledger() {
                private int left = batches;

                @Override
                public CommitResult commit(Batch batch) {
                    if (left-- <= 0) {
                        throw new StorageUnavailable("The process was killed.", null);
                    }
                    return storage.ledger().commit(batch);
                }
            });
        }
    }
}
