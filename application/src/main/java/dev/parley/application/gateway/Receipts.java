package dev.parley.application.gateway;

import dev.parley.application.port.Receipt;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The receipts that platforms wait for. Safe for concurrent use. */
final class Receipts {
    private final Set<CompletableFuture<Receipt>> waiting = ConcurrentHashMap.newKeySet();

    void add(CompletableFuture<Receipt> receipt) {
        waiting.add(receipt);
        var unused = receipt.whenComplete((done, failure) -> waiting.remove(receipt));
    }

    /** Refuses all that are left: the gateway has stopped. */
    void refuseAll() {
        List.copyOf(waiting)
                .forEach(receipt ->
                        receipt.complete(new Receipt.Unavailable("The gateway has stopped; try again later.")));
    }
}
