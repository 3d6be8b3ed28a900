package dev.parley.contracts.storage;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Refusals;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;

/** A store without search and titles, made of one that has both. */
public record PartialStore(Storage whole, StorageParts parts, Runnable closed) implements ComposedStorage {
    /** Returns a store without search and titles. */
    public static PartialStore of(Storage whole) {
        return of(whole, () -> {});
    }

    /** Returns a store without search and titles that tells when it is closed. */
    static PartialStore of(Storage whole, Runnable closed) {
        StorageParts all = StorageParts.of(whole);
        return new PartialStore(
                whole,
                new StorageParts(
                        batch -> commit(whole, batch),
                        all.lanes(),
                        untitled(all.sessions()),
                        all.transcripts(),
                        TranscriptSearch.none(whole.location()),
                        all.queue(),
                        all.meta(),
                        all.maintenance()),
                closed);
    }

    private static CommitResult commit(Storage whole, Batch batch) {
        Optional<String> refused = batch.changes().stream()
                .flatMap(change -> Refusals.ofTitled(change).stream())
                .findFirst();
        if (refused.isPresent()) {
            throw new InvalidRequest(refused.get());
        }
        return whole.ledger().commit(batch);
    }

    private static Sessions untitled(Sessions sessions) {
        return (Sessions) Proxy.newProxyInstance(
                Sessions.class.getClassLoader(), new Class<?>[] {Sessions.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("keepsTitles")) {
                        return false;
                    }
                    try {
                        return method.invoke(sessions, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    @Override
    public String location() {
        return whole.location();
    }

    @Override
    public void close() {
        whole.close();
        closed.run();
    }
}
