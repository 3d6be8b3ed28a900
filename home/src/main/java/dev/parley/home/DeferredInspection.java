package dev.parley.home;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayOperations;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Node;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/**
 * Looks into the gateway once there is one: platforms are made before the gateway they belong to. Until then reads throw
 * {@link StorageUnavailable}, and the health is {@code starting}. Safe for concurrent use.
 */
public final class DeferredInspection implements GatewayInspection {
    private volatile Optional<GatewayInspection> gateway = Optional.empty();
    private final ZoneId zone;
    private final List<ShownSetting> settings;
    private final IntFunction<List<AuditLine>> audit;
    private final Optional<Exports> exports;

    /** An inspection of a gateway that is not made yet and was not configured by a file; times are shown in UTC. */
    public DeferredInspection() {
        this(ZoneOffset.UTC, List.of(), limit -> List.of());
    }

    /**
     * An inspection of a gateway that is not made yet.
     *
     * @param zone the zone of times that are shown
     * @param settings how it is configured
     * @param audit returns what operators did last, newest first: at most so many
     */
    public DeferredInspection(ZoneId zone, List<ShownSetting> settings, IntFunction<List<AuditLine>> audit) {
        this(zone, settings, audit, Optional.empty());
    }

    private DeferredInspection(
            ZoneId zone, List<ShownSetting> settings, IntFunction<List<AuditLine>> audit, Optional<Exports> exports) {
        this.zone = zone;
        this.settings = List.copyOf(settings);
        this.audit = audit;
        this.exports = exports;
    }

    /** Returns an inspection that is the same and writes exports; it looks into no gateway yet. */
    public DeferredInspection exporting(Exports written) {
        return new DeferredInspection(zone, settings, audit, Optional.of(written));
    }

    /** Looks into this gateway from now on. */
    public void lookInto(GatewayInspection made) {
        gateway = Optional.of(made);
    }

    private GatewayInspection made() {
        return gateway.orElseThrow(
                () -> new StorageUnavailable("The gateway is still starting; try again in a moment.", null));
    }

    @Override
    public List<LaneState> lanes() {
        return made().lanes();
    }

    @Override
    public Lanes laneReads() {
        return made().laneReads();
    }

    @Override
    public List<SessionKey> running() {
        return made().running();
    }

    @Override
    public List<SessionKey> awaitingPlace() {
        return made().awaitingPlace();
    }

    @Override
    public Map<String, String> storageStatus() {
        return made().storageStatus();
    }

    @Override
    public boolean order(LaneOrder order, SessionKey key, long epoch) {
        return made().order(order, key, epoch);
    }

    @Override
    public Pruned prune(Instant before, long counted) {
        return made().prune(before, counted);
    }

    @Override
    public List<Node> nodes() {
        return made().nodes();
    }

    @Override
    public Optional<GatewayOperations> operations() {
        return made().operations();
    }

    @Override
    public List<AuditLine> audit(int limit) {
        return audit.apply(limit);
    }

    @Override
    public ZoneId zone() {
        return zone;
    }

    @Override
    public List<ShownSetting> settings() {
        return settings;
    }

    @Override
    public Optional<Exports> exports() {
        return exports;
    }

    @Override
    public ResetPolicies resets() {
        return gateway.map(GatewayInspection::resets).orElseGet(() -> ResetPolicies.of(ResetPolicy.DEFAULT));
    }

    @Override
    public long countLanes() {
        return made().countLanes();
    }

    @Override
    public Optional<LaneState> lane(SessionKey key) {
        return made().lane(key);
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        return made().history(key, limit);
    }

    @Override
    public Sessions sessions() {
        return made().sessions();
    }

    @Override
    public Transcripts transcripts() {
        return made().transcripts();
    }

    @Override
    public TranscriptSearch search() {
        return made().search();
    }

    @Override
    public TurnQueue queue() {
        return made().queue();
    }

    @Override
    public GatewayHealth health() {
        return gateway.map(GatewayInspection::health).orElseGet(() -> GatewayHealth.of(GatewayHealth.State.STARTING));
    }

    @Override
    public List<PlatformState> platforms() {
        return gateway.map(GatewayInspection::platforms).orElse(List.of());
    }

    @Override
    public void told(GatewayEvent.OperatorActed act) {
        gateway.ifPresent(made -> made.told(act));
    }

    @Override
    public CompletionStage<Void> alive() {
        return gateway.map(GatewayInspection::alive).orElse(CompletableFuture.completedStage(null));
    }

    @Override
    public boolean resetLane(SessionKey key) {
        return made().resetLane(key);
    }

    @Override
    public boolean suspendLane(SessionKey key) {
        return made().suspendLane(key);
    }

    @Override
    public boolean interruptLane(SessionKey key) {
        return made().interruptLane(key);
    }
}
