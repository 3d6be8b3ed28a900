package dev.parley.application.replay;

import dev.parley.application.commands.BuiltInCommands;
import dev.parley.application.degrade.DegradingStorage;
import dev.parley.application.degrade.Fallback;
import dev.parley.application.degrade.Primary;
import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.OperatorNotices;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.Scenario.Action;
import dev.parley.application.spi.Storage;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario through real gateways, one after the other as they stop and die, on a virtual clock. Before each step
 * everything due up to and at its instant happens: timers by time, then by creation; tasks in the order given. What the last step
 * sets off at its own instant still happens, then the replay ends, with no stop of the gateway.
 *
 * <p>The same scenario, store contents and ids give the same events. Used by one thread.
 */
public final class ScenarioRunner {
    /** What the store is called, wherever it lies, so that the same scenario has the same outcome. */
    private static final String NAME = "of the scenario";

    private static final Duration PROBE_EVERY = Duration.ofSeconds(5);

    /** How often it is looked whether turns are held back, in scenarios that hold any. */
    private static final Duration HOLD_CHECK = Duration.ofSeconds(1);

    private final ReplayStore store;
    private final Ids ids;
    private final BiConsumer<Instant, GatewayEvent> events;
    private final ScriptedActivity activity = new ScriptedActivity();
    private final Set<Platform> disconnected = new TreeSet<>();
    private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
    private final ScriptedAgents agents = new ScriptedAgents(clock, new VirtualTimers(clock, new SerialExecutor()));
    private final HeldMarkers held;
    private ReplaySettings settings;
    private boolean watchesHold;
    private Set<Platform> platforms = Set.of();
    private SwitchableStorage.State state = SwitchableStorage.State.AVAILABLE;
    private Optional<Boolean> again = Optional.empty();
    private Optional<SwitchableStorage> primary = Optional.empty();
    private @Nullable Life life;

    /**
     * A runner for one scenario.
     *
     * @param store where the gateways keep everything
     * @param markers where they note the facts of their life
     * @param settings how the first of them is configured
     * @param ids makes their ids
     * @param events told what happens, and when
     */
    public ScenarioRunner(
            ReplayStore store,
            GatewayMarkers markers,
            ReplaySettings settings,
            Ids ids,
            BiConsumer<Instant, GatewayEvent> events) {
        this.store = store;
        this.held = new HeldMarkers(markers);
        this.settings = settings;
        this.ids = ids;
        this.events = events;
    }

    /** Returns the clock of the replay. */
    public VirtualClock clock() {
        return clock;
    }

    /**
     * Runs the scenario to its end; called once.
     *
     * @throws StorageUnavailable where the store cannot be opened, other than by the scenario's will
     * @throws StorageCorrupt where the store is damaged
     */
    public void run(Scenario scenario) {
        clock.set(scenario.begin());
        watchesHold = scenario.steps().stream().anyMatch(step -> step.action() instanceof Action.Hold);
        platforms = new TreeSet<>(scenario.platforms());
        try {
            for (Scenario.Step step : scenario.steps()) {
                advanceTo(step.at());
                act(step.action());
            }
            advanceTo(clock.instant());
        } finally {
            Life last = life;
            if (last != null) {
                life = null;
                last.storage.close();
            }
        }
    }

    private void act(Action action) {
        if (action instanceof Action.Say say) {
            receive(say.message());
        } else if (action instanceof Action.Script script) {
            agents.then(script.turn());
        } else if (action instanceof Action.Summary summary) {
            agents.thenSummarise(summary.summary(), summary.takes());
        } else if (action instanceof Action.Model model) {
            agents.withContextLength(model.contextLength());
        } else if (action instanceof Action.Hold hold) {
            held.set(hold.held());
        } else if (action instanceof Action.Start) {
            start();
        } else if (action instanceof Action.Stop stop) {
            stop(stop.mode());
        } else if (action instanceof Action.Crash) {
            crash();
        } else if (action instanceof Action.Processes processes) {
            activity.set(processes.lane(), processes.startedAt());
        } else if (action instanceof Action.Store changed) {
            state = changed.state();
            primary.ifPresent(p -> p.become(state));
        } else if (action instanceof Action.Connect connect) {
            disconnected.remove(connect.platform());
            running().ifPresent(p -> p.connectionChanged(connect.platform()));
        } else if (action instanceof Action.Disconnect disconnect) {
            disconnected.add(disconnect.platform());
            running().ifPresent(p -> p.connectionChanged(disconnect.platform()));
        } else if (action instanceof Action.Configure configure) {
            settings = configure.settings();
        }
    }

    // ------------------------------------------------------------------ time

    /** Lets time pass to an instant, across the ends and starts of gateways that fall due on the way. */
    private void advanceTo(Instant instant) {
        while (true) {
            Life current = life;
            if (current == null) {
                break;
            }
            current.timers.runUntilIdle();
            if (ended(current)) {
                continue;
            }
            Optional<Instant> next = current.timers.next();
            if (next.isEmpty() || next.get().isAfter(instant)) {
                break;
            }
            current.timers.advanceTo(next.get());
            ended(current);
        }
        if (instant.isAfter(clock.instant())) {
            clock.set(instant);
        }
    }

    /** Lets everything happen that is due now. */
    private void settle() {
        advanceTo(clock.instant());
    }

    /** Where a gateway has stopped, lets go of it, and starts the next where there is to be one. */
    private boolean ended(Life current) {
        Optional<ExitStatus> exit = current.exit;
        if (exit.isEmpty()) {
            return false;
        }
        life = null;
        current.storage.close();
        boolean next = again.orElse(exit.get().mode() == StopMode.RESTART);
        again = Optional.empty();
        if (next) {
            begin();
        }
        return true;
    }

    // ------------------------------------------------------------------ steps

    private Optional<Life> running() {
        return Optional.ofNullable(life);
    }

    private void receive(Received message) {
        if (life == null) {
            begin();
        }
        Life current = life;
        if (current == null) {
            notTaken(message, "not acknowledged: the gateway does not run");
            return;
        }
        current.gateway.receive(message, AnswerListener.NONE).whenComplete((receipt, failure) -> {
            if (receipt instanceof Receipt.Unavailable unavailable) {
                notTaken(message, "not acknowledged: " + unavailable.why());
            } else if (receipt instanceof Receipt.Refused refused) {
                notTaken(message, "refused: " + refused.why());
            }
        });
        settle();
    }

    private void notTaken(Received message, String why) {
        SessionKey lane = settings.rules().keyOf(message.source());
        tell(new GatewayEvent.Dropped(lane, why));
    }

    private void start() {
        Life current = life;
        if (current == null) {
            begin();
        } else if (current.stopping) {
            again = Optional.of(true);
        }
    }

    private void stop(StopMode mode) {
        Life current = life;
        if (current == null) {
            if (mode == StopMode.RESTART) {
                begin();
            }
            return;
        }
        again = Optional.of(mode == StopMode.RESTART);
        current.stopping = true;
        current.gateway.stop(mode);
        settle();
    }

    private void crash() {
        Life current = life;
        again = Optional.empty();
        if (current != null) {
            life = null;
            current.executor.discard();
            current.timers.discard();
            store.die(current.storage);
        }
    }

    private void begin() {
        SerialExecutor executor = new SerialExecutor();
        VirtualTimers timers = new VirtualTimers(clock, executor);
        CompletableFuture<Gateway> made = new CompletableFuture<>();
        OperatorNotices notices = new OperatorNotices(GatewayEvents.prompt(this::tell), made);
        Storage storage;
        try {
            storage = open(timers, executor, notices);
        } catch (StorageUnavailable | StorageCorrupt e) {
            failedToStart(e);
            return;
        }
        Life next = new Life(executor, timers, storage, notices);
        made.complete(next.gateway);
        agents.use(timers);
        life = next;
        List<Throwable> refused = new ArrayList<>();
        next.gateway.whenStopped().thenAccept(exit -> next.exit = Optional.of(exit));
        next.gateway.start().whenComplete((done, failure) -> {
            if (failure != null) {
                refused.add(failure);
            }
        });
        timers.runUntilIdle();
        if (!refused.isEmpty()) {
            life = null;
            storage.close();
            failedToStart(refused.get(0));
        }
    }

    /** Opens the store as a gateway sees it: composed with its fallback, where it has one. */
    private Storage open(VirtualTimers timers, SerialExecutor executor, GatewayEvents notices) {
        Optional<Fallback> fallback = store.fallback();
        Primary source = new Primary() {
            @Override
            public Storage open() {
                return switched(store::open);
            }

            @Override
            public Storage reopen(Consumer<Storage> look) {
                return switched(() -> store.reopen(look));
            }
        };
        return fallback.isEmpty()
                ? source.open()
                : DegradingStorage.open(source, fallback.get(), timers, executor, ids, clock, notices, PROBE_EVERY);
    }

    private Storage switched(Supplier<Storage> opening) {
        if (state == SwitchableStorage.State.UNAVAILABLE) {
            throw new StorageUnavailable("The store " + NAME + " cannot be opened now; try again.", null);
        }
        SwitchableStorage opened = new SwitchableStorage(opening.get(), NAME);
        opened.become(state);
        primary = Optional.of(opened);
        return opened;
    }

    private void failedToStart(Throwable failure) {
        boolean scripted = state != SwitchableStorage.State.AVAILABLE
                && (failure instanceof StorageUnavailable || failure instanceof StorageCorrupt);
        if (!scripted) {
            throw failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
        }
        tell(new GatewayEvent.Trouble(Optional.empty(), "The gateway did not start.", Optional.of(failure)));
    }

    private void tell(GatewayEvent event) {
        events.accept(clock.instant(), event);
    }

    /** A gateway and what dies with it. */
    private final class Life {
        private final SerialExecutor executor;
        private final VirtualTimers timers;
        private final List<ReplayPlatform> connections;
        private final Storage storage;
        private final Gateway gateway;
        private boolean stopping;
        private Optional<ExitStatus> exit = Optional.empty();

        Life(SerialExecutor executor, VirtualTimers timers, Storage storage, OperatorNotices notices) {
            this.executor = executor;
            this.timers = timers;
            this.storage = storage;
            this.connections = platforms.stream()
                    .map(name -> new ReplayPlatform(name, disconnected))
                    .toList();
            this.gateway = Gateway.builder()
                    .storage(storage)
                    .agents(agents)
                    .platforms(connections)
                    .commands(BuiltInCommands.all())
                    .clock(clock)
                    .zone(settings.zone())
                    .timers(timers)
                    .ids(ids)
                    .executor(executor)
                    .markers(held)
                    .events(notices)
                    .activity(activity)
                    .authorization(settings.authorization())
                    .rules(settings.rules())
                    .settings(
                            watchesHold
                                    ? settings.gateway().operation(o -> o.withMaintenanceCheck(HOLD_CHECK))
                                    : settings.gateway())
                    .build();
        }

        void connectionChanged(Platform platform) {
            connections.stream().filter(c -> c.name().equals(platform)).forEach(ReplayPlatform::connectionChanged);
            settle();
        }
    }
}
