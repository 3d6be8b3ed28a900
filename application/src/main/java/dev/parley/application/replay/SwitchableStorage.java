package dev.parley.application.replay;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.application.spi.StorageParts;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.CommitResult;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A store that can be made to fail and to come back. Safe for concurrent use. */
public final class SwitchableStorage implements ComposedStorage {
    /** How the store behaves. */
    public enum State {
        /** As the store behind it. */
        AVAILABLE,
        /** Nothing can be read or written. */
        UNAVAILABLE,
        /** Nothing can be written. */
        FULL,
        /** Batches are stored, but the caller is told that the store is unavailable. */
        SILENT,
        /** Everything fails as damaged. */
        CORRUPT
    }

    /** What a store says of itself in every state. */
    private static final Set<String> ALWAYS_ANSWERED = Set.of("health", "whenWhole", "wakes");

    private final Storage storage;
    private final String name;
    private final StorageParts parts;
    private volatile State state = State.AVAILABLE;

    /** The store behind this; it is closed with this. */
    public SwitchableStorage(Storage storage) {
        this(storage, storage.location());
    }

    /** The store behind this, which is closed with this; messages and {@link #location} call it {@code name}. */
    public SwitchableStorage(Storage storage, String name) {
        this.storage = storage;
        this.name = name;
        this.parts = new StorageParts(
                this::commit,
                guarded(Lanes.class, storage.lanes()),
                guarded(Sessions.class, storage.sessions()),
                guarded(Transcripts.class, storage.transcripts()),
                guarded(TranscriptSearch.class, storage.search()),
                guarded(TurnQueue.class, storage.queue()),
                guarded(Meta.class, storage.meta()),
                guarded(StorageMaintenance.class, storage.maintenance()));
    }

    /** Sets how the store behaves from now on. */
    public void become(State next) {
        state = next;
    }

    /** Returns how the store behaves. */
    public State state() {
        return state;
    }

    private CommitResult commit(Batch batch) {
        switch (state) {
            case FULL -> throw new StorageUnavailable("The store " + location() + " is full; free some space.", null);
            case SILENT -> {
                storage.ledger().commit(batch);
                throw new StorageUnavailable("The store " + location() + " did not answer; repeat the batch.", null);
            }
            default -> checkReadable();
        }
        return storage.ledger().commit(batch);
    }

    private void checkReadable() {
        switch (state) {
            case UNAVAILABLE ->
                throw new StorageUnavailable("The store " + location() + " cannot be used now; try again.", null);
            case CORRUPT ->
                throw new StorageCorrupt("The store " + location() + " is damaged; run parley storage check.", null);
            default -> {}
        }
    }

    private <T> T guarded(Class<T> port, T behind) {
        return port.cast(
                Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() != Object.class && !ALWAYS_ANSWERED.contains(method.getName())) {
                        checkReadable();
                    }
                    return call(behind, method, arguments);
                }));
    }

    private static @Nullable Object call(Object behind, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(behind, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    @Override
    public StorageParts parts() {
        return parts;
    }

    @Override
    public Optional<Cluster> cluster() {
        return storage.cluster().map(shared -> guarded(Cluster.class, shared));
    }

    @Override
    public String location() {
        return name;
    }

    @Override
    public void close() {
        storage.close();
    }
}
