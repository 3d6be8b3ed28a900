package dev.parley.adapter.kit.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RememberedTest {
    @Test
    void theEldestIsForgottenOnceThereIsNoRoom() {
        Set<String> names = Remembered.latest(2);

        names.addAll(List.of("a", "b", "a"));
        assertThat(names).containsExactly("a", "b");

        names.add("c");
        assertThat(names).containsExactly("b", "c");
    }

    @Test
    void whatIsKnownOfTheEldestNameIsForgottenWithIt() {
        Map<String, Integer> known = Remembered.byName(2);

        known.put("a", 1);
        known.put("b", 2);
        known.put("c", 3);

        assertThat(known).containsOnly(Map.entry("b", 2), Map.entry("c", 3));
    }
}
