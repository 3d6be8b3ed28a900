package dev.parley.persistence.jsonl.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.KnowledgeLog;
import dev.parley.contracts.storage.KnowledgeLogContract;
import dev.parley.domain.change.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonlKnowledgeLogTest implements KnowledgeLogContract {
    @TempDir
    Path directory;

    @Override
    public KnowledgeLog open() {
        return new JsonlKnowledgeLog(directory, JsonlKnowledgeLog.MOST_BYTES);
    }

    @Test
    void aLineThatWasTornIsLostAloneAndTheNextOneIsNot() throws IOException {
        try (KnowledgeLog knowledgeLog = open()) {
            knowledgeLog.note(List.of(change("before")));
        }
        Files.writeString(directory.resolve("recollection.jsonl"), "{\"changes\":[{\"Pu", StandardOpenOption.APPEND);
        try (KnowledgeLog knowledgeLog = open()) {
            knowledgeLog.note(List.of(change("after")));

            assertThat(recalled(knowledgeLog)).containsExactly(change("before"), change("after"));
        }
    }

    @Test
    void whatIsOldestIsForgottenFirstAndTheLastPartIsAlwaysThere() throws IOException {
        try (KnowledgeLog knowledgeLog = new JsonlKnowledgeLog(directory, 2_000)) {
            for (int i = 1; i <= 300; i++) {
                knowledgeLog.note(List.of(change("m" + i)));
            }
            List<Change> recalled = recalled(knowledgeLog);

            assertThat(recalled).hasSizeBetween(20, 120).endsWith(change("m299"), change("m300"));
            assertThat(recalled.get(0)).isEqualTo(change("m" + (301 - recalled.size())));
        }
        try (var files = Files.list(directory)) {
            assertThat(files.mapToLong(f -> f.toFile().length()).sum()).isLessThanOrEqualTo(4_000);
        }
    }

    private static Change change(String value) {
        return new Change.PutMeta("k", value);
    }

    private static List<Change> recalled(KnowledgeLog knowledgeLog) {
        List<Change> recalled = new ArrayList<>();
        knowledgeLog.recall(recalled::add);
        return recalled;
    }
}
