package dev.parley.adapter.kit.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.ability.Reacting.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MarksTest {
    private final Marks marks = new Marks(Map.of(Mark.RECEIVED, "eyes", Mark.DONE, "check", Mark.FAILED, "cross"));
    private final List<String> calls = new ArrayList<>();

    private void show(Mark mark) {
        marks.show(mark, (reaction, on) -> calls.add((on ? "+" : "-") + reaction));
    }

    @Test
    void theFirstMarkReplacesNothing() {
        show(Mark.RECEIVED);
        assertThat(calls).containsExactly("+eyes");
    }

    @Test
    void theNextMarkIsThereBeforeTheFirstGoes() {
        show(Mark.DONE);
        show(Mark.FAILED);
        assertThat(calls).containsExactly("+check", "-eyes", "+cross", "-eyes");
    }

    @Test
    void noMarkTakesOffWhateverIsThere() {
        show(Mark.NONE);
        assertThat(calls).containsExactly("-eyes", "-check", "-cross");
    }

    @Test
    void whereTheNewMarkCannotBePutOnTheOldOneStays() {
        assertThatThrownBy(() -> marks.show(Mark.DONE, (reaction, on) -> {
                    throw new IllegalStateException(reaction);
                }))
                .hasMessage("check");
    }
}
