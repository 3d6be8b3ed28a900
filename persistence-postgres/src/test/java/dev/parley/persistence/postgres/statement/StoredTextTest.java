package dev.parley.persistence.postgres.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StoredTextTest {
    @Test
    void aTextComesBackAsItWas() {
        Random random = new Random(7);
        Map<String, String> written = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int at = random.nextInt(6); at >= 0; at--) {
                text.append("\0\uFDD001aé大".charAt(random.nextInt(7)));
            }
            String stored = StoredText.write(text.toString());

            assertThat(stored).doesNotContain("\0");
            assertThat(StoredText.read(stored)).isEqualTo(text.toString());
            assertThat(written.put(stored, text.toString())).isIn(null, text.toString());
        }
    }

    @Test
    void aLoneSurrogateIsReplacedAndAnEscapeOfOthersStays() {
        assertThat(StoredText.write("a\uD83Db")).isEqualTo("a\uFFFDb");
        assertThat(StoredText.read("a\uFDD0x\uFDD0")).isEqualTo("a\uFDD0x\uFDD0");
    }
}
