package dev.parley.adapter.kit.flow;

import dev.parley.application.port.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Hands in what a server offered at once and tells how far it is settled. Chats are independent of each other; within a chat something
 * is handed in only once what came before it is settled, so that the order stands even where storing one fails. What is settled is
 * remembered until the server offers it no more, and not handed in again. Takes one offer at a time.
 */
public final class ChatOrder {
    /** Something that makes the gateway fail so often is left out: it would fail for ever. */
    private static final int MOST_FAILURES = 3;

    private final Duration leastPause;
    private final Consumer<String> warnings;
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();
    private Set<String> settled = Set.of();

    /**
     * An order in which nothing is settled.
     *
     * @param leastPause how long to wait at least before something is offered again
     * @param warnings takes one line for each item that was left out because the gateway failed with it
     */
    public ChatOrder(Duration leastPause, Consumer<String> warnings) {
        this.leastPause = leastPause;
        this.warnings = warnings;
    }

    /**
     * What is handed in.
     *
     * @param chat the chat whose order it keeps
     * @param id what names it each time it is offered
     * @param step hands it in
     */
    public record Item(String chat, String id, Step step) {}

    /** How something is handed in. */
    public interface Step {
        /** Begins; completes exceptionally where the gateway failed with it. */
        CompletionStage<Settlement> run();
    }

    /**
     * What became of an item.
     *
     * @param again after what time it is to be offered again; absent where it is settled
     */
    public record Settlement(Optional<Duration> again) {
        /** Settled. */
        public static final Settlement DONE = new Settlement(Optional.empty());

        /** To be offered again after a time. */
        public static Settlement later(Duration pause) {
            return new Settlement(Optional.of(pause));
        }

        /** Returns what a receipt means; where it names no time to wait, {@code usual} is taken. */
        public static Settlement of(Receipt receipt, Duration usual) {
            if (receipt instanceof Receipt.Unavailable) {
                return later(usual);
            }
            if (receipt instanceof Receipt.TurnedAway away) {
                return later(away.retryAfter().orElse(usual));
            }
            return DONE;
        }
    }

    /**
     * How far an offer is settled.
     *
     * @param settledFirst how many items from the first one on are settled without a gap
     * @param pause how long to wait before the rest is offered again; absent where all are settled
     */
    public record Outcome(int settledFirst, Optional<Duration> pause) {}

    /** Hands items in, in their order; completes once each is settled or put off, and never exceptionally. */
    public CompletionStage<Outcome> take(List<Item> items) {
        Map<String, CompletableFuture<Settlement>> lastOfChat = new HashMap<>();
        List<CompletableFuture<Settlement>> settlements = new ArrayList<>();
        Set<String> before = settled;
        for (Item item : items) {
            settlements.add(
                    before.contains(item.id())
                            ? CompletableFuture.completedFuture(Settlement.DONE)
                            : inOrder(item, lastOfChat));
        }
        return CompletableFuture.allOf(settlements.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> outcome(items, settlements));
    }

    private CompletableFuture<Settlement> inOrder(Item item, Map<String, CompletableFuture<Settlement>> lastOfChat) {
        CompletableFuture<Settlement> last =
                lastOfChat.getOrDefault(item.chat(), CompletableFuture.completedFuture(Settlement.DONE));
        CompletableFuture<Settlement> mine =
                last.thenCompose(settlement -> settlement.again().isPresent()
                        ? CompletableFuture.completedFuture(settlement)
                        : CompletableFuture.completedFuture(item)
                                .thenCompose(same -> same.step().run())
                                .exceptionally(failure -> failed(item, failure)));
        lastOfChat.put(item.chat(), mine);
        return mine;
    }

    private Settlement failed(Item item, Throwable failure) {
        if (failures.merge(item.id(), 1, Integer::sum) < MOST_FAILURES) {
            return Settlement.later(leastPause);
        }
        failures.remove(item.id());
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        warnings.accept(item.id() + " was left out: the gateway failed with it, with a "
                + cause.getClass().getSimpleName() + ".");
        return Settlement.DONE;
    }

    private Outcome outcome(List<Item> items, List<CompletableFuture<Settlement>> settlements) {
        Set<String> done = new HashSet<>();
        Optional<Duration> pause = Optional.empty();
        int first = 0;
        for (int i = 0; i < items.size(); i++) {
            Optional<Duration> again = settlements.get(i).join().again();
            if (again.isEmpty()) {
                done.add(items.get(i).id());
                first += pause.isEmpty() ? 1 : 0;
            } else {
                Duration wait = again.get().compareTo(leastPause) < 0 ? leastPause : again.get();
                pause = pause.filter(p -> p.compareTo(wait) >= 0).or(() -> Optional.of(wait));
            }
        }
        settled = pause.isEmpty() ? Set.of() : Set.copyOf(done);
        if (pause.isEmpty()) {
            failures.clear();
        }
        return new Outcome(first, pause);
    }
}
