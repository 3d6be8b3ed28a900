package dev.parley.persistence.jsonl.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordFormatTest {
    private static final int GENERATED = Integer.getInteger("parley.generated", 400);
    private static final RecordFormat<Batch> BATCH = RecordFormat.of(Batch.class);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aBatchReadBackIsTheBatchThatWasWritten(long seed) throws IOException {
        Generated generated = new Generated(new Random(seed));
        Set<Class<?>> changes = new HashSet<>();
        Set<Class<?>> preconditions = new HashSet<>();
        for (int i = 0; i < GENERATED; i++) {
            Batch batch = generated.make(Batch.class);
            byte[] written = BATCH.toBytes(batch);
            assertThat(BATCH.fromBytes(written)).isEqualTo(batch);
            assertThat(written).doesNotContain((byte) '\n');
            batch.changes().forEach(change -> changes.add(change.getClass()));
            batch.preconditions().forEach(each -> preconditions.add(each.getClass()));
        }
        assertThat(changes).containsExactlyInAnyOrder(Change.class.getPermittedSubclasses());
        assertThat(preconditions).containsExactlyInAnyOrder(Precondition.class.getPermittedSubclasses());
    }

    /** The form on disk outlives the names in the code: whoever renames a component must read the old name as well. */
    @Test
    void theFormOfABatchStaysAsItIs() {
        Batch batch = new Batch(
                new BatchId("gateway-1", 7),
                List.of(new Precondition.LaneEpoch(SessionKey.of("agent:main:telegram:dm:5"), 3)),
                List.of(
                        new Change.RemoveLane(SessionKey.of("agent:main:telegram:dm:5")),
                        new Change.DeleteSession(SessionId.of("20260310_120000_abcdef01")),
                        new Change.PutMeta("name", "value")));
        assertThat(new String(BATCH.toBytes(batch), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":{\"writer\":\"gateway-1\",\"sequence\":7},"
                        + "\"preconditions\":[{\"LaneEpoch\":{\"lane\":\"agent:main:telegram:dm:5\",\"epoch\":3}}],"
                        + "\"changes\":[{\"RemoveLane\":{\"lane\":\"agent:main:telegram:dm:5\"}},"
                        + "{\"DeleteSession\":{\"session\":\"20260310_120000_abcdef01\"}},"
                        + "{\"PutMeta\":{\"key\":\"name\",\"value\":\"value\"}}]}");
    }

    @Test
    void halfSurrogatePairsBecomeReplacementCharacters() throws IOException {
        RecordFormat<Change.PutMeta> format = RecordFormat.of(Change.PutMeta.class);
        assertThat(format.fromBytes(format.toBytes(new Change.PutMeta("a\uD83D", "\uDE80b\uD83D\uDE80\uD83Dc"))))
                .isEqualTo(new Change.PutMeta("a\uFFFD", "\uFFFDb\uD83D\uDE80\uFFFDc"));
    }

    @Test
    void whatIsNeverStoredOfASourceIsNotWritten() throws IOException {
        RecordFormat<SessionSource> format = RecordFormat.of(SessionSource.class);
        SessionSource plain =
                SessionSource.builder(Platform.of("telegram"), "5").userId("6").build();
        SessionSource marked = plain.toBuilder()
                .isBot(true)
                .roleAuthorized(true)
                .deliveredViaUpstreamRelay(true)
                .build();
        assertThat(format.fromBytes(format.toBytes(marked))).isEqualTo(plain);
    }

    @Test
    void unknownKeysArePassedOver() throws IOException {
        RecordFormat<BatchId> format = RecordFormat.of(BatchId.class);
        assertThat(format.fromBytes(
                        "{\"later\":{\"a\":[1]},\"writer\":\"w\",\"sequence\":1}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new BatchId("w", 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{\"writer\":\"w\"}",
                "{\"writer\":\"\",\"sequence\":1}",
                "{\"writer\":1,\"sequence\":1}",
                "{\"writer\":\"w\",\"sequence\":1} x",
                "{\"writer\":\"w\",\"sequence\":\"1\"}"
            })
    void whatIsNoRecordIsRefused(String text) {
        RecordFormat<BatchId> format = RecordFormat.of(BatchId.class);
        assertThatThrownBy(() -> format.fromBytes(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }
}
