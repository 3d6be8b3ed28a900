package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.spi.Storage;
import dev.parley.application.transfer.SessionImport;
import dev.parley.application.transfer.StorageCopy;
import dev.parley.contracts.storage.PartialStore;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gateway on a store without search and titles tells people so, and everything else goes on. */
class PartialStoreTest {
    private final Bench bench = new Bench(1, PartialStore.of(new MemoryStorage()));

    @BeforeEach
    void start() {
        bench.start();
        bench.say(ALICE, "hello");
    }

    private String answerTo(String said) {
        int before = bench.seen(ALICE).size();
        bench.say(ALICE, said);
        List<String> seen = bench.seen(ALICE);
        assertThat(seen).as("answers to " + said).hasSize(before + 1);
        return seen.get(before);
    }

    @Test
    void aTitleIsRefusedInTheChat() {
        assertThat(answerTo("/title Docker"))
                .startsWith("This store keeps no titles. /resume takes the id of a session: this one is ");
        assertThat(answerTo("/title")).startsWith("Title: (untitled)");
        assertThat(answerTo("and on")).isEqualTo("and on");
    }

    @Test
    void aNewSessionBeginsWithoutTheTitleThatWasAskedFor() {
        assertThat(answerTo("/new Docker")).endsWith("It has no title. This store keeps no titles.");
        assertThat(answerTo("/new")).doesNotContain("title");
        assertThat(answerTo("and on")).isEqualTo("and on");
    }

    @Test
    void aBranchHasNoTitle() {
        assertThat(answerTo("/branch Docker"))
                .startsWith("Branched ")
                .endsWith("It has no title. This store keeps no titles.");
        assertThat(answerTo("/branch")).startsWith("Branched ").doesNotContain("title");
        assertThat(answerTo("and on")).isEqualTo("and on");
    }

    @Test
    void sessionsAreFoundByTheirIds() {
        String id = bench.lane(bench.rules().keyOf(ALICE)).entry().sessionId().value();
        answerTo("/new");

        assertThat(answerTo("/sessions search " + id.substring(0, 6))).contains(id);
        assertThat(answerTo("/resume " + id)).doesNotContain("title");
        assertThat(bench.lane(bench.rules().keyOf(ALICE)).entry().sessionId().value())
                .isEqualTo(id);
    }

    @Test
    void theGatewaySaysThatItCannotSearch() {
        assertThat(bench.running().search().isOffered()).isFalse();
        assertThatThrownBy(() -> bench.running().search().search(SearchQuery.of("hello")))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("offers no search");
    }

    // What comes from elsewhere

    private static Session titled(String id) {
        return Session.builder(SessionId.of(id), "cli", Instant.EPOCH)
                .title("A title")
                .build();
    }

    @Test
    void aCopyWithTitlesIsRefusedBeforeItBegins() {
        Storage from = new MemoryStorage();
        from.ledger()
                .commit(new Batch(new BatchId("test", 1), List.of(), List.of(new Change.CreateSession(titled("s")))));
        Storage to = PartialStore.of(new MemoryStorage());

        assertThatThrownBy(() -> new StorageCopy(from, to, Clock.systemUTC(), new SeededIds(1))
                        .copy(StorageCopy.Into.EMPTY, progress -> {}))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("keeps no titles")
                .hasMessageContaining("such as s;");
        assertThat(to.sessions().count(java.util.Optional.empty())).isZero();
        assertThat(to.meta().all()).isEmpty();
    }

    @Test
    void anImportWithTitlesIsRefused() {
        Storage to = PartialStore.of(new MemoryStorage());

        assertThat(new SessionImport(to, new SeededIds(1), SessionImport.Limits.DEFAULT)
                        .add(List.of(new SessionImport.Item(titled("s"), List.of(), 10))))
                .isInstanceOfSatisfying(
                        SessionImport.Outcome.Refused.class,
                        refused -> assertThat(refused.problems().get(0).error())
                                .isEqualTo("It has a title, and this store keeps none; leave its title out."));
    }
}
