package dev.parley.domain.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeValuesTest {
    private static final SessionId SESSION = SessionId.of("s");

    @Test
    void aBatchNeedsAWriterAndASequenceFromOne() {
        assertThat(new BatchId("w", 1).sequence()).isEqualTo(1);
        assertThatThrownBy(() -> new BatchId(" ", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BatchId("w", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"w\", 0");
    }

    @Test
    void aBatchKeepsWhatItWasGiven() {
        List<Change> changes = new ArrayList<>(List.of(new Change.PutMeta("k", "v")));
        Batch batch = new Batch(new BatchId("w", 1), List.of(), changes);
        changes.clear();

        assertThat(batch.changes()).hasSize(1);
        assertThatThrownBy(() -> batch.changes().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void messagesAreNotHiddenAsActive() {
        assertThatThrownBy(() -> new Change.HideMessages(SESSION, List.of(new MessageId("m")), State.ACTIVE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aLineOfHistoryKeepsItsInputsInOrder() {
        Map<String, String> inputs = new LinkedHashMap<>();
        for (String name : List.of("zone", "clock", "policy", "activity")) {
            inputs.put(name, name);
        }
        LaneEvent event = new LaneEvent(
                SessionKey.of("agent:main:x"),
                Instant.EPOCH,
                LaneEvent.Kind.RESET,
                Optional.empty(),
                Optional.of(SESSION),
                "daily",
                inputs);
        inputs.clear();

        assertThat(event.inputs().keySet()).containsExactly("zone", "clock", "policy", "activity");
        assertThatThrownBy(() -> event.inputs().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThat(LaneEvent.Kind.FINALISED.text()).isEqualTo("finalised");
    }

    @Test
    void onlyACommittedBatchIsCommitted() {
        assertThat(new CommitResult.Committed().isCommitted()).isTrue();
        assertThat(new CommitResult.Conflict(new Precondition.SessionExists(SESSION)).isCommitted())
                .isFalse();
    }
}
