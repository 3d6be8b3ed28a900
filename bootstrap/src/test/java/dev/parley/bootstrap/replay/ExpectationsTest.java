package dev.parley.bootstrap.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.InvalidRequest;
import dev.parley.bootstrap.json.Json;
import dev.parley.bootstrap.json.MalformedJson;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When outcomes are what was expected. */
class ExpectationsTest {
    private static final List<String> OUTCOMES = List.of(
            "{\"at\":\"2026-03-10T09:00:00\",\"event\":\"turn\",\"notes\":[\"resume\"],\"history\":2}",
            "{\"at\":\"2026-03-10T09:01:00\",\"event\":\"sent\",\"text\":\"a\",\"nested\":{\"x\":1,\"y\":2}}",
            "{\"at\":\"2026-03-10T09:02:00\",\"event\":\"sent\",\"text\":\"b\"}");

    private static boolean met(String... expected) {
        return Expectations.read("expected", List.of(expected))
                .firstDifference(nodes(OUTCOMES))
                .isEmpty();
    }

    private static List<JsonNode> nodes(List<String> lines) {
        List<JsonNode> nodes = new ArrayList<>();
        for (String line : lines) {
            try {
                nodes.add(Json.parse(line));
            } catch (MalformedJson e) {
                throw new AssertionError(e);
            }
        }
        return nodes;
    }

    @Test
    void anObjectContainsFewerFieldsAlsoWithin() {
        assertThat(met("{\"nested\":{\"y\":2}}")).isTrue();
        assertThat(met("{\"nested\":{\"z\":2}}")).isFalse();
    }

    @Test
    void aListIsContainedOnlyAsAWhole() {
        assertThat(met("{\"notes\":[\"resume\"]}")).isTrue();
        assertThat(met("{\"notes\":[]}")).isFalse();
        assertThat(met("{\"notes\":[\"resume\",\"auto-reset\"]}")).isFalse();
    }

    @Test
    void numbersAndTimesAreComparedByTheirValue() {
        assertThat(met("{\"history\":2.0,\"at\":\"2026-03-10T09:00\"}")).isTrue();
        assertThat(met("{\"history\":\"2\"}")).isFalse();
    }

    @Test
    void nullStandsForWhatIsNotThere() {
        assertThat(met("{\"event\":\"sent\",\"nested\":null}", "{\"never\":{\"text\":\"c\"}}"))
                .isTrue();
        assertThat(met("{\"text\":\"a\",\"nested\":null}")).isFalse();
    }

    @Test
    void eachLineMatchesBehindTheOneBefore() {
        assertThat(met("{\"event\":\"sent\"}", "{\"event\":\"sent\"}")).isTrue();
        assertThat(met("{\"event\":\"sent\"}", "{\"event\":\"sent\"}", "{\"event\":\"sent\"}"))
                .isFalse();
        assertThat(met("{\"text\":\"b\"}", "{\"text\":\"a\"}")).isFalse();
    }

    @Test
    void neverAndCountDoNotMoveOn() {
        assertThat(met(
                        "{\"text\":\"b\"}",
                        "{\"count\":1,\"of\":{\"text\":\"a\"}}",
                        "{\"count\":0,\"of\":{\"text\":\"c\"}}"))
                .isTrue();
        assertThat(met("{\"text\":\"b\"}", "{\"never\":{\"text\":\"a\"}}")).isFalse();
    }

    @Test
    void aLineThatIsNoExpectationIsRefused() {
        for (String wrong :
                List.of("{\"never\":{},\"at\":1}", "{\"count\":1}", "{\"of\":{}}", "{\"count\":-1,\"of\":{}}", "7")) {
            assertThatThrownBy(() -> Expectations.read("expected", List.of("", wrong)))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageStartingWith("expected:2: ");
        }
    }
}
