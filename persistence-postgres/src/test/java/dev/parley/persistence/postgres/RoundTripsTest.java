package dev.parley.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Newcomer;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.Tenure;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.turn.LifeId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundTripsTest {
    @TempDir
    Path folder;

    @Test
    void aBatchCostsTwoRoundTripsWhateverItHolds() {
        try (PostgresHarness harness = new PostgresHarness(folder)) {
            Proxy proxy = harness.through();
            Storage storage = harness.open(StorageSettings.Mode.READ_WRITE);
            SessionId session = SessionId.of("s");
            storage.ledger()
                    .commit(batch(
                            1,
                            List.of(),
                            new Change.CreateSession(Session.builder(session, "cli", Instant.EPOCH)
                                    .build())));
            for (long number = 2; number < 9; number++) {
                // The first uses of a statement tell the driver about it.
                storage.ledger().commit(batch(number, List.of(), append(session, number, 1)));
            }

            long before = proxy.roundTrips();
            storage.ledger()
                    .commit(batch(
                            9,
                            List.of(new Precondition.SessionExists(session), new Precondition.NotCurrent(session)),
                            append(session, 9, 8),
                            new Change.PutMeta("k", "v")));

            assertThat(proxy.roundTrips() - before).isEqualTo(2);
        }
    }

    @Test
    void aSearchCostsTheSameRoundTripsWhateverItFinds() {
        try (PostgresHarness harness = new PostgresHarness(folder)) {
            Proxy proxy = harness.through();
            Storage storage = harness.open(StorageSettings.Mode.READ_WRITE);
            SessionId session = SessionId.of("s");
            storage.ledger()
                    .commit(batch(
                            1,
                            List.of(),
                            new Change.CreateSession(Session.builder(session, "cli", Instant.EPOCH)
                                    .build()),
                            append(session, 1, 40)));
            for (int use = 0; use < 8; use++) {
                storage.search().search(SearchQuery.of("text"));
            }

            long before = proxy.roundTrips();
            assertThat(storage.search().search(SearchQuery.of("7"))).hasSize(1);
            long one = proxy.roundTrips() - before;
            assertThat(storage.search().search(SearchQuery.of("text"))).hasSize(20);

            assertThat(proxy.roundTrips() - before - one).isEqualTo(one);
        }
    }

    @Test
    void aLaneIsTakenAndGivenBackInARoundTripEach() {
        try (PostgresHarness harness = new PostgresHarness(folder)) {
            Proxy proxy = harness.through();
            Cluster cluster =
                    harness.open(StorageSettings.Mode.READ_WRITE).cluster().orElseThrow();
            LifeId life = new LifeId("one#1");
            cluster.join(
                    life, new Newcomer("one", "1", "", Newcomer.Kind.NODE, new TreeMap<>()), Duration.ofMinutes(5));
            SessionKey lane = SessionKey.of("agent:main:webhook:dm:alice");
            for (int use = 0; use < 8; use++) {
                takeAndGiveBack(cluster, life, lane);
            }

            long before = proxy.roundTrips();
            takeAndGiveBack(cluster, life, lane);
            assertThat(proxy.roundTrips() - before).isEqualTo(2);
        }
    }

    private static void takeAndGiveBack(Cluster cluster, LifeId life, SessionKey lane) {
        Tenure tenure = cluster.take(life, lane);
        assertThat(tenure).isInstanceOf(Tenure.Mine.class);
        assertThat(cluster.giveBack(lane, ((Tenure.Mine) tenure).token(), 0)).isTrue();
    }

    private static Batch batch(long number, List<Precondition> preconditions, Change... changes) {
        return new Batch(new BatchId("w", number), preconditions, List.of(changes));
    }

    private static Change append(SessionId session, long number, int messages) {
        return new Change.AppendMessages(
                session,
                IntStream.range(0, messages)
                        .mapToObj(i -> Message.builder(
                                        new MessageId(number + "-" + i),
                                        Role.USER,
                                        Content.text("text " + i),
                                        Instant.EPOCH)
                                .build())
                        .toList());
    }
}
