package dev.parley.application.gateway;

import dev.parley.application.actor.ActorHost;
import dev.parley.application.actor.Timing;
import dev.parley.application.actor.Writers;
import dev.parley.application.agents.AgentCache;
import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandTable;
import dev.parley.application.command.Stores;
import dev.parley.application.command.Surroundings;
import dev.parley.application.commands.LaneCommands;
import dev.parley.application.delivery.Connections;
import dev.parley.application.delivery.Deliveries;
import dev.parley.application.expiry.ExpirySettings;
import dev.parley.application.expiry.ExpiryWatcher;
import dev.parley.application.guard.Guard;
import dev.parley.application.guard.GuardedActivity;
import dev.parley.application.guard.GuardedAgents;
import dev.parley.application.guard.GuardedAnswer;
import dev.parley.application.guard.GuardedAuthorization;
import dev.parley.application.guard.GuardedCommand;
import dev.parley.application.guard.GuardedEvents;
import dev.parley.application.guard.GuardedHooks;
import dev.parley.application.guard.GuardedPlatform;
import dev.parley.application.guard.GuardedTimers;
import dev.parley.application.lane.Commanding;
import dev.parley.application.lane.LaneAgents;
import dev.parley.application.lane.LaneHost;
import dev.parley.application.lane.LaneInput;
import dev.parley.application.lane.LaneReading;
import dev.parley.application.lane.LaneServices;
import dev.parley.application.lane.LifecycleCalls;
import dev.parley.application.lane.Outlets;
import dev.parley.application.lane.TurnedAway;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.Timers;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.recovery.RestartCounts;
import dev.parley.application.recovery.RestartRequest;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.LaneReader;
import dev.parley.application.turn.MissingContext;
import dev.parley.application.turn.Prompts;
import dev.parley.application.turn.TurnPreparation;
import dev.parley.application.turn.TurnRunner;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A gateway: takes messages from platforms, gives each lane's messages to its agent one turn at a time, delivers the answers, and
 * keeps every promise across restarts, because whatever it acknowledges is stored first.
 *
 * <p>Everything runs as tasks on the given executor; time, timers and chance come from outside, so that with a deterministic
 * executor the whole gateway is deterministic. Once the executor and the timers are gone nothing is stored or delivered any more.
 * Whatever is given to the builder may throw anything: that is told and harms nothing else. Safe for concurrent use. It closes
 * neither the storage nor the executor.
 */
public final class Gateway implements InboundListener, GatewayInspection {
    private final GatewaySettings settings;
    private final Storage storage;
    private final GatewayMarkers markers;
    private final Authorization authorization;
    private final KeyRules rules;
    private final Guard guard;
    private final Timing timing;
    private final Connections connections;
    private final Deliveries deliveries;
    private final AgentCache cache;
    private final Phase phase = new Phase();
    private final RunningLanes running;
    private final LaneRegistry lanes;
    private final Announcer actor;
    private final PlatformSupervisor platforms;
    private final Maintenance maintenance;
    private final ExpiryWatcher watcher;
    private final StartUp startUp;
    private final Requests requests;
    private final Inspection inspection;
    private final Receipts receipts = new Receipts();
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<ExitStatus> stopped = new CompletableFuture<>();
    private final Map<Platform, SortedSet<SessionKey>> toBeResumed = new TreeMap<>();
    private Optional<RestartCounts> counts = Optional.empty();
    private Optional<Drain> drain = Optional.empty();

    private Gateway(Builder b) {
        GatewayEvents events = new GuardedEvents(b.events);
        guard = new Guard(events);
        settings = b.settings;
        storage = b.needed(b.storage, "storage");
        rules = b.rules;
        timing = new Timing(
                b.needed(b.clock, "clock"),
                new GuardedTimers(b.needed(b.timers, "timers"), guard),
                b.needed(b.ids, "ids"));
        Executor executor = b.needed(b.executor, "executor");
        AgentFactory agents = new GuardedAgents(b.needed(b.agents, "agents"), guard);
        LifecycleHooks hooks = new GuardedHooks(b.hooks, guard);
        markers = new ReportedMarkers(b.markers, events);
        authorization = new GuardedAuthorization(b.authorization, guard);
        List<ChatPlatform> guarded = b.platforms.stream()
                .<ChatPlatform>map(platform -> new GuardedPlatform(platform, guard))
                .toList();
        connections = new Connections(guarded);
        Writers writers = new Writers(timing.ids());
        ActorHost host = new ActorHost(executor, storage.ledger(), writers, timing, events, phase::isOver);
        deliveries = new Deliveries(host, connections, settings.delivery(), this::changed);
        running = new RunningLanes(settings.busy().maxLanes(), this::changed);
        actor = new Announcer(host, deliveries);
        cache = new AgentCache(
                agents,
                settings.agents().kept(),
                settings.agents().idle(),
                timing::now,
                executor,
                events,
                gone -> events.on(new GatewayEvent.AgentLeft(
                        gone.lane(), gone.reason().name().toLowerCase(Locale.ROOT))));
        LaneReader reader = new LaneReader(
                storage, rules, settings.resetPolicies(), new GuardedActivity(b.activity), timing::now, b.zone);
        CommandTable commands = commands(b.commands);
        Prompts prompts = new Prompts(connections, rules, settings);
        LaneReading reading = new LaneReading(storage, reader, agents, rules, settings.busy());
        Commanding commanding = new Commanding(
                commands,
                new Stores(storage, reader),
                () -> new Surroundings(
                        b.zone,
                        rules,
                        timing.ids(),
                        agents,
                        settings.chat(),
                        connections.connected(),
                        CommandTable.help(commands.all()),
                        phase.stop().isPresent()),
                authorization);
        LaneAgents laneAgents = new LaneAgents(
                new TurnPreparation(storage, hooks, prompts, settings.recovery()),
                new TurnRunner(cache, events),
                prompts,
                new MissingContext(storage));
        Outlets outlets = new Outlets(
                deliveries, connections, new LifecycleCalls(hooks, guard, executor), cache, new TurnedAway());
        SharedState shared = new SharedState(phase, running, this::succeeded, () -> stop(StopMode.RESTART));
        lanes = new LaneRegistry(
                running,
                new LaneServices(
                        new LaneHost(host, b.zone, settings, shared), reading, commanding, laneAgents, outlets));
        platforms = new PlatformSupervisor(guarded, actor, timing, guard, phase);
        maintenance = new Maintenance(
                actor, timing, markers, phase, settings.operation().maintenanceCheck());
        watcher = new ExpiryWatcher(
                storage,
                reader,
                cache,
                hooks,
                events,
                timing.timers(),
                timing::now,
                timing.ids(),
                new ExpirySettings(
                        settings.retention().firstLook(),
                        settings.retention().interval(),
                        settings.retention().lanes(),
                        settings.retention().rows(),
                        settings.retention().history()),
                (key, task) -> lanes.tell(key, new LaneInput.WhileIdle(task)));
        startUp = new StartUp(storage, writers, markers, events, settings);
        requests = new Requests(timing, settings.operation().requestTimeout(), phase::isOver);
        inspection = new Inspection(storage, phase, running, connections, lanes, requests);
    }

    private CommandTable commands(List<ChatCommand> more) {
        List<String> triggers = CommandTable.triggers(settings.chat().resetTriggers());
        List<ChatCommand> all = new ArrayList<>(LaneCommands.all());
        all.addAll(more);
        return new CommandTable(
                triggers,
                LaneCommands.renewing(triggers).map(this::guarded),
                all.stream().map(this::guarded).toList());
    }

    private ChatCommand guarded(ChatCommand command) {
        return new GuardedCommand(command, guard);
    }

    /** Starts a gateway from nothing; storage, agents, clock, timers, ids and executor are needed. */
    public static Builder builder() {
        return new Builder();
    }

    // ------------------------------------------------------------------ start

    /**
     * Sets right what the process before left behind, claims the lanes to be resumed, then starts the platforms (P7.1 to P7.29).
     * Completes once messages are taken; exceptionally where a platform cannot start as it is configured or the storage
     * refuses, then nothing is running. A platform that fails otherwise is started again later, while the others go on.
     */
    public CompletionStage<Void> start() {
        actor.post(() -> {
            if (!phase.is(Phase.State.NEW)) {
                return;
            }
            phase.enter(Phase.State.STARTING);
            try {
                begin();
                started.complete(null);
            } catch (Throwable e) {
                abort();
                started.completeExceptionally(e);
            }
        });
        return started.minimalCompletionStage();
    }

    private void begin() {
        RestartCounts restarts = RestartCounts.read(markers);
        counts = Optional.of(restarts);
        toBeResumed.putAll(startUp.recover(restarts, connections, authorization, timing.now()));
        List<Outgoing> undelivered = storage.queue().undelivered();
        maintenance.start(this::wakeWaiting);
        platforms.start(this);
        phase.enter(Phase.State.RUNNING);
        undelivered.forEach(deliveries::add);
        connections.connected().forEach(this::resumeLanesOf);
        wakeWaiting();
        tellOfRestart();
        watcher.start();
        if (storage.maintenance().health().degraded().isPresent()) {
            storage.maintenance().whenWhole(() -> actor.post(this::recoverMissed));
        }
    }

    /**
     * After a start on the fallback: what the process before left behind in the primary is set right when that is back. A turn of
     * this process is claimed only while its lane runs, so no clock is needed to tell them apart.
     */
    private void recoverMissed() {
        if (phase.is(Phase.State.RUNNING)) {
            counts.ifPresent(restarts -> toBeResumed.putAll(
                    startUp.recoverMissed(restarts, running::contains, connections, authorization, timing.now())));
            connections.connected().forEach(this::resumeLanesOf);
            waitingLanes().forEach(key -> lanes.tell(key, new LaneInput.Refresh()));
        }
    }

    /** Tells the operator's chats something, such as that storage is degraded; nothing where there are none. */
    public void announce(String text) {
        actor.post(() ->
                actor.announce(settings.delivery().homeChannels(), text, Outgoing.Kind.NOTICE, List.of(), () -> {}));
    }

    /** Lanes with something in the queue look at it. */
    private void wakeWaiting() {
        waitingLanes().forEach(key -> lanes.tell(key, new LaneInput.Wake()));
    }

    private SortedSet<SessionKey> waitingLanes() {
        return storage.queue().admitted().stream().map(Inbound::lane).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whoever asked for the restart is told that it is over; the operator's chats where nobody did in a chat (P7.5, P7.48). */
    private void tellOfRestart() {
        RestartRequest.pending(storage.meta()).ifPresent(request -> {
            List<HomeChannel> told =
                    request.chat().map(List::of).orElseGet(() -> RestartRequest.channels(settings.delivery()));
            actor.announce(
                    told,
                    "The gateway is back.",
                    Outgoing.Kind.NOTICE,
                    RestartRequest.answered(request, timing.now()),
                    () -> {});
        });
    }

    /** Resumes the lanes of a platform that wait for it, each once (P7.22 to P7.24). */
    private void resumeLanesOf(Platform platform) {
        if (phase.is(Phase.State.RUNNING)) {
            Optional.ofNullable(toBeResumed.remove(platform))
                    .ifPresent(keys -> keys.forEach(key -> lanes.tell(key, new LaneInput.Resume())));
        }
    }

    private void abort() {
        watcher.stop();
        platforms.stop();
        end();
    }

    /** Nothing runs from now on; whoever waits is told. */
    private void end() {
        phase.enter(Phase.State.STOPPED);
        phase.end();
        cache.closeAll();
        receipts.refuseAll();
        requests.end();
    }

    // ------------------------------------------------------------------ platforms

    @Override
    public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        if (phase.is(Phase.State.STOPPED) || phase.is(Phase.State.NEW) || phase.isOver()) {
            receipt.complete(new Receipt.Unavailable("The gateway is not running; try again later."));
            return receipt;
        }
        if (!authorization.mayTalk(message.source())) {
            receipt.complete(new Receipt.Refused("This sender may not talk to the gateway."));
            return receipt;
        }
        SessionKey key;
        try {
            key = rules.keyOf(message.source());
        } catch (IllegalArgumentException e) {
            receipt.complete(new Receipt.Refused(String.valueOf(e.getMessage())));
            return receipt;
        }
        receipts.add(receipt);
        try {
            lanes.arrive(key, new LaneInput.Arrived(message, GuardedAnswer.of(answer, key, guard), receipt));
        } catch (RejectedExecutionException e) {
            receipt.complete(new Receipt.Unavailable("The gateway has ended; try again later."));
        }
        if (phase.isOver()) {
            receipts.refuseAll();
        }
        return receipt;
    }

    @Override
    public void connected(Platform platform) {
        connections.connect(platform);
        actor.post(() -> resumeLanesOf(platform));
        deliveries.connected();
    }

    @Override
    public void disconnected(Platform platform) {
        connections.disconnect(platform);
    }

    // ------------------------------------------------------------------ stop

    /**
     * Stops: tells the chats whose turn is running, waits for them, cuts off what still runs when the drain times out, and keeps
     * the rest of the queue for the next start (P7.36 to P7.47). A second call waits for the first.
     */
    public CompletionStage<ExitStatus> stop(StopMode mode) {
        actor.post(() -> {
            if (phase.is(Phase.State.NEW) || phase.is(Phase.State.STARTING)) {
                abort();
                stopped.complete(new ExitStatus(mode, false));
            } else if (phase.is(Phase.State.RUNNING)) {
                phase.enter(Phase.State.DRAINING);
                phase.stopping(mode);
                watcher.stop();
                Drain begun = new Drain(
                        actor, timing, lanes, running, deliveries, storage.meta(), settings, mode, this::finish);
                drain = Optional.of(begun);
                begun.begin();
            }
        });
        return stopped.minimalCompletionStage();
    }

    /** Completes when the gateway has stopped, whoever asked for it. */
    public CompletionStage<ExitStatus> whenStopped() {
        return stopped.minimalCompletionStage();
    }

    /** Something runs or is delivered no more. */
    private void changed() {
        if (phase.stop().isPresent()) {
            actor.post(() -> drain.filter(d -> phase.is(Phase.State.DRAINING)).ifPresent(Drain::look));
        }
    }

    private void succeeded(SessionKey lane) {
        actor.post(() -> counts.ifPresent(restarts -> restarts.succeeded(lane)));
    }

    private void finish() {
        Drain over = drain.orElseThrow();
        phase.enter(Phase.State.STOPPED);
        phase.end();
        platforms.stop();
        end();
        boolean timedOut = !over.cutOff().isEmpty();
        if (!timedOut) {
            markers.noteCleanShutdown();
        }
        counts.ifPresent(restarts -> restarts.stopped(over.cutOff()));
        stopped.complete(new ExitStatus(over.mode(), timedOut));
    }

    // ------------------------------------------------------------------ inspection

    @Override
    public List<LaneState> lanes() {
        return inspection.lanes();
    }

    @Override
    public Optional<LaneState> lane(SessionKey key) {
        return inspection.lane(key);
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        return inspection.history(key, limit);
    }

    @Override
    public Sessions sessions() {
        return inspection.sessions();
    }

    @Override
    public Transcripts transcripts() {
        return inspection.transcripts();
    }

    @Override
    public TranscriptSearch search() {
        return inspection.search();
    }

    @Override
    public TurnQueue queue() {
        return inspection.queue();
    }

    @Override
    public Map<String, String> health() {
        return inspection.health();
    }

    @Override
    public boolean resetLane(SessionKey key) {
        return inspection.resetLane(key);
    }

    @Override
    public boolean suspendLane(SessionKey key) {
        return inspection.suspendLane(key);
    }

    @Override
    public boolean interruptLane(SessionKey key) {
        return inspection.interruptLane(key);
    }

    // ------------------------------------------------------------------ builder

    /** Collects what a gateway stands on. Not safe for concurrent use. */
    public static final class Builder {
        @Nullable
        Storage storage;

        @Nullable
        AgentFactory agents;

        @Nullable
        InstantSource clock;

        @Nullable
        Timers timers;

        @Nullable
        Ids ids;

        @Nullable
        Executor executor;

        ZoneId zone = ZoneOffset.UTC;
        GatewayMarkers markers = GatewayMarkers.NONE;
        GatewayEvents events = GatewayEvents.NONE;
        ProcessActivity activity = ProcessActivity.NONE;
        LifecycleHooks hooks = LifecycleHooks.NONE;
        Authorization authorization = new Everybody();
        KeyRules rules = new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);
        GatewaySettings settings = GatewaySettings.DEFAULT;
        final List<ChatPlatform> platforms = new ArrayList<>();
        final List<ChatCommand> commands = new ArrayList<>();

        private Builder() {}

        /** Sets where everything is stored. */
        public Builder storage(Storage value) {
            this.storage = value;
            return this;
        }

        /** Sets what makes the agents. */
        public Builder agents(AgentFactory value) {
            this.agents = value;
            return this;
        }

        /** Adds platforms. */
        public Builder platforms(List<? extends ChatPlatform> value) {
            this.platforms.addAll(value);
            return this;
        }

        /** Adds a platform. */
        public Builder platform(ChatPlatform value) {
            this.platforms.add(value);
            return this;
        }

        /** Adds commands beside those the gateway brings; the first of a name wins, the gateway's before all. */
        public Builder commands(List<? extends ChatCommand> value) {
            this.commands.addAll(value);
            return this;
        }

        /** Sets the clock. */
        public Builder clock(InstantSource value) {
            this.clock = value;
            return this;
        }

        /** Sets the zone of the daily boundary and of session ids; UTC unless set. */
        public Builder zone(ZoneId value) {
            this.zone = value;
            return this;
        }

        /** Sets the timers. */
        public Builder timers(Timers value) {
            this.timers = value;
            return this;
        }

        /** Sets what makes ids. */
        public Builder ids(Ids value) {
            this.ids = value;
            return this;
        }

        /** Sets what runs the gateway's tasks. */
        public Builder executor(Executor value) {
            this.executor = value;
            return this;
        }

        /** Sets where the gateway notes the facts of its own life; nothing is remembered unless set. */
        public Builder markers(GatewayMarkers value) {
            this.markers = value;
            return this;
        }

        /** Sets who is told what happens; nobody unless set. */
        public Builder events(GatewayEvents value) {
            this.events = value;
            return this;
        }

        /** Sets what knows background processes; there are none unless set. */
        public Builder activity(ProcessActivity value) {
            this.activity = value;
            return this;
        }

        /** Sets who may talk; everybody unless set, and nobody is an admin. */
        public Builder authorization(Authorization value) {
            this.authorization = value;
            return this;
        }

        /** Sets the hooks; none unless set. */
        public Builder hooks(LifecycleHooks value) {
            this.hooks = value;
            return this;
        }

        /** Sets how lanes are told apart. */
        public Builder rules(KeyRules value) {
            this.rules = value;
            return this;
        }

        /** Sets how the gateway behaves. */
        public Builder settings(GatewaySettings value) {
            this.settings = value;
            return this;
        }

        /**
         * Returns the gateway, not yet started.
         *
         * @throws InvalidRequest where something that is needed is missing
         */
        public Gateway build() {
            return new Gateway(this);
        }

        <T> T needed(@Nullable T value, String name) {
            if (value == null) {
                throw new InvalidRequest("A gateway needs " + name + "; give it to the builder.");
            }
            return value;
        }
    }

    private static final class Everybody implements Authorization {
        @Override
        public boolean mayTalk(SessionSource source) {
            return true;
        }

        @Override
        public boolean isAdmin(SessionSource source) {
            return false;
        }
    }
}
