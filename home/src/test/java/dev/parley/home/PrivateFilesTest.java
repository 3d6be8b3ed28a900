package dev.parley.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.domain.turn.Attachment;
import dev.parley.home.media.FileMedia;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files that only their owner may read, whole at any moment. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class PrivateFilesTest {
    @TempDir
    private Path directory;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void theLockAndTheDirectoriesOfFilesAreTheirOwnersOnly() throws IOException {
        HomeDirectory home = new HomeDirectory(directory);
        GatewayLock.take(home).close();
        new FileMedia(home, FileMedia.Limits.DEFAULT, () -> Instant.EPOCH)
                .keep(
                        new ByteArrayInputStream(new byte[] {1}),
                        new Attachment(Attachment.PHOTO, "", Optional.empty(), Optional.empty()));

        assertThat(permissions(directory.resolve("gateway.lock"))).isEqualTo("rw-------");
        try (Stream<Path> made = Files.walk(directory.resolve("media"))) {
            assertThat(made).allSatisfy(each -> assertThat(permissions(each)).matches("rw[x-]------"));
        }
    }

    @Test
    void whatIsMadeIsItsOwnersOnlyAndLeavesNothingBeside() throws IOException {
        PrivateFiles.replace(directory.resolve("replaced"), "b\n");
        PrivateFiles.append(directory.resolve("appended"), "c\n");

        assertThat(names()).containsExactly("appended", "replaced");
        for (String name : names()) {
            assertThat(permissions(directory.resolve(name))).as(name).isEqualTo("rw-------");
        }
    }

    @Test
    void aFileThatWasOpenToOthersIsClosedWhenItIsReplaced() throws IOException {
        Path file = Files.writeString(directory.resolve("open"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        PrivateFiles.replace(file, "new");

        assertThat(file).hasContent("new");
        assertThat(permissions(file)).isEqualTo("rw-------");
    }

    @Test
    void aLinkIsNeverWrittenThrough() throws IOException {
        Path other = Files.writeString(directory.resolve("other"), "old");
        Path link = Files.createSymbolicLink(directory.resolve("link"), other);
        Path nowhere = Files.createSymbolicLink(directory.resolve("nowhere"), directory.resolve("absent"));

        assertThatThrownBy(() -> PrivateFiles.append(link, "new")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> PrivateFiles.append(nowhere, "new")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> PrivateFiles.replace(link, "new"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a symbolic link");

        assertThat(other).hasContent("old");
        assertThat(names()).containsExactly("link", "nowhere", "other");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskIsTold() {
        assertThatThrownBy(() -> PrivateFiles.append(Path.of("/dev/full"), "x"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left");
    }

    @Test
    void whatCannotBeWrittenLeavesWhatWasThere() throws IOException {
        Path file = directory.resolve("a".repeat(250));
        Files.writeString(file, "old");

        assertThatThrownBy(() -> PrivateFiles.replace(file, "new")).isInstanceOf(IOException.class);

        assertThat(file).hasContent("old");
        assertThat(names()).hasSize(1);
    }

    @Test
    void whoeverReadsWhileItIsReplacedReadsAWholeText() throws Exception {
        Path file = directory.resolve("file");
        String one = "1".repeat(50_000);
        String other = "2".repeat(50_000);
        PrivateFiles.replace(file, one);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try {
                for (int i = 0; i < 50; i++) {
                    PrivateFiles.replace(file, i % 2 == 0 ? other : one);
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            } finally {
                over.set(true);
            }
        });

        while (!over.get()) {
            assertThat(Files.readString(file)).isIn(one, other);
        }
        writing.get();
    }
}
