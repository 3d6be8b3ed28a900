package dev.parley.persistence.sqlite.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.Page;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of sessions make up their list, whatever is in it (storage 3.9). */
class SessionPagesTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void pagesMakeUpTheListOfChainsBranchesAndSourcesInEveryOrder(long seed) {
        try (Storage store = Stores.write(folder.resolve("state.db"))) {
            fill(store, new Random(seed), 90);

            for (SessionQuery query : queries()) {
                List<SessionListing> whole = store.sessions().list(query.window(-1, 0));
                for (int limit : new int[] {1, 4, 7}) {
                    assertThat(all(store, query.window(limit, 3)))
                            .as("%s by %d", query, limit)
                            .isEqualTo(whole);
                }
            }
        }
    }

    @Test
    void pagesOfASourceWithManySessionsMakeUpItsList() {
        try (Storage store = Stores.write(folder.resolve("state.db"))) {
            List<Change> changes = new ArrayList<>();
            for (int i = 0; i < 2 * SourceSessions.FEW + 400; i++) {
                changes.add(new Change.CreateSession(
                        Session.builder(SessionId.of("s" + i), i % 2 == 0 ? "many" : "cli", at(i / 3))
                                .build()));
            }
            Stores.commit(store, changes.toArray(Change[]::new));

            for (SessionQuery.Order order : SessionQuery.Order.values()) {
                SessionQuery query = SessionQuery.usual()
                        .sources(Optional.of("many"), Set.of())
                        .ordered(order);
                List<SessionListing> whole = store.sessions().list(query.window(-1, 0));

                assertThat(whole).hasSize(SourceSessions.FEW + 200);
                assertThat(all(store, query.window(250, 0))).isEqualTo(whole);
            }
        }
    }

    @Test
    void whatHasBeenActiveSinceDisturbsNoPageBehindIt() {
        try (Storage store = Stores.write(folder.resolve("state.db"))) {
            for (int i = 0; i < 9; i++) {
                begin(store, "s" + i, i);
                say(store, "s" + i, 100 + i);
            }
            SessionQuery query = SessionQuery.usual().window(3, 0).ordered(SessionQuery.Order.LAST_ACTIVE);
            Page<SessionListing> first = store.sessions().page(query, Optional.empty());

            say(store, "s6", 1_000);
            Page<SessionListing> second = store.sessions().page(query, first.next());

            assertThat(ids(first.rows())).containsExactly("s8", "s7", "s6");
            assertThat(ids(second.rows())).containsExactly("s5", "s4", "s3");
        }
    }

    @Test
    void aMessageOlderThanTheBeginningOfItsSessionLeavesPagesAndListTheSame() {
        try (Storage store = Stores.write(folder.resolve("state.db"))) {
            begin(store, "late", 50);
            begin(store, "middle", 20);
            say(store, "late", 10);
            SessionQuery query = SessionQuery.usual().window(1, 0).ordered(SessionQuery.Order.LAST_ACTIVE);

            assertThat(ids(store.sessions().list(query.window(-1, 0)))).containsExactly("middle", "late");
            assertThat(ids(all(store, query))).containsExactly("middle", "late");
        }
    }

    @Test
    void pagesHaveWhatOthersWroteJustNow() throws Exception {
        Path file = folder.resolve("state.db");
        try (Storage store = Stores.write(file)) {
            for (int i = 0; i < 5; i++) {
                begin(store, "s" + i, i);
            }
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = other.createStatement()) {
                statement.execute("insert into sessions(id, source, started_at) values ('foreign', 'cli', "
                        + Openings.NOW.getEpochSecond() + ".1234567891)");
                statement.execute("insert into messages(session_id, role, timestamp) values ('s1', 'user', "
                        + (Openings.NOW.getEpochSecond() + 500) + ".7500029)");
            }
            for (SessionQuery.Order order : SessionQuery.Order.values()) {
                SessionQuery query = SessionQuery.usual().window(1, 0).ordered(order);
                List<SessionListing> whole = store.sessions().list(query.window(-1, 0));

                assertThat(whole).hasSize(6);
                assertThat(all(store, query)).isEqualTo(whole);
            }
            begin(store, "s5", 5);
            for (SessionQuery.Order order : SessionQuery.Order.values()) {
                SessionQuery query = SessionQuery.usual().window(1, 0).ordered(order);

                assertThat(all(store, query)).isEqualTo(store.sessions().list(query.window(-1, 0)));
            }
        }
    }

    private static List<SessionQuery> queries() {
        List<SessionQuery> queries = new ArrayList<>();
        for (SessionQuery.Order order : SessionQuery.Order.values()) {
            SessionQuery usual = SessionQuery.usual().ordered(order);
            queries.add(usual);
            queries.add(usual.withArchived());
            queries.add(usual.shape(true, false));
            queries.add(usual.shape(false, false));
            queries.add(usual.sources(Optional.of("rare"), Set.of()));
            queries.add(usual.sources(Optional.of("rare"), Set.of()).shape(true, false));
            queries.add(usual.sources(Optional.of("nobody"), Set.of()));
            queries.add(usual.sources(Optional.empty(), Set.of("cli")));
            queries.add(usual.matching(false, Optional.of("7")));
        }
        return queries;
    }

    private static void fill(Storage store, Random random, int sessions) {
        for (int i = 0; i < sessions; i++) {
            String id = "s" + i;
            Session.Builder session =
                    Session.builder(SessionId.of(id), random.nextInt(8) == 0 ? "rare" : "cli", at(random.nextInt(40)));
            if (i > 0 && random.nextInt(3) > 0) {
                int parent = random.nextInt(i);
                session.parent(SessionId.of("s" + parent));
                if (random.nextInt(3) > 0) {
                    Stores.commit(
                            store,
                            new Change.EditSession(
                                    SessionId.of("s" + parent),
                                    new SessionEdit.End(Ending.of(
                                            at(random.nextInt(40)),
                                            random.nextInt(4) == 0 ? Ending.BRANCHED : Ending.COMPRESSION))));
                }
            }
            Stores.commit(
                    store,
                    new Change.CreateSession(
                            session.archived(random.nextInt(9) == 0).build()));
            for (int said = random.nextInt(3); said > 0; said--) {
                say(store, "s" + random.nextInt(i + 1), random.nextInt(60));
            }
        }
    }

    private static void begin(Storage store, String id, int second) {
        Stores.commit(
                store,
                new Change.CreateSession(
                        Session.builder(SessionId.of(id), "cli", at(second)).build()));
    }

    private static void say(Storage store, String session, int second) {
        long number = store.transcripts().countAll();
        Stores.commit(
                store,
                new Change.AppendMessages(
                        SessionId.of(session),
                        List.of(Message.builder(
                                        new MessageId("m" + number), Role.USER, Content.text("said"), at(second))
                                .build())));
    }

    private static Instant at(int second) {
        return Openings.NOW.plusSeconds(second);
    }

    private static List<SessionListing> all(Storage store, SessionQuery query) {
        List<SessionListing> rows = new ArrayList<>();
        Optional<Cursor> after = Optional.empty();
        do {
            Page<SessionListing> page = store.sessions().page(query, after);
            rows.addAll(page.rows());
            after = page.next();
        } while (after.isPresent());
        return rows;
    }

    private static List<String> ids(List<SessionListing> rows) {
        return rows.stream().map(row -> row.session().id().value()).toList();
    }
}
