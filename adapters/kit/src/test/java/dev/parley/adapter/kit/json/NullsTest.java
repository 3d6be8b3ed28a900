package dev.parley.adapter.kit.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;

class NullsTest {
    @Test
    void aFieldThatIsNullIsNotThereHoweverDeepItStands() throws Exception {
        String text = "{\"a\":null,\"b\":[null,{\"c\":null,\"d\":1}],\"e\":{\"f\":null}}";

        assertThat(Nulls.dropped(JsonMapper.builder().build().readTree(text)))
                .hasToString("{\"b\":[null,{\"d\":1}],\"e\":{}}");
    }
}
