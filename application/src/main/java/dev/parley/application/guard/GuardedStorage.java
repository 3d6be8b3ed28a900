package dev.parley.application.guard;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.application.spi.StorageParts;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A store whose calls are guarded as {@link StorageGuard} says; closing it throws nothing.
 *
 * @param parts the guarded parts
 * @param store the store
 */
public record GuardedStorage(StorageParts parts, Storage store) implements ComposedStorage {
    /**
     * Guards a store.
     *
     * @throws dev.parley.application.port.StorageUnavailable where it does not give its parts
     */
    public static GuardedStorage of(Storage store) {
        return new GuardedStorage(
                new StorageParts(
                        guarded(store, Ledger.class, store::ledger),
                        guarded(store, Lanes.class, store::lanes),
                        guarded(store, Sessions.class, store::sessions),
                        guarded(store, Transcripts.class, store::transcripts),
                        guarded(store, TranscriptSearch.class, store::search),
                        guarded(store, TurnQueue.class, store::queue),
                        guarded(store, Meta.class, store::meta),
                        guarded(store, StorageMaintenance.class, store::maintenance)),
                store);
    }

    /**
     * Opens a store and guards it; one that does not give its parts is closed again.
     *
     * @param where names the store until it is open
     * @param call names the call
     * @throws dev.parley.application.port.ParleyException where it is not opened
     */
    public static GuardedStorage open(Supplier<String> where, String call, Supplier<Storage> opening) {
        Storage opened = StorageGuard.call(where, call, opening);
        try {
            return of(opened);
        } catch (RuntimeException e) {
            closeQuietly(opened);
            throw e;
        }
    }

    private static <T> T guarded(Storage store, Class<T> port, Supplier<T> part) {
        Supplier<String> where = () -> location(store);
        return StorageGuard.part(where, port, StorageGuard.call(where, "Storage." + port.getSimpleName(), part));
    }

    /** Returns where the store lies now: one that began with its fallback lies elsewhere once its primary is back. */
    @Override
    public String location() {
        return location(store);
    }

    private static String location(Storage store) {
        try {
            return String.valueOf(store.location());
        } catch (Throwable e) {
            return store.getClass().getName();
        }
    }

    @Override
    public Optional<Cluster> cluster() {
        return StorageGuard.call(this::location, "Storage.cluster", store::cluster)
                .map(cluster -> StorageGuard.part(this::location, Cluster.class, cluster));
    }

    @Override
    public void close() {
        closeQuietly(store);
    }

    private static void closeQuietly(Storage store) {
        try {
            store.close();
        } catch (Throwable e) {
            // Everything that counts is stored already.
        }
    }
}
