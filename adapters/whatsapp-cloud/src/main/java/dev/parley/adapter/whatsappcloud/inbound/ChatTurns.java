package dev.parley.adapter.whatsappcloud.inbound;

import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.flow.ChatOrder.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Has what one person wrote handed in one after the other, in the order in which it came, whichever posts it came in. Where something
 * could not be stored, what came after it waits until Meta posts it again, for a minute at most: nobody knows when Meta will. What is
 * posted again while it is under way, or soon after it was settled, is not handed in twice. Safe for concurrent use.
 */
final class ChatTurns {
    /** How long others wait for what could not be stored. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration AGAIN = Duration.ofSeconds(1);
    /** Something that makes the gateway fail so often is left out: it would fail for ever. */
    private static final int MOST_FAILURES = 3;

    private static final int MOST_REMEMBERED = 10_000;

    private final InstantSource clock;
    private final Consumer<String> warnings;
    private final Map<String, CompletableFuture<Settlement>> underWay = new HashMap<>();
    private final Map<String, CompletableFuture<Settlement>> lastOfChat = new HashMap<>();
    private final Map<String, Missing> missing = new HashMap<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private final Set<String> settled = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_REMEMBERED;
        }
    });

    private static final class Missing {
        final Set<String> ids = new LinkedHashSet<>();
        Instant until = Instant.MIN;
    }

    /**
     * Nothing under way.
     *
     * @param clock time
     * @param warnings takes one line for each item that was left out because the gateway failed with it
     */
    ChatTurns(InstantSource clock, Consumer<String> warnings) {
        this.clock = clock;
        this.warnings = warnings;
    }

    /** Hands something in once its turn comes; completes once it is settled or is to be posted again, and never exceptionally. */
    synchronized CompletableFuture<Settlement> take(String chat, String id, Step step) {
        CompletableFuture<Settlement> same = underWay.get(id);
        if (same != null) {
            return same;
        }
        if (settled.contains(id)) {
            return CompletableFuture.completedFuture(Settlement.DONE);
        }
        CompletableFuture<Settlement> outcome = new CompletableFuture<>();
        CompletableFuture<Settlement> last = lastOfChat.put(chat, outcome);
        underWay.put(id, outcome);
        CompletableFuture<Settlement> before = last == null ? CompletableFuture.completedFuture(Settlement.DONE) : last;
        var unused = before.thenCompose(done -> waits(chat, id)
                        ? CompletableFuture.completedFuture(Settlement.later(AGAIN))
                        : step.run().thenApply(settlement -> noted(chat, id, settlement)))
                .exceptionally(failure -> failed(chat, id, failure))
                .thenAccept(settlement -> end(chat, id, outcome, settlement));
        return outcome;
    }

    private void end(String chat, String id, CompletableFuture<Settlement> outcome, Settlement settlement) {
        synchronized (this) {
            underWay.remove(id, outcome);
            lastOfChat.remove(chat, outcome);
        }
        outcome.complete(settlement);
    }

    /** Returns whether something before it is still to be posted again. */
    private synchronized boolean waits(String chat, String id) {
        Missing gone = missing.get(chat);
        if (gone == null) {
            return false;
        }
        if (!clock.instant().isBefore(gone.until)) {
            missing.remove(chat);
            return false;
        }
        gone.ids.add(id);
        return !gone.ids.iterator().next().equals(id);
    }

    private synchronized Settlement noted(String chat, String id, Settlement settlement) {
        if (settlement.again().isPresent()) {
            Missing gone = missing.computeIfAbsent(chat, c -> new Missing());
            gone.ids.add(id);
            gone.until = clock.instant().plus(PATIENCE);
            return settlement;
        }
        failures.remove(id);
        settled.add(id);
        Missing gone = missing.get(chat);
        if (gone != null && gone.ids.remove(id) && gone.ids.isEmpty()) {
            missing.remove(chat);
        }
        return settlement;
    }

    private Settlement failed(String chat, String id, Throwable failure) {
        synchronized (this) {
            if (failures.merge(id, 1, Integer::sum) < MOST_FAILURES) {
                return noted(chat, id, Settlement.later(AGAIN));
            }
        }
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        warnings.accept("Something that Meta posted was left out: the gateway failed with it, with a "
                + cause.getClass().getSimpleName() + ".");
        return noted(chat, id, Settlement.DONE);
    }
}
