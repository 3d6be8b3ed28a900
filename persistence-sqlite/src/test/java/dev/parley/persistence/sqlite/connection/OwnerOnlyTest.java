package dev.parley.persistence.sqlite.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A database that is made is its owner's only, and so are the files beside it. */
@DisabledOnOs(OS.WINDOWS)
class OwnerOnlyTest {
    @TempDir
    Path folder;

    @Test
    void aNewDatabaseAndTheFilesBesideItAreItsOwnersOnly() throws Exception {
        try (OpenDatabase database = new Openings().write(folder.resolve("state.db"));
                Stream<Path> files = Files.list(folder)) {
            assertThat(database.writer()).isPresent();
            for (Path each : files.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                        .as("%s", each)
                        .isEqualTo("rw-------");
            }
        }
    }
}
