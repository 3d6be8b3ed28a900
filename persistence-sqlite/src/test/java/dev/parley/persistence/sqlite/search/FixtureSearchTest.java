package dev.parley.persistence.sqlite.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.domain.search.SearchSyntax;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.transcript.Role;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.IndexWatch;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import dev.parley.persistence.sqlite.statement.Seconds;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers that the other implementation gave on the same file (storage 5, 8). */
class FixtureSearchTest {
    /**
     * Queries where our decision replaces the answer: the index does not understand them, and they are asked again with every
     * term quoted (storage 5.1); or a star behind a Chinese word falls away (storage 5.5).
     */
    private static final Map<String, List<Long>> DECIDED_OTHERWISE =
            Map.of("node:20-alpine", List.of(5L, 9L), "大别山*", List.of(19L));

    @TempDir
    private static Path folder;

    private static OpenDatabase database;
    private static SqliteTranscriptSearch search;

    @BeforeAll
    static void open() throws SQLException {
        Path file = Fixtures.copy("state-v11.db", folder);
        database = new Openings().write(file);
        search = new SqliteTranscriptSearch(database.reads(), id -> Optional.empty(), IndexWatch.NONE);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    static Stream<JsonNode> queries() {
        return StreamSupport.stream(
                Fixtures.expected("state-v11.db").required("search").spliterator(), false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("queries")
    void aQueryIsSanitisedRoutedAndAnsweredAsRecorded(JsonNode answer) {
        String typed = answer.required("query").textValue();

        assertThat(SearchSyntax.sanitise(typed))
                .isEqualTo(answer.required("sanitized").textValue());
        assertThat(path(SearchPlan.of(typed, Optional.of(IndexForm.SHARED))))
                .isEqualTo(later(answer, "path").textValue());
        List<Long> found = search.search(query(typed, answer.path("params"))).stream()
                .map(SearchHit::sequence)
                .toList();
        List<Long> expected = DECIDED_OTHERWISE.getOrDefault(typed, numbers(later(answer, "ids")));
        if (answer.required("order").textValue().equals("rank")) {
            assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
        } else {
            assertThat(found).containsExactlyElementsOf(expected);
        }
    }

    static Stream<JsonNode> fullQueries() {
        return StreamSupport.stream(
                Fixtures.expected("state-v11.db").required("search_full").spliterator(), false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("fullQueries")
    void everyFieldOfAHitIsAsRecorded(JsonNode answer) {
        List<SearchHit> found = search.search(query(answer.required("query").textValue(), answer.path("params")));

        List<SearchHit> expected = new ArrayList<>();
        answer.required("results").forEach(row -> expected.add(hit(row)));
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"state-v1.db", "state-v9.db", "state-v10.db"})
    void anUpgradedFileIsSearchedAsRecorded(String name, @TempDir Path other) {
        Path file = Fixtures.copy(name, other);
        try (OpenDatabase upgraded = new Openings().write(file)) {
            assertAnswers(name, new SqliteTranscriptSearch(upgraded.reads(), id -> Optional.empty(), IndexWatch.NONE));
        }
    }

    /** Storage 1.8: opened for reading, an old file is searched by reading its messages: parts of words are found as well. */
    @ParameterizedTest
    @ValueSource(strings = {"state-v1.db", "state-v9.db", "state-v10.db"})
    void anOldFileOpenedForReadingIsSearchedToo(String name, @TempDir Path other) {
        Path file = Fixtures.copy(name, other);
        String before = Fixtures.sha256(file);
        try (OpenDatabase old = new Openings().read(file)) {
            SqliteTranscriptSearch searched =
                    new SqliteTranscriptSearch(old.reads(), id -> Optional.empty(), IndexWatch.NONE);
            for (JsonNode answer : Fixtures.expected(name).required("search_after")) {
                assertThat(searched.search(
                                SearchQuery.of(answer.required("query").textValue())))
                        .as("%s", answer)
                        .extracting(SearchHit::sequence)
                        .containsAll(numbers(answer.required("ids")));
            }
            assertThat(searched.search(SearchQuery.of("zzdel"))).isEmpty();
        }
        assertThat(Fixtures.sha256(file)).isEqualTo(before);
        assertThat(other).isDirectoryContaining("glob:**" + name).isDirectoryNotContaining("glob:**-{wal,shm}");
    }

    private static void assertAnswers(String name, SqliteTranscriptSearch searched) {
        for (JsonNode answer : Fixtures.expected(name).required("search_after")) {
            assertThat(searched.search(SearchQuery.of(answer.required("query").textValue())))
                    .as("%s", answer)
                    .extracting(SearchHit::sequence)
                    .containsExactlyInAnyOrderElementsOf(numbers(answer.required("ids")));
        }
    }

    private static SearchQuery query(String typed, JsonNode params) {
        return new SearchQuery(
                typed,
                params.has("source_filter") ? Optional.of(texts(params.required("source_filter"))) : Optional.empty(),
                texts(params.path("exclude_sources")),
                texts(params.path("role_filter")),
                params.path("limit").asInt(20),
                params.path("offset").asInt(0),
                Optional.empty(),
                Viewer.operator());
    }

    private static String path(SearchPlan plan) {
        if (plan instanceof SearchPlan.Match match) {
            return match.table().equals(SearchIndex.WORDS) ? "fts" : "trigram";
        }
        return plan instanceof SearchPlan.Scan || plan instanceof SearchPlan.Beginnings ? "like" : "none";
    }

    /** The answer of the last revision of version 11 goes before that of the first. */
    private static JsonNode later(JsonNode answer, String name) {
        return answer.has(name + "_later_v11") ? answer.required(name + "_later_v11") : answer.required(name);
    }

    private static SearchHit hit(JsonNode row) {
        List<SearchHit.Line> context = new ArrayList<>();
        row.required("context")
                .forEach(line -> context.add(new SearchHit.Line(
                        new Role(line.required("role").textValue()),
                        line.required("content").textValue())));
        return new SearchHit(
                row.required("id").longValue(),
                dev.parley.domain.session.SessionId.of(
                        row.required("session_id").textValue()),
                new Role(row.required("role").textValue()),
                Seconds.read(row.required("timestamp").doubleValue()),
                Optional.ofNullable(row.required("snippet").textValue()),
                context,
                row.required("source").textValue(),
                Optional.ofNullable(row.required("model").textValue()),
                Seconds.read(row.required("session_started").doubleValue()),
                Optional.ofNullable(row.required("tool_name").textValue()));
    }

    private static List<Long> numbers(JsonNode list) {
        List<Long> numbers = new ArrayList<>();
        list.forEach(number -> numbers.add(number.longValue()));
        return numbers;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.textValue()));
        return texts;
    }
}
