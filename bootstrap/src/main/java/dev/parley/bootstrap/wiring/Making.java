package dev.parley.bootstrap.wiring;

import dev.parley.application.port.InvalidRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A part of a gateway that a provider makes of its settings. Foreign code does so, and may never return.
 *
 * @param section the settings it is made of, as the configuration names them
 * @param task makes it
 */
record Making(String section, Runnable task) {
    /** For so long a part may be made: much longer than it takes, since nothing is opened meanwhile. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Returns what keeps a part from being made. A setting that is refused by its name is left out and the part is made again: what is
     * refused then by the name of a setting that is left is told too, and nothing else, since it may be for want of what was left out.
     *
     * @param section the settings it is made of, as the configuration names them
     * @param values the settings, by name
     * @param task makes it of settings
     */
    static List<String> refusals(String section, Map<String, String> values, Consumer<Map<String, String>> task) {
        List<String> refusals = new ArrayList<>();
        Map<String, String> left = new LinkedHashMap<>(values);
        while (true) {
            Map<String, String> tried = Map.copyOf(left);
            Optional<String> refusal = new Making(section, () -> task.accept(tried)).refusal(PATIENCE);
            Optional<String> named = refusal.flatMap(line -> left.keySet().stream()
                    .filter(name -> names(line, section + "." + name))
                    .findFirst());
            if (refusal.isPresent() && (refusals.isEmpty() || named.isPresent())) {
                refusals.add(refusal.get());
            }
            if (named.isEmpty()) {
                return refusals;
            }
            left.remove(named.get());
        }
    }

    private static boolean names(String line, String setting) {
        return Pattern.compile(Pattern.quote(setting) + "(?![\\w.]*\\w)")
                .matcher(line)
                .find();
    }

    /**
     * Makes the part on a thread of its own; returns what keeps it from being made, absent where it was made. A part that is not made in
     * time is given up, and its thread ends with the process.
     *
     * @param patience how long is waited for it
     */
    Optional<String> refusal(Duration patience) {
        CompletableFuture<Void> made = new CompletableFuture<>();
        Thread thread = ProcessSurroundings.threads("making").newThread(() -> {
            try {
                task.run();
                made.complete(null);
            } catch (Throwable e) {
                made.completeExceptionally(e);
            }
        });
        thread.start();
        try {
            made.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (TimeoutException e) {
            String refusal = section + " is not made after " + patience.toSeconds() + " s" + where(thread)
                    + "; correct its settings, switch it off, or replace the plug-in that brings it.";
            thread.interrupt();
            return Optional.of(refusal);
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(section + " was not waited for.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InvalidRequest refused) {
                return Optional.of(String.valueOf(refused.getMessage()));
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        }
    }

    /** Names the line at which the code of the part waits. */
    private static String where(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .filter(frame -> !frame.getClassName().startsWith("java.")
                        && !frame.getClassName().startsWith("jdk."))
                .findFirst()
                .map(frame -> " (it is in " + frame.getClassName() + "." + frame.getMethodName() + ", line "
                        + frame.getLineNumber() + ")")
                .orElse("");
    }
}
