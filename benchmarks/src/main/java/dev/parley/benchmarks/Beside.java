package dev.parley.benchmarks;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Measures the store beside plain JDBC on schema 11 in its plain form, with texts as people write them, in alternating
 * rounds; prints a table in Markdown with the target of each line.
 */
final class Beside {
    private static final int SMALL = 0;
    private static final int LARGE = 100_000;
    private static final int MANY = 100_000;

    private final List<String> lines = new ArrayList<>();
    private final boolean quick;
    private final int rounds;

    Beside(boolean quick) {
        this.quick = quick;
        this.rounds = quick ? 5 : 11;
    }

    /** Measures everything; {@code --quick} in fewer rounds, {@code --only=PART} one of its parts. */
    public static void main(String[] arguments) throws Exception {
        List<String> given = List.of(arguments);
        Beside beside = new Beside(given.contains("--quick"));
        Optional<String> only = given.stream()
                .filter(each -> each.startsWith("--only="))
                .map(each -> each.substring("--only=".length()))
                .findFirst();
        beside.run(only);
        beside.print();
    }

    /** Measures all parts, or the one that is named. */
    void run(Optional<String> only) throws Exception {
        if (wanted(only, "append")) {
            append(SMALL);
            append(LARGE);
        }
        if (wanted(only, "first")) {
            first();
        }
        if (wanted(only, "size")) {
            size();
        }
        if (wanted(only, "read")) {
            read();
        }
        if (wanted(only, "page")) {
            page();
        }
    }

    private static boolean wanted(Optional<String> only, String part) {
        return only.isEmpty() || only.get().equals(part);
    }

    private void append(int messages) throws Exception {
        int calls = quick ? 400 : 1_000;
        Path folder = ChatFiles.copy(messages);
        try (Side store = Side.open("store", folder);
                Side plain = Side.open("plain", folder)) {
            for (int callers : new int[] {1, 4, 8}) {
                Rounds.Found found =
                        new Rounds(rounds, calls, callers).measure(store.call(Work.APPEND), plain.call(Work.APPEND));
                String target = callers == 1 ? "≥ 1.6" : "≥ 2.5, p99 < 10 ms";
                line(String.format(Locale.ROOT, "append, %d callers, %,d messages", callers, messages), found, target);
            }
        } finally {
            Stores.remove(folder);
        }
    }

    private void first() throws IOException, SQLException, InterruptedException {
        int pairs = quick ? 3 : 7;
        ratio("append, first 300 calls of a process, empty", FirstCalls.ratio(Work.APPEND, SMALL, 300, pairs), "≥ 1.0");
        ratio("append, first 300 calls, 100,000 messages", FirstCalls.ratio(Work.APPEND, LARGE, 300, pairs), "≥ 1.0");
        for (Work work : List.of(Work.LOAD, Work.REPLAY, Work.LIST_STARTED, Work.LIST_ACTIVE)) {
            ratio(name(work) + ", first 50 calls", FirstCalls.ratio(work, LARGE, 50, pairs), "≥ 0.67");
        }
    }

    private void size() throws IOException, SQLException {
        Path folder = ChatFiles.of(LARGE);
        double store = Files.size(folder.resolve("store.db")) / 1e6;
        double plain = Files.size(folder.resolve("plain.db")) / 1e6;
        lines.add(String.format(
                Locale.ROOT,
                "| files of 100,000 messages | %.0f MB | | | %.0f MB | | | %.2f | | ≤ 0.4 |",
                store,
                plain,
                store / plain));
    }

    private void read() throws Exception {
        Path folder = ChatFiles.of(LARGE);
        try (Side store = Side.open("store", folder);
                Side plain = Side.open("plain", folder)) {
            for (Work work : Work.values()) {
                if (work != Work.APPEND) {
                    int calls = work == Work.SEARCH_SHORT_CJK ? 10 : 200;
                    line(
                            name(work) + ", 100,000 messages",
                            new Rounds(rounds, calls, 1).measure(store.call(work), plain.call(work)),
                            target(work));
                }
            }
        }
    }

    private static String target(Work work) {
        return switch (work) {
            case SEARCH_SHORT_CJK -> "≤ 3 ms";
            case SEARCH_NEWEST -> "≥ 0.91";
            default -> "≥ 1.0";
        };
    }

    private void page() throws Exception {
        Path folder = Stores.folder();
        try (Storage storage = Stores.sqlite(folder.resolve("store.db"), StorageSettings.Mode.READ_WRITE)) {
            SqliteFiles.commit(storage, lanes());
            Cursor middle = new Cursor(at(MANY / 2), id(MANY / 2));
            Cursor middleLane = new Cursor(at(MANY / 2), key(MANY / 2).value());
            SessionQuery usual = SessionQuery.usual();
            alone(
                    "page behind 50,000 of 100,000 sessions",
                    () -> storage.sessions().page(usual, Optional.of(middle)));
            alone(
                    "page behind 50,000 of 100,000 sessions by activity",
                    () -> storage.sessions().page(usual.ordered(SessionQuery.Order.LAST_ACTIVE), Optional.of(middle)));
            alone(
                    "page behind 50,000 of 100,000 lanes",
                    () -> storage.lanes().page(LaneQuery.first(20).after(Optional.of(middleLane))));
            alone(
                    "list by source, one in a thousand",
                    () -> storage.sessions().list(usual.sources(Optional.of("rare"), Set.of())));
            alone(
                    "list by source, by activity",
                    () -> storage.sessions()
                            .list(usual.sources(Optional.of("rare"), Set.of())
                                    .ordered(SessionQuery.Order.LAST_ACTIVE)));
            alone("list of a lane", () -> storage.sessions().ofLane(key(MANY / 2), 20));
            alone("list at offset 50,000", 2, () -> storage.sessions().list(usual.window(20, MANY / 2)));
        } finally {
            Stores.remove(folder);
        }
    }

    private static List<Change> lanes() {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            SessionSource source = SessionSource.builder(Platform.TELEGRAM, "c" + i)
                    .userId("u" + i)
                    .build();
            changes.add(new Change.CreateSession(
                    Session.builder(SessionId.of(id(i)), i % 1000 == 0 ? "rare" : "telegram", at(i))
                            .peer(new SessionPeer(key(i), Optional.of(source)))
                            .build()));
            changes.add(new Change.PutLane(
                    new Lane(SessionEntry.begin(key(i), SessionId.of(id(i)), source, at(i), Beginning.ordinary()), 1)));
        }
        return changes;
    }

    private static Instant at(int number) {
        return ChatFiles.START.plusSeconds(number);
    }

    private static String id(int number) {
        return String.format(Locale.ROOT, "s%06d", number);
    }

    private static SessionKey key(int number) {
        return SessionKey.of(String.format(Locale.ROOT, "agent:main:telegram:dm:c%06d", number));
    }

    private void alone(String what, Call call) throws Exception {
        alone(what, 50, call);
    }

    private void alone(String what, int calls, Call call) throws Exception {
        Rounds.Times times = new Rounds(rounds, calls, 1).measure(call).store();
        lines.add("| " + what + " | " + millis(times) + " | | | | | | ≤ 5 ms |");
        System.err.println(lines.get(lines.size() - 1));
    }

    private void line(String what, Rounds.Found found, String target) {
        lines.add(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %.2f | %.2f | %s |",
                what,
                millis(found.store()),
                millis(found.plain()),
                found.ratio(),
                found.worked(),
                target));
        System.err.println(lines.get(lines.size() - 1));
    }

    private void ratio(String what, double ratio, String target) {
        lines.add(String.format(Locale.ROOT, "| %s | | | | | | | %.2f | | %s |", what, ratio, target));
        System.err.println(lines.get(lines.size() - 1));
    }

    private static String millis(Rounds.Times times) {
        return String.format(Locale.ROOT, "%.3f | %.2f | %.1f", times.median(), times.p99(), times.worst());
    }

    private static String name(Work work) {
        return work.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Prints what was measured. */
    void print() {
        System.out.printf(
                Locale.ROOT,
                "%nBeside plain JDBC on schema 11; Java %s, %d processors. Times in milliseconds. The ratio is the plain"
                        + " time by the store's, as is that of the time of the processor.%n%n",
                System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors());
        System.out.println("""
                | Work | p50 | p99 | worst | plain p50 | plain p99 | plain worst | ratio | processor | target |
                |---|---|---|---|---|---|---|---|---|---|""");
        lines.forEach(System.out::println);
    }
}
