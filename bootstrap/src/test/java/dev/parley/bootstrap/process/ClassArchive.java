package dev.parley.bootstrap.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The archive of classes that the launcher of the distribution makes at its first start: a start with it costs half as much. */
final class ClassArchive {
    private static final List<String> FLAGS = flagsOf(Path.of(System.getProperty("parley.lib")));

    private ClassArchive() {}

    /** Returns the flags that give Java the archive; none where this runtime makes no archive. */
    static List<String> flags() {
        return FLAGS;
    }

    /** The lock makes one process that runs tests wait for the other's archive. */
    private static List<String> flagsOf(Path lib) {
        try (FileChannel channel = FileChannel.open(
                        lib.resolveSibling("classes.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock alone = channel.lock()) {
            Path java = Path.of(System.getProperty("java.home")).toRealPath();
            Optional<Path> archive = find(lib, java);
            if (alone.isValid() && archive.isEmpty()) {
                make(lib.resolveSibling("bin").resolve("parley"), java);
                archive = find(lib, java);
            }
            return archive.map(file -> List.of("-Xlog:disable", "-XX:SharedArchiveFile=" + file))
                    .orElse(List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name tells the runtime, and by a checksum the place. */
    private static Optional<Path> find(Path lib, Path java) throws IOException {
        String name = "classes-" + java.toString().replaceAll("[^A-Za-z0-9]", "_") + "-";
        try (Stream<Path> files = Files.list(lib.resolve(".."))) {
            return files.filter(file -> file.getFileName().toString().startsWith(name)
                            && file.getFileName().toString().endsWith(".jsa"))
                    .findFirst()
                    .map(Path::normalize);
        }
    }

    private static void make(Path launcher, Path java) throws IOException {
        ProcessBuilder start = new ProcessBuilder(launcher.toString(), "--version")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        start.environment().put("JAVA_HOME", java.toString());
        Process process = start.start();
        try {
            process.waitFor(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
