package dev.parley.persistence.sqlite.statement;

import dev.parley.persistence.sql.statement.Renderer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.SQLDialect;

/** The texts of the usual statements, as they were rendered when this version was made. */
public final class KeptTexts {
    private static final String KEPT = "sqlite-statements.txt";

    private KeptTexts() {}

    /** Returns a renderer that has the texts from the start. */
    public static Renderer renderer() {
        return new Renderer(SQLDialect.SQLITE, byName());
    }

    /** Returns the texts by the names of their statements. */
    public static Map<String, String> byName() {
        try (InputStream file = KeptTexts.class.getResourceAsStream(KEPT)) {
            if (file == null) {
                return Map.of();
            }
            Map<String, String> texts = new LinkedHashMap<>();
            for (String line : new String(file.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                int end = line.indexOf('\t');
                if (end > 0) {
                    texts.put(line.substring(0, end), line.substring(end + 1));
                }
            }
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
