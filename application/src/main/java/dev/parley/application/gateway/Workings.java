package dev.parley.application.gateway;

import dev.parley.application.actor.Writers;
import dev.parley.application.agents.AgentCache;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.Ids;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.LaneReader;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.TurnId;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What all desks of a gateway stand on, and the little they share. Safe for concurrent use. */
final class Workings {
    final Storage storage;
    final InstantSource clock;
    final ZoneId zone;
    final Timers timers;
    final Ids ids;
    final Executor executor;
    final GatewayMarkers markers;
    final ProcessActivity activity;
    final Authorization authorization;
    final LifecycleHooks hooks;
    final KeyRules rules;
    final GatewaySettings settings;
    final AgentFactory agents;
    final AgentCache cache;
    final Commands commands;
    final Writers writers;
    final LaneReader reader;
    final GatewayEvents events;
    private final Map<Platform, ChatPlatform> platforms = new TreeMap<>();
    private final Set<Platform> connected = new ConcurrentSkipListSet<>();

    /** Lanes whose turn is claimed and not yet answered; whoever claims adds its lane first and asks whether to go on second. */
    final ConcurrentSkipListMap<SessionKey, LaneDesk> busy = new ConcurrentSkipListMap<>();

    private final ConcurrentSkipListMap<SessionKey, Instant> toldOfMissingContext = new ConcurrentSkipListMap<>();

    /** Lanes with a commit of which it is not known whether it was stored; looked at again once the store answers. */
    final Set<SessionKey> unknown = new ConcurrentSkipListSet<>();

    private volatile boolean closed;
    private volatile Optional<StopMode> stopping = Optional.empty();
    private volatile boolean held;
    private volatile boolean sessionsSeen;
    private volatile Runnable onChange = () -> {};
    private volatile Runnable onRestart = () -> {};
    private volatile Consumer<SessionKey> onSuccess = key -> {};
    private volatile BiConsumer<SessionKey, Consumer<LaneDesk>> onLane = (key, task) -> {};

    Workings(Gateway.Builder b) {
        this.storage = b.needed(b.storage, "storage");
        this.clock = b.needed(b.clock, "clock");
        this.zone = b.zone;
        this.timers = b.needed(b.timers, "timers");
        this.ids = b.needed(b.ids, "ids");
        this.executor = b.needed(b.executor, "executor");
        this.markers = new ReportedMarkers(b.markers, b.events);
        this.activity = b.activity;
        this.authorization = b.authorization;
        this.hooks = b.hooks;
        this.rules = b.rules;
        this.settings = b.settings;
        this.agents = b.needed(b.agents, "agents");
        this.events = b.events;
        this.cache = new AgentCache(
                agents, settings.agents().kept(), settings.agents().idle(), this::now, executor, events, gone -> {});
        this.commands = new Commands(settings.chat().resetTriggers(), LaneCommands::renewing, b.commands);
        this.writers = new Writers(ids);
        this.reader = new LaneReader(storage, rules, settings.resetPolicies(), activity, this::now, zone);
        for (ChatPlatform platform : b.platforms) {
            for (Platform bridged : platform.bridges()) {
                platforms.putIfAbsent(bridged, platform);
            }
        }
        for (ChatPlatform platform : b.platforms) {
            platforms.put(platform.name(), platform);
        }
    }

    void wire(
            Runnable changed,
            Runnable restart,
            Consumer<SessionKey> success,
            BiConsumer<SessionKey, Consumer<LaneDesk>> lane) {
        onLane = lane;
        onChange = changed;
        onRestart = restart;
        onSuccess = success;
    }

    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    void tell(GatewayEvent event) {
        events.on(event);
    }

    /** Tells the lines of history among stored changes. */
    void tellHistory(List<? extends Change> changes) {
        for (Change change : changes) {
            if (change instanceof Change.AppendHistory h) {
                tell(new GatewayEvent.Transition(h.event()));
            }
        }
    }

    /** Runs something on the executor; does nothing where that has gone. */
    void run(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            tell(new GatewayEvent.Trouble(Optional.empty(), "The gateway's executor has ended.", Optional.of(e)));
        }
    }

    /** Runs a hook, whose failure harms nobody. */
    void hook(SessionKey lane, Runnable hook) {
        run(() -> {
            try {
                hook.run();
            } catch (RuntimeException e) {
                tell(new GatewayEvent.Trouble(Optional.of(lane), "A hook failed.", Optional.of(e)));
            }
        });
    }

    /** Told whenever a turn or a delivery has ended. */
    void changed() {
        onChange.run();
    }

    /** A turn of this lane has succeeded (P7.13). */
    void succeeded(SessionKey lane) {
        onSuccess.accept(lane);
    }

    /** Runs a task on the desk of another lane. */
    void onLane(SessionKey key, Consumer<LaneDesk> task) {
        onLane.accept(key, task);
    }

    /** Reserves a place among the running lanes (Q8.35); false where all are taken. */
    boolean mayBegin(LaneDesk desk) {
        Optional<Integer> limit = settings.busy().maxLanes();
        if (limit.isEmpty()) {
            return true;
        }
        synchronized (busy) {
            if (busy.size() >= limit.get() && !busy.containsKey(desk.key())) {
                return false;
            }
            busy.put(desk.key(), desk);
            return true;
        }
    }

    /** Returns whether new turns wait for an operator (P7.49). */
    boolean isHeld() {
        return held;
    }

    void hold(boolean value) {
        held = value;
    }

    void requestRestart() {
        onRestart.run();
    }

    /** Returns whether the store goes on with its fallback. */
    boolean isDegraded() {
        return storage.maintenance().health().degraded().isPresent();
    }

    /**
     * Returns, once for each lane while the store is degraded, whether its people are to be told that what was said before cannot
     * be read for now (architecture, section 7, rule 9).
     */
    boolean mustTellOfMissingContext(SessionKey lane, SessionId session) {
        if (storage.transcripts().isWhole(session)) {
            return false;
        }
        return storage.maintenance()
                .health()
                .degraded()
                .map(Health.Degraded::since)
                .filter(since -> !since.equals(toldOfMissingContext.put(lane, since)))
                .isPresent();
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
    }

    Optional<StopMode> stopping() {
        return stopping;
    }

    void stopping(StopMode mode) {
        stopping = Optional.of(mode);
    }

    // platforms

    void connected(Platform platform) {
        connected.addAll(servedWith(platform));
    }

    void disconnected(Platform platform) {
        connected.removeAll(servedWith(platform));
    }

    private List<Platform> servedWith(Platform platform) {
        ChatPlatform served = platforms.get(platform);
        return platforms.entrySet().stream()
                .filter(e -> e.getValue() == served
                        && (e.getKey().equals(platform) || served.name().equals(platform)))
                .map(Map.Entry::getKey)
                .toList();
    }

    List<Platform> connected() {
        return List.copyOf(connected);
    }

    boolean isConfigured(Platform platform) {
        return platforms.containsKey(platform);
    }

    boolean canSend(Outgoing message) {
        return platformFor(message.platform()).isPresent();
    }

    Optional<ChatPlatform> platformFor(Platform platform) {
        return connected.contains(platform) ? Optional.ofNullable(platforms.get(platform)) : Optional.empty();
    }

    /** Returns whether a message whose delivery is unknown is sent again. */
    boolean mayRepeat(Platform platform) {
        ChatPlatform known = platforms.get(platform);
        return !settings.delivery().atMostOnce()
                || (known != null && known.traits().recognisesRepeats());
    }

    List<Platform> safeForRedaction() {
        return platforms.values().stream()
                .filter(p -> p.traits().personalDataSafe() && !p.traits().mentionsNeedRawIds())
                .map(ChatPlatform::name)
                .toList();
    }

    // facts

    /** Returns whether there was ever a session before the current one; where that cannot be known, there was (O4.12). */
    boolean hasAnySessions() {
        if (!sessionsSeen) {
            try {
                sessionsSeen = storage.sessions().count(Optional.empty()) > 1;
            } catch (StorageUnavailable | StorageCorrupt e) {
                // Degraded storage counts nothing; that is no reason to keep a message waiting, nor to introduce
                // oneself.
                return true;
            }
        }
        return sessionsSeen;
    }

    /** Returns whether a source may talk; where that cannot be known, it may not (P7.21). */
    boolean mayTalk(SessionSource source) {
        try {
            return authorization.mayTalk(source);
        } catch (RuntimeException e) {
            tell(new GatewayEvent.Trouble(Optional.empty(), "Authorisation failed; refused.", Optional.of(e)));
            return false;
        }
    }

    boolean isAdmin(SessionSource source) {
        try {
            return authorization.isAdmin(source);
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Returns a new message to where a source is. */
    Outgoing outgoing(SessionKey lane, SessionSource to, String text, Outgoing.Kind kind, Optional<TurnId> turn) {
        return new Outgoing(
                new OutgoingId(ids.unique("o")),
                Optional.of(lane),
                to.platform(),
                to.chatId(),
                to.threadId(),
                text,
                kind,
                now(),
                turn,
                Outgoing.State.PENDING,
                0);
    }
}
