package dev.parley.persistence.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.search.SearchSyntax;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.postgres.PostgresHarness;
import dev.parley.testing.memory.MemoryStorage;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A search finds what reading every text finds, with the same snippets, and gives it in the order that was asked for. */
class PostgresSearchDifferentialTest {
    private static final int MESSAGES = 150;
    /** Each costs several reads; {@code -Pthorough} asks thousands. */
    private static final int QUERIES = Integer.getInteger("parley.search.queries", 300);

    private static final String[] WORDS = {
        "docker",
        "Docker",
        "deploy",
        "deployment",
        "café",
        "naive",
        "plan",
        "C",
        "foo_bar",
        "node",
        "übung",
        "a1",
        "x",
        "it's"
    };
    private static final String CHINESE = "大别山计划书通信协议漓江水项目的人한국어ひらカタ";
    private static final String[] SOURCES = {"cli", "telegram", "tool"};
    private static final String[] ROLES = {"user", "assistant", "tool"};

    @TempDir
    Path folder;

    private record Shown(
            SessionId session, Role role, Instant at, Optional<String> snippet, List<SearchHit.Line> context) {
        static List<Shown> of(Storage storage, SearchQuery query) {
            return storage.search().search(query).stream()
                    .map(hit -> new Shown(hit.session(), hit.role(), hit.at(), hit.snippet(), hit.context()))
                    .toList();
        }
    }

    @Test
    void aSearchFindsWhatAScanFinds() {
        Random random = new Random(11);
        try (PostgresHarness harness = new PostgresHarness(folder);
                Storage scanned = new MemoryStorage()) {
            Storage indexed = harness.open(StorageSettings.Mode.READ_WRITE);
            for (Batch batch : batches(random)) {
                indexed.ledger().commit(batch);
                scanned.ledger().commit(batch);
            }
            int hits = 0;
            for (int i = 0; i < QUERIES; i++) {
                hits += compare(indexed, scanned, query(random), random);
            }
            assertThat(hits).as("hits, so that there was something to miss").isGreaterThan(QUERIES);
        }
    }

    @Test
    void aMessageWithMoreWordsThanTheIndexHoldsIsFoundByItsLast() {
        String text =
                IntStream.range(0, 150_000).mapToObj(number -> "word" + number).collect(Collectors.joining(" "));
        try (PostgresHarness harness = new PostgresHarness(folder)) {
            Storage storage = harness.open(StorageSettings.Mode.READ_WRITE);
            SessionId session = SessionId.of("s");
            storage.ledger()
                    .commit(new Batch(
                            new BatchId("w", 1),
                            List.of(),
                            List.of(
                                    new Change.CreateSession(Session.builder(session, "cli", Instant.EPOCH)
                                            .build()),
                                    new Change.AppendMessages(
                                            session,
                                            List.of(Message.builder(
                                                            new MessageId("m"),
                                                            Role.USER,
                                                            Content.text(text),
                                                            Instant.EPOCH)
                                                    .build())))));

            assertThat(storage.search().search(SearchQuery.of("word149999"))).hasSize(1);
            assertThat(storage.search().search(SearchQuery.of("word150000"))).isEmpty();
        }
    }

    private static int compare(Storage indexed, Storage scanned, SearchQuery asked, Random random) {
        List<Shown> expected = Shown.of(scanned, asked);
        List<Shown> found = Shown.of(indexed, asked);
        boolean byTime = asked.sort().isPresent()
                || SearchSyntax.route(SearchSyntax.sanitise(asked.text())) == SearchSyntax.Route.SCAN;
        int offset = random.nextInt(4);
        if (byTime) {
            assertThat(found).as("%s", asked).containsExactlyElementsOf(expected);
        } else {
            assertThat(found).as("%s", asked).containsExactlyInAnyOrderElementsOf(expected);
        }
        assertThat(Shown.of(indexed, window(asked, 3, offset)))
                .as("%s from %d", asked, offset)
                .containsExactlyElementsOf(found.stream().skip(offset).limit(3).toList());
        return found.size();
    }

    private static SearchQuery window(SearchQuery asked, int limit, int offset) {
        return new SearchQuery(
                asked.text(),
                asked.sources(),
                asked.excludeSources(),
                asked.roles(),
                limit,
                offset,
                asked.sort(),
                asked.viewer());
    }

    private static SearchQuery query(Random random) {
        return new SearchQuery(
                typed(random),
                random.nextInt(5) == 0 ? Optional.of(List.of(one(SOURCES, random))) : Optional.empty(),
                random.nextInt(6) == 0 ? List.of(one(SOURCES, random)) : List.of(),
                random.nextInt(5) == 0 ? List.of(one(ROLES, random)) : List.of(),
                -1,
                0,
                random.nextInt(3) > 0
                        ? Optional.empty()
                        : Optional.of(random.nextBoolean() ? SearchQuery.Sort.NEWEST : SearchQuery.Sort.OLDEST),
                Viewer.operator());
    }

    private static String typed(Random random) {
        StringBuilder typed = new StringBuilder();
        int terms = 1 + random.nextInt(3);
        for (int i = 0; i < terms; i++) {
            if (i > 0) {
                typed.append(one(new String[] {" ", " ", " AND ", " OR ", " NOT ", "  "}, random));
            }
            typed.append(term(random));
        }
        return typed.toString();
    }

    private static String term(Random random) {
        return switch (random.nextInt(10)) {
            case 0 -> "\"" + one(WORDS, random) + " " + one(WORDS, random) + "\"";
            case 1 -> one(WORDS, random).substring(0, 1) + "*";
            case 2 -> one(WORDS, random) + one(new String[] {"-", ".", "'", "/"}, random) + one(WORDS, random);
            case 3, 4 -> chinese(random, 1 + random.nextInt(5));
            case 5 -> one(WORDS, random) + chinese(random, 1 + random.nextInt(3));
            case 6 -> one(new String[] {"(", "\"", "%", "_", "*", "\\", "'", "&", "|", "!", "a:*", "<->"}, random);
            default -> one(WORDS, random);
        };
    }

    private static List<Batch> batches(Random random) {
        List<Batch> batches = new ArrayList<>();
        List<Change> first = new ArrayList<>();
        for (String source : SOURCES) {
            first.add(new Change.CreateSession(Session.builder(SessionId.of("s-" + source), source, Instant.EPOCH)
                    .build()));
        }
        batches.add(new Batch(new BatchId("w", 1), List.of(), first));
        for (int i = 0; i < MESSAGES; i++) {
            SessionId session = SessionId.of("s-" + one(SOURCES, random));
            List<Change> changes = new ArrayList<>();
            changes.add(new Change.AppendMessages(session, List.of(message(i, random))));
            if (random.nextInt(10) == 0) {
                changes.add(new Change.HideMessages(
                        session,
                        List.of(new MessageId("m" + random.nextInt(i + 1))),
                        random.nextBoolean() ? StoredMessage.State.REWOUND : StoredMessage.State.COMPACTED));
            }
            batches.add(new Batch(new BatchId("w", i + 2L), List.of(), changes));
        }
        return batches;
    }

    private static Message message(int number, Random random) {
        String part = one(WORDS, random) + chinese(random, 3);
        Content content = switch (random.nextInt(14)) {
            case 0 -> Content.none();
            case 1 ->
                new Content.Multipart(new RawJson("[{\"type\":\"text\",\"text\":\"" + part + "\"}]"), List.of(part));
            default -> Content.text(content(random));
        };
        return Message.builder(
                        new MessageId("m" + number),
                        new Role(one(ROLES, random)),
                        content,
                        Instant.ofEpochSecond(random.nextInt(60)))
                .toolName(random.nextInt(5) == 0 ? one(WORDS, random) : null)
                .build();
    }

    private static String content(Random random) {
        StringBuilder content = new StringBuilder();
        boolean chinese = random.nextInt(3) == 0;
        for (int i = random.nextInt(60); i >= 0; i -= 1 + random.nextInt(9)) {
            content.append(
                    chinese && random.nextBoolean() ? chinese(random, 1 + random.nextInt(6)) : one(WORDS, random));
            content.append(one(new String[] {" ", " ", ", ", ". ", "-", "\n", "\0"}, random));
        }
        return content.toString();
    }

    private static String chinese(Random random, int length) {
        int start = random.nextInt(CHINESE.length() - length);
        return CHINESE.substring(start, start + length);
    }

    private static String one(String[] of, Random random) {
        return of[random.nextInt(of.length)];
    }
}
