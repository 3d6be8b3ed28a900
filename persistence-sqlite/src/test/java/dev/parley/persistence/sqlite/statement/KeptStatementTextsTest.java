package dev.parley.persistence.sqlite.statement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sqlite.Stores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The texts of statements that are kept ready are those that would be rendered. */
class KeptStatementTextsTest {
    @TempDir
    Path folder;

    @Test
    void everyKeptTextIsWhatIsRenderedToday() throws IOException {
        Map<String, String> rendered = new TreeMap<>();
        for (long seed = 1; seed <= 4; seed++) {
            rendered.putAll(Stores.renderedBy(folder.resolve(seed + ".db"), seed));
        }
        Map<String, String> kept = new TreeMap<>(KeptTexts.byName());
        Path made = Path.of("target", "sqlite-statements.txt");
        Files.writeString(
                made,
                rendered.entrySet().stream()
                        .map(each -> each.getKey() + "\t" + each.getValue() + "\n")
                        .collect(Collectors.joining()),
                StandardCharsets.UTF_8);

        assertThat(kept).as("the usual statements").containsKeys("message.insert", "writer.update", "lanes.find");
        assertThat(rendered)
                .as("what is rendered today, as it stands in %s, to be put into the resources", made)
                .containsAllEntriesOf(kept);
    }

    @Test
    void aKeptTextIsUsedAsItStands() {
        Renderer renderer = KeptTexts.renderer();

        assertThat(renderer.sql("writer.update", dsl -> {
                    throw new AssertionError("It was rendered.");
                }))
                .isEqualTo(KeptTexts.byName().get("writer.update"));
    }
}
