package dev.parley.contracts.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Recollection;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Durable;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.domain.change.Change;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link Recollection}. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface RecollectionContract {
    /** Opens the recollection of one test; called again for the next process. Nothing is remembered at first. */
    Recollection open();

    @Core
    default void nothingIsRememberedAtFirst() {
        try (Recollection recollection = open()) {
            assertThat(recalled(recollection)).isEmpty();
        }
    }

    @Core
    default void whatWasNotedIsRecalledInOrderAndWhole() {
        List<Change> first = List.of(Samples.put(Samples.lane("1", "s", 7)));
        List<Change> second =
                List.of(new Change.PutInbound(Samples.inbound("in", "1", 1)), new Change.RemoveLane(Samples.key("2")));
        try (Recollection recollection = open()) {
            recollection.note(first);
            recollection.note(second);

            assertThat(recalled(recollection)).containsExactly(first.get(0), second.get(0), second.get(1));
        }
    }

    @Durable
    default void whatWasNotedIsThereForTheNextProcessAlsoWhereTheLastOneDidNotClose() {
        Recollection dead = open();
        dead.note(List.of(new Change.PutMeta("k", "1")));
        try (Recollection next = open()) {
            next.note(List.of(new Change.PutMeta("k", "2")));

            assertThat(recalled(next)).containsExactly(new Change.PutMeta("k", "1"), new Change.PutMeta("k", "2"));
        } finally {
            dead.close();
        }
    }

    @Core
    default void closingTwiceIsClosingOnce() {
        Recollection recollection = open();
        recollection.close();
        recollection.close();

        assertThat(recollection).isNotNull();
    }

    private static List<Change> recalled(Recollection recollection) {
        List<Change> recalled = new ArrayList<>();
        recollection.recall(recalled::add);
        return recalled;
    }
}
