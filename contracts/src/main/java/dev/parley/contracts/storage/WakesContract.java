package dev.parley.contracts.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Wakes;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link Wakes}: what is said is heard most of the time, and nobody is harmed where it is not. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface WakesContract {
    /** Returns the harness of a store that nobody uses yet. */
    ClusterHarness cluster();

    /** Said again and again, since a hint may be lost. */
    @Core
    default void whatIsSaidToALifeIsHeard() throws InterruptedException {
        try (ClusterHarness harness = cluster()) {
            Wakes wakes = harness.storage().cluster().orElseThrow().wakes();
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            wakes.listen((life, lane) -> heard.add(life.value() + " " + lane.value()));
            String first = null;
            for (int attempt = 0; first == null && attempt < 100; attempt++) {
                wakes.wake(new LifeId("one#1"), SessionKey.of("agent:main:telegram:dm:é 1"));
                first = heard.poll(100, TimeUnit.MILLISECONDS);
            }

            assertThat(first).isEqualTo("one#1 agent:main:telegram:dm:é 1");
        }
    }

    @Core
    default void aListenerThatFailsHarmsNobody() throws InterruptedException {
        try (ClusterHarness harness = cluster()) {
            Wakes wakes = harness.storage().cluster().orElseThrow().wakes();
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            wakes.listen((life, lane) -> {
                throw new IllegalStateException("A listener that fails.");
            });
            wakes.listen((life, lane) -> heard.add(lane.value()));
            String first = null;
            for (int attempt = 0; first == null && attempt < 100; attempt++) {
                wakes.wake(new LifeId("one#1"), SessionKey.of("lane"));
                first = heard.poll(100, TimeUnit.MILLISECONDS);
            }

            assertThat(first).isEqualTo("lane");
        }
    }

    @Core
    default void whoListensNoMoreHearsNothing() {
        try (ClusterHarness harness = cluster()) {
            Wakes wakes = harness.storage().cluster().orElseThrow().wakes();
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            wakes.listen((life, lane) -> heard.add(lane.value())).run();
            wakes.wake(new LifeId("one#1"), SessionKey.of("lane"));

            assertThat(heard).isEmpty();
        }
    }

    /** Too long for some way or other, it is not said, and nobody is harmed. */
    @Core
    default void aLaneWithALongNameIsNoReasonToFail() {
        try (ClusterHarness harness = cluster()) {
            Wakes wakes = harness.storage().cluster().orElseThrow().wakes();
            wakes.wake(new LifeId("one#1"), SessionKey.of("x".repeat(20_000)));

            assertThat(harness.storage().lanes().count()).isZero();
        }
    }
}
