package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.guard.Guard;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Timers;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.text.Spans;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The receipts that platforms wait for: each is there at the latest when its time or the gateway is over, whatever its lane hangs at. A
 * message that is refused for being late may have been stored all the same; when it is handed in again it is recognised. Safe for
 * concurrent use.
 */
final class Receipts {
    /** Longer than a lane waits for a plug-in, so that it answers itself where it can. */
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Timing timing;
    private final Guard guard;
    private final Map<Long, CompletableFuture<Receipt>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    Receipts(Timing timing, Guard guard) {
        this.timing = timing;
        this.guard = guard;
    }

    /** A platform waits for a receipt; {@code lane} is absent where the message reaches none. */
    void add(CompletableFuture<Receipt> receipt, Optional<SessionKey> lane) {
        long number = numbers.incrementAndGet();
        waiting.put(number, receipt);
        Timers.Timer limit = timing.after(LIMIT, () -> isLate(receipt, lane));
        var unused = receipt.whenComplete((done, failure) -> {
            limit.cancel();
            waiting.remove(number);
        });
    }

    private void isLate(CompletableFuture<Receipt> receipt, Optional<SessionKey> lane) {
        String late = "Nothing became of the message within " + Spans.inFull(LIMIT);
        if (receipt.complete(new Receipt.Unavailable(late + "; try again."))) {
            guard.tell(lane, late + ". Its platform was told to hand it in again.", new TimeoutException(late + "."));
        }
    }

    /** Returns what completes once nobody waits any more who waits now. */
    CompletableFuture<Void> settled() {
        return CompletableFuture.allOf(waiting.values().stream()
                .map(receipt -> receipt.handle((done, failure) -> done))
                .toArray(CompletableFuture[]::new));
    }

    /** Refuses all that are left: the gateway has stopped. */
    void refuseAll() {
        List.copyOf(waiting.values())
                .forEach(receipt ->
                        receipt.complete(new Receipt.Unavailable("The gateway has stopped; try again later.")));
    }
}
