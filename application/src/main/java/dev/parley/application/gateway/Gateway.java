package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.command.ChatCommand;
import dev.parley.application.guard.Guard;
import dev.parley.application.guard.GuardedAliases;
import dev.parley.application.guard.GuardedEvents;
import dev.parley.application.guard.GuardedStorage;
import dev.parley.application.guard.GuardedTimers;
import dev.parley.application.guard.TimedCalls;
import dev.parley.application.nodes.NodeSettings;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.GatewayOperations;
import dev.parley.application.port.Happened;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.Node;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.Timers;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A gateway: takes messages from platforms, gives each lane's messages to its agent one turn at a time, delivers the answers, and
 * keeps every promise across restarts, because whatever it acknowledges is stored first.
 *
 * <p>Everything runs as tasks on the given executor; time, timers and chance come from outside, so that with a deterministic
 * executor the whole gateway is deterministic. Once the executor and the timers are gone nothing is stored or delivered any more.
 * Whatever is given to the builder may throw anything: that is told and harms nothing else. What hangs keeps its thread, and after a
 * time of its own what waits for it goes on, so the executor needs a thread for each such call. Safe for concurrent use. It closes
 * neither the storage nor the executor.
 */
public final class Gateway implements InboundListener, GatewayInspection {
    private final GatewayLife life;
    private final Reception reception;
    private final Inspection inspection;
    private final GatewayOperations operations;

    private Gateway(Builder b) {
        Storage storage = GuardedStorage.of(b.needed(b.storage, "storage"));
        Executor executor = b.needed(b.executor, "executor");
        InstantSource clock = b.needed(b.clock, "clock");
        AgentFactory agents = b.needed(b.agents, "agents");
        GuardedEvents events = new GuardedEvents(b.events, executor, clock);
        Guard guard = new Guard(events);
        PlugIns plugIns = PlugIns.guarding(
                guard, events, agents, b.hooks, b.activity, b.authorization, b.markers, b.platforms, b.commands);
        Timing timing = new Timing(
                clock,
                new GuardedTimers(
                        b.needed(b.timers, "timers"),
                        guard,
                        pause -> CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, executor)),
                b.needed(b.ids, "ids"));
        KeyRules rules = b.rules.withAliases(aliases -> new GuardedAliases(aliases, guard));
        Sharing sharing = b.node.map(node -> Sharing.with(
                        node,
                        b.ticks,
                        storage,
                        plugIns.agents(),
                        new TimedCalls(executor, timing, guard, Parts.AGENT_LIMIT)))
                .orElseGet(() -> Sharing.alone(plugIns.agents()));
        life = new GatewayLife(new Ground(plugIns, storage, timing, executor, b.zone, rules, b.settings, sharing));
        reception = life.reception();
        inspection = life.inspection();
        operations = life.operations(inspection);
    }

    /** Starts a gateway from nothing; storage, agents, clock, timers, ids and executor are needed. */
    public static Builder builder() {
        return new Builder();
    }

    // ------------------------------------------------------------------ start

    /**
     * Sets right what the process before left behind, claims the lanes to be resumed, then starts the platforms (P7.1 to P7.29).
     * Completes once messages are taken; exceptionally where a platform cannot start as it is configured or the storage
     * refuses, then nothing is running, and where the gateway is stopped before. A platform that fails otherwise is started again
     * later, and one whose start takes longer than thirty seconds comes up when it can, while the others go on.
     */
    public CompletionStage<Void> start() {
        return life.start(this);
    }

    /** Tells the operator's chats something, such as that storage is degraded; nothing where there are none. */
    public void announce(String text) {
        life.announce(text);
    }

    // ------------------------------------------------------------------ platforms

    @Override
    public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
        return reception.receive(message, answer);
    }

    @Override
    public CompletionStage<Receipt> happened(Happened what) {
        return reception.happened(what);
    }

    @Override
    public CompletionStage<Boolean> mayTalk(SessionSource source) {
        return reception.mayTalk(source);
    }

    @Override
    public void connected(Platform platform) {
        life.connected(platform);
    }

    @Override
    public void disconnected(Platform platform) {
        life.disconnected(platform, Optional.empty());
    }

    @Override
    public void disconnected(Platform platform, String why) {
        life.disconnected(platform, Optional.of(why));
    }

    // ------------------------------------------------------------------ stop

    /**
     * Stops: tells the chats whose turn is running, waits for them, cuts off what still runs when the drain times out, and keeps
     * the rest of the queue for the next start (P7.36 to P7.47). A second call waits for the first.
     */
    public CompletionStage<ExitStatus> stop(StopMode mode) {
        return life.stop(mode);
    }

    /** Completes when the gateway has stopped, whoever asked for it. */
    public CompletionStage<ExitStatus> whenStopped() {
        return life.whenStopped();
    }

    // ------------------------------------------------------------------ inspection

    @Override
    public List<LaneState> lanes() {
        return inspection.lanes();
    }

    @Override
    public Lanes laneReads() {
        return inspection.laneReads();
    }

    @Override
    public List<SessionKey> running() {
        return inspection.running();
    }

    @Override
    public List<SessionKey> awaitingPlace() {
        return inspection.awaitingPlace();
    }

    @Override
    public Map<String, String> storageStatus() {
        return inspection.storageStatus();
    }

    @Override
    public boolean order(LaneOrder order, SessionKey key, long epoch) {
        return inspection.order(order, key, epoch);
    }

    @Override
    public ResetPolicies resets() {
        return inspection.resets();
    }

    @Override
    public long countLanes() {
        return inspection.countLanes();
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
    public GatewayHealth health() {
        return inspection.health();
    }

    @Override
    public List<PlatformState> platforms() {
        return inspection.platforms();
    }

    @Override
    public List<Node> nodes() {
        return inspection.nodes();
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

    @Override
    public Pruned prune(Instant before, long counted) {
        return inspection.prune(before, counted);
    }

    @Override
    public Optional<GatewayOperations> operations() {
        return Optional.of(operations);
    }

    @Override
    public void told(GatewayEvent.OperatorActed act) {
        inspection.told(act);
    }

    @Override
    public CompletionStage<Void> alive() {
        return inspection.alive();
    }

    // ------------------------------------------------------------------ builder

    /**
     * Collects what a gateway stands on. Not safe for concurrent use.
     *
     * <p>What the defaults give up: without {@link #markers} every start counts as one after a crash, and no loop of restarts is seen;
     * without {@link #events} nobody is told of trouble; without {@link #authorization} everybody may talk and nobody is an admin. A
     * storage that fails is waited for: a {@code DegradingStorage} goes on beside it. Nothing here keeps a second process from the
     * same data. The module {@code parley-home} brings markers, lock and threads.
     */
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
        Optional<NodeSettings> node = Optional.empty();
        LongSupplier ticks = () -> 0;
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

        /**
         * Sets what runs the gateway's tasks. Agents that block, such as those of {@code BlockingAgents}, need another one: where they
         * take all threads of this one, no message is taken, no command is answered, no time-out comes and nothing stops.
         */
        public Builder executor(Executor value) {
            this.executor = value;
            return this;
        }

        /** Sets where the gateway notes the facts of its own life; nothing is remembered unless set. */
        public Builder markers(GatewayMarkers value) {
            this.markers = value;
            return this;
        }

        /** Sets who is told what happens; nobody unless set. Several are put together by {@link GatewayEvents#all}. */
        public Builder events(GatewayEvents value) {
            this.events = value;
            return this;
        }

        /** Sets what knows background processes; there are none unless set. */
        public Builder activity(ProcessActivity value) {
            this.activity = value;
            return this;
        }

        /** Sets who may talk; everybody unless set, and nobody is an admin. Several are put together by {@link Authorization#all}. */
        public Builder authorization(Authorization value) {
            this.authorization = value;
            return this;
        }

        /** Sets the hooks; none unless set. Several are put together by {@link LifecycleHooks#all}. */
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
         * Makes the gateway one of several that share the store, each working on lanes of its own; it has the store to itself unless set.
         *
         * @param ticks a clock in nanoseconds that only runs forward, such as {@code System::nanoTime}
         */
        public Builder node(NodeSettings value, LongSupplier ticks) {
            this.node = Optional.of(value);
            this.ticks = ticks;
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
        public boolean neverBlocks() {
            return true;
        }

        @Override
        public boolean isAdmin(SessionSource source) {
            return false;
        }
    }
}
