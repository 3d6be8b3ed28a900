package dev.parley.contracts.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The system calls of a process that commits batches, in order: when it acknowledged one on its standard output, and when a file of its
 * store was synced. A file that was opened with {@code O_SYNC} or {@code O_DSYNC} is synced by each write; what goes through
 * {@code io_uring} is not seen.
 */
final class SyncTrace {
    private static final long LONGEST_MINUTES = 4;
    private static final String CALLS = "openat,write,pwrite64,writev,pwritev,fsync,fdatasync,msync";
    private static final Pattern CALL = Pattern.compile("^\\s*(\\d+)\\s+(\\w+)\\((.*)$");
    private static final Pattern RESUMED = Pattern.compile("^\\s*(\\d+)\\s+<\\.\\.\\. (\\w+) resumed>(.*)$");
    private static final Pattern ACKNOWLEDGED = Pattern.compile("^1(?:<[^>]*>)?, \"done (\\d+)\\\\n\".*");
    private static final Pattern FILE = Pattern.compile("^-?\\w+<([^>]*)>.*");
    private static final Pattern OPENED = Pattern.compile("^.*\\bO_D?SYNC\\b.*= \\d+<([^>]*)>.*$");
    private static final Pattern SUCCEEDED = Pattern.compile("^.*\\)\\s+= \\d+.*$");

    private final Set<Long> acknowledged = new HashSet<>();
    private final Set<Long> synced = new HashSet<>();

    private SyncTrace() {}

    /** Returns whether this machine lets a process of ours be traced. */
    static boolean isPossible() {
        try {
            Path trace = Files.createTempFile("parley-trace-", ".txt");
            try {
                return run(List.of("strace", "-f", "-qq", "-y", "-e", "trace=write", "-o", trace.toString(), "true"))
                        == 0;
            } finally {
                Files.deleteIfExists(trace);
            }
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Runs a process to its end and looks at it.
     *
     * @param command says {@code done N} on its standard output behind each batch
     * @param home where the files of its store are
     */
    static SyncTrace of(List<String> command, Path home) {
        try {
            Path trace = Files.createTempFile("parley-trace-", ".txt");
            try {
                List<String> traced = new ArrayList<>(List.of(
                        "strace", "-f", "-qq", "-y", "-s", "64", "-e", "trace=" + CALLS, "-o", trace.toString()));
                traced.addAll(command);
                int code = run(traced);
                if (code != 0) {
                    throw new AssertionError("The writing process ended with " + code
                            + " instead of 0; what it said on standard error is above.");
                }
                return read(Files.readAllLines(trace, StandardCharsets.ISO_8859_1), home.toRealPath());
            } finally {
                Files.deleteIfExists(trace);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError("The writing process has not ended within " + LONGEST_MINUTES + " minutes.");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a process was traced.", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Reads the lines of a trace with the paths of descriptors. */
    static SyncTrace read(List<String> lines, Path home) {
        SyncTrace trace = new SyncTrace();
        Set<String> written = new HashSet<>();
        Map<String, String> begun = new HashMap<>();
        boolean since = false;
        for (String line : lines) {
            Matcher resumed = RESUMED.matcher(line);
            Matcher called = CALL.matcher(line);
            String call;
            String rest;
            if (resumed.matches()) {
                call = resumed.group(2);
                rest = begun.getOrDefault(resumed.group(1), "") + resumed.group(3);
            } else if (called.matches()) {
                call = called.group(2);
                rest = called.group(3);
                int cut = rest.indexOf(" <unfinished ...>");
                if (cut >= 0) {
                    begun.put(called.group(1), rest.substring(0, cut));
                    Matcher early = ACKNOWLEDGED.matcher(rest);
                    if (!call.equals("write") || !early.matches()) {
                        continue;
                    }
                }
            } else {
                continue;
            }
            Matcher said = ACKNOWLEDGED.matcher(rest);
            if (call.equals("write") && said.matches()) {
                long batch = Long.parseLong(said.group(1));
                if (trace.acknowledged.add(batch)) {
                    if (since) {
                        trace.synced.add(batch);
                    }
                    since = false;
                }
                continue;
            }
            if (call.equals("openat")) {
                Matcher opened = OPENED.matcher(rest);
                if (opened.matches()) {
                    written.add(opened.group(1));
                }
                continue;
            }
            Matcher file = FILE.matcher(rest);
            boolean ours = file.matches() && Path.of(file.group(1)).startsWith(home);
            boolean syncs = call.endsWith("sync");
            boolean mapped = call.equals("msync") && rest.contains("MS_SYNC");
            boolean writesThrough = call.contains("write") && file.matches() && written.contains(file.group(1));
            if (SUCCEEDED.matcher(rest).matches() && (mapped || (ours && (syncs || writesThrough)))) {
                since = true;
            }
        }
        return trace;
    }

    /** Returns the batches up to this one that were acknowledged without a sync since the one before, or not at all. */
    Set<Long> unsynced(long batches) {
        Set<Long> missing = new TreeSet<>();
        for (long batch = 1; batch <= batches; batch++) {
            if (!acknowledged.contains(batch) || !synced.contains(batch)) {
                missing.add(batch);
            }
        }
        return missing;
    }
}
