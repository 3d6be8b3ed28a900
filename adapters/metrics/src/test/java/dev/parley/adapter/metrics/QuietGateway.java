package dev.parley.adapter.metrics;

import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A gateway on which nothing happens; its storage can be taken away. */
final class QuietGateway implements GatewayInspection {
    final MemoryStorage storage = new MemoryStorage();
    volatile GatewayHealth health = GatewayHealth.builder(GatewayHealth.State.OK)
            .connected(List.of(Platform.WEBHOOK))
            .build();
    /** What the storage says of itself; empty for what it is. */
    final Map<String, String> status = new ConcurrentHashMap<>();

    final List<PlatformState> platforms = new CopyOnWriteArrayList<>();
    volatile boolean away;
    final AtomicInteger reads = new AtomicInteger();

    private MemoryStorage there() {
        reads.incrementAndGet();
        if (away) {
            throw new StorageUnavailable("The storage is away.", null);
        }
        return storage;
    }

    @Override
    public List<LaneState> lanes() {
        throw new AssertionError("Nobody needs all lanes for a number.");
    }

    @Override
    public Lanes laneReads() {
        return there().lanes();
    }

    @Override
    public List<SessionKey> running() {
        return List.of();
    }

    @Override
    public List<SessionKey> awaitingPlace() {
        return List.of();
    }

    @Override
    public Map<String, String> storageStatus() {
        Map<String, String> own = there().maintenance().status();
        return status.isEmpty() ? own : Map.copyOf(status);
    }

    @Override
    public boolean order(LaneOrder order, SessionKey key, long epoch) {
        return false;
    }

    @Override
    public long countLanes() {
        return there().lanes().count();
    }

    @Override
    public Optional<LaneState> lane(SessionKey key) {
        return there().lanes().find(key).map(lane -> new LaneState(lane, false, 0));
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        return there().lanes().history(key, limit);
    }

    @Override
    public Sessions sessions() {
        return there().sessions();
    }

    @Override
    public Transcripts transcripts() {
        return there().transcripts();
    }

    @Override
    public TranscriptSearch search() {
        return there().search();
    }

    @Override
    public TurnQueue queue() {
        return there().queue();
    }

    @Override
    public GatewayHealth health() {
        return health;
    }

    @Override
    public List<PlatformState> platforms() {
        return platforms;
    }

    @Override
    public boolean resetLane(SessionKey key) {
        return false;
    }

    @Override
    public boolean suspendLane(SessionKey key) {
        return false;
    }

    @Override
    public Pruned prune(Instant before, long counted) {
        return new Pruned(0, 0);
    }

    @Override
    public boolean interruptLane(SessionKey key) {
        return false;
    }
}
