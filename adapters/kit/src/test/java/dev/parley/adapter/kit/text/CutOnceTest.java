package dev.parley.adapter.kit.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CutOnceTest {
    private final CutOnce<String> cut = new CutOnce<>();
    private final List<String> cuttings = new ArrayList<>();

    private List<String> pieces(String id, String text) {
        Outgoing message = Outgoing.builder(
                        new OutgoingId(id),
                        Address.of(Platform.WHATSAPP, "1"),
                        text,
                        Outgoing.Kind.REPLY,
                        Instant.EPOCH)
                .build();
        return cut.of(message, () -> {
            cuttings.add(text);
            return List.of(text.split(" "));
        });
    }

    @Test
    void aLongMessageIsCutOnce() {
        assertThat(pieces("a", "one two")).containsExactly("one", "two");
        assertThat(pieces("a", "one two")).containsExactly("one", "two");

        assertThat(cuttings).containsExactly("one two");
    }

    @Test
    void anotherMessageIsCutForItselfWhateverItsName() {
        pieces("a", "one two");

        assertThat(pieces("b", "three four")).containsExactly("three", "four");
        assertThat(pieces("a", "five six")).containsExactly("five", "six");
    }

    @Test
    void onlyTheLastOnesAreKept() {
        pieces("a", "one two");
        for (int i = 0; i < 20; i++) {
            pieces("other " + i, "three four");
        }
        cuttings.clear();

        pieces("a", "one two");
        pieces("other 19", "three four");

        assertThat(cuttings).containsExactly("one two");
    }
}
