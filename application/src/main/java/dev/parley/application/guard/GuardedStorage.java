package dev.parley.application.guard;

import dev.parley.application.actor.StorageFault;
import dev.parley.application.port.Cluster;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.application.spi.StorageParts;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A store that throws only what stores may throw: everything else, an {@code Error} or a returned null too, is a {@link
 * StorageUnavailable} whose cause is a {@link StorageFault}, since nobody knows what became of the call. What was thrown is told by its
 * type and place; its message is left out, since it may quote what people wrote, and chats and logs show what is told here.
 *
 * @param parts the guarded parts
 * @param store the store
 */
public record GuardedStorage(StorageParts parts, Storage store) implements ComposedStorage {
    private static final int MOST_CAUSES = 8;

    /** Guards a store. */
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

    /** Returns where the store lies now: one that began with its fallback lies elsewhere once its primary is back. */
    @Override
    public String location() {
        return location(store);
    }

    private static String location(Storage store) {
        return Guard.unchecked("The storage asked for its location", store::location);
    }

    @Override
    public Optional<Cluster> cluster() {
        return Guard.unchecked("The storage " + location(), store::cluster)
                .map(cluster -> guarded(store, Cluster.class, () -> cluster));
    }

    @Override
    public void close() {
        store.close();
    }

    private static <T> T guarded(Storage store, Class<T> port, Supplier<T> part) {
        T real = Guard.unchecked("The storage " + location(store), part);
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    Object result;
                    try {
                        result = method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        Throwable cause = e.getCause();
                        throw declared(store, port, method, cause == null ? e : cause);
                    }
                    if (result == null && method.getReturnType() != void.class) {
                        throw declared(store, port, method, new NullPointerException("The call returned null."));
                    }
                    return result;
                }));
    }

    private static RuntimeException declared(Storage store, Class<?> port, Method method, Throwable thrown) {
        if (thrown instanceof ParleyException known) {
            return known;
        }
        String call = port.getSimpleName() + "." + method.getName();
        return new StorageUnavailable(
                "The store " + location(store) + " failed at " + call + ": " + Thrown.typeAndPlace(thrown),
                fault(call, thrown, 0));
    }

    private static StorageFault fault(String call, Throwable thrown, int depth) {
        Throwable cause = thrown.getCause();
        StorageFault fault = new StorageFault(
                call + " failed: " + Thrown.typeAndPlace(thrown),
                cause == null || depth == MOST_CAUSES ? null : fault(call, cause, depth + 1));
        fault.setStackTrace(thrown.getStackTrace());
        return fault;
    }
}
