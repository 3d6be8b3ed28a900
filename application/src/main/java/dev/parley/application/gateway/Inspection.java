package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.delivery.Connections;
import dev.parley.application.nodes.Membership;
import dev.parley.application.port.Cluster;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Node;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.PostedOrder;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.AutoMaintenance;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.turn.Inbound;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What an operator sees of a running gateway and may ask of it.
 *
 * @param storage the store
 * @param phase how far the gateway has come
 * @param atWork which lanes run
 * @param connections which platforms are able to send
 * @param standings how each platform is
 * @param membership its part among the gateways that share the store
 * @param orders asks things of lanes
 * @param resets when sessions end by themselves
 * @param events told what operators do
 * @param timing time and chance
 * @param pulse knows whether the executor runs tasks
 * @param agents returns how many agents are kept
 * @param actor returns what completes once the gateway's own actor has got to it
 */
record Inspection(
        Storage storage,
        Phase phase,
        RunningLanes atWork,
        Connections connections,
        Standings standings,
        Membership membership,
        LaneOrders orders,
        ResetPolicies resets,
        GatewayEvents events,
        Timing timing,
        Pulse pulse,
        IntSupplier agents,
        Supplier<CompletionStage<Void>> actor)
        implements GatewayInspection {
    private static final String CUT_OFF =
            "This node has not reached the database for too long, so others may do its work.";

    @Override
    public List<LaneState> lanes() {
        List<LaneState> all = new ArrayList<>();
        Map<SessionKey, Integer> depths = storage.queue().admitted().stream()
                .collect(Collectors.groupingBy(Inbound::lane, Collectors.summingInt(i -> 1)));
        storage.lanes()
                .forEach(lane ->
                        all.add(new LaneState(lane, atWork.contains(lane.key()), depths.getOrDefault(lane.key(), 0))));
        return List.copyOf(all);
    }

    @Override
    public Lanes laneReads() {
        return storage.lanes();
    }

    @Override
    public List<SessionKey> running() {
        return atWork.keys();
    }

    @Override
    public List<SessionKey> awaitingPlace() {
        return atWork.line();
    }

    @Override
    public Map<String, String> storageStatus() {
        return storage.maintenance().status();
    }

    @Override
    public boolean order(LaneOrder order, SessionKey key, long epoch) {
        PostedOrder.What what = switch (order) {
            case RESET -> PostedOrder.What.RESET;
            case SUSPEND -> PostedOrder.What.SUSPEND;
            case UNSUSPEND -> PostedOrder.What.UNSUSPEND;
            case UNRESET -> PostedOrder.What.UNRESET;
        };
        return orders.ask(what, key, OptionalLong.of(epoch));
    }

    @Override
    public long countLanes() {
        return storage.lanes().count();
    }

    @Override
    public Optional<LaneState> lane(SessionKey key) {
        return storage.lanes()
                .find(key)
                .map(lane -> new LaneState(
                        lane,
                        atWork.contains(key),
                        storage.queue().admitted(key).size()));
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        return storage.lanes().history(key, limit);
    }

    @Override
    public Sessions sessions() {
        return storage.sessions();
    }

    @Override
    public Transcripts transcripts() {
        return storage.transcripts();
    }

    @Override
    public TranscriptSearch search() {
        return storage.search();
    }

    @Override
    public TurnQueue queue() {
        return storage.queue();
    }

    @Override
    public GatewayHealth health() {
        Optional<Health.Degraded> degraded = storage.maintenance().health().degraded();
        Optional<Instant> starved = pulse.starvedSince();
        GatewayHealth.State state = switch (phase.state()) {
            case NEW, STARTING -> GatewayHealth.State.STARTING;
            case RUNNING -> running(degraded, starved.isPresent());
            case DRAINING, STOPPED -> GatewayHealth.State.DRAINING;
        };
        boolean cutOff = membership.isShared() && phase.state() == Phase.State.RUNNING && !membership.isAlive();
        return GatewayHealth.builder(state)
                .starvedSince(starved)
                .storage(storage.location())
                .degraded(degraded.map(
                        how -> new GatewayHealth.Degraded(how.since(), how.why(), how.waiting(), how.merged())))
                .refusing(cutOff ? Optional.of(CUT_OFF) : degraded.flatMap(Health.Degraded::refusing))
                .part(
                        membership.isShared()
                                ? Optional.of(new GatewayHealth.Part(membership.life(), membership.isAlive()))
                                : Optional.empty())
                .held(phase.isHeld())
                .running(atWork.size())
                .awaitingPlace(atWork.awaited())
                .agents(agents.getAsInt())
                .connected(connections.connected())
                .build();
    }

    private GatewayHealth.State running(Optional<Health.Degraded> degraded, boolean starved) {
        if (!membership.isAlive()) {
            return GatewayHealth.State.REFUSING;
        }
        if (starved) {
            return GatewayHealth.State.STARVED;
        }
        return degraded.map(
                        how -> how.refusing().isPresent() ? GatewayHealth.State.REFUSING : GatewayHealth.State.DEGRADED)
                .orElse(GatewayHealth.State.OK);
    }

    @Override
    public List<PlatformState> platforms() {
        return standings.all();
    }

    @Override
    public List<Node> nodes() {
        return membership.isShared() ? storage.cluster().map(Cluster::nodes).orElse(List.of()) : List.of();
    }

    @Override
    public boolean resetLane(SessionKey key) {
        return orders.ask(PostedOrder.What.RESET, key, OptionalLong.empty());
    }

    @Override
    public boolean suspendLane(SessionKey key) {
        return orders.ask(PostedOrder.What.SUSPEND, key, OptionalLong.empty());
    }

    @Override
    public boolean interruptLane(SessionKey key) {
        return orders.ask(PostedOrder.What.INTERRUPT, key, OptionalLong.empty());
    }

    @Override
    public Pruned prune(Instant before, long counted) {
        return new AutoMaintenance(storage, timing.clock(), timing.ids(), warning -> {}).prune(before, counted);
    }

    @Override
    public void told(GatewayEvent.OperatorActed act) {
        events.on(act);
    }

    @Override
    public CompletionStage<Void> alive() {
        return actor.get();
    }
}
