package dev.parley.testing.memory;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Meta;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.scan.ScannedLanes;
import dev.parley.application.scan.ScannedQueue;
import dev.parley.application.scan.ScannedSearch;
import dev.parley.application.scan.ScannedSessions;
import dev.parley.application.scan.ScannedTranscripts;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.application.spi.StorageParts;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.turn.LifeId;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The reference store. One lock around everything: a read sees whole batches only. Durable as long as the process lives; see
 * {@link MemoryStorageProvider} for opening the same data again.
 */
public final class MemoryStorage implements ComposedStorage {
    private final MemoryData data;
    private final String location;
    private final boolean writable;
    private final StorageParts parts = new StorageParts(
            this::commit,
            new ScannedLanes(this::read),
            new ScannedSessions(this::read),
            new ScannedTranscripts(this::read),
            new ScannedSearch(this::read),
            new ScannedQueue(this::read),
            new NamedValues(),
            new Maintenance());
    private final Optional<MemoryCluster> cluster;
    private boolean closed;

    /** Opens an empty store of its own. */
    public MemoryStorage() {
        this(new MemoryData(), "memory:", true);
    }

    MemoryStorage(MemoryData data, String location, boolean writable) {
        this(data, location, writable, Optional.empty());
    }

    private MemoryStorage(MemoryData data, String location, boolean writable, Optional<MemoryCluster> cluster) {
        this.data = data;
        this.location = location;
        this.writable = writable;
        this.cluster = cluster;
    }

    /** Opens an empty store that many gateways may share; {@code clock} is its own, by which leases run out. */
    public static MemoryStorage shared(InstantSource clock) {
        MemoryData data = new MemoryData();
        return new MemoryStorage(data, "memory:", true, Optional.of(new MemoryCluster(data, clock)));
    }

    @Override
    public Optional<Cluster> cluster() {
        return cluster.map(shared -> shared);
    }

    /** Has the lease of a life run out now; does nothing where the store is not shared. */
    public void expire(LifeId life) {
        cluster.ifPresent(shared -> shared.expire(life));
    }

    /** Looks at the data, alone. */
    private <T> T read(Function<? super MemoryData, T> look) {
        synchronized (data) {
            if (closed) {
                throw new StorageUnavailable("The store " + location + " is closed; open it again.", null);
            }
            return look.apply(data);
        }
    }

    private CommitResult commit(Batch batch) {
        return read(d -> {
            if (!writable) {
                throw new StorageUnavailable(
                        "The store " + location + " was opened to be read only; open it for writing.", null);
            }
            return d.commit(batch);
        });
    }

    @Override
    public StorageParts parts() {
        return parts;
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public void close() {
        synchronized (data) {
            closed = true;
        }
    }

    private final class NamedValues implements Meta {
        @Override
        public Optional<String> get(String key) {
            return read(d -> d.meta.get(key));
        }

        @Override
        public Map<String, String> all() {
            return read(d -> new TreeMap<>(d.meta.byKey()));
        }

        @Override
        public Optional<String> cursor(CursorName name) {
            return read(d -> d.cursors.get(name));
        }

        @Override
        public Map<CursorName, String> cursors() {
            return read(d -> new TreeMap<>(d.cursors.byKey()));
        }
    }

    /** Nothing here can break, so there is nothing to find and nothing to repair. */
    private final class Maintenance implements StorageMaintenance {
        @Override
        public Map<String, String> status() {
            return read(d -> {
                Map<String, String> status = new LinkedHashMap<>();
                status.put("mode", writable ? "read and write" : "read only");
                status.put("lanes", Integer.toString(d.lanes.size()));
                status.put("sessions", Integer.toString(d.sessions.size()));
                return status;
            });
        }

        @Override
        public List<String> check(BiConsumer<Long, Long> progress) {
            return nothing(progress);
        }

        @Override
        public List<String> repair(BiConsumer<Long, Long> progress) {
            return nothing(progress);
        }

        private List<String> nothing(BiConsumer<Long, Long> progress) {
            List<String> lines = read(d -> List.of());
            progress.accept(1L, 1L);
            return lines;
        }

        @Override
        public long compact() {
            return read(d -> 0L);
        }
    }
}
