package dev.parley.persistence.sql.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {" ", "{", "{} {}", "nonsense"})
    void whatIsNoJsonIsAbsent(String text) {
        assertThat(Json.read(text)).isEmpty();
    }

    @Test
    void theMembersOfAnObjectComeInOrderAsPlainValues() {
        assertThat(Json.read("{\"b\":\"text\",\"a\":2.50,\"d\":null,\"c\":true}")
                        .flatMap(Json::members))
                .hasValueSatisfying(members -> {
                    assertThat(members.keySet()).containsExactly("b", "a", "d", "c");
                    assertThat(members.values()).containsExactly("text", new BigDecimal("2.5"), null, true);
                });
        assertThat(Json.read("[1]").flatMap(Json::members)).isEmpty();
    }

    @Test
    void aSourceWhosePlatformIsUnknownToThisVersionIsReadAllTheSame() {
        assertThat(SourceText.read("{\"platform\":\"carrier-pigeon\",\"chat_id\":\"7\",\"chat_type\":\"dm\"}"))
                .map(source -> source.platform().name())
                .isEqualTo(Optional.of("carrier-pigeon"));
        assertThat(SourceText.read("{\"platform\":\" \"}")).isEmpty();
        assertThat(SourceText.read("{}")).isEmpty();
    }
}
