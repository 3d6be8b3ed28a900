package dev.parley.bootstrap.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The program in a process of its own, as the launcher starts it. */
public final class ParleyProcess implements AutoCloseable {
    /** How long anything may take before a test gives up. */
    public static final long PATIENCE_SECONDS = 120;

    private static final String LIB = System.getProperty("parley.lib");

    private final Process process;
    private final Path errors;

    private ParleyProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
    }

    /**
     * What an ended process has left.
     *
     * @param code its exit code
     * @param out its standard output
     * @param err its standard error
     */
    public record Ended(int code, String out, String err) {}

    /** Has the archive of classes made that the first start of a gateway would make, so that no start that is timed does. */
    public static void makeArchive() {
        ClassArchive.flags("gateway");
    }

    /** Returns the command that starts the program with the arguments, and Java with the flags. */
    static List<String> command(List<String> flags, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(ClassArchive.flags(arguments));
        command.addAll(flags);
        command.addAll(List.of("--module-path", LIB, "-m", "dev.parley.bootstrap/dev.parley.bootstrap.Main"));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Starts a gateway with a closed standard input; returns at once. */
    public static ParleyProcess gateway(Path home) throws IOException {
        return gateway(home, "INFO");
    }

    /** Starts a gateway that logs at this level; returns at once. */
    static ParleyProcess gateway(Path home, String level) throws IOException {
        return gateway(home, Map.of("PARLEY_LOG", level));
    }

    /** Starts a gateway with these variables in its environment; returns at once. */
    public static ParleyProcess gateway(Path home, Map<String, String> environment) throws IOException {
        return gateway(List.of(), home, environment);
    }

    /** Starts a gateway with these variables in its environment, and Java with the flags; returns at once. */
    public static ParleyProcess gateway(List<String> flags, Path home, Map<String, String> environment)
            throws IOException {
        Path errors = Files.createTempFile("parley-gateway", ".err");
        ProcessBuilder builder =
                gatewayIn(flags, home).redirectInput(new File("/dev/null")).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        return new ParleyProcess(builder.start(), errors);
    }

    /** Returns what starts a gateway. */
    public static ProcessBuilder gatewayIn(Path home) {
        return gatewayIn(List.of(), home);
    }

    private static ProcessBuilder gatewayIn(List<String> flags, Path home) {
        return new ProcessBuilder(command(flags, "--home", home.toString(), "gateway"));
    }

    /** Runs a command to its end, with {@code input} as its standard input. */
    public static Ended run(Path home, String input, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("--home", home.toString()));
        all.addAll(List.of(arguments));
        Path in = Files.createTempFile("parley-run", ".in");
        Path out = Files.createTempFile("parley-run", ".out");
        Path err = Files.createTempFile("parley-run", ".err");
        Files.writeString(in, input, StandardCharsets.UTF_8);
        Process process = new ProcessBuilder(command(List.of(), all.toArray(String[]::new)))
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("Still running: " + all + " " + Files.readString(err));
            }
            return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
            for (Path file : List.of(in, out, err)) {
                Files.delete(file);
            }
        }
    }

    /** Starts a command; returns at once. */
    static ParleyProcess started(Path home, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("--home", home.toString()));
        all.addAll(List.of(arguments));
        Path errors = Files.createTempFile("parley-started", ".err");
        Process process = new ProcessBuilder(command(List.of(), all.toArray(String[]::new)))
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile())
                .start();
        return new ParleyProcess(process, errors);
    }

    /** Waits until the gateway says where it listens, and returns that. */
    public String ready() throws Exception {
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        String line = CompletableFuture.supplyAsync(() -> {
                    try {
                        return String.valueOf(lines.readLine());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!line.startsWith("http://127.0.0.1:")) {
            throw new AssertionError("Not ready: " + line + "\n" + Files.readString(errors));
        }
        return line;
    }

    /** Waits until something holds; fails where the gateway ends before, or it takes too long. */
    public void until(String what, BooleanSupplier holds) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!holds.getAsBoolean()) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                throw new AssertionError("Not so: " + what + "\n" + Files.readString(errors));
            }
        }
    }

    /** Waits until something holds or the process has ended; returns whether it is still alive. */
    boolean aliveWhen(BooleanSupplier holds) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!holds.getAsBoolean()) {
            if (process.waitFor(2, TimeUnit.MILLISECONDS)) {
                return false;
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Still running: " + errors());
            }
        }
        return process.isAlive();
    }

    /** Returns the number that the operating system knows the process by. */
    public long pid() {
        return process.pid();
    }

    /** What the process has written to its standard error so far. */
    public String errors() throws IOException {
        return Files.readString(errors);
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM; returns the exit code. */
    public int terminate() throws Exception {
        askToStop();
        return exit();
    }

    /** SIGTERM; returns at once. */
    public void askToStop() {
        process.destroy();
    }

    /** Waits for the end, so long at most; returns whether it has ended. */
    public boolean endsWithin(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Waits for the end; returns the exit code. */
    public int exit() throws Exception {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("Still running: " + errors());
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.deleteIfExists(errors);
    }
}
