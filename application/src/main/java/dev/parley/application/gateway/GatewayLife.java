package dev.parley.application.gateway;

import dev.parley.application.lane.LaneInput;
import dev.parley.application.nodes.OrderPost;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.Storage;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A gateway's own life: it starts once, sets right what the process before left, runs, and stops once. Everything but what signals and
 * callers ask for happens as tasks of the gateway's own actor; what may have to wait for the store does so beside it.
 */
final class GatewayLife implements Signals {
    /** How long a stop waits for listeners that have not been told everything yet. */
    private static final Duration LISTENERS_LIMIT = Duration.ofSeconds(10);

    private final Ground ground;
    private final Parts parts;
    private final Storage storage;
    private final GatewayMarkers markers;
    private final LeftBehind left;
    /** What this gateway does as one of several; absent where it is the only one. */
    private final Optional<NodeDuties> duties;

    private final Optional<NodeLife> node;
    private volatile Optional<InboundListener> receiver = Optional.empty();
    private final Requests requests;
    private final Receipts receipts;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<ExitStatus> stopped = new CompletableFuture<>();
    private Optional<Drain> drain = Optional.empty();

    GatewayLife(Ground ground) {
        this.ground = ground;
        this.parts = Parts.of(ground, this);
        this.storage = ground.storage();
        this.markers = ground.plugIns().markers();
        this.left = new LeftBehind(ground, parts);
        this.receipts = new Receipts(ground.timing(), ground.plugIns().guard());
        this.duties = ground.sharing()
                .others()
                .map(others -> new NodeDuties(
                        parts, ground.settings().busy(), ground.sharing().nodes(), this));
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
                left.movedChats());
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
                done -> parts.maintenance().look(left::wakeWaiting, done),
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
        boolean alone = node.map(NodeLife::start).orElse(true);
        LeftBehind.Found found = left.setRight(begun, alone);
        parts.maintenance().start(left::wakeWaiting);
        receiver = Optional.of(listener);
        node.ifPresent(NodeLife::takeUp);
        parts.platforms()
                .start(
                        listener,
                        () -> orAbort(() -> run(found)),
                        refused -> orAbort(() -> {
                            throw refused;
                        }));
    }

    private void run(LeftBehind.Found found) {
        if (!phase().is(Phase.State.STARTING)) {
            return;
        }
        phase().enter(Phase.State.RUNNING);
        duties.ifPresent(NodeDuties::reachable);
        Duration took = Duration.between(found.at(), ground.timing().now());
        ground.plugIns().events().on(new GatewayEvent.Started(took, found.cutOff(), left.toBeResumed()));
        left.goOn(found);
        parts.watcher().start();
        started.complete(null);
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
        left.connected(platform);
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
    public void placed(SessionKey lane) {
        parts.lanes().tell(lane, new LaneInput.Wake());
    }

    @Override
    public void succeeded(SessionKey lane) {
        left.succeeded(lane);
        if (phase().stop().isPresent()) {
            parts.actor().post(() -> drain.ifPresent(d -> d.succeeded(lane)));
        }
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
                left.loadMovedChats();
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
        left.deliverWhatOthersLeft();
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

    /** No message is taken any more; whoever has handed one in before learns what became of it, where that is known soon. */
    private void finish() {
        phase().enter(Phase.State.STOPPED);
        once(
                receipts.settled(),
                ground.settings().turns().grace(),
                () -> parts.actor().post(this::stopPlatforms));
    }

    private void stopPlatforms() {
        Drain over = drain.orElseThrow();
        phase().end();
        parts.platforms().stop(() -> finished(over));
    }

    private void finished(Drain over) {
        end();
        boolean timedOut = !over.cutOff().isEmpty();
        if (!timedOut) {
            markers.noteCleanShutdown();
        }
        left.stopped(over.cutOff());
        onceTold(() -> stopped.complete(new ExitStatus(over.mode(), timedOut)));
    }

    /** Goes on once listeners were told what has happened, or take too long. */
    private void onceTold(Runnable next) {
        once(ground.plugIns().events().told(), LISTENERS_LIMIT, next);
    }

    /** Goes on once something is done, or takes too long. */
    private void once(CompletableFuture<Void> done, Duration most, Runnable next) {
        Timers.Timer limit = ground.timing().after(most, () -> done.complete(null));
        var unused = done.thenRun(() -> {
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
