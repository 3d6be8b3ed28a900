package dev.parley.domain.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What taking back turns hides (O4.20). */
class RewindTest {
    private final List<StoredMessage> active = new ArrayList<>();

    @Test
    void aTurnIsTakenBackWithWhatWasSteeredIntoIt() {
        said("first");
        answered("one");
        said("second");
        add(Role.USER, "sooner", Message.Kind.STEERED);
        answered("two");

        assertThat(Rewind.of(active, 1)).hasValueSatisfying(rewind -> {
            assertThat(rewind.targetText()).isEqualTo("second");
            assertThat(rewind.rewoundCount()).isEqualTo(3);
        });
        assertThat(Rewind.of(active, 2)).hasValueSatisfying(rewind -> {
            assertThat(rewind.targetText()).isEqualTo("first");
            assertThat(rewind.turnsUndone()).isEqualTo(2);
        });
    }

    @Test
    void aTurnIsTakenBackWithItsResumptions() {
        said("work");
        said("");
        said(" ");
        answered("done");

        assertThat(Rewind.of(active, 1)).hasValueSatisfying(rewind -> {
            assertThat(rewind.targetText()).isEqualTo("work");
            assertThat(rewind.turnsUndone()).isEqualTo(1);
            assertThat(rewind.rewoundCount()).isEqualTo(4);
        });
    }

    @Test
    void whereNobodySaidAnythingNothingIsTakenBack() {
        add(Role.USER, "so far", Message.Kind.SUMMARY);
        said("");
        answered("hello");

        assertThat(Rewind.of(active, 1)).isEmpty();
    }

    private void said(String text) {
        add(Role.USER, text, Message.Kind.PLAIN);
    }

    private void answered(String text) {
        add(Role.ASSISTANT, text, Message.Kind.PLAIN);
    }

    private void add(Role role, String text, Message.Kind kind) {
        int number = active.size() + 1;
        Message message = Message.builder(new MessageId("m" + number), role, Content.text(text), Instant.EPOCH)
                .kind(kind)
                .build();
        active.add(new StoredMessage(
                number, new SessionId("20260310_090000_00000001"), message, StoredMessage.State.ACTIVE));
    }
}
