package dev.parley.bootstrap.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The archives of classes that the launcher of the distribution makes at its first starts: a start with one costs half as much. */
final class ClassArchive {
    private static final String GATEWAY = "gateway";
    private static final Map<String, List<String>> FLAGS = new ConcurrentHashMap<>();

    private ClassArchive() {}

    /** Returns the flags that give Java the archive for these arguments; none where this runtime makes no archive. */
    static List<String> flags(String... arguments) {
        List<String> words = List.of(arguments);
        String kind = words.contains(GATEWAY) || words.contains("chat") ? GATEWAY : "short";
        return FLAGS.computeIfAbsent(kind, missing -> flagsOf(Path.of(System.getProperty("parley.lib")), missing));
    }

    /** The lock makes one process that runs tests wait for the other's archive. */
    private static List<String> flagsOf(Path lib, String kind) {
        try (FileChannel channel = FileChannel.open(
                        lib.resolveSibling("classes.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock alone = channel.lock()) {
            Path java = Path.of(System.getProperty("java.home")).toRealPath();
            Optional<Path> archive = find(lib, java, kind);
            if (alone.isValid() && archive.isEmpty()) {
                make(lib.resolveSibling("bin").resolve("parley"), java, kind);
                archive = find(lib, java, kind);
            }
            return archive.map(file -> List.of("-Xlog:disable", "-XX:SharedArchiveFile=" + file))
                    .orElse(List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name tells the runtime, and by a checksum the place. */
    private static Optional<Path> find(Path lib, Path java, String kind) throws IOException {
        String start = "classes-" + kind + "-" + java.toString().replaceAll("[^A-Za-z0-9]", "_") + "-";
        try (Stream<Path> files = Files.list(lib.resolve(".."))) {
            return files.filter(file -> file.getFileName().toString().startsWith(start)
                            && file.getFileName().toString().endsWith(".jsa"))
                    .findFirst()
                    .map(Path::normalize);
        }
    }

    private static void make(Path launcher, Path java, String kind) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        kind.equals(GATEWAY)
                                ? List.of(launcher.toString(), GATEWAY, "--help")
                                : List.of(launcher.toString(), "--version"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("JAVA_HOME", java.toString());
        Process process = builder.start();
        try {
            process.waitFor(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
