package dev.parley.persistence.sqlite.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.domain.transcript.Content;
import dev.parley.persistence.sql.json.RawJsonText;
import dev.parley.persistence.sql.json.SourceText;
import dev.parley.persistence.sql.json.ToolCallsText;
import java.nio.charset.StandardCharsets;

/** Columns of any text: each is read, and what is written again is read as the same (storage 4.1, 4.3). */
class ColumnFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void anyColumnIsRead(byte[] stored) {
        String column = new String(stored, StandardCharsets.UTF_8);

        assertReadAlike(column);
        assertReadAlike(ContentText.MARKER + column);
        assertThat(ToolCallsText.writeUnchanged(ToolCallsText.read(column)))
                .isEqualTo(column.isEmpty() ? null : column);
        assertThat(RawJsonText.writeUnchanged(RawJsonText.read(column))).isEqualTo(column);
        SourceText.read(column);
    }

    private static void assertReadAlike(String column) {
        Content content = ContentText.read(column);

        assertThat(content.plainText()).isNotNull();
        assertThat(ContentText.read(ContentText.write(content)).plainText()).isEqualTo(content.plainText());
    }
}
