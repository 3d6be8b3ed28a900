package dev.parley.application.gateway;

import dev.parley.application.lane.LaneInput;
import dev.parley.application.lane.MovedChats;
import dev.parley.application.nodes.OrderPost;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.recovery.RestartCounts;
import dev.parley.application.recovery.RestartRequest;
import dev.parley.application.spi.Storage;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A gateway's own life: it starts once, sets right what the process before left, runs, and stops once. Everything but what signals and
 * callers ask for happens as tasks of the gateway's own actor; what may have to wait for the store does so beside it.
 */
final class GatewayLife implements Signals, NodeDuties.Owner {
    /** How long a stop waits for listeners that have not been told everything yet. */
    private static final Duration LISTENERS_LIMIT = Duration.ofSeconds(10);

    private static final int TOLD_AT_ONCE = 100;

    private final Ground ground;
    private final Parts parts;
    private final Storage storage;
    private final GatewayMarkers markers;
    private final Authorization authorization;
    /** What this gateway does as one of several; absent where it is the only one. */
    private final Optional<NodeDuties> duties;

    private final Optional<NodeLife> node;
    private volatile Optional<InboundListener> receiver = Optional.empty();
    private final Requests requests;
    private final Receipts receipts;
    private final MovedChats movedChats = new MovedChats();
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<ExitStatus> stopped = new CompletableFuture<>();
    private final Map<Platform, SortedSet<SessionKey>> toBeResumed = new ConcurrentSkipListMap<>();
    /** Lanes that were told to resume. */
    private final Set<SessionKey> resumed = ConcurrentHashMap.newKeySet();

    /** Read at the start, from then on the store's actor's. */
    private volatile Optional<RestartCounts> counts = Optional.empty();
    /** Whether what the process before left behind was set right. */
    private volatile boolean setRight;

    private Optional<Drain> drain = Optional.empty();

    GatewayLife(Ground ground) {
        this.ground = ground;
        this.parts = Parts.of(ground, this);
        this.storage = ground.storage();
        this.markers = ground.plugIns().markers();
        this.authorization = ground.plugIns().authorization();
        this.receipts = new Receipts(ground.timing(), ground.plugIns().guard());
        this.duties = ground.sharing()
                .others()
                .map(others -> new NodeDuties(parts, ground.settings().busy(), this));
        this.node = ground.sharing()
                .others()
                .map(others -> new NodeLife(
                        others.company(),
                        ground.sharing().nodes(),
                        others.ticks(),
                        ground.timing(),
                        ground.plugIns().guard(),
                        others.living(),
                        duties.orElseThrow()));
        this.requests =
                new Requests(ground.timing(), ground.settings().operation().requestTimeout(), phase()::isOver);
    }

    private Phase phase() {
        return parts.phase();
    }

    /** Returns what takes messages and news of platforms. */
    Reception reception() {
        return new Reception(
                phase(),
                parts.entrance(),
                ground.rules(),
                ground.plugIns().guard(),
                parts.lanes(),
                receipts,
                parts.store(),
                movedChats);
    }

    /** Returns what an operator sees and may ask for. */
    Inspection inspection() {
        return new Inspection(
                storage,
                phase(),
                parts.running(),
                parts.connections(),
                parts.standings(),
                ground.sharing().nodes(),
                new LaneOrders(
                        storage,
                        parts.lanes(),
                        requests,
                        ground.timing(),
                        ground.sharing()
                                .others()
                                .map(others -> new OrderPost(others.company().cluster(), ground.timing()::after))),
                ground.settings().resetPolicies(),
                ground.plugIns().events(),
                ground.timing(),
                parts.pulse(),
                () -> parts.cache().size(),
                this::alive);
    }

    /** Returns what an operator may do to single things. */
    Operations operations(Inspection inspection) {
        return new Operations(
                storage,
                inspection.orders(),
                requests,
                parts.deliveries(),
                markers,
                done -> parts.maintenance().look(this::wakeWaiting, done),
                ground.timing());
    }

    private CompletionStage<Void> alive() {
        if (!phase().is(Phase.State.RUNNING) && !phase().is(Phase.State.DRAINING)) {
            return CompletableFuture.completedStage(null);
        }
        return parts.actor().alive();
    }

    // ------------------------------------------------------------------ start

    CompletionStage<Void> start(InboundListener listener) {
        parts.pulse().start();
        parts.actor().post(() -> {
            if (!phase().is(Phase.State.NEW)) {
                return;
            }
            phase().enter(Phase.State.STARTING);
            orAbort(() -> begin(listener));
        });
        return started.minimalCompletionStage();
    }

    /** Takes a step of the start; whatever it throws ends the start. */
    private void orAbort(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            abort(phase().stop().orElse(StopMode.SHUTDOWN), e);
        }
    }

    private void begin(InboundListener listener) {
        Instant begun = ground.timing().now();
        boolean first = node.map(NodeLife::start).orElse(true);
        List<Turn> cutOff = node.isPresent() ? List.of() : storage.queue().claimed();
        RestartCounts restarts = RestartCounts.read(markers);
        counts = Optional.of(restarts);
        Optional<Map<Platform, SortedSet<SessionKey>>> found = node.isPresent()
                ? Optional.of(parts.startUp()
                        .resumable(
                                parts.connections(),
                                authorization,
                                ground.timing().now()))
                : parts.startUp()
                        .recover(
                                restarts,
                                parts.connections(),
                                authorization,
                                ground.timing().now());
        found.ifPresent(toBeResumed::putAll);
        setRight = found.isPresent();
        if (!setRight) {
            phase().awaitRecovery(cutOff.stream().map(Turn::lane).collect(Collectors.toSet()));
        }
        loadMovedChats();
        // Before a platform can hand anything in: its answer goes out behind what the process before left to a chat.
        List<Outgoing> left = node.isEmpty() ? toBeDelivered(begun) : first ? ofNoLane() : List.of();
        left.forEach(parts.deliveries()::add);
        parts.maintenance().start(this::wakeWaiting);
        receiver = Optional.of(listener);
        node.ifPresent(NodeLife::takeUp);
        parts.platforms()
                .start(
                        listener,
                        () -> orAbort(() -> run(begun, cutOff.size(), left)),
                        refused -> orAbort(() -> {
                            throw refused;
                        }));
    }

    private void run(Instant begun, int cutOff, List<Outgoing> left) {
        if (!phase().is(Phase.State.STARTING)) {
            return;
        }
        phase().enter(Phase.State.RUNNING);
        duties.ifPresent(NodeDuties::reachable);
        int resumed = toBeResumed.values().stream().mapToInt(Set::size).sum();
        Duration took = Duration.between(begun, ground.timing().now());
        ground.plugIns().events().on(new GatewayEvent.Started(took, cutOff, resumed));
        parts.connections().connected().forEach(this::resumeLanesOf);
        wakeWaiting();
        tellOfRestart();
        parts.watcher().start();
        if (!setRight || storage.maintenance().health().degraded().isPresent()) {
            Set<OutgoingId> known = left.stream().map(Outgoing::id).collect(Collectors.toSet());
            storage.maintenance()
                    .whenWhole(() -> parts.store()
                            .post(() -> recoverMissed(
                                    message -> message.createdAt().isBefore(begun) && !known.contains(message.id()))));
        }
        started.complete(null);
    }

    /**
     * After a start on the fallback: what the process before left behind in the primary is set right when that is back. A turn of
     * this process is claimed only while its lane runs, so no clock is needed to tell them apart.
     */
    private void recoverMissed(Predicate<Outgoing> isLeft) {
        if (phase().is(Phase.State.RUNNING)) {
            loadMovedChats();
            counts.ifPresent(restarts -> toBeResumed.putAll(parts.startUp()
                    .recoverMissed(
                            restarts,
                            key -> parts.running().contains(key) && !phase().awaitsRecovery(key),
                            resumed::contains,
                            isLeft,
                            parts.connections(),
                            authorization,
                            ground.timing().now())));
            setRight = true;
            phase().awaitRecovery(Set.of());
            parts.deliveries().addMissed(storage.queue()::undelivered);
            parts.connections().connected().forEach(this::resumeLanesOf);
            tell(waitingLanes(), new LaneInput.Refresh());
        }
    }

    /** On a storage that cannot be read they are read once it is whole; until then a chat that moved has a lane of its own. */
    private void loadMovedChats() {
        try {
            movedChats.load(storage.meta());
        } catch (StorageUnavailable | StorageCorrupt e) {
            ground.plugIns()
                    .guard()
                    .tell(Optional.empty(), "Chats that have moved are not known until the storage is whole.", e);
        }
    }

    /** Messages that are over are given up by now, or will be once there is room for that. */
    private List<Outgoing> toBeDelivered(Instant now) {
        return storage.queue().undelivered().stream()
                .filter(message -> !parts.startUp().isOver(message, parts.connections(), now))
                .toList();
    }

    /** Messages of no lane belong to no node: whoever finds that their node is gone delivers them. */
    private List<Outgoing> ofNoLane() {
        return storage.queue().undelivered().stream()
                .filter(message -> message.lane().isEmpty())
                .toList();
    }

    /** Lanes with something in the queue look at it, where no other gateway works on them. */
    private void wakeWaiting() {
        // Of several gateways they are found by those who look for work that nobody does. Where what the process before
        // left is not set
        // right, what was cut off before them is not known as such yet.
        if (node.isEmpty() && setRight) {
            parts.store().post(() -> tell(waitingLanes(), new LaneInput.Wake()));
        }
    }

    private void tell(Collection<SessionKey> lanes, LaneInput input) {
        tell(lanes.iterator(), input);
    }

    /** Lanes are told some at a time, so that what comes meanwhile does not wait for all of them. */
    private void tell(Iterator<SessionKey> lanes, LaneInput input) {
        for (int told = 0; told < TOLD_AT_ONCE && lanes.hasNext(); told++) {
            parts.lanes().tell(lanes.next(), input);
        }
        if (lanes.hasNext() && phase().is(Phase.State.RUNNING)) {
            ground.executor().execute(() -> tell(lanes, input));
        }
    }

    private SortedSet<SessionKey> waitingLanes() {
        TurnQueue queue = storage.queue();
        return queue.admitted().stream().map(Inbound::lane).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Who asked for the restart is told that it is over; the operator's chats where nobody did in a chat (P7.5, P7.48). */
    private void tellOfRestart() {
        parts.store().post(this::storeThatItIsBack);
    }

    private void storeThatItIsBack() {
        RestartRequest.pending(storage.meta()).ifPresent(request -> {
            List<HomeChannel> told = request.chat()
                    .map(List::of)
                    .orElseGet(() -> RestartRequest.channels(ground.settings().delivery()));
            parts.store()
                    .announce(
                            told,
                            "The gateway is back.",
                            Outgoing.Kind.NOTICE,
                            RestartRequest.answered(request, ground.timing().now()),
                            () -> {});
        });
    }

    /** Resumes the lanes of a platform that wait for it, each once (P7.22 to P7.24). */
    private void resumeLanesOf(Platform platform) {
        if (phase().is(Phase.State.RUNNING)) {
            Optional.ofNullable(toBeResumed.remove(platform))
                    .ifPresent(keys -> keys.forEach(key -> {
                        resumed.add(key);
                        parts.lanes().tell(key, new LaneInput.Resume());
                    }));
        }
    }

    /** The operator's chats are told something. */
    void announce(String text) {
        parts.store()
                .post(() -> parts.store()
                        .announce(
                                ground.settings().delivery().homeChannels(),
                                text,
                                Outgoing.Kind.NOTICE,
                                List.of(),
                                () -> {}));
    }

    // ------------------------------------------------------------------ platforms and lanes

    void connected(Platform platform) {
        parts.connections().connect(platform);
        parts.standings().connected(platform);
        parts.menus().connected(platform);
        parts.actor().post(() -> resumeLanesOf(platform));
        parts.deliveries().connected();
    }

    @Override
    public void disconnected(Platform platform, Optional<String> why) {
        parts.connections().disconnect(platform);
        parts.standings().disconnected(platform, why);
    }

    @Override
    public void changed() {
        if (phase().stop().isPresent()) {
            parts.actor()
                    .post(() ->
                            drain.filter(d -> phase().is(Phase.State.DRAINING)).ifPresent(Drain::look));
        }
    }

    @Override
    public void unused(SessionKey lane) {
        parts.lanes().tell(lane, new LaneInput.Wake());
    }

    @Override
    public void succeeded(SessionKey lane) {
        parts.store().post(() -> counts.ifPresent(restarts -> restarts.succeeded(lane)));
    }

    @Override
    public void restart() {
        stop(StopMode.RESTART);
    }

    // ------------------------------------------------------------------ one of several

    @Override
    public boolean watches() {
        return duties.map(NodeDuties::watches).orElse(true);
    }

    @Override
    public void drain() {
        if (phase().is(Phase.State.RUNNING)) {
            stop(StopMode.SHUTDOWN);
        }
    }

    @Override
    public void takeUp(Platform platform) {
        parts.actor().post(() -> {
            if (phase().is(Phase.State.RUNNING) || phase().is(Phase.State.STARTING)) {
                loadMovedChats();
                receiver.ifPresent(listener -> parts.platforms()
                        .startExclusive(
                                platform,
                                listener,
                                () -> duties.filter(mine -> mine.isLeased(platform))
                                        .isPresent()));
            }
        });
    }

    @Override
    public void deliverWhatOthersLeft() {
        parts.store().post(() -> {
            if (phase().is(Phase.State.RUNNING)) {
                ofNoLane().forEach(parts.deliveries()::add);
            }
        });
    }

    // ------------------------------------------------------------------ stop

    CompletionStage<ExitStatus> stop(StopMode mode) {
        InvalidRequest early = new InvalidRequest("The gateway was stopped before it had started.");
        parts.actor().post(() -> {
            if (phase().is(Phase.State.NEW)) {
                abort(mode, early);
            } else if (phase().is(Phase.State.STARTING) || phase().is(Phase.State.RUNNING)) {
                phase().enter(Phase.State.DRAINING);
                phase().stopping(mode);
                parts.watcher().stop();
                Drain begun = new Drain(
                        parts.actor(),
                        parts.store(),
                        ground.timing(),
                        parts.lanes(),
                        parts.running(),
                        parts.deliveries(),
                        storage.meta(),
                        ground.settings(),
                        mode,
                        this::finish);
                drain = Optional.of(begun);
                begun.begin();
            }
            started.completeExceptionally(early);
        });
        return stopped.minimalCompletionStage();
    }

    CompletionStage<ExitStatus> whenStopped() {
        return stopped.minimalCompletionStage();
    }

    private void finish() {
        Drain over = drain.orElseThrow();
        phase().enter(Phase.State.STOPPED);
        phase().end();
        parts.platforms().stop(() -> finished(over));
    }

    private void finished(Drain over) {
        end();
        boolean timedOut = !over.cutOff().isEmpty();
        if (!timedOut) {
            markers.noteCleanShutdown();
        }
        counts.ifPresent(restarts -> restarts.stopped(over.cutOff()));
        onceTold(() -> stopped.complete(new ExitStatus(over.mode(), timedOut)));
    }

    /** Goes on once listeners were told what has happened, or take too long. */
    private void onceTold(Runnable next) {
        CompletableFuture<Void> told = ground.plugIns().events().told();
        Timers.Timer limit = ground.timing().after(LISTENERS_LIMIT, () -> told.complete(null));
        var unused = told.thenRun(() -> {
            limit.cancel();
            next.run();
        });
    }

    /** Ends a gateway that does not run: nothing of it is left, and whoever waits for its start or its stop is told. */
    private void abort(StopMode mode, Throwable why) {
        parts.watcher().stop();
        phase().enter(Phase.State.STOPPED);
        phase().end();
        parts.platforms().stop(() -> {
            end();
            onceTold(() -> {
                started.completeExceptionally(why);
                stopped.complete(new ExitStatus(mode, false));
            });
        });
    }

    /** Nothing runs any more; those who wait for something are told. */
    private void end() {
        node.ifPresent(NodeLife::leave);
        parts.answers().end();
        parts.pulse().end();
        parts.cache().closeAll();
        receipts.refuseAll();
        requests.end();
    }
}
