package dev.parley.contracts.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.KnowledgeLog;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Durable;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.domain.change.Change;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link KnowledgeLog}. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface KnowledgeLogContract {
    /** Opens the knowledge log of one test; called again for the next process. Nothing is remembered at first. */
    KnowledgeLog open();

    @Core
    default void nothingIsRememberedAtFirst() {
        try (KnowledgeLog knowledgeLog = open()) {
            assertThat(recalled(knowledgeLog)).isEmpty();
        }
    }

    @Core
    default void whatWasNotedIsRecalledInOrderAndWhole() {
        List<Change> first = List.of(Samples.put(Samples.lane("1", "s", 7)));
        List<Change> second =
                List.of(new Change.PutInbound(Samples.inbound("in", "1", 1)), new Change.RemoveLane(Samples.key("2")));
        try (KnowledgeLog knowledgeLog = open()) {
            knowledgeLog.note(first);
            knowledgeLog.note(second);

            assertThat(recalled(knowledgeLog)).containsExactly(first.get(0), second.get(0), second.get(1));
        }
    }

    @Durable
    default void whatWasNotedIsThereForTheNextProcessAlsoWhereTheLastOneDidNotClose() {
        KnowledgeLog dead = open();
        dead.note(List.of(new Change.PutMeta("k", "1")));
        try (KnowledgeLog next = open()) {
            next.note(List.of(new Change.PutMeta("k", "2")));

            assertThat(recalled(next)).containsExactly(new Change.PutMeta("k", "1"), new Change.PutMeta("k", "2"));
        } finally {
            dead.close();
        }
    }

    @Core
    default void closingTwiceIsClosingOnce() {
        KnowledgeLog knowledgeLog = open();
        knowledgeLog.close();
        knowledgeLog.close();

        assertThat(knowledgeLog).isNotNull();
    }

    private static List<Change> recalled(KnowledgeLog knowledgeLog) {
        List<Change> recalled = new ArrayList<>();
        knowledgeLog.recall(recalled::add);
        return recalled;
    }
}
