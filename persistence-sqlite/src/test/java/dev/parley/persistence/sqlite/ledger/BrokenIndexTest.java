package dev.parley.persistence.sqlite.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance.Arrangement;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.HeldThreads;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A broken search index never fails a write or a search: it is set aside, the operator is told once, and it is made anew. */
class BrokenIndexTest {
    private static final SessionId SESSION = SessionId.of("20260213_180000_old003");

    /** Files as they are before they are damaged: made once and copied. */
    @TempDir
    static Path made;

    @TempDir
    Path folder;

    private HeldThreads threads = new HeldThreads();
    private final List<String> warnings = new ArrayList<>();

    static Stream<Arguments> damages() {
        List<String> damages = List.of(
                "UPDATE messages_fts_data SET block = x'0102030405'",
                "UPDATE messages_fts_trigram_data SET block = x'0102030405'",
                "UPDATE messages_fts_data SET block = CASE WHEN id = 10 THEN x'ffff' ELSE x'0000' END WHERE id >= 10",
                "UPDATE messages_fts_data SET block = zeroblob(60) WHERE id >= 10",
                "DELETE FROM messages_fts_data",
                "DROP TABLE messages_fts_config",
                "DROP TABLE messages_fts_data",
                "DROP TABLE messages_fts_docsize",
                "DROP TABLE messages_fts_trigram",
                "DROP TABLE messages_fts",
                "CREATE TRIGGER messages_fts_other AFTER INSERT ON messages_fts_docsize BEGIN"
                        + " SELECT raise(ABORT, 'the index of words is out of order'); END",
                "UPDATE messages_fts_config SET v = 99 WHERE k = 'version'");
        Stream<Arguments> usual = Stream.of(11L, 21L)
                .flatMap(version -> Stream.of(Arrangement.values())
                        .flatMap(form -> damages.stream().map(damage -> Arguments.of(version, form, damage))));
        return Stream.concat(usual, rarer());
    }

    /** Each in one form and version: what they meet does not depend on these. */
    private static Stream<Arguments> rarer() {
        Stream<Arguments> both = Stream.of(
                        "DELETE FROM messages_fts_trigram_data",
                        "DELETE FROM messages_fts_config",
                        "DROP TRIGGER messages_fts_insert",
                        "DROP TRIGGER messages_fts_trigram_delete",
                        "DROP TABLE messages_fts_idx",
                        "DROP TABLE messages_fts_trigram_data",
                        "DROP TABLE messages_fts_trigram_idx",
                        "DROP TABLE messages_fts_trigram_docsize",
                        "DROP TABLE messages_fts_trigram_config",
                        "DROP TABLE messages_fts_data; CREATE VIEW messages_fts_data AS SELECT 1 AS id, x'00' AS block",
                        "DROP TRIGGER messages_fts_insert; CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages"
                                + " BEGIN SELECT raise(ABORT, 'tool_name'); END",
                        "DROP TRIGGER messages_fts_insert; CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages"
                                + " BEGIN INSERT INTO gone (tool_name) VALUES (1); END",
                        "DROP TABLE messages_fts; CREATE TRIGGER messages_fts_ai AFTER INSERT ON messages"
                                + " BEGIN INSERT INTO messages_fts (rowid, content) VALUES (new.id, new.content); END",
                        "CREATE TRIGGER messages_fts_ai AFTER INSERT ON messages BEGIN INSERT INTO messages_fts_old"
                                + " (rowid, content) VALUES (new.id, new.content); END",
                        "CREATE TABLE parley_rebuild (form TEXT, through INTEGER, top INTEGER);"
                                + " INSERT INTO parley_rebuild VALUES ('OTHER', 1, 2)",
                        "CREATE TABLE parley_rebuild (other TEXT)")
                .flatMap(damage -> Stream.of(
                        Arguments.of(11L, Arrangement.SHARED, damage), Arguments.of(21L, Arrangement.COMPACT, damage)));
        Stream<Arguments> replaced = Stream.of(
                        "DROP TABLE messages_fts_trigram; CREATE VIEW messages_fts_trigram AS SELECT 1 AS content",
                        "DROP TABLE messages_fts; CREATE TABLE messages_fts (content TEXT NOT NULL UNIQUE);"
                                + " INSERT INTO messages_fts VALUES ('zanzibar  '), ('zanzibar 别有洞天  ')",
                        "DROP TABLE messages_fts; CREATE TABLE messages_fts (content TEXT, word TEXT NOT NULL)")
                .flatMap(damage -> Stream.of(Arrangement.values()).map(form -> Arguments.of(11L, form, damage)));
        Stream<Arguments> shared = Stream.of(
                        "DROP TABLE messages_fts_content",
                        "DROP TABLE messages_fts_trigram_content",
                        "INSERT INTO messages_fts_content (id, c0) VALUES (9, 'x')",
                        "INSERT INTO messages_fts_docsize (id, sz) VALUES (9, x'ff')")
                .map(damage -> Arguments.of(11L, Arrangement.SHARED, damage));
        Stream<Arguments> compact = Stream.of(
                        "DROP VIEW parley_indexed",
                        "DROP VIEW parley_indexed_cjk",
                        "DROP VIEW parley_indexed; CREATE VIEW parley_indexed AS SELECT id, gone AS content FROM messages",
                        "DROP VIEW parley_indexed; CREATE TABLE parley_indexed (id INTEGER, content TEXT)")
                .map(damage -> Arguments.of(11L, Arrangement.COMPACT, damage));
        return Stream.of(both, replaced, shared, compact).flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("damages")
    void aMessageIsStoredAndFoundThoughTheIndexIsBroken(long version, Arrangement form, String damage)
            throws Exception {
        Path file = arranged(version, form);
        try (Storage storage = open(file)) {
            Sql.run(file, damage.split("; (?!END)"));

            assertThat(Stores.commit(storage, said("m1", "zanzibar")).isCommitted())
                    .isTrue();
            assertThat(Stores.commit(storage, said("m2", "zanzibar")).isCommitted())
                    .isTrue();
            assertThat(found(storage, "zanzibar")).containsExactlyInAnyOrder(8L, 9L);

            threads.run();
            assertThat(found(storage, "zanzibar")).containsExactlyInAnyOrder(8L, 9L);
            assertThat(storage.search().note()).isEmpty();
            assertThat(storage.maintenance().repair((done, total) -> {})).allMatch(line -> line.startsWith("Rebuilt"));
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
        assertThat(Sql.column(file, "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'zanzibar'"))
                .containsExactlyInAnyOrder(8, 9);
    }

    @ParameterizedTest
    @MethodSource("damages")
    void aSearchAnswersThoughTheIndexIsBroken(long version, Arrangement form, String damage) throws Exception {
        Path file = arranged(version, form);
        try (Storage storage = open(file)) {
            Stores.commit(storage, said("m1", "zanzibar 别有洞天"));
            warnings.clear();
            Sql.run(file, damage.split("; (?!END)"));

            assertThat(found(storage, "zanzibar")).isSubsetOf(8L);
            assertThat(found(storage, "别有洞")).isSubsetOf(8L);
            storage.maintenance().repair((done, total) -> {});
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
            assertThat(found(storage, "zanzibar")).containsExactly(8L);
            assertThat(found(storage, "别有洞")).containsExactly(8L);
        }
    }

    @Test
    void aSearchThatFindsTheIndexDamagedAnswersByReadingAndSaysSoOnce() throws Exception {
        Path file = arranged(11, Arrangement.SHARED);
        try (Storage storage = open(file)) {
            Stores.commit(storage, said("m1", "zanzibar"));
            warnings.clear();
            Sql.run(file, "DELETE FROM messages_fts_content WHERE id = 8");

            assertThat(found(storage, "zanzibar")).containsExactly(8L);
            assertThat(found(storage, "zanzibar")).containsExactly(8L);

            assertThat(warnings).singleElement().asString().contains("is damaged", "no message is lost", "has begun");
            assertThat(storage.search().note()).get().asString().contains("every message is read", "being rebuilt");
            assertThat(threads.held()).isEqualTo(1);
            threads.run();
            assertThat(warnings).hasSize(2).last().asString().contains("is whole again");
            assertThat(storage.search().note()).isEmpty();
            assertThat(found(storage, "zanzibar")).containsExactly(8L);
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
    }

    /** A later version may index as it likes: nothing of it is made anew here, and nothing is lost. */
    @Test
    void anIndexOfALaterVersionWhoseFormIsNotKnownIsSetAsideAndNotRebuilt() throws Exception {
        Path file = arranged(21, Arrangement.SHARED);
        String porter = "CREATE VIRTUAL TABLE messages_fts USING fts5(content, tokenize='porter unicode61')";
        Sql.run(file, "DROP TABLE messages_fts", porter, "DELETE FROM messages_fts_data");
        try (Storage storage = open(file)) {
            warnings.clear();

            assertThat(Stores.commit(storage, said("m1", "zanzibar")).isCommitted())
                    .isTrue();
            assertThat(found(storage, "zanzibar")).containsExactly(8L);

            assertThat(warnings).singleElement().asString().contains("let the software that made it rebuild it");
            assertThat(storage.search().note()).get().asString().contains("let the software that made it");
            assertThat(threads.held()).isZero();
            assertThat(storage.maintenance().repair((done, total) -> {})).isEmpty();
            assertThat(storage.maintenance().check((done, total) -> {}))
                    .isNotEmpty()
                    .noneMatch(line -> line.contains("storage upgrade"));
        }
        assertThat(Sql.column(file, "SELECT sql FROM sqlite_master WHERE name = 'messages_fts'"))
                .isEqualTo(List.of(porter));
    }

    static Stream<Arguments> unreadableEntries() {
        Stream<Arguments> both = Stream.of(
                        "messages_fts_insert CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN so; END",
                        "messages_fts_trigram_update CREATE TRIGGER messages_fts_trigram_update",
                        "messages_fts CREATE VIRTUAL TABLE messages_fts USING",
                        "messages_fts_trigram nothing")
                .flatMap(entry -> Stream.of(Arrangement.values()).map(form -> Arguments.of(form, entry)));
        return Stream.concat(
                both,
                Stream.of(Arguments.of(
                        Arrangement.COMPACT, "parley_indexed CREATE VIEW parley_indexed AS SELECT id messages")));
    }

    /** The list of tables is read anew whenever it changes; that a part of the index cannot be read there damages nothing else. */
    @ParameterizedTest
    @MethodSource("unreadableEntries")
    void anEntryOfTheIndexThatCannotBeReadStopsNeitherReadsNorWrites(Arrangement form, String entry) throws Exception {
        Path file = arranged(11, form);
        try (Storage storage = open(file)) {
            Stores.commit(storage, said("m1", "zanzibar 别有洞天"));
            warnings.clear();
            unreadable(file, entry);

            assertThat(storage.transcripts().load(SESSION)).isNotEmpty();
            assertThat(found(storage, "zanzibar")).containsExactly(8L);
            assertThat(Stores.commit(storage, said("m2", "zanzibar")).isCommitted())
                    .isTrue();
            assertThat(found(storage, "zanzibar")).containsExactlyInAnyOrder(8L, 9L);
            assertThat(warnings).singleElement().asString().contains("no message is lost");

            threads.run();
            assertThat(warnings).hasSize(2).last().asString().contains("is whole again");
            assertThat(found(storage, "别有洞")).containsExactly(8L);
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("unreadableEntries")
    void anEntryOfTheIndexThatCannotBeReadIsMadeAnewThoughNobodyWrites(Arrangement form, String entry)
            throws Exception {
        Path file = arranged(11, form);
        try (Storage storage = open(file)) {
            Stores.commit(storage, said("m1", "zanzibar 别有洞天"));
            warnings.clear();
            unreadable(file, entry);

            assertThat(found(storage, "zanzibar")).containsExactly(8L);
            threads.run();
            assertThat(warnings).hasSize(2).last().asString().contains("is whole again");
            assertThat(found(storage, "别有洞")).containsExactly(8L);
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
    }

    /** What else cannot be read there is damage of the file, and the list stays as it is. */
    @Test
    void anEntryOfAnotherTableThatCannotBeReadIsDamage() throws Exception {
        Path file = arranged(11, Arrangement.SHARED);
        try (Storage storage = open(file)) {
            unreadable(file, "messages_fts_insert CREATE TRIGGER messages_fts_insert");
            unreadable(file, "parley_lanes CREATE TABLE parley_lanes (");

            assertThatThrownBy(() -> Stores.commit(storage, said("m1", "zanzibar")))
                    .isInstanceOf(StorageCorrupt.class);
        }
    }

    private static void unreadable(Path file, String entry) throws Exception {
        int space = entry.indexOf(' ');
        Sql.run(
                file,
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET sql = '" + entry.substring(space + 1) + "' WHERE name = '"
                        + entry.substring(0, space) + "'",
                "PRAGMA schema_version = 4711" + entry.length());
    }

    /** What is written while the index is made anew is in it at the end, and what is deleted is not. */
    @ParameterizedTest
    @MethodSource("forms")
    void writesGoOnWhileTheIndexIsRebuilt(Arrangement form) throws Exception {
        Path file = arranged(11, form);
        try (Storage storage = open(file)) {
            for (int i = 0; i < 25; i++) {
                Stores.commit(storage, said("m" + i, "zanzibar 大别山 " + i));
            }
            Sql.run(file, "BEGIN IMMEDIATE", "DROP TRIGGER messages_fts_insert", "COMMIT");
        }
        try (Storage storage = open(file)) {
            assertThat(storage.maintenance().status()).containsEntry("search index", "whole");
            Sql.run(file, "UPDATE messages_fts_data SET block = x'0102030405'");
            Stores.commit(storage, said("later", "zanzibar 大别山 later"));
            Sql.run(
                    file,
                    "UPDATE messages SET content = 'zanzibar 漓江水' WHERE id = 20",
                    "DELETE FROM messages WHERE id = 12");
            threads.run();

            assertThat(storage.maintenance().status()).containsEntry("search index", "whole");
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
            assertThat(found(storage, "zanzibar")).hasSize(25).contains(33L).doesNotContain(12L);
            assertThat(found(storage, "漓江水")).containsExactly(20L);
        }
    }

    /** Only the second message meets the damage, in the middle of the batch. */
    @ParameterizedTest
    @MethodSource("forms")
    void aBatchThatMeetsTheDamageInItsMiddleIsStoredAsAWhole(Arrangement form) throws Exception {
        Path file = arranged(11, form);
        SessionId other = SessionId.of("other");
        try (Storage storage = open(file)) {
            Stores.commit(storage, said("m0", "漓江水 gone"));
            Sql.run(file, "DROP TABLE messages_fts_trigram_data");

            assertThat(Stores.commit(
                                    storage,
                                    new Change.CreateSession(Session.builder(other, "cli", Openings.NOW)
                                            .title("Zanzibar")
                                            .build()),
                                    said("m1", "zanzibar"),
                                    said("m2", "zanzibar 别有洞天"),
                                    new Change.ReplaceMessages(other, List.of(message("m3", "zanzibar 别有洞天"))),
                                    new Change.PutMeta("after", "damage"))
                            .isCommitted())
                    .isTrue();

            assertThat(storage.sessions().findByTitle("Zanzibar")).isPresent();
            assertThat(storage.meta().get("after")).hasValue("damage");
            assertThat(found(storage, "zanzibar")).containsExactlyInAnyOrder(9L, 10L, 11L);
            assertThat(found(storage, "别有洞天")).containsExactlyInAnyOrder(10L, 11L);
            assertThat(warnings).singleElement().asString().contains("no message is lost");
            threads.run();
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
            assertThat(found(storage, "别有洞天")).containsExactlyInAnyOrder(10L, 11L);
        }
    }

    /** A rule that a batch breaks is the batch's own, also where the index is broken. */
    @ParameterizedTest
    @MethodSource("forms")
    void aBatchThatBreaksARuleIsRefusedAndTheIndexKept(Arrangement form) throws Exception {
        Path file = arranged(11, form);
        try (Storage storage = open(file)) {
            assertThatThrownBy(() -> Stores.commit(
                            storage,
                            new Change.AppendMessages(SessionId.of("missing"), List.of(message("m1", "zanzibar")))))
                    .isInstanceOf(InvalidRequest.class);

            assertThat(warnings).isEmpty();
            assertThat(storage.maintenance().status()).containsEntry("search index", "whole");
        }
    }

    static Stream<Arrangement> forms() {
        return Stream.of(Arrangement.values());
    }

    /** The index of this file was built by an older SQLite, and these rows cannot be taken out of it by this one. */
    @Test
    void aSessionIsDeletedThoughTheIndexDoesNotLetGoOfIt() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Sql.run(file, "UPDATE schema_version SET version = 21");
        String session = String.valueOf(Sql.column(file, "SELECT session_id FROM messages WHERE id = 29")
                .get(0));
        try (Storage storage = Stores.write(file)) {
            Change.DeleteSession delete = new Change.DeleteSession(SessionId.of(session));
            assertThat(Stores.commit(storage, delete).isCommitted()).isTrue();

            assertThat(storage.sessions().find(SessionId.of(session))).isEmpty();
        }
        assertThat(Sql.column(file, "SELECT count(*) FROM messages WHERE session_id = '" + session + "'"))
                .containsExactly(0);
        try (Storage storage = Stores.write(file)) {
            assertThat(storage.maintenance().status()).containsEntry("search index", "whole");
        }
    }

    private Path arranged(long version, Arrangement form) throws Exception {
        Path sound = made.resolve(form + "-" + version + ".db");
        if (Files.notExists(sound)) {
            Path file = Fixtures.copy("state-v9.db", folder);
            try (Storage storage = Stores.write(file)) {
                storage.maintenance().arrange(form, (done, total) -> {});
            }
            Sql.run(file, "UPDATE schema_version SET version = " + version, "PRAGMA wal_checkpoint(TRUNCATE)");
            Files.move(file, sound);
        }
        return Files.copy(sound, folder.resolve("state.db"));
    }

    private Storage open(Path file) {
        threads = new HeldThreads();
        return Stores.open(file, StorageSettings.Mode.READ_WRITE, Map.of(), threads, warnings::add);
    }

    private static Change said(String id, String text) {
        return new Change.AppendMessages(SESSION, List.of(message(id, text)));
    }

    private static Message message(String id, String text) {
        return Message.builder(new MessageId(id), Role.USER, Content.text(text), Openings.NOW)
                .build();
    }

    private static List<Long> found(Storage storage, String text) {
        return storage
                .search()
                .search(new SearchQuery(
                        text,
                        java.util.Optional.empty(),
                        List.of(),
                        List.of(),
                        -1,
                        0,
                        java.util.Optional.empty(),
                        dev.parley.domain.session.Viewer.operator()))
                .stream()
                .map(SearchHit::sequence)
                .toList();
    }
}
