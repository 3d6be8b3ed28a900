package dev.parley.persistence.sqlite.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.schema.IndexWatch;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A search that costs too much is stopped, says so, and still answers. */
class SearchCostTest {
    private static final int MESSAGES = 3_000;
    private static final CostLimit NONE = new CostLimit(Duration.ofHours(1), Duration.ofHours(1));
    private static final CostLimit AT_ONCE = new CostLimit(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    @TempDir
    Path folder;

    private OpenDatabase database;
    private final List<String> notes = new ArrayList<>();

    @BeforeEach
    void fill() throws Exception {
        database = new Openings().write(folder.resolve("state.db"));
        Connection writer = database.writer().orElseThrow();
        try (Statement statement = writer.createStatement()) {
            statement.execute("INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1)");
            statement.execute("BEGIN");
            try (PreparedStatement insert = writer.prepareStatement(
                    "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', ?, ?)")) {
                for (int i = 1; i <= MESSAGES; i++) {
                    insert.setString(1, i == 7 ? "pear pear pear" : "a pear of number " + i + " 大别山");
                    insert.setInt(2, i);
                    insert.executeUpdate();
                }
            }
            statement.execute("COMMIT");
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aSearchWithinItsLimitsIsExactAndSaysNothing() {
        assertThat(search("pear", 1, NONE, NONE, NONE)).containsExactly(7L);
        assertThat(notes).isEmpty();
    }

    @Test
    void whereRankingCostsTooMuchTheIndexAnswersByPlace() {
        assertThat(search("pear", 2, AT_ONCE, NONE, NONE)).containsExactly((long) MESSAGES, MESSAGES - 1L);
        assertThat(notes).containsExactly(SqliteTranscriptSearch.STOPPED);
    }

    @Test
    void whereTheIndexCostsTooMuchTheLatestMessagesAreRead() {
        assertThat(search("number OR pear", 2, AT_ONCE, AT_ONCE, NONE)).containsExactly((long) MESSAGES, MESSAGES - 1L);
        assertThat(search("大别山 OR nothing", 2, AT_ONCE, AT_ONCE, NONE)).containsExactly((long) MESSAGES, MESSAGES - 1L);
        assertThat(notes).hasSize(2);
    }

    @Test
    void whatWasFoundBeforeTheLastLimitIsShown() {
        assertThat(search("大别山 OR nothing", MESSAGES, AT_ONCE, AT_ONCE, AT_ONCE))
                .isNotEmpty()
                .hasSizeLessThan(MESSAGES)
                .startsWith((long) MESSAGES);
    }

    @Test
    void aSearchForEverythingIsNeverStopped() {
        assertThat(search("pear", -1, AT_ONCE, AT_ONCE, AT_ONCE)).hasSize(MESSAGES);
        assertThat(notes).isEmpty();
    }

    @Test
    void aConnectionWhoseSearchWasStoppedSearchesOn() {
        SqliteTranscriptSearch search = made(AT_ONCE, NONE, NONE);
        for (int i = 0; i < 3; i++) {
            assertThat(search.search(SearchQuery.of("pear"))).hasSize(20);
        }
        assertThat(search.search(SearchQuery.of("pear NOT number"))).hasSize(1);
    }

    private List<Long> search(String text, int limit, CostLimit exact, CostLimit byPlace, CostLimit latest) {
        SearchQuery usual = SearchQuery.of(text);
        SearchQuery query = new SearchQuery(
                text, usual.sources(), usual.excludeSources(), usual.roles(), limit, 0, usual.sort(), usual.viewer());
        return made(exact, byPlace, latest).search(query, notes::add).stream()
                .map(SearchHit::sequence)
                .toList();
    }

    private SqliteTranscriptSearch made(CostLimit exact, CostLimit byPlace, CostLimit latest) {
        return new SqliteTranscriptSearch(
                database.reads(),
                id -> Optional.empty(),
                IndexWatch.NONE,
                new SqliteTranscriptSearch.Bounds(exact, byPlace, latest));
    }
}
