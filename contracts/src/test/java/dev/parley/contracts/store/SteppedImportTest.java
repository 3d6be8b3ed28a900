package dev.parley.contracts.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.spi.Storage;
import dev.parley.application.transfer.SessionImport;
import dev.parley.application.transfer.SessionImport.Item;
import dev.parley.application.transfer.SessionImport.Limits;
import dev.parley.application.transfer.SessionImport.Outline;
import dev.parley.application.transfer.SteppedImport;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Imports of more sessions than are held at once (storage 6). */
class SteppedImportTest {
    private static final Instant START = Instant.parse("2026-03-10T12:00:00Z");

    private final MemoryStorage storage = new MemoryStorage();
    private final SeededIds ids = new SeededIds(8);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void sessionsComeAsInOneBatch(long seed) {
        List<Item> items = random(new Random(seed));
        MemoryStorage whole = new MemoryStorage();

        SessionImport.Outcome inSteps = add(storage, storage.ledger(), items);

        assertThat(inSteps).isEqualTo(new SessionImport(whole, ids, Limits.NONE).add(items));
        assertThat(contents(storage)).isEqualTo(contents(whole));
        assertThat(add(storage, storage.ledger(), items))
                .isEqualTo(new SessionImport.Outcome.Done(0, 0, items.size(), 0, 0));
        assertThat(contents(storage)).isEqualTo(contents(whole));
    }

    @Test
    void aStepHasAFewHundredMessagesAtMost() {
        List<Integer> sizes = new ArrayList<>();
        add(
                storage,
                batch -> {
                    sizes.add(batch.changes().stream()
                            .mapToInt(change -> change instanceof Change.ImportMessages messages
                                    ? messages.messages().size()
                                    : 1)
                            .sum());
                    return storage.ledger().commit(batch);
                },
                random(new Random(4)));

        assertThat(sizes).hasSizeGreaterThan(5).allMatch(size -> size <= 410);
    }

    /** Each time the import is broken off one batch later, and then done again. */
    @Test
    void anImportThatIsBrokenOffAnywhereIsMadeWholeByTheSameImport() {
        List<Item> items = random(new Random(5));
        MemoryStorage whole = new MemoryStorage();
        new SessionImport(whole, ids, Limits.NONE).add(items);
        boolean broken = true;
        for (int steps = 0; broken; steps++) {
            MemoryStorage store = new MemoryStorage();
            int[] left = {steps};
            Ledger breaking = batch -> {
                if (left[0]-- == 0) {
                    throw new StorageUnavailable("The disk is away.", null);
                }
                return store.ledger().commit(batch);
            };
            broken = breaks(() -> add(store, breaking, items));

            SessionImport.Outcome.Done done = (SessionImport.Outcome.Done) add(store, store.ledger(), items);

            assertThat(done.imported() + done.skipped()).isEqualTo(items.size());
            assertThat(contents(store)).as("after %d steps", steps).isEqualTo(contents(whole));
        }
    }

    private static boolean breaks(Runnable run) {
        try {
            run.run();
            return false;
        } catch (StorageUnavailable away) {
            return true;
        }
    }

    @Test
    void theFirstMessagesComeFirstAndEachSessionBehindItsParent() {
        List<String> order = new ArrayList<>();
        add(
                storage,
                batch -> {
                    batch.changes().forEach(change -> {
                        if (change instanceof Change.CreateSession created) {
                            order.add(created.session().id().value());
                        }
                    });
                    return storage.ledger().commit(batch);
                },
                List.of(item("late", null, null, 30), item("child", "late", null, 5), item("early", null, null, 1)));

        assertThat(order).containsExactly("early", "late", "child");
        assertThat(storage.sessions().find(SessionId.of("child")).flatMap(Session::parent))
                .contains(SessionId.of("late"));
    }

    @Test
    void nothingIsStoredWhereAnythingIsWrong() {
        SessionImport.Outcome outcome = add(
                storage,
                storage.ledger(),
                List.of(item("a", null, null, 1), item("b", null, "x".repeat(101), 2), item("a", null, null, 3)));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        SessionImport.Outcome.Refused.class,
                        refused -> assertThat(refused.problems())
                                .extracting(SessionImport.Problem::index)
                                .containsExactly(1, 2));
        assertThat(storage.sessions().count(Optional.empty())).isZero();
    }

    @Test
    void whatOthersStoreMeanwhileStaysAndTheRestIsNotStoredOverIt() {
        Ledger beside = batch -> {
            storage.ledger()
                    .commit(new dev.parley.domain.change.Batch(
                            new dev.parley.domain.change.BatchId(ids.unique("other"), 1),
                            List.of(),
                            List.of(new Change.CreateSession(session("a", null, "Mine", 0)))));
            return storage.ledger().commit(batch);
        };

        assertThatThrownBy(() -> add(storage, beside, List.of(item("a", null, "Theirs", 1))))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("import the same again");
        assertThat(storage.sessions().find(SessionId.of("a")).flatMap(Session::title))
                .contains("Mine");
    }

    private SessionImport.Outcome add(Storage store, Ledger ledger, List<Item> items) {
        return new SteppedImport(store, ledger, ids, Limits.NONE)
                .add(items.stream().map(Outline::of).toList(), items::get, (done, total) -> {});
    }

    private static Map<String, List<String>> contents(Storage store) {
        Map<String, List<String>> contents = new TreeMap<>();
        store.sessions().forEach(session -> {
            List<String> lines = new ArrayList<>();
            lines.add(session.parent() + " " + session.title() + " " + session.messageCount());
            store.transcripts()
                    .loadAll(session.id())
                    .forEach(m -> lines.add(m.message().content().plainText()));
            contents.put(session.id().value(), lines);
        });
        return contents;
    }

    /** Short sessions, some with parents anywhere among them and titles of their own, and two that take several steps. */
    private static List<Item> random(Random random) {
        List<Item> items = new ArrayList<>();
        int number = 0;
        for (int i = 0; i < 60; i++) {
            int size = i == 20 || i == 41 ? 450 : random.nextInt(30);
            long[] sequences = new long[size];
            for (int m = 0; m < size; m++) {
                sequences[m] = ++number;
            }
            String parent = random.nextInt(3) == 0 ? "s" + random.nextInt(70) : null;
            items.add(item("s" + i, parent, random.nextInt(4) == 0 ? "Plan of " + i : null, sequences));
        }
        return items;
    }

    private static Item item(String id, @Nullable String parent, @Nullable String title, long... sequences) {
        List<StoredMessage> messages = new ArrayList<>();
        for (long sequence : sequences) {
            messages.add(new StoredMessage(
                    sequence,
                    SessionId.of(id),
                    Message.builder(
                                    MessageId.ofRow(sequence),
                                    Role.USER,
                                    Content.text(id + " " + sequence),
                                    START.plusSeconds(sequence))
                            .build(),
                    StoredMessage.State.ACTIVE));
        }
        return new Item(session(id, parent, title, sequences.length), messages, 10);
    }

    private static Session session(String id, @Nullable String parent, @Nullable String title, long messages) {
        return Session.builder(SessionId.of(id), "import", START)
                .parent(parent == null ? null : SessionId.of(parent))
                .title(title)
                .counts(messages, 0)
                .build();
    }
}
