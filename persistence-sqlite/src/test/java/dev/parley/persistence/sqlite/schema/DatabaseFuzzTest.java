package dev.parley.persistence.sqlite.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.application.port.ParleyException;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Openings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Files with any bytes overwritten: opened or refused in one line, and never changed by a read or a refusal (storage 1.8). */
class DatabaseFuzzTest {
    private static final int EDIT = 5;

    @TempDir
    private static Path folder;

    private static byte[] whole;

    @BeforeAll
    static void theWholeFile() throws IOException {
        whole = Files.readAllBytes(Fixtures.copy("state-v9.db", folder));
    }

    /** The first byte says what to do, then come edits of four bytes for the place and one for what stands there. */
    @FuzzTest(maxDuration = "2m")
    void anyFileIsOpenedOrRefused(byte[] edits) throws IOException {
        Path file = folder.resolve("edited.db");
        Files.write(file, edited(edits));
        String before = Fixtures.sha256(file);

        try (OpenDatabase database = new Openings().read(file)) {
            database.reads()
                    .read(connection ->
                            DSL.using(connection, SQLDialect.SQLITE).fetch("SELECT * FROM messages ORDER BY id"));
        } catch (ParleyException refused) {
            assertThat(refused.getMessage()).doesNotContain("\n").contains(file.toString());
        }
        assertThat(Fixtures.sha256(file)).isEqualTo(before);

        try {
            new Openings().write(file).close();
        } catch (ParleyException refused) {
            assertThat(refused.getMessage()).doesNotContain("\n");
            assertThat(Fixtures.sha256(file)).isEqualTo(before);
        } finally {
            tidy();
        }
    }

    private static byte[] edited(byte[] edits) {
        ByteBuffer input = ByteBuffer.wrap(edits);
        byte[] bytes = whole.clone();
        boolean cut = input.hasRemaining() && input.get() % 2 != 0;
        if (cut && input.remaining() >= Integer.BYTES) {
            bytes = Arrays.copyOf(bytes, Math.floorMod(input.getInt(), whole.length));
        }
        while (input.remaining() >= EDIT && bytes.length > 0) {
            bytes[Math.floorMod(input.getInt(), bytes.length)] = input.get();
        }
        return bytes;
    }

    private static void tidy() throws IOException {
        try (var files = Files.newDirectoryStream(folder, "edited.db*")) {
            for (Path each : files) {
                Files.delete(each);
            }
        }
    }
}
