package dev.parley.application.gateway;

import dev.parley.application.port.Receipt;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The receipts that platforms wait for. Safe for concurrent use. */
final class Receipts {
    private final Map<Long, CompletableFuture<Receipt>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    void add(CompletableFuture<Receipt> receipt) {
        long number = numbers.incrementAndGet();
        waiting.put(number, receipt);
        var unused = receipt.whenComplete((done, failure) -> waiting.remove(number));
    }

    /** Refuses all that are left: the gateway has stopped. */
    void refuseAll() {
        List.copyOf(waiting.values())
                .forEach(receipt ->
                        receipt.complete(new Receipt.Unavailable("The gateway has stopped; try again later.")));
    }
}
