package dev.parley.persistence.sqlite.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance.Arrangement;
import dev.parley.domain.change.Change;
import dev.parley.domain.search.SearchedText;
import dev.parley.domain.search.TextSearch;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A bit of the search index is another one than was written, in a place where SQLite reads it without complaint. No search answers a message
 * that does not match, a check tells whatever changes an answer, and a repair sets it right.
 */
class FlippedBitsTest {
    private static final int TRIED = Integer.getInteger("parley.flipped.bits", 8);
    private static final int MESSAGES = 120;
    private static final String CHINESE = "大别山计划书通信协议漓江水项目";
    private static final SessionId SESSION = SessionId.of("s");

    @TempDir
    Path folder;

    private final Map<Long, String> texts = new TreeMap<>();

    /** One term takes the place of another: what a flipped bit can make of the index of a compact file. */
    @Test
    void aHitThatDoesNotMatchIsNotAnsweredAndTheCheckTellsOfIt() throws Exception {
        Path file = sound("new", new Random(1));
        Sql.run(
                file,
                "INSERT INTO messages_fts(messages_fts, rowid, content) VALUES ('delete', 7, 'word1')",
                "INSERT INTO messages_fts(rowid, content) VALUES (7, 'zanzibar')",
                "INSERT INTO messages_fts_trigram(rowid, content) VALUES (8, '别有洞天')",
                "UPDATE messages_fts_docsize SET sz = (SELECT sz FROM messages_fts_docsize WHERE id = 9) WHERE id = 7");
        try (Storage storage = Stores.read(file)) {
            List<String> notes = new ArrayList<>();
            assertThat(storage.search().search(SearchQuery.of("zanzibar"), notes::add))
                    .isEmpty();
            assertThat(notes).singleElement().asString().contains("every message is read");
            assertThat(storage.search().search(SearchQuery.of("别有洞天"))).isEmpty();
            assertThat(storage.maintenance().check((done, total) -> {}))
                    .hasSizeGreaterThanOrEqualTo(2)
                    .allMatch(line -> line.contains("no message is lost"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"new", "converted", "shared", "of version 1", "of version 10"})
    void whateverBitOfTheIndexIsFlippedNoWrongHitIsAnsweredUnseen(String form) throws Exception {
        Random random = new Random(form.hashCode() + Long.getLong("parley.flipped.seed", 1));
        Path sound = sound(form, random);
        List<String> terms = terms(sound);
        Map<String, String> right = answers(sound, terms);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < TRIED; i++) {
            Path file = folder.resolve("flipped.db");
            Files.deleteIfExists(folder.resolve("flipped.db-wal"));
            Files.deleteIfExists(folder.resolve("flipped.db-shm"));
            Files.copy(sound, file, StandardCopyOption.REPLACE_EXISTING);
            String where = flip(file, random);
            try {
                read(file, terms, !answers(file, terms).equals(right));
                write(file, terms, right);
            } catch (RuntimeException | AssertionError e) {
                wrong.add(where + ": " + e);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private void read(Path file, List<String> terms, boolean answersOtherwise) {
        try (Storage storage = Stores.read(file)) {
            if (answersOtherwise) {
                assertThat(storage.maintenance().check((done, total) -> {}))
                        .isNotEmpty()
                        .allMatch(line -> line.contains("no message is lost"));
            }
            for (String term : some(terms)) {
                assertThat(found(storage, term))
                        .as(term)
                        .doesNotHaveDuplicates()
                        .isSubsetOf(matching(term));
            }
        }
    }

    private void write(Path file, List<String> terms, Map<String, String> right) throws Exception {
        try (Storage storage = Stores.write(file)) {
            assertThat(Stores.commit(storage, said("zebra 山山山山")).isCommitted()).isTrue();
            assertThat(storage.transcripts().count(SESSION)).isEqualTo(MESSAGES + 1);
            storage.maintenance().repair((done, total) -> {});
            assertThat(storage.maintenance().check((done, total) -> {}))
                    .allMatch(line -> line.contains("run \"parley storage vacuum\""));
            for (String term : some(terms)) {
                assertThat(found(storage, term)).as(term).containsExactlyInAnyOrderElementsOf(matching(term));
            }
            assertThat(found(storage, "zebra")).hasSize(1);
        }
        assertThat(answers(file, terms)).isEqualTo(right);
    }

    private static List<String> some(List<String> terms) {
        return IntStream.range(0, terms.size())
                .filter(i -> i % 9 == 0)
                .mapToObj(terms::get)
                .toList();
    }

    private List<Long> matching(String query) {
        TextSearch search = TextSearch.of(query).orElseThrow();
        return texts.entrySet().stream()
                .filter(text -> new SearchedText(search, text.getValue()).matches())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<Long> found(Storage storage, String text) {
        SearchQuery all = new SearchQuery(
                text, Optional.empty(), List.of(), List.of(), -1, 0, Optional.empty(), Viewer.operator());
        return storage.search().search(all).stream().map(SearchHit::sequence).toList();
    }

    /** What is asked: each term of both indexes, and beginnings of words. */
    private static List<String> terms(Path file) throws Exception {
        TreeSet<String> terms = new TreeSet<>();
        try (Connection connection = Sql.connect(file)) {
            for (String table : List.of("messages_fts", "messages_fts_trigram")) {
                connection
                        .createStatement()
                        .execute("CREATE VIRTUAL TABLE temp." + table + "_terms USING fts5vocab('main', '" + table
                                + "', 'row')");
                Sql.rows(connection, "SELECT term FROM " + table + "_terms")
                        .forEach(row -> terms.add(String.valueOf(row.get("term"))));
            }
        }
        terms.removeIf(term -> !term.matches("word\\d+|[大别山计划书通信协议漓江水项目]+"));
        terms.add("word1*");
        return List.copyOf(terms);
    }

    /** What the index itself says to each term, or how it fails. */
    private static Map<String, String> answers(Path file, List<String> terms) throws SQLException {
        Map<String, String> answers = new TreeMap<>();
        try (Connection connection = Sql.connect(file)) {
            for (String term : terms) {
                answers.put(term, answer(connection, term));
            }
        }
        return answers;
    }

    private static String answer(Connection connection, String term) {
        String table = term.matches("\\w+\\*?") ? "messages_fts" : "messages_fts_trigram";
        List<Long> rows = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT rowid FROM " + table + " WHERE " + table + " MATCH ? AND rowid <= " + MESSAGES)) {
            statement.setString(1, term);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    rows.add(row.getLong(1));
                }
            }
            return rows.toString();
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String flip(Path file, Random random) throws Exception {
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        for (String table : List.of("messages_fts_data", "messages_fts_trigram_data")) {
            records.addAll(Sql.rows(file, "SELECT '" + table + "' AS t, id FROM " + table));
        }
        Map<String, @Nullable Object> record = records.get(random.nextInt(records.size()));
        String table = String.valueOf(record.get("t"));
        long id = ((Number) Objects.requireNonNull(record.get("id"))).longValue();
        byte[] block =
                (byte[]) Objects.requireNonNull(Sql.column(file, "SELECT block FROM " + table + " WHERE id = " + id)
                        .get(0));
        int at = random.nextInt(block.length);
        int before = block[at];
        block[at] = random.nextInt(4) == 0 ? (byte) random.nextInt(256) : (byte) (before ^ (1 << random.nextInt(8)));
        try (Connection connection = Sql.connect(file);
                PreparedStatement update =
                        connection.prepareStatement("UPDATE " + table + " SET block = ? WHERE id = ?")) {
            update.setBytes(1, block);
            update.setLong(2, id);
            update.executeUpdate();
        }
        return table + " " + id + " byte " + at + " of " + block.length + " from " + before + " to " + block[at];
    }

    private Path sound(String form, Random random) throws Exception {
        Path file;
        if (form.startsWith("of version ")) {
            file = Fixtures.copy("state-v" + form.substring("of version ".length()) + ".db", folder);
            Sql.run(file, "DELETE FROM messages", "DELETE FROM sessions");
            write(file, random);
            Stores.write(file).close();
        } else {
            file = folder.resolve("sound.db");
            try (Storage storage = Stores.write(file)) {
                if (!form.equals("new")) {
                    storage.maintenance().arrange(Arrangement.SHARED, (done, total) -> {});
                }
                write(file, random);
                if (form.equals("converted")) {
                    storage.maintenance().arrange(Arrangement.COMPACT, (done, total) -> {});
                }
            }
        }
        Sql.run(file, "PRAGMA wal_checkpoint(TRUNCATE)");
        return file;
    }

    private void write(Path file, Random random) throws Exception {
        try (Connection connection = Sql.connect(file);
                PreparedStatement insert = connection.prepareStatement("INSERT INTO messages (id, session_id, role,"
                        + " content, tool_name, timestamp) VALUES (?, 's', 'user', ?, ?, ?)")) {
            connection.setAutoCommit(false);
            connection
                    .createStatement()
                    .execute("INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1)");
            for (long id = 1; id <= MESSAGES; id++) {
                String content = content(random);
                String tool = random.nextInt(5) == 0 ? word(random) : null;
                insert.setLong(1, id);
                insert.setString(2, content);
                insert.setString(3, tool);
                insert.setLong(4, id);
                insert.executeUpdate();
                texts.put(id, content + " " + (tool == null ? "" : tool) + " ");
            }
            connection.commit();
        }
    }

    private static String content(Random random) {
        StringBuilder content = new StringBuilder();
        boolean chinese = random.nextInt(3) == 0;
        for (int i = 0; i < 25; i++) {
            int start = random.nextInt(CHINESE.length() - 5);
            content.append(
                    chinese && random.nextBoolean()
                            ? CHINESE.substring(start, start + 3 + random.nextInt(3))
                            : word(random));
            content.append(' ');
        }
        return content.toString();
    }

    /** None is part of another: a search that reads the messages finds parts of words, too. */
    private static String word(Random random) {
        return "word" + (100 + random.nextInt(300));
    }

    private static Change said(String text) {
        return new Change.AppendMessages(
                SESSION,
                List.of(Message.builder(new MessageId("said"), Role.USER, Content.text(text), Openings.NOW)
                        .build()));
    }
}
