package dev.parley.adapter.kit.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What repeats a conversation is told from what only shares a few letters with it. */
class RepeatedTest {
    @ParameterizedTest(name = "\"{0}\" of \"{1}\": {2}")
    @CsvSource({
        "cannot answer 'hello', hello, true",
        "cannot answer 'hello', hell, false",
        "'', hello, false",
        "anything, '', false",
        "cannot say: the key is under, the key is under the mat, true",
        "cannot say: the keys, the key is under the mat, false",
    })
    void aShortTextIsRepeatedAsAWholeAndALongOneInPart(String said, String text, boolean repeated) {
        assertThat(Repeated.in(said, List.of("something else", text))).isEqualTo(repeated);
    }
}
