package dev.parley.persistence.sqlite.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance.Arrangement;
import dev.parley.domain.search.SearchSyntax;
import dev.parley.domain.search.SearchedText;
import dev.parley.domain.search.TextSearch;
import dev.parley.domain.session.Viewer;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the form of the index, a search finds what reading every text finds, and gives it in the order that was asked for. */
class SearchDifferentialTest {
    private static final int MESSAGES = 240;
    private static final int QUERIES = Integer.getInteger("parley.search.queries", 150);
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
        "Übung",
        "ΟΔΟΣ",
        "οδος",
        "a1",
        "x"
    };
    private static final String CHINESE = "大别山计划书通信协议漓江水项目的人한국어ひらカタ";
    private static final String[] SOURCES = {"cli", "telegram", "tool"};
    private static final String[] ROLES = {"user", "assistant", "tool"};

    @TempDir
    Path folder;

    /** A message as it is written by whoever knows schema 11. */
    private record Text(
            long id,
            String source,
            String role,
            double at,
            @Nullable String content,
            @Nullable String toolName,
            @Nullable String toolCalls) {
        String joined(String by) {
            return or(content) + by + or(toolName) + by + or(toolCalls);
        }

        private static String or(@Nullable String column) {
            return column == null ? "" : column;
        }
    }

    static Stream<Arguments> forms() {
        return Stream.of("new", "converted", "shared", "taken back", "of version 1", "of version 10")
                .flatMap(form -> Stream.of(1L).map(seed -> Arguments.of(form, seed)));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("forms")
    @DisplayName("A search finds what a scan of the texts finds")
    void aSearchFindsWhatAScanFinds(String form, long seed) throws Exception {
        Random random = new Random(seed);
        try (Made made = make(form, random)) {
            assertThat(made.storage().maintenance().check((done, total) -> {})).isEmpty();
            ask(query -> ids(made.storage(), query), made.texts(), random);
        }
    }

    /** A search that does one thing otherwise than it should; each must be found out. */
    static Stream<Arguments> mutants() {
        return Stream.of(
                mutant("loses the last hit", (search, asked) -> {
                    List<Long> found = search.apply(asked);
                    return found.size() < 2 ? found : found.subList(0, found.size() - 1);
                }),
                mutant("gives a hit twice", (search, asked) -> {
                    List<Long> found = new ArrayList<>(search.apply(asked));
                    found.addAll(found.subList(0, Math.min(1, found.size())));
                    return found;
                }),
                mutant(
                        "heeds no source",
                        changed(q -> with(q, q.text(), Optional.empty(), q.excludeSources(), q.roles()))),
                mutant("excludes no source", changed(q -> with(q, q.text(), q.sources(), List.of(), q.roles()))),
                mutant("heeds no role", changed(q -> with(q, q.text(), q.sources(), q.excludeSources(), List.of()))),
                mutant("takes and for or", typing(" AND ", " OR ")),
                mutant("does not see NOT", typing(" NOT ", " ")),
                mutant("takes a phrase for words", typing("\"", "")),
                mutant("takes a beginning for a word", typing("*", "")),
                mutant(
                        "begins a page one later",
                        (search, asked) -> search.apply(
                                asked.offset() > 0 ? window(asked, asked.limit(), asked.offset() + 1) : asked)),
                mutant("gives times the other way round", (search, asked) -> {
                    List<Long> found = new ArrayList<>(search.apply(asked));
                    if (asked.sort().isPresent()) {
                        Collections.reverse(found);
                    }
                    return found;
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void aSearchThatIsWrongIsFoundOut(String how, Mutant mutant) throws Exception {
        Random random = new Random(1);
        try (Made made = make("new", random)) {
            assertThatThrownBy(() -> ask(
                            asked -> mutant.search(query -> ids(made.storage(), query), asked), made.texts(), random))
                    .as(how)
                    .isInstanceOf(AssertionError.class);
        }
    }

    /** SQLite does not notice that an index lacks some messages. */
    @ParameterizedTest
    @CsvSource({"messages_fts, parley_indexed", "messages_fts_trigram, parley_indexed_cjk"})
    void anIndexThatLacksMessagesIsFoundOut(String table, String texts) throws Exception {
        Random random = new Random(1);
        try (Made made = make("new", random)) {
            Sql.run(
                    made.file(),
                    "INSERT INTO " + table + " (" + table + ", rowid, content) SELECT 'delete', id, content FROM "
                            + texts + " WHERE id % 4 = 0");

            assertThatThrownBy(() -> ask(query -> ids(made.storage(), query), made.texts(), random))
                    .isInstanceOf(AssertionError.class);
        }
    }

    /** Answers a query with the help of a search that is right. */
    private interface Mutant {
        List<Long> search(Function<SearchQuery, List<Long>> right, SearchQuery asked);
    }

    private static Arguments mutant(String how, Mutant mutant) {
        return Arguments.of(how, mutant);
    }

    private static Mutant changed(UnaryOperator<SearchQuery> change) {
        return (search, asked) -> search.apply(change.apply(asked));
    }

    private static Mutant typing(String instead, String typed) {
        return changed(q -> with(q, q.text().replace(instead, typed), q.sources(), q.excludeSources(), q.roles()));
    }

    private static SearchQuery with(
            SearchQuery asked, String text, Optional<List<String>> sources, List<String> excluded, List<String> roles) {
        return new SearchQuery(
                text, sources, excluded, roles, asked.limit(), asked.offset(), asked.sort(), asked.viewer());
    }

    /** A database with texts, open. */
    private record Made(Path file, Storage storage, List<Text> texts) implements AutoCloseable {
        @Override
        public void close() {
            storage.close();
        }
    }

    private Made make(String form, Random random) throws Exception {
        if (form.startsWith("of version ")) {
            Path file = Fixtures.copy("state-v" + form.substring("of version ".length()) + ".db", folder);
            Sql.run(file, "DELETE FROM messages", "DELETE FROM sessions");
            List<Text> texts = write(file, random);
            return new Made(file, Stores.write(file), texts);
        }
        Path file = folder.resolve("state.db");
        Storage storage = Stores.write(file);
        arrange(storage, form, true);
        List<Text> texts = write(file, random);
        arrange(storage, form, false);
        return new Made(file, storage, texts);
    }

    private static void ask(Function<SearchQuery, List<Long>> search, List<Text> texts, Random random) {
        for (int i = 0; i < QUERIES; i++) {
            compare(search, texts, query(random), random);
        }
    }

    private static void arrange(Storage storage, String form, boolean before) {
        boolean shared = before ? !form.equals("new") && !form.equals("taken back") : !form.equals("new");
        if (form.equals("converted") && !before) {
            shared = false;
        }
        storage.maintenance().arrange(shared ? Arrangement.SHARED : Arrangement.COMPACT, (done, total) -> {});
    }

    private static void compare(
            Function<SearchQuery, List<Long>> search, List<Text> texts, SearchQuery asked, Random random) {
        List<Long> found = search.apply(asked);
        List<Text> expected = matching(texts, asked);
        boolean byTime = asked.sort().isPresent()
                || SearchSyntax.route(SearchSyntax.sanitise(asked.text())) == SearchSyntax.Route.SCAN;
        if (byTime) {
            Comparator<Text> oldest = Comparator.comparingDouble(Text::at).thenComparingLong(Text::id);
            boolean forwards = asked.sort().equals(Optional.of(SearchQuery.Sort.OLDEST));
            List<Long> ordered = expected.stream()
                    .sorted(forwards ? oldest : oldest.reversed())
                    .map(Text::id)
                    .toList();
            assertThat(found).as("%s", asked).containsExactlyElementsOf(ordered);
            int offset = random.nextInt(5);
            assertThat(search.apply(window(asked, 3, offset)))
                    .as("%s from %d", asked, offset)
                    .containsExactlyElementsOf(
                            ordered.stream().skip(offset).limit(3).toList());
        } else {
            assertThat(found)
                    .as("%s", asked)
                    .containsExactlyInAnyOrderElementsOf(
                            expected.stream().map(Text::id).toList());
            assertThat(search.apply(window(asked, 2, 1)))
                    .as("%s in part", asked)
                    .containsExactlyElementsOf(found.stream().skip(1).limit(2).toList());
        }
    }

    private static List<Text> matching(List<Text> texts, SearchQuery asked) {
        Optional<TextSearch> search = TextSearch.of(asked.text());
        if (search.isEmpty()) {
            return List.of();
        }
        String between = search.get().route() == SearchSyntax.Route.SCAN ? "\u0001" : " ";
        return texts.stream()
                .filter(text ->
                        asked.sources().map(s -> s.contains(text.source())).orElse(true))
                .filter(text -> !asked.excludeSources().contains(text.source()))
                .filter(text -> asked.roles().isEmpty() || asked.roles().contains(text.role()))
                .filter(text -> new SearchedText(search.get(), text.joined(between)).matches())
                .toList();
    }

    private static List<Long> ids(Storage storage, SearchQuery asked) {
        return storage.search().search(asked).stream().map(SearchHit::sequence).toList();
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
        if (random.nextInt(8) == 0) {
            return garbage(random) + (random.nextBoolean() ? "" : " " + garbage(random));
        }
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
        return switch (random.nextInt(9)) {
            case 0 -> "\"" + one(WORDS, random) + " " + one(WORDS, random) + "\"";
            case 1 -> one(WORDS, random).substring(0, 1) + "*";
            case 2 -> one(WORDS, random) + one(new String[] {"-", "."}, random) + one(WORDS, random);
            case 3, 4 -> chinese(random, 1 + random.nextInt(5));
            case 5 -> one(WORDS, random) + chinese(random, 1 + random.nextInt(3));
            default -> one(WORDS, random);
        };
    }

    private static String garbage(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> one(new String[] {"(", "\"", "%", "_", "*", "--", "#", "^x", "，", ">>"}, random);
            case 1 ->
                one(WORDS, random) + one(new String[] {"/", "'", ":", "!", "?", "@"}, random) + one(WORDS, random);
            default -> one(WORDS, random);
        };
    }

    private static List<Text> write(Path file, Random random) throws Exception {
        List<Text> texts = new ArrayList<>();
        try (Connection connection = Sql.connect(file)) {
            connection.setAutoCommit(false);
            for (String source : SOURCES) {
                try (PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO sessions (id, source, started_at) VALUES (?, ?, 1)")) {
                    insert.setString(1, "s-" + source);
                    insert.setString(2, source);
                    insert.executeUpdate();
                }
            }
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO messages (id, session_id, role,"
                    + " content, tool_name, tool_calls, timestamp) VALUES (?, ?, ?, ?, ?, ?, ?)")) {
                for (long id = 1; id <= MESSAGES; id++) {
                    Text text = text(id, random);
                    insert.setLong(1, id);
                    insert.setString(2, "s-" + text.source());
                    insert.setString(3, text.role());
                    insert.setString(4, text.content());
                    insert.setString(5, text.toolName());
                    insert.setString(6, text.toolCalls());
                    insert.setDouble(7, text.at());
                    insert.executeUpdate();
                    texts.add(text);
                }
            }
            change(connection, texts, random);
            connection.commit();
        }
        return texts;
    }

    /** Some texts are changed and some go. */
    private static void change(Connection connection, List<Text> texts, Random random) throws Exception {
        for (int i = 0; i < MESSAGES / 10; i++) {
            int at = random.nextInt(texts.size());
            Text old = texts.get(at);
            if (random.nextBoolean()) {
                texts.remove(at);
                Supplier<String> delete = () -> "DELETE FROM messages WHERE id = " + old.id();
                connection.createStatement().execute(delete.get());
                continue;
            }
            String content = content(random);
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE messages SET content = ? WHERE id = ?")) {
                update.setString(1, content);
                update.setLong(2, old.id());
                update.executeUpdate();
            }
            texts.set(
                    at,
                    new Text(old.id(), old.source(), old.role(), old.at(), content, old.toolName(), old.toolCalls()));
        }
    }

    private static Text text(long id, Random random) {
        boolean tool = random.nextInt(5) == 0;
        return new Text(
                id,
                one(SOURCES, random),
                one(ROLES, random),
                random.nextInt(100) + id / 1000.0,
                random.nextInt(12) == 0 ? null : content(random),
                tool ? one(WORDS, random) : null,
                tool
                        ? "[{\"function\":{\"name\":\"" + one(WORDS, random) + "\",\"arguments\":\""
                                + chinese(random, 4) + "\"}}]"
                        : null);
    }

    private static String content(Random random) {
        StringBuilder content = new StringBuilder();
        boolean chinese = random.nextInt(3) == 0;
        for (int i = random.nextInt(12); i >= 0; i--) {
            content.append(
                    chinese && random.nextBoolean() ? chinese(random, 1 + random.nextInt(6)) : one(WORDS, random));
            content.append(one(new String[] {" ", " ", ", ", ". ", "-", "\n"}, random));
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
