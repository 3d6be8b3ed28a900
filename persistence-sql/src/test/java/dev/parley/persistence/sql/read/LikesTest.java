package dev.parley.persistence.sql.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LikesTest {

    @ParameterizedTest
    @CsvSource({"plain,plain%", "MiXed,mixed%", "100%,100\\%%", "a_b,a\\_b%", "c:\\d,c:\\\\d%", "Ärger,Ärger%", "'',%"})
    void everyCharacterOfAPrefixStandsForItself(String text, String pattern) {
        assertThat(Likes.prefix(text)).isEqualTo(pattern);
    }
}
