package dev.parley.persistence.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.storage.ProviderHarness;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.TurnId;
import dev.parley.persistence.jsonl.record.Generated;
import dev.parley.testing.memory.MemoryStorageProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is done to it, and however often its process dies, a store of files holds what the reference store holds. */
class RandomOperationsTest {
    private static final int BATCHES = 200;

    @TempDir
    Path directory;

    static LongStream seeds() {
        return LongStream.range(11, 11 + Long.getLong("parley.random.seeds", 2));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theStoreAgreesWithTheReference(long seed) throws IOException {
        Random random = new Random(seed);
        Generated generated = new Generated(random, pools());
        ProviderHarness memory =
                new ProviderHarness(new MemoryStorageProvider(), "random-" + seed, directory.resolve("memory"));
        JsonlHarness files = new JsonlHarness(directory.resolve("files"));
        Storage expected = memory.open(StorageSettings.Mode.READ_WRITE);
        Storage actual = files.open(StorageSettings.Mode.READ_WRITE);
        for (int i = 1; i <= BATCHES; i++) {
            Batch batch = batch(generated, random, i);
            assertThat(outcome(actual.ledger(), batch)).isEqualTo(outcome(expected.ledger(), batch));
            int event = random.nextInt(40);
            if (event == 0) {
                actual.close();
                if (random.nextBoolean()) {
                    Files.deleteIfExists(files.home().resolve("sessions/parley/index.jsonl"));
                }
                actual = files.open(StorageSettings.Mode.READ_WRITE);
            } else if (event == 1) {
                files.crash();
                actual = files.open(StorageSettings.Mode.READ_WRITE);
            } else if (event == 2) {
                actual.maintenance().repair((done, total) -> {});
            } else if (event == 3) {
                files.crash();
                try (Storage looking = files.open(StorageSettings.Mode.READ_ONLY)) {
                    assertSame(looking, expected);
                }
                actual = files.open(StorageSettings.Mode.READ_WRITE);
            }
            if (event < 5 || i == BATCHES) {
                assertSame(actual, expected);
                assertThat(actual.maintenance().check((done, total) -> {})).isEmpty();
            }
        }
        actual.close();
        assertThat(files.damage()).isEmpty();
        assertSame(files.open(StorageSettings.Mode.READ_ONLY), expected);
        files.close();
        memory.close();
    }

    private static void assertSame(Storage actual, Storage expected) {
        Map<String, Object> there = contents(actual);
        contents(expected)
                .forEach((part, value) -> assertThat(there.get(part)).as(part).isEqualTo(value));
    }

    private static Batch batch(Generated generated, Random random, int sequence) {
        List<Change> changes = new ArrayList<>();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            Change change = generated.make(Change.class);
            boolean frequent = change instanceof Change.DeleteSession || change instanceof Change.Forget;
            changes.add(frequent && random.nextInt(4) > 0 ? generated.make(Change.AppendMessages.class) : change);
        }
        List<Precondition> preconditions =
                random.nextInt(4) == 0 ? List.of(generated.make(Precondition.class)) : List.of();
        return new Batch(new BatchId("random", sequence), preconditions, changes);
    }

    private static String outcome(Ledger ledger, Batch batch) {
        try {
            return ledger.commit(batch).toString();
        } catch (InvalidRequest refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static Map<Class<?>, List<?>> pools() {
        Map<Class<?>, List<?>> pools = new LinkedHashMap<>();
        pools.put(SessionId.class, of(4, SessionId::of, "s"));
        pools.put(SessionKey.class, of(4, SessionKey::of, "agent:main:telegram:dm:"));
        pools.put(MessageId.class, of(25, MessageId::new, "m"));
        pools.put(TurnId.class, of(4, TurnId::new, "t"));
        pools.put(RunId.class, of(2, RunId::new, "r"));
        pools.put(InboundId.class, of(5, InboundId::new, "i"));
        pools.put(OutgoingId.class, of(5, OutgoingId::new, "o"));
        return pools;
    }

    private static <T> List<T> of(int count, Function<String, T> maker, String prefix) {
        return IntStream.range(0, count).mapToObj(i -> maker.apply(prefix + i)).toList();
    }

    /** Everything that can be read, save the numbers of messages, which the reference gives to refused ones too. */
    private static Map<String, Object> contents(Storage storage) {
        Map<String, Object> all = new LinkedHashMap<>();
        List<Object> sessions = new ArrayList<>();
        storage.sessions().forEach(session -> {
            sessions.add(session);
            all.put("children of " + session.id(), storage.sessions().childrenOf(session.id()));
            all.put(
                    "messages of " + session.id(),
                    unnumbered(storage.transcripts().loadAll(session.id())));
            all.put("active of " + session.id(), storage.transcripts().count(session.id()));
        });
        all.put("sessions", sessions);
        all.put("list", storage.sessions().list(SessionQuery.usual().window(-1, 0)));
        all.put(
                "active list",
                storage.sessions()
                        .list(SessionQuery.usual()
                                .window(-1, 0)
                                .shape(true, false)
                                .ordered(SessionQuery.Order.LAST_ACTIVE)));
        all.put("statistics", storage.sessions().statistics());
        List<StoredMessage> messages = new ArrayList<>();
        storage.transcripts().forEach(messages::add);
        all.put("messages", unnumbered(messages));
        List<Object> lanes = new ArrayList<>();
        storage.lanes().forEach(lane -> {
            lanes.add(lane);
            all.put("history of " + lane.key(), storage.lanes().history(lane.key(), 100));
            all.put("sessions of " + lane.key(), storage.sessions().ofLane(lane.key(), 100));
            all.put("ordinal of " + lane.key(), storage.queue().lastOrdinal(lane.key()));
        });
        all.put("lanes", lanes);
        List<Object> events = new ArrayList<>();
        storage.lanes().forEachEvent(Instant.MIN, events::add);
        all.put("events", events);
        List<Object> queue = new ArrayList<>();
        storage.queue().forEach(Instant.MIN, queue::add, queue::add, queue::add);
        all.put("queue", queue);
        all.put("claimed", storage.queue().claimed());
        all.put("undelivered", storage.queue().undelivered());
        all.put("meta", storage.meta().all());
        return all;
    }

    private static List<StoredMessage> unnumbered(List<StoredMessage> rows) {
        return rows.stream()
                .map(row -> new StoredMessage(0, row.session(), row.message(), row.state()))
                .toList();
    }
}
