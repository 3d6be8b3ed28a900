package dev.parley.adapter.kit.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.application.view.PlainRows;
import dev.parley.domain.text.RawJson;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowModuleTest {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().addModule(new RowModule()).build();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"price\": 2.50, \"much\": 1E+400}|{\"price\":2.50,\"much\":1E+400}",
                "[1.0,1.00,-0,12345678901234567890123]|[1.0,1.00,-0,12345678901234567890123]",
                "{\"b\":1,\"a\":2,\"b\":3}|{\"b\":1,\"a\":2,\"b\":3}",
                "[NaN,-Infinity]|[\"NaN\",\"-Infinity\"]",
                "\"text\"|\"text\"",
                "null|null",
                "{\"cut|[]",
                "[1] [2]|[]",
                "words|[]",
                "``|[]",
            })
    void carriedJsonIsWrittenAsItWasStoredAndAnEmptyListForWhatIsNone(String carried, String written) throws Exception {
        assertThat(json(new RawJson(carried))).isEqualTo(written);
    }

    @Test
    void carriedJsonStandsOnOneLine() throws Exception {
        assertThat(json(Map.of("details", new RawJson("[\n  {\"a\": [1,\r\n 2]}\n]"))))
                .isEqualTo("{\"details\":[{\"a\":[1,2]}]}");
    }

    @Test
    void deepJsonIsCarriedToo() throws Exception {
        String deep = "[".repeat(900) + "]".repeat(900);
        assertThat(json(new RawJson(deep))).isEqualTo(deep);
    }

    @Test
    void whereTheRowAsksForNullTextThatIsNotJsonBecomesNull() throws Exception {
        assertThat(json(new PlainRows.OrNull(new RawJson("{\"cut")))).isEqualTo("null");
        assertThat(json(new PlainRows.OrNull(new RawJson("[2.50]")))).isEqualTo("[2.50]");
    }

    @ParameterizedTest
    @CsvSource({"1763300000,1763300000.0", "1763300000.25,1763300000.25", "0.00001,0.000010", "NaN,\"NaN\""})
    void fractionsAreWrittenWithoutAnExponent(double number, String written) throws Exception {
        assertThat(json(number)).isEqualTo(written);
        assertThat(json(Map.of("at", number))).isEqualTo("{\"at\":" + written + "}");
    }

    private static String json(Object row) throws JsonProcessingException {
        return MAPPER.writeValueAsString(row);
    }
}
