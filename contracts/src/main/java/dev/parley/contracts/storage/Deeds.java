package dev.parley.contracts.storage;

import dev.parley.domain.change.Batch;
import dev.parley.domain.change.CommitResult;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What a test did to its store last, to be told where it fails. Noting takes no lock, so that it brings no order into threads that
 * race; words are made of it only when they are asked for.
 */
final class Deeds {
    private static final int KEPT = 8;
    private static final int SHOWN = 4;
    private static final int LENGTH = 200;

    private final AtomicLong count = new AtomicLong();
    private final AtomicReferenceArray<Supplier<String>> last = new AtomicReferenceArray<>(KEPT);

    void committed(Batch batch, CommitResult result) {
        note(() -> "committed " + words(batch) + ": " + result);
    }

    void refused(Batch batch, RuntimeException why) {
        note(() -> "committed " + words(batch) + ": " + cut(why.toString()));
    }

    void did(String what) {
        note(() -> what);
    }

    private void note(Supplier<String> deed) {
        last.set((int) (count.getAndIncrement() % KEPT), deed);
    }

    /** Returns a line for each of the last deeds, oldest first. */
    String last() {
        long end = count.get();
        String lines = LongStream.range(Math.max(0, end - KEPT), end)
                .mapToObj(i -> last.get((int) (i % KEPT)))
                .filter(Objects::nonNull)
                .map(deed -> "  " + deed.get())
                .collect(Collectors.joining("\n"));
        return lines.isEmpty() ? "  nothing" : (end > KEPT ? "  …\n" : "") + lines;
    }

    private static String words(Batch batch) {
        String changes = some(batch.changes());
        String conditions =
                batch.preconditions().isEmpty() ? "" : ", on the condition that " + some(batch.preconditions());
        return (changes.isEmpty() ? "nothing" : changes) + conditions;
    }

    private static String some(List<?> parts) {
        Stream<String> shown = parts.stream().limit(SHOWN).map(part -> cut(part.toString()));
        Stream<String> rest = parts.size() > SHOWN ? Stream.of((parts.size() - SHOWN) + " more") : Stream.empty();
        return Stream.concat(shown, rest).collect(Collectors.joining(", "));
    }

    /** A line that leaves out what is absent; of a long text only the beginning is looked at. */
    private static String cut(String text) {
        String line = text.substring(0, Math.min(text.length(), 4 * LENGTH))
                .replace('\n', ' ')
                .replaceAll("(, )?\\w+=Optional\\.empty", "");
        return line.length() <= LENGTH && text.length() <= 4 * LENGTH
                ? line
                : line.substring(0, Math.min(line.length(), LENGTH)) + "…";
    }
}
