package dev.parley.persistence.sqlite.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.domain.search.SearchSyntax;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.IndexWatch;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Queries of any bytes: an answer, never an error (storage 5.1, 5.2). */
class QueryFuzzTest {
    @TempDir
    private static Path folder;

    private static Path file;
    private static String before;
    private static OpenDatabase database;
    private static SqliteTranscriptSearch search;

    @BeforeAll
    static void open() {
        file = Fixtures.copy("state-v11.db", folder);
        before = Fixtures.sha256(file);
        database = new Openings().read(file);
        search = new SqliteTranscriptSearch(database.reads(), id -> Optional.empty(), IndexWatch.NONE);
    }

    @AfterAll
    static void close() {
        database.close();
        assertThat(Fixtures.sha256(file)).isEqualTo(before);
    }

    @FuzzTest(maxDuration = "2m")
    void anyQueryIsAnswered(byte[] typed) {
        String query = new String(typed, StandardCharsets.UTF_8);

        String sanitized = SearchSyntax.sanitise(query);
        List<SearchHit> hits = search.search(SearchQuery.of(query));

        assertThat(sanitized.codePointCount(0, sanitized.length())).isLessThanOrEqualTo(3 * 2048);
        assertThat(hits).hasSizeLessThanOrEqualTo(20);
        if (SearchPlan.of(query, Optional.of(IndexForm.SHARED)) instanceof SearchPlan.Nothing) {
            assertThat(hits).isEmpty();
        }
    }
}
