package dev.parley.contracts.storage;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A {@link KillableWriter} in a process of its own, on the class path and module path of this one. */
final class WriterProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader said;
    private String last = "";
    private long committed;

    private WriterProcess(Process process) {
        this.process = process;
        this.said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static WriterProcess start(StorageHarness.Elsewhere store, String writer, long batches) {
        try {
            return new WriterProcess(new ProcessBuilder(command(store, writer, batches))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the command line of such a process. */
    static List<String> command(StorageHarness.Elsewhere store, String writer, long batches) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+IgnoreUnrecognizedVMOptions", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("-cp");
        command.add(String.join(
                File.pathSeparator,
                Stream.of(System.getProperty("java.class.path", ""), System.getProperty("jdk.module.path", ""))
                        .filter(path -> !path.isEmpty())
                        .toList()));
        command.add(KillableWriter.class.getName());
        command.addAll(
                List.of(store.provider(), store.address(), store.home().toString(), writer, Long.toString(batches)));
        return command;
    }

    /** Waits until so many batches were acknowledged, or the process has ended. */
    void awaitCommitted(long wanted) {
        while (committed < wanted) {
            if (!readLine()) {
                throw new AssertionError("The writing process ended after " + committed + " batches, not " + wanted
                        + "; it said \"" + last + "\", and what it said on standard error is above.");
            }
        }
    }

    /** Kills the process at once and returns how many batches it had been told were committed. */
    long kill() {
        // By its handle: the process itself would close what it has said and nobody has read yet.
        process.toHandle().destroyForcibly();
        return awaitEnd();
    }

    /** Waits until the process has ended and returns how many batches it had been told were committed. */
    long awaitEnd() {
        while (readLine()) {
            // All there is to know is counted on the way.
        }
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a writing process ended.", e);
        }
        return committed;
    }

    private boolean readLine() {
        try {
            @Nullable String line = said.readLine();
            last = line == null ? last : line;
            if (line != null && line.startsWith("done ")) {
                committed = Long.parseLong(line.substring("done ".length()));
            }
            return line != null;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
