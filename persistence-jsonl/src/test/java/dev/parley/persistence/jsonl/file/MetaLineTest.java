package dev.parley.persistence.jsonl.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("storage 7.1, 7.6: the first line")
class MetaLineTest {
    @Test
    void aNewFileBeginsWithItsFiveKeysInOrder() {
        assertThat(text(MetaLine.of("crab", "user", Instant.parse("2026-03-27T13:44:47.123456Z"), "", 0)))
                .isEqualTo(
                        "{\"agent\":\"crab\",\"created_by\":\"user\",\"created_at\":\"2026-03-27T13:44:47.123456+00:00\","
                                + "\"title\":\"\",\"uptime_secs\":0}\n");
    }

    @Test
    void aRewrittenLineKeepsWhenItWasCreatedAndWhatIsNotKnown() {
        String before = "{\"agent\":\"a\",\"x\":[1.50],\"created_by\":\"b\",\"created_at\":\"c\",\"uptime_secs\":1}";
        assertThat(text(parse(before).with("T", 9, null)))
                .isEqualTo("{\"agent\":\"a\",\"x\":[1.50],\"created_by\":\"b\",\"created_at\":\"c\",\"uptime_secs\":9,"
                        + "\"title\":\"T\"}\n");
    }

    /** Leniency that storage 7.5 asks for beyond the original. */
    @Test
    void aLineIsReadWhereItsMeaningIsClear() {
        assertThat(parse("\uFEFF{\"agent\":\"a\",\"created_by\":\"b\",\"created_at\":\"c\",\"title\":null}")
                        .title())
                .isEmpty();
        assertThat(parse("{\"agent\":\"a\",\"agent\":\"z\",\"created_by\":\"b\",\"created_at\":\"c\"}")
                        .agent())
                .isEqualTo("z");
        assertThat(uptime("-1")).isZero();
        assertThat(uptime("1.5")).isEqualTo(1);
        assertThat(uptime("1e400")).isEqualTo(Long.MAX_VALUE);
        assertThat(uptime("null")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"agent\":\"a\",\"created_by\":\"b\"}",
                "{\"agent\":1,\"created_by\":\"b\",\"created_at\":\"c\"}",
                "{\"agent\":\"a\",\"created_by\":\"b\",\"created_at\":\"c\",\"title\":5}",
                "{\"agent\":\"a\",\"created_by\":\"b\",\"created_at\":\"c\",\"uptime_secs\":\"5\"}",
                "{\"agent\":\"a\",\"created_by\":\"b\",\"created_at\":\"c\"} x"
            })
    void otherLinesAreNoFirstLine(String line) {
        assertThat(MetaLine.parse(line.getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    private static long uptime(String value) {
        return parse("{\"agent\":\"a\",\"created_by\":\"b\",\"created_at\":\"c\",\"uptime_secs\":" + value + "}")
                .uptimeSecs();
    }

    private static MetaLine parse(String line) {
        return MetaLine.parse(line.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    }

    private static String text(MetaLine line) {
        return new String(line.toBytes(), StandardCharsets.UTF_8);
    }
}
