package dev.parley.contracts.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that acknowledges what it has not synced is found out, and one that has synced is not. */
class SyncTraceTest {
    private static final Path HOME = Path.of("/home/store");

    @TempDir
    Path home;

    private static SyncTrace read(String... lines) {
        return SyncTrace.read(List.of(lines), HOME);
    }

    @Test
    void eachBatchNeedsASyncOfItsOwn() {
        assertThat(read(
                                "10 fdatasync(5</home/store/a.log>) = 0",
                                "10 write(1<pipe:[7]>, \"done 1\\n\", 7) = 7",
                                "10 write(1<pipe:[7]>, \"done 2\\n\", 7) = 7",
                                "10 fsync(5</home/store/a.log>) = 0",
                                "10 write(1<pipe:[7]>, \"done 3\\n\", 7) = 7")
                        .unsynced(3))
                .containsExactly(2L);
    }

    @Test
    void aSyncOfAnotherFileOneThatFailsAndOneThatHasNotEndedCountForNothing() {
        assertThat(read(
                                "10 fdatasync(5</tmp/other.log>) = 0",
                                "10 write(1<pipe:[7]>, \"done 1\\n\", 7) = 7",
                                "10 fdatasync(5</home/store/a.log>) = -1 EIO (Input/output error)",
                                "10 write(1<pipe:[7]>, \"done 2\\n\", 7) = 7",
                                "11 fdatasync(5</home/store/a.log> <unfinished ...>",
                                "10 write(1<pipe:[7]>, \"done 3\\n\", 7) = 7",
                                "11 <... fdatasync resumed>) = 0",
                                "10 write(1<pipe:[7]>, \"done 4\\n\", 7) = 7")
                        .unsynced(4))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void aFileThatIsWrittenThroughIsSyncedByEachWrite() {
        assertThat(read(
                                "10 openat(AT_FDCWD</>, \"/home/store/a.log\", O_RDWR|O_DSYNC, 0666) = 5</home/store/a.log>",
                                "10 pwrite64(5</home/store/a.log>, \"x\", 1, 0) = 1",
                                "10 write(1<pipe:[7]>, \"done 1\\n\", 7) = 7",
                                "10 pwrite64(6</home/store/b.log>, \"x\", 1, 0) = 1",
                                "10 write(1<pipe:[7]>, \"done 2\\n\", 7) = 7")
                        .unsynced(2))
                .containsExactly(2L);
    }

    @Test
    void whatWasNeverAcknowledgedIsMissing() {
        assertThat(read().unsynced(2)).containsExactly(1L, 2L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRealProcessIsSeenToSyncOrNot(boolean syncs) throws Exception {
        assumeTrue(SyncTrace.isPossible(), "System calls cannot be traced here.");
        Path program = Files.writeString(home.resolve("Writer.java"), """
                import java.nio.*;
                import java.nio.channels.*;
                import java.nio.file.*;
                class Writer {
                    public static void main(String[] given) throws Exception {
                        try (FileChannel log = FileChannel.open(Path.of(given[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                            for (int batch = 1; batch <= 3; batch++) {
                                log.write(ByteBuffer.wrap(new byte[100]));
                                if (Boolean.parseBoolean(given[1])) {
                                    log.force(false);
                                }
                                System.out.println("done " + batch);
                                System.out.flush();
                            }
                        }
                    }
                }
                """);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

        assertThat(SyncTrace.of(
                                List.of(
                                        java,
                                        program.toString(),
                                        home.resolve("a.log").toString(),
                                        Boolean.toString(syncs)),
                                home)
                        .unsynced(3))
                .hasSize(syncs ? 0 : 3);
    }
}
