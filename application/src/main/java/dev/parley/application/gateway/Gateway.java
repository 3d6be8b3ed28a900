package dev.parley.application.gateway;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.expiry.ExpirySettings;
import dev.parley.application.expiry.ExpiryWatcher;
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
import dev.parley.application.recovery.BootLoop;
import dev.parley.application.recovery.RecoverAfterRestart;
import dev.parley.application.recovery.RestartCounts;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A gateway: takes messages from platforms, gives each lane's messages to its agent one turn at a time, delivers the answers, and
 * keeps every promise across restarts, because whatever it acknowledges is stored first.
 *
 * <p>Everything runs as tasks on the given executor; time, timers and chance come from outside, so that with a deterministic
 * executor the whole gateway is deterministic. Once the executor and the timers are gone nothing is stored or delivered any more.
 * Safe for concurrent use. It closes neither the storage nor the executor.
 */
public final class Gateway implements InboundListener, GatewayInspection {
    private static final Duration FIRST_RESTART = Duration.ofSeconds(5);
    private static final Duration LAST_RESTART = Duration.ofMinutes(5);

    private final Workings works;
    private final List<ChatPlatform> platforms;
    private final OperatorDesk desk;
    private final ConcurrentHashMap<SessionKey, LaneDesk> lanes = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<ExitStatus> stopped = new CompletableFuture<>();
    private final Map<Platform, SortedSet<SessionKey>> waitingForPlatform = new TreeMap<>();
    private final List<ChatPlatform> startedPlatforms = new ArrayList<>();
    private final ConcurrentHashMap<Long, CompletableFuture<Receipt>> pending = new ConcurrentHashMap<>();
    private final AtomicLong received = new AtomicLong();
    private final ExpiryWatcher watcher;
    private @Nullable RestartCounts counts;
    private volatile State state = State.NEW;
    private final Holding holding;
    private boolean resuming;
    private @Nullable GatewayDrain drain;

    private enum State {
        NEW,
        STARTING,
        RUNNING,
        DRAINING,
        STOPPED
    }

    private Gateway(Builder builder) {
        this.works = new Workings(builder);
        this.platforms = List.copyOf(builder.platforms);
        this.desk = new OperatorDesk(works);
        this.holding = new Holding(works, desk, this::wakeWaiting);
        GatewaySettings settings = works.settings;
        this.watcher = new ExpiryWatcher(
                works.storage,
                works.reader,
                works.cache,
                works.hooks,
                works.events,
                works.timers,
                works::now,
                works.ids,
                new ExpirySettings(
                        settings.retention().firstLook(),
                        settings.retention().interval(),
                        settings.retention().lanes(),
                        settings.retention().rows(),
                        settings.retention().history()),
                (key, task) -> onLane(key, lane -> lane.whileIdle(task)));
        works.wire(
                () -> {
                    if (works.stopping().isPresent()) {
                        desk.post(this::lookAtDrain);
                    }
                },
                () -> stop(StopMode.RESTART),
                key -> desk.post(() -> {
                    if (counts != null) {
                        counts.succeeded(key);
                    }
                }),
                this::onLane);
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
        desk.post(() -> {
            if (state != State.NEW) {
                return;
            }
            state = State.STARTING;
            try {
                startUp();
                started.complete(null);
            } catch (RuntimeException e) {
                abort();
                started.completeExceptionally(e);
            }
        });
        return started.minimalCompletionStage();
    }

    private void startUp() {
        Instant now = works.now();
        boolean clean = works.markers.takeCleanShutdown();
        RestartCounts restarts = RestartCounts.read(works.markers);
        counts = restarts;
        BatchWriter writer = works.writers.lend();
        RecoverAfterRestart recovery = new RecoverAfterRestart(
                works.storage, writer, line -> works.tell(new GatewayEvent.Transition(line)), now);
        SortedSet<SessionKey> marked = recovery.markCutOffTurns(turn -> true);
        if (!clean) {
            restarts.cutOff(marked);
        }
        recovery.suspendStuckLanes(restarts, works.settings.recovery().stuckLoopThreshold());
        List<Change> expired = expireOld(now);
        if (!expired.isEmpty()) {
            works.storage.ledger().commit(writer.next(List.of(), expired));
            expired.forEach(c -> {
                if (c instanceof Change.PutOutgoing put) {
                    works.tell(new GatewayEvent.Expired(put.outgoing()));
                }
            });
        }
        List<RecoverAfterRestart.Candidate> candidates = recovery.toBeResumed(
                works.settings.recovery().freshness(),
                (key, entry) -> entry.origin()
                        .filter(origin -> works.isConfigured(origin.platform()) && works.mayTalk(origin))
                        .isPresent());
        works.writers.giveBack(writer);
        resuming = candidates.isEmpty()
                || !BootLoop.trips(
                        works.markers,
                        now,
                        works.settings.recovery().bootLoopMax(),
                        works.settings.recovery().bootLoopWithin());
        if (resuming) {
            for (RecoverAfterRestart.Candidate candidate : candidates) {
                waitingForPlatform
                        .computeIfAbsent(candidate.platform(), p -> new TreeSet<>())
                        .add(candidate.key());
            }
        } else {
            works.tell(new GatewayEvent.Trouble(
                    Optional.empty(),
                    "The gateway was started too often with lanes to resume; none is resumed this time.",
                    Optional.empty()));
        }
        Map<Optional<SessionKey>, List<Outgoing>> undelivered = works.storage.queue().undelivered().stream()
                .collect(Collectors.groupingBy(Outgoing::lane, LinkedHashMap::new, Collectors.toList()));
        holding.start();
        for (ChatPlatform platform : platforms) {
            startPlatform(platform, FIRST_RESTART);
        }
        state = State.RUNNING;
        desk.deliver(undelivered.getOrDefault(Optional.<SessionKey>empty(), List.of()));
        undelivered.forEach((lane, messages) -> lane.ifPresent(key -> onLane(key, d -> d.deliver(messages))));
        for (Platform platform : works.connected()) {
            resumeLanesOf(platform);
        }
        wakeWaiting();
        tellOfRestart();
        watcher.start();
        if (works.isDegraded()) {
            recoverOnceHealed();
        }
    }

    /** Starts a platform; one that does not come up now is started again later, while the others go on (P7.6, P7.24). */
    private void startPlatform(ChatPlatform platform, Duration pause) {
        try {
            platform.start(this);
            startedPlatforms.add(platform);
        } catch (InvalidRequest e) {
            throw e;
        } catch (RuntimeException e) {
            works.tell(new GatewayEvent.Trouble(
                    Optional.empty(),
                    "The platform " + platform.name() + " could not be started; trying again.",
                    Optional.of(e)));
            Duration longer = pause.multipliedBy(2);
            works.timers.after(
                    pause,
                    () -> desk.post(() -> {
                        if (state == State.RUNNING) {
                            startAgain(platform, longer.compareTo(LAST_RESTART) > 0 ? LAST_RESTART : longer);
                        }
                    }));
        }
    }

    private void startAgain(ChatPlatform platform, Duration pause) {
        try {
            startPlatform(platform, pause);
        } catch (InvalidRequest e) {
            works.tell(new GatewayEvent.Trouble(
                    Optional.empty(),
                    "The platform " + platform.name() + " cannot be started as it is configured.",
                    Optional.of(e)));
        }
    }

    /**
     * After a start on the fallback: what the process before left behind in the primary is set right when that is back. A turn of
     * this process is claimed only while its lane is busy, so no clock is needed to tell them apart.
     */
    private void recoverOnceHealed() {
        works.storage
                .maintenance()
                .whenWhole(() -> desk.post(() -> {
                    if (state != State.RUNNING) {
                        return;
                    }
                    if (works.isDegraded()) {
                        recoverOnceHealed();
                        return;
                    }
                    BatchWriter writer = works.writers.lend();
                    RecoverAfterRestart recovery = new RecoverAfterRestart(
                            works.storage, writer, line -> works.tell(new GatewayEvent.Transition(line)), works.now());
                    SortedSet<SessionKey> marked =
                            recovery.markCutOffTurns(turn -> !works.busy.containsKey(turn.lane()));
                    works.writers.giveBack(writer);
                    marked.forEach(key ->
                            onLane(key, lane -> lane.whileIdle(() -> lane.claiming.admitResume(() -> true))));
                    works.storage.queue().admitted().stream()
                            .map(Inbound::lane)
                            .distinct()
                            .forEach(key -> onLane(key, LaneDesk::refresh));
                }));
    }

    /** Tells the operator's chats something, such as that storage is degraded; nothing where there are none. */
    public void announce(String text) {
        desk.post(() -> desk.announce(
                works.settings.delivery().homeChannels(), text, Outgoing.Kind.NOTICE, List.of(), () -> {}));
    }

    /** Lanes with something in the queue look at it. */
    private void wakeWaiting() {
        works.storage.queue().admitted().stream()
                .map(Inbound::lane)
                .distinct()
                .sorted()
                .forEach(key -> onLane(key, LaneDesk::wake));
    }

    /** Whoever asked for the restart is told that it is over; the operator's chats where nobody did in a chat (P7.5, P7.48). */
    private void tellOfRestart() {
        RestartRequest.pending(works.storage.meta()).ifPresent(request -> {
            List<HomeChannel> told =
                    request.chat().map(List::of).orElseGet(() -> RestartRequest.channels(works.settings));
            desk.announce(
                    told,
                    "The gateway is back.",
                    Outgoing.Kind.NOTICE,
                    RestartRequest.answered(request, works.now()),
                    () -> {});
        });
    }

    private void refuseTheRest() {
        for (CompletableFuture<Receipt> receipt : List.copyOf(pending.values())) {
            receipt.complete(new Receipt.Unavailable("The gateway has stopped; try again later."));
        }
    }

    /** Undelivered messages that are given up: too old, or begun and not to be repeated. */
    private List<Change> expireOld(Instant now) {
        List<Change> expired = new ArrayList<>();
        for (Outgoing message : works.storage.queue().undelivered()) {
            boolean old = Duration.between(message.createdAt(), now)
                            .compareTo(works.settings.delivery().limit())
                    > 0;
            boolean unknown = message.state() == Outgoing.State.ATTEMPTED && !works.mayRepeat(message.platform());
            if (old || unknown) {
                expired.add(new Change.PutOutgoing(message.expired()));
            }
        }
        return expired;
    }

    /** Resumes the lanes of a platform that wait for it, each once (P7.22 to P7.24). */
    private void resumeLanesOf(Platform platform) {
        if (state != State.RUNNING) {
            return;
        }
        SortedSet<SessionKey> keys = waitingForPlatform.remove(platform);
        if (keys != null) {
            keys.forEach(key -> onLane(key, d -> d.claiming.admitResume(() -> true)));
        }
    }

    private void abort() {
        watcher.stop();
        works.close();
        startedPlatforms.forEach(ChatPlatform::stop);
        state = State.STOPPED;
    }

    // ------------------------------------------------------------------ platforms

    @Override
    public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        if (state == State.STOPPED || state == State.NEW || works.isClosed()) {
            receipt.complete(new Receipt.Unavailable("The gateway is not running; try again later."));
            return receipt;
        }
        if (!works.mayTalk(message.source())) {
            receipt.complete(new Receipt.Refused("This sender may not talk to the gateway."));
            return receipt;
        }
        SessionKey key;
        try {
            key = works.rules.keyOf(message.source());
        } catch (IllegalArgumentException e) {
            receipt.complete(new Receipt.Refused(String.valueOf(e.getMessage())));
            return receipt;
        }
        long number = received.incrementAndGet();
        pending.put(number, receipt);
        var unused = receipt.whenComplete((done, failure) -> pending.remove(number));
        try {
            onLane(key, lane -> lane.admit(message, answer, receipt), lane -> lane.offer(receipt));
        } catch (RejectedExecutionException e) {
            receipt.complete(new Receipt.Unavailable("The gateway has ended; try again later."));
        }
        if (works.isClosed()) {
            refuseTheRest();
        }
        return receipt;
    }

    @Override
    public void connected(Platform platform) {
        works.connected(platform);
        desk.post(() -> {
            desk.wake();
            resumeLanesOf(platform);
        });
        new TreeMap<>(lanes).keySet().forEach(key -> onLane(key, LaneDesk::wake));
    }

    @Override
    public void disconnected(Platform platform) {
        works.disconnected(platform);
    }

    private void onLane(SessionKey key, Consumer<LaneDesk> task) {
        onLane(key, task, lane -> true);
    }

    private void onLane(SessionKey key, Consumer<LaneDesk> task, java.util.function.Predicate<LaneDesk> wanted) {
        while (true) {
            LaneDesk lane = lanes.computeIfAbsent(key, k -> new LaneDesk(works, k, d -> lanes.remove(k, d)));
            if (!wanted.test(lane) || lane.post(() -> task.accept(lane))) {
                return;
            }
            lanes.remove(key, lane);
        }
    }

    // ------------------------------------------------------------------ stop

    /**
     * Stops: tells the chats whose turn is running, waits for them, cuts off what still runs when the drain times out, and keeps
     * the rest of the queue for the next start (P7.36 to P7.47). A second call waits for the first.
     */
    public CompletionStage<ExitStatus> stop(StopMode mode) {
        desk.post(() -> {
            if (state == State.NEW || state == State.STARTING) {
                abort();
                stopped.complete(new ExitStatus(mode, false));
                return;
            }
            if (state == State.RUNNING) {
                state = State.DRAINING;
                watcher.stop();
                GatewayDrain begun =
                        new GatewayDrain(works, desk, () -> new TreeMap<>(lanes).values(), mode, this::finish);
                drain = begun;
                begun.begin();
            }
        });
        return stopped.minimalCompletionStage();
    }

    /** Completes when the gateway has stopped, whoever asked for it. */
    public CompletionStage<ExitStatus> whenStopped() {
        return stopped.minimalCompletionStage();
    }

    private void lookAtDrain() {
        GatewayDrain current = drain;
        if (current != null && state == State.DRAINING) {
            current.look();
        }
    }

    private void finish() {
        GatewayDrain over = Objects.requireNonNull(drain, "Only a drain finishes a gateway.");
        state = State.STOPPED;
        works.close();
        for (ChatPlatform platform : startedPlatforms) {
            try {
                platform.stop();
            } catch (RuntimeException e) {
                works.tell(new GatewayEvent.Trouble(
                        Optional.empty(), "The platform " + platform.name() + " did not stop.", Optional.of(e)));
            }
        }
        works.cache.closeAll();
        refuseTheRest();
        boolean timedOut = !over.cutOff().isEmpty();
        if (!timedOut) {
            works.markers.noteCleanShutdown();
        }
        if (counts != null) {
            counts.stopped(over.cutOff());
        }
        stopped.complete(new ExitStatus(over.mode(), timedOut));
    }

    // ------------------------------------------------------------------ inspection

    @Override
    public List<LaneState> lanes() {
        List<LaneState> all = new ArrayList<>();
        Map<SessionKey, Integer> depths = works.storage.queue().admitted().stream()
                .collect(Collectors.groupingBy(Inbound::lane, Collectors.summingInt(i -> 1)));
        works.storage
                .lanes()
                .forEach(lane -> all.add(
                        new LaneState(lane, works.busy.containsKey(lane.key()), depths.getOrDefault(lane.key(), 0))));
        return List.copyOf(all);
    }

    @Override
    public Optional<LaneState> lane(SessionKey key) {
        return works.storage
                .lanes()
                .find(key)
                .map(lane -> new LaneState(
                        lane,
                        works.busy.containsKey(key),
                        works.storage.queue().admitted(key).size()));
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        return works.storage.lanes().history(key, limit);
    }

    @Override
    public Sessions sessions() {
        return works.storage.sessions();
    }

    @Override
    public Transcripts transcripts() {
        return works.storage.transcripts();
    }

    @Override
    public TranscriptSearch search() {
        return works.storage.search();
    }

    @Override
    public TurnQueue queue() {
        return works.storage.queue();
    }

    @Override
    public Map<String, String> health() {
        Map<String, String> health = new LinkedHashMap<>();
        Optional<Health.Degraded> degraded =
                works.storage.maintenance().health().degraded();
        health.put(
                "status",
                switch (state) {
                    case NEW, STARTING -> "starting";
                    case RUNNING ->
                        degraded.map(how -> how.refusing().isPresent() ? "refusing" : "degraded")
                                .orElse("ok");
                    case DRAINING, STOPPED -> "draining";
                });
        health.put("storage", works.storage.location());
        degraded.ifPresent(how -> {
            health.put("degraded_since", how.since().toString());
            health.put("degraded_because", how.why());
            how.waiting().ifPresent(waiting -> health.put("spilled_batches", Long.toString(waiting)));
            how.refusing().ifPresent(why -> health.put("refusing_because", why));
        });
        health.put("running", Integer.toString(works.busy.size()));
        health.put("connected", works.connected().stream().map(Platform::name).collect(Collectors.joining(", ")));
        return health;
    }

    @Override
    public boolean resetLane(SessionKey key) {
        return operate(key, LaneCommands::reset);
    }

    @Override
    public boolean suspendLane(SessionKey key) {
        return operate(key, LaneCommands::suspend);
    }

    private boolean operate(
            SessionKey key, java.util.function.Function<CommandContext, Optional<CommandOutcome>> command) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        onLane(key, lane -> lane.commands.operate(command, done));
        return done.join();
    }

    @Override
    public boolean interruptLane(SessionKey key) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        onLane(key, lane -> done.complete(lane.running.interrupt(TurnRun.Cause.OPERATOR, "Interrupted by the user")));
        return done.join();
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
