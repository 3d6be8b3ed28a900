package dev.parley.persistence.sqlite.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.ParleyException;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Openings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with bytes that are not what they were: read or refused, and never changed (storage 1.8). */
class MutatedFileTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aMutatedFileIsReadOrRefusedAndNeverChangedByReading(long seed) throws IOException {
        Random random = new Random(seed);
        byte[] whole = Files.readAllBytes(Fixtures.copy("state-v11.db", folder));
        Path file = folder.resolve("mutated.db");
        for (int i = 0; i < 60; i++) {
            Files.write(file, mutated(whole, random));
            String before = Fixtures.sha256(file);

            try (OpenDatabase database = new Openings().read(file)) {
                database.reads()
                        .read(connection ->
                                DSL.using(connection, SQLDialect.SQLITE).fetch("SELECT * FROM messages ORDER BY id"));
            } catch (ParleyException refused) {
                assertThat(refused.getMessage()).doesNotContain("\n").contains(file.toString());
            }

            assertThat(Fixtures.sha256(file)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void aMutatedFileThatIsRefusedForWritingIsNotChanged(long seed) throws IOException {
        Random random = new Random(seed);
        byte[] whole = Files.readAllBytes(Fixtures.copy("state-v9.db", folder));
        Path file = folder.resolve("mutated.db");
        for (int i = 0; i < 40; i++) {
            Files.write(file, mutated(whole, random));
            String before = Fixtures.sha256(file);

            try {
                new Openings().write(file).close();
            } catch (ParleyException refused) {
                assertThat(refused.getMessage()).doesNotContain("\n");
                assertThat(Fixtures.sha256(file)).isEqualTo(before);
            }
        }
    }

    private static byte[] mutated(byte[] whole, Random random) {
        byte[] bytes = random.nextInt(8) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
        for (int n = 1 + random.nextInt(40); n > 0 && bytes.length > 0; n--) {
            int reach = random.nextBoolean() ? Math.min(bytes.length, 4096) : bytes.length;
            bytes[random.nextInt(reach)] = (byte) random.nextInt(256);
        }
        return bytes;
    }
}
