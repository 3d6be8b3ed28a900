package dev.parley.persistence.sqlite.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SearchQuery.Sort;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.json.ContentText;
import dev.parley.persistence.sqlite.schema.IndexWatch;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import dev.parley.persistence.sqlite.schema.SoftDelete;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Order, filters, windows, viewers, hidden messages and damaged indexes (storage 5). */
class TranscriptSearchTest {
    @TempDir
    Path folder;

    private OpenDatabase database;
    private SqliteTranscriptSearch search;

    @BeforeEach
    void open() throws SQLException {
        database = new Openings().write(folder.resolve("state.db"));
        search = new SqliteTranscriptSearch(database.reads(), TranscriptSearchTest::session, IndexWatch.NONE);
        run("INSERT INTO sessions (id, source, started_at) VALUES ('s-cli', 'cli', 1), ('s-tg', 'telegram', 2)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void newestAndOldestGoByTimeAndNotByPlace() throws SQLException {
        message("s-cli", "user", "apple one", 30);
        message("s-cli", "user", "apple two", 10);
        message("s-tg", "user", "apple three", 20);

        assertThat(found(sorted("apple", Sort.NEWEST, 20, 0))).containsExactly(1L, 3L, 2L);
        assertThat(found(sorted("apple", Sort.OLDEST, 20, 0))).containsExactly(2L, 3L, 1L);
        assertThat(found(sorted("apple", Sort.NEWEST, 1, 1))).containsExactly(3L);
    }

    @Test
    void thePathThatReadsGivesTheNewestFirstAndTheOldestWhereAsked() throws SQLException {
        message("s-cli", "user", "山 one", 30);
        message("s-cli", "user", "山 two", 10);
        message("s-tg", "user", "山 three", 30);

        assertThat(found(SearchQuery.of("山"))).containsExactly(3L, 1L, 2L);
        assertThat(found(sorted("山", Sort.OLDEST, 20, 0))).containsExactly(2L, 1L, 3L);
    }

    @Test
    void manyMatchesAreOrderedByPlaceWithoutReadingThemAll() throws SQLException {
        Connection writer = database.writer().orElseThrow();
        run("BEGIN");
        try (PreparedStatement insert = writer.prepareStatement(
                "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s-cli', 'user', 'pear', ?)")) {
            for (int i = 1; i <= SqliteTranscriptSearch.EXACTLY_SORTED + 1; i++) {
                insert.setInt(1, i);
                insert.executeUpdate();
            }
        }
        run("COMMIT");

        assertThat(found(sorted("pear", Sort.NEWEST, 2, 1))).containsExactly(1000L, 999L);
        assertThat(found(sorted("pear", Sort.OLDEST, 2, 1))).containsExactly(2L, 3L);
        assertThat(plan(SearchStatement.match(
                        SearchIndex.WORDS,
                        "pear",
                        sorted("pear", Sort.NEWEST, 2, 1),
                        SearchStatement.Order.LAST_STORED,
                        true)))
                .noneMatch(step -> step.contains("TEMP B-TREE") || step.startsWith("SCAN main."));
    }

    @Test
    void theBestMatchOrderSortsInsideTheIndex() throws SQLException {
        assertThat(plan(SearchStatement.match(
                        SearchIndex.WORDS, "pear", SearchQuery.of("pear"), SearchStatement.Order.RANK, true)))
                .noneMatch(step -> step.contains("TEMP B-TREE"))
                .contains("SEARCH main.messages USING INTEGER PRIMARY KEY (rowid=?)");
    }

    @Test
    void theContextIsFoundByTheIndexOfASessionsTimes() throws SQLException {
        assertThat(plan(new SearchStatement(SearchStatement.CONTEXT, SearchStatement.contextOf("s-cli", 1.0, 1))))
                .noneMatch(step -> step.startsWith("SCAN main."))
                .contains("SEARCH main.messages USING INDEX idx_messages_session (session_id=? AND timestamp<?)");
    }

    @ParameterizedTest
    @CsvSource({"cli, 1", "telegram, 2", "nowhere, 0"})
    void aSourceFilterKeepsItsSourceOnly(String source, long expected) throws SQLException {
        message("s-cli", "user", "plum", 1);
        message("s-tg", "assistant", "plum", 2);

        SearchQuery asked = new SearchQuery(
                "plum", Optional.of(List.of(source)), List.of(), List.of(), 20, 0, Optional.empty(), Viewer.operator());

        assertThat(found(asked)).isEqualTo(expected == 0 ? List.of() : List.of(expected));
    }

    @Test
    void excludedSourcesAndRolesAreFiltersToo() throws SQLException {
        message("s-cli", "user", "plum", 1);
        message("s-tg", "assistant", "plum", 2);
        message("s-tg", "user", "plum", 3);

        assertThat(found(new SearchQuery(
                        "plum",
                        Optional.empty(),
                        List.of("cli"),
                        List.of("user", "tool"),
                        20,
                        0,
                        Optional.empty(),
                        Viewer.operator())))
                .containsExactly(3L);
        assertThat(found(new SearchQuery(
                        "plum",
                        Optional.of(List.of()),
                        List.of(),
                        List.of(),
                        20,
                        0,
                        Optional.empty(),
                        Viewer.operator())))
                .isEmpty();
    }

    @Test
    void aNegativeLimitMeansAllAndZeroNone() throws SQLException {
        for (int i = 0; i < 30; i++) {
            message("s-cli", "user", "fig", i);
        }

        assertThat(found(window("fig", -1, 0))).hasSize(30);
        assertThat(found(window("fig", -1, 28))).hasSize(2);
        assertThat(found(window("fig", 0, 0))).isEmpty();
        assertThat(found(window("fig", 5, -3))).hasSize(5);
    }

    /** Z12.4: pages of what a viewer may see have no gaps and no doubles, and their snippets are those of the operator. */
    @ParameterizedTest
    @CsvSource({"quince", "榅桲", "榅桲果"})
    void pagesOfAViewerHaveNoGapsAndNothingForeign(String term) throws SQLException {
        for (int i = 0; i < 40; i++) {
            message(i % 3 == 0 ? "s-tg" : "s-cli", "user", term + " " + i, i);
        }
        Viewer telegramOnly = new Viewer.ChatUser(
                SessionSource.builder(Platform.TELEGRAM, "c")
                        .chatType(ChatType.DM)
                        .userId("u")
                        .build(),
                new KeyRules(Isolation.DEFAULT, AliasLookup.NONE));

        List<SearchHit> paged = new ArrayList<>();
        for (int offset = 0; offset < 20; offset += 5) {
            paged.addAll(search.search(new SearchQuery(
                    term, Optional.empty(), List.of(), List.of(), 5, offset, Optional.empty(), telegramOnly)));
        }

        List<SearchHit> all = search.search(window(term, -1, 0)).stream()
                .filter(hit -> hit.source().equals("telegram"))
                .toList();
        assertThat(all).hasSize(14);
        assertThat(paged).containsExactlyElementsOf(all);
    }

    @Test
    void aMessageThatWasTakenBackIsNeverFoundAndACompactedOneIs() throws SQLException {
        message("s-cli", "user", "kiwi before", 1);
        message("s-cli", "user", "kiwi back", 2);
        message("s-cli", "user", "kiwi 大别山", 3);
        assertThat(found(SearchQuery.of("kiwi"))).hasSize(3);

        run("BEGIN");
        SoftDelete.prepare(database.writer().orElseThrow());
        run("COMMIT");
        run("UPDATE messages SET active = 0, compacted = 1 WHERE id = 1");
        run("UPDATE messages SET active = 0 WHERE id IN (2, 3)");

        assertThat(search.search(SearchQuery.of("kiwi"))).singleElement().satisfies(hit -> {
            assertThat(hit.sequence()).isEqualTo(1);
            assertThat(hit.context()).as("neighbours taken back are not shown").hasSize(1);
        });
        assertThat(found(SearchQuery.of("大别山"))).isEmpty();
        assertThat(found(SearchQuery.of("山"))).isEmpty();
    }

    /** storage 5.5: AND and NOT hold where they were typed, a space stays OR. */
    @ParameterizedTest
    @CsvSource({
        "项目 AND 通信, 3",
        "项目 NOT 通信, 1",
        "项目 通信, 3 2 1",
        "项目 OR 通信, 3 2 1",
        "项目 and 通信, 3 2 1",
        "通信 项目 NOT docker, 2 1",
        "DOCKER AND 通信 OR 旅游, 4 3",
        "50%, ''",
        "5_山, ''",
    })
    void theReadingPathHonoursOperators(String query, String ids) throws SQLException {
        message("s-cli", "user", "项目", 1);
        message("s-cli", "user", "通信", 2);
        message("s-cli", "user", "项目通信 docker", 3);
        message("s-cli", "user", "旅游 500 5x山", 4);

        assertThat(found(SearchQuery.of(query)))
                .isEqualTo(Stream.of(ids.split(" "))
                        .filter(id -> !id.isEmpty())
                        .map(Long::valueOf)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "don't | 1",
                "path/to/file.py | 1",
                "C# | 1",
                "what? | 1",
                "user@example.com | 1",
                "#123 | 1",
                "TODO: don't | 1",
                "--verbose | 1",
                "NEAR(a b, 5) | 0",
            })
    void signsOfOrdinaryWritingFindWhatTheyName(String query, int hits) throws SQLException {
        message(
                "s-cli",
                "user",
                "TODO: don't ask what? see path/to/file.py, C#, #123, --verbose and user@example.com",
                1);

        assertThat(found(SearchQuery.of(query))).hasSize(hits);
    }

    @Test
    void theReadingPathShowsTheTextAroundTheFirstTerm() throws SQLException {
        message("s-cli", "user", "x".repeat(100) + "山" + "y".repeat(200), 1);
        message("s-cli", "tool", null, 2);
        run("UPDATE messages SET tool_name = '山工具' WHERE id = 2");

        List<SearchHit> hits = search.search(SearchQuery.of("山"));

        assertThat(hits.get(0).snippet()).isEmpty();
        assertThat(hits.get(0).toolName()).contains("山工具");
        assertThat(hits.get(1).snippet()).contains("x".repeat(40) + "山" + "y".repeat(79));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "[{\"type\":\"text\",\"text\":\" a\"},{\"type\":\"text\",\"text\":\"b \"}] | a b",
                "[{\"type\":\"image_url\"}] | [multimodal content]",
                "{\"type\":\"text\"} | ``",
            })
    void theContextOfMultiPartContentIsItsText(String json, String shown) {
        assertThat(SqliteTranscriptSearch.shown(ContentText.MARKER + json)).isEqualTo(shown);
    }

    @Test
    void theContextIsCutAtTwoHundredCharactersAndNeverInsideOne() {
        assertThat(SqliteTranscriptSearch.shown("🚀".repeat(300))).isEqualTo("🚀".repeat(200));
        assertThat(SqliteTranscriptSearch.shown(null)).isEmpty();
    }

    @Test
    void anIndexThatWasSetAsideIsReplacedByReadingAndNothingIsMissed() throws SQLException {
        message("s-cli", "user", "Docker build", 1);
        SearchIndex.setAside(database.writer().orElseThrow());
        message("s-cli", "user", "docker deploy", 2);

        assertThat(found(SearchQuery.of("docker"))).containsExactly(2L, 1L);
        assertThat(found(SearchQuery.of("docker build"))).containsExactly(1L);
        assertThat(found(SearchQuery.of("docker NOT deploy"))).containsExactly(1L);
    }

    @Test
    void whateverIsTypedTheSearchAnswers() {
        Random random = new Random(5);
        String alphabet = "ab_.-*\"()+{}^ \t:'#,;/\\@$%!?\u0000大山别é🚀AND OR NOT NEAR not ";
        int[] points = alphabet.codePoints().toArray();
        for (int i = 0; i < 3_000; i++) {
            StringBuilder typed = new StringBuilder();
            for (int n = random.nextInt(25); n > 0; n--) {
                typed.appendCodePoint(points[random.nextInt(points.length)]);
            }
            assertThatCode(() -> search.search(SearchQuery.of(typed.toString())))
                    .as("«%s»", typed)
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @CsvSource({"'a OR '", "'山 '", "'a NOT '", "'山 AND '", "'大别山 '", "'大别山 OR '"})
    void aQueryAsLongAsTheyComeIsAnswered(String part) {
        assertThatCode(() -> search.search(SearchQuery.of(part.repeat(2000) + "z")))
                .doesNotThrowAnyException();
    }

    private static SearchQuery window(String text, int limit, int offset) {
        return new SearchQuery(
                text, Optional.empty(), List.of(), List.of(), limit, offset, Optional.empty(), Viewer.operator());
    }

    private static SearchQuery sorted(String text, Sort sort, int limit, int offset) {
        return new SearchQuery(
                text, Optional.empty(), List.of(), List.of(), limit, offset, Optional.of(sort), Viewer.operator());
    }

    private List<Long> found(SearchQuery query) {
        return search.search(query).stream().map(SearchHit::sequence).toList();
    }

    private List<String> plan(SearchStatement statement) throws SQLException {
        return database.reads().read(connection -> {
            try (PreparedStatement explained = new SearchStatement(
                                    "EXPLAIN QUERY PLAN " + statement.sql(), statement.values())
                            .prepare(connection);
                    var rows = explained.executeQuery()) {
                List<String> steps = new ArrayList<>();
                while (rows.next()) {
                    steps.add(rows.getString("detail"));
                }
                return steps;
            }
        });
    }

    private void message(String session, String role, @Nullable String content, double timestamp) throws SQLException {
        try (PreparedStatement insert = database.writer()
                .orElseThrow()
                .prepareStatement("INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, ?, ?, ?)")) {
            insert.setString(1, session);
            insert.setString(2, role);
            insert.setString(3, content);
            insert.setDouble(4, timestamp);
            insert.executeUpdate();
        }
    }

    private void run(String sql) throws SQLException {
        try (var statement = database.writer().orElseThrow().createStatement()) {
            statement.execute(sql);
        }
    }

    private static Optional<Session> session(SessionId id) {
        return Optional.of(Session.builder(id, id.value().equals("s-tg") ? "telegram" : "cli", Instant.EPOCH)
                .userId("u")
                .build());
    }
}
