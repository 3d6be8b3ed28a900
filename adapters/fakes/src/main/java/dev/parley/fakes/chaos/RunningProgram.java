package dev.parley.fakes.chaos;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A gateway as a process. */
final class RunningProgram implements AutoCloseable {
    /** How long anything may take before a run gives up. */
    private static final long PATIENCE_SECONDS = 120;

    private static final Pattern ADDRESS = Pattern.compile("http://(127\\.0\\.0\\.1|localhost|\\[::1]):\\d+");

    private final Process process;
    private final Path errors;
    private final CompletableFuture<String> address = new CompletableFuture<>();

    /** Starts it with a closed standard input; returns at once. */
    RunningProgram(ProcessBuilder builder) throws IOException {
        errors = Files.createTempFile("parley-chaos", ".err");
        process = builder.redirectErrorStream(false)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.PIPE)
                .redirectError(errors.toFile())
                .start();
        Thread reader = new Thread(this::read, "chaos-output");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher found = ADDRESS.matcher(line);
                if (found.find()) {
                    address.complete(found.group());
                }
            }
        } catch (IOException | UncheckedIOException killed) {
            // What it wrote before was read.
        }
        address.completeExceptionally(new IOException("It ended before it said where it listens."));
    }

    /** Waits until it has said where it listens; returns that. */
    String ready() throws IOException, InterruptedException {
        try {
            return address.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(
                    "The gateway does not write an address such as http://127.0.0.1:8787 to its standard output:\n"
                            + errors(),
                    e);
        }
    }

    /** Waits until something holds; fails where the gateway ends before, or it takes too long. */
    void until(String what, BooleanSupplier holds) throws IOException, InterruptedException {
        long since = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                throw new AssertionError(
                        "The gateway ended with " + process.exitValue() + " before " + what + ":\n" + errors());
            }
            if (System.nanoTime() - since > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new AssertionError(
                        "For " + PATIENCE_SECONDS + " seconds it is not so that " + what + ":\n" + errors());
            }
        }
    }

    /** Returns what it has written to its standard error so far. */
    String errors() throws IOException {
        return Files.readString(errors);
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM; returns at once. */
    void askToStop() {
        process.destroy();
    }

    /** Waits for the end, so long at most; returns whether it has ended. */
    boolean endsWithin(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Waits for the end; returns the exit code. */
    int exit() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(
                    "Asked to stop, the gateway still runs after " + PATIENCE_SECONDS + " seconds:\n" + errors());
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.deleteIfExists(errors);
    }
}
