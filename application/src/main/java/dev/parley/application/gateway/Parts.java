package dev.parley.application.gateway;

import dev.parley.application.actor.ActorHost;
import dev.parley.application.actor.Writers;
import dev.parley.application.agents.AgentCache;
import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandTable;
import dev.parley.application.command.Stores;
import dev.parley.application.command.Surroundings;
import dev.parley.application.commands.LaneCommands;
import dev.parley.application.delivery.Connections;
import dev.parley.application.delivery.Deliveries;
import dev.parley.application.delivery.TurnShows;
import dev.parley.application.expiry.ExpirySettings;
import dev.parley.application.expiry.ExpiryWatcher;
import dev.parley.application.guard.GuardedCommand;
import dev.parley.application.guard.LifecycleCalls;
import dev.parley.application.guard.TimedCalls;
import dev.parley.application.lane.Commanding;
import dev.parley.application.lane.Compressions;
import dev.parley.application.lane.LaneAgents;
import dev.parley.application.lane.LaneHost;
import dev.parley.application.lane.LaneInput;
import dev.parley.application.lane.LaneServices;
import dev.parley.application.lane.Outlets;
import dev.parley.application.lane.StoreReading;
import dev.parley.application.lane.TurnedAway;
import dev.parley.application.nodes.Membership;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.settings.Retention;
import dev.parley.application.store.LaneReader;
import dev.parley.application.turn.MissingContext;
import dev.parley.application.turn.Prompts;
import dev.parley.application.turn.TurnPreparation;
import dev.parley.application.turn.TurnRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The parts of a gateway, put together.
 *
 * @param phase how far it has come
 * @param running the lanes that run
 * @param lanes the lanes at work
 * @param connections its platforms
 * @param standings how each of them is
 * @param platforms starts and stops them
 * @param menus shows commands in their menus
 * @param deliveries delivers messages
 * @param cache keeps agents
 * @param actor its own actor
 * @param store reads and stores for it
 * @param maintenance lets an operator hold turns back
 * @param watcher ends sessions that expire
 * @param startUp sets right what the process before left
 * @param answers who waits for what other gateways answer
 * @param entrance asks who may talk
 * @param pulse looks whether the executor runs tasks
 */
record Parts(
        Phase phase,
        RunningLanes running,
        LaneRegistry lanes,
        Connections connections,
        Standings standings,
        PlatformSupervisor platforms,
        CommandMenus menus,
        Deliveries deliveries,
        AgentCache cache,
        GatewayActor actor,
        StoreActor store,
        Maintenance maintenance,
        ExpiryWatcher watcher,
        StartUp startUp,
        PostedAnswers answers,
        Entrance entrance,
        Pulse pulse) {
    /** How long a hook may take before the next of its lane follows. */
    private static final Duration HOOK_LIMIT = Duration.ofMinutes(1);

    /** How long one look for expired sessions may take before the next one follows. */
    private static final Duration PASS_LIMIT = Duration.ofHours(1);

    /** How long lanes wait for a command that decides, or a plug-in that is asked something; shorter than operators wait for lanes. */
    private static final Duration ASK_LIMIT = Duration.ofSeconds(20);

    /** How long an agent may take that is let go of, or asked to end. */
    static final Duration AGENT_LIMIT = Duration.ofSeconds(30);

    /** Puts the parts of a gateway together; what they tell the whole goes to {@code signals}. */
    static Parts of(Ground ground, Signals signals) {
        PlugIns plugIns = ground.plugIns();
        Phase phase = new Phase();
        Connections connections = new Connections(plugIns.platforms());
        Standings standings = new Standings(plugIns.platforms(), plugIns.guard(), ground.timing()::now);
        Writers writers = new Writers(ground.timing().ids());
        ActorHost host = new ActorHost(
                ground.executor(),
                new ToldLedger(ground.storage().ledger(), plugIns.events(), ground.timing()),
                writers,
                ground.timing(),
                plugIns.events(),
                phase::isOver);
        TurnShows shows = new TurnShows(host, connections, ground.storage().meta(), ground.settings());
        Membership nodes = ground.sharing().nodes();
        PostedAnswers answers = new PostedAnswers(ground.storage().queue());
        Deliveries deliveries =
                new Deliveries(host, connections, ground.settings().delivery(), shows, nodes, signals);
        RunningLanes running = new RunningLanes(ground.settings().busy().maxLanes(), phase, signals);
        GatewayActor actor = new GatewayActor(ground.executor(), phase, plugIns.guard());
        TimedCalls hookCalls = calls(ground, HOOK_LIMIT);
        TimedCalls agentCalls = calls(ground, AGENT_LIMIT);
        LifecycleCalls hooks = new LifecycleCalls(plugIns.hooks(), plugIns.guard(), hookCalls);
        AgentCache cache = cache(ground, agentCalls);
        LaneReader reader = new LaneReader(
                ground.storage(),
                ground.rules(),
                ground.settings().resetPolicies(),
                plugIns.activity(),
                ground.timing()::now,
                ground.zone());
        CommandTable commands = commands(ground);
        Prompts prompts = new Prompts(connections, ground.rules(), ground.settings());
        LaneRegistry lanes = new LaneRegistry(
                running,
                new LaneServices(
                        new LaneHost(
                                host,
                                ground.zone(),
                                ground.settings(),
                                new SharedState(phase, running, signals),
                                nodes,
                                answers),
                        new StoreReading(
                                ground.storage(),
                                reader,
                                ground.sharing().agents(),
                                ground.rules(),
                                ground.settings().busy(),
                                connections::cutting),
                        commanding(
                                ground,
                                commands,
                                reader,
                                connections,
                                () -> phase.stop().isPresent()),
                        agents(ground, cache, agentCalls, prompts),
                        new Outlets(deliveries, connections, hooks, cache, new TurnedAway(), shows, new Compressions()),
                        calls(ground, ASK_LIMIT)));
        return new Parts(
                phase,
                running,
                lanes,
                connections,
                standings,
                new PlatformSupervisor(
                        plugIns.platforms(),
                        actor,
                        ground.timing(),
                        plugIns.guard(),
                        phase,
                        ground.executor(),
                        standings,
                        nodes.isShared()),
                new CommandMenus(plugIns.platforms(), commands.all(), calls(ground, HOOK_LIMIT), plugIns.guard()),
                deliveries,
                cache,
                actor,
                new StoreActor(host, deliveries),
                new Maintenance(
                        actor,
                        ground.timing(),
                        plugIns.markers(),
                        phase,
                        ground.settings().operation().maintenanceCheck()),
                watcher(ground, reader, cache, hooks, lanes, signals),
                new StartUp(ground.storage(), writers, plugIns.markers(), plugIns.events(), ground.settings()),
                answers,
                new Entrance(plugIns.authorization(), calls(ground, ASK_LIMIT), plugIns.guard()),
                new Pulse(
                        ground.executor(),
                        ground.timing(),
                        plugIns.events(),
                        ground.settings().operation().starvedAfter()));
    }

    private static TimedCalls calls(Ground ground, Duration limit) {
        return new TimedCalls(
                ground.executor(), ground.timing(), ground.plugIns().guard(), limit);
    }

    private static AgentCache cache(Ground ground, TimedCalls calls) {
        PlugIns plugIns = ground.plugIns();
        return new AgentCache(
                ground.sharing().agents(),
                ground.settings().agents().kept(),
                ground.settings().agents().idle(),
                ground.timing()::now,
                calls,
                gone -> plugIns.events()
                        .on(new GatewayEvent.AgentLeft(
                                gone.lane(), gone.reason().name().toLowerCase(Locale.ROOT))));
    }

    private static LaneAgents agents(Ground ground, AgentCache cache, TimedCalls calls, Prompts prompts) {
        PlugIns plugIns = ground.plugIns();
        return new LaneAgents(
                new TurnPreparation(ground.storage(), prompts, ground.settings().recovery()),
                new TurnRunner(
                        cache,
                        plugIns.hooks(),
                        plugIns.events(),
                        ground.timing(),
                        ground.executor(),
                        calls,
                        ground.settings().turns()),
                prompts,
                new MissingContext(ground.storage()));
    }

    private static Commanding commanding(
            Ground ground, CommandTable table, LaneReader reader, Connections connections, Supplier<Boolean> stopping) {
        return new Commanding(
                table,
                new Stores(ground.storage(), reader),
                () -> new Surroundings(
                        ground.zone(),
                        ground.rules(),
                        ground.timing().ids(),
                        ground.sharing().agents(),
                        ground.settings().chat(),
                        connections.connected(),
                        CommandTable.help(table.all()),
                        stopping.get()),
                ground.plugIns().authorization());
    }

    private static CommandTable commands(Ground ground) {
        List<String> triggers = CommandTable.triggers(ground.settings().chat().resetTriggers());
        List<ChatCommand> all = new ArrayList<>();
        LaneCommands.all().forEach(command -> all.add(guarded(command, ground)));
        all.addAll(ground.plugIns().commands());
        return new CommandTable(
                triggers, LaneCommands.renewing(triggers).map(command -> guarded(command, ground)), all);
    }

    private static ChatCommand guarded(ChatCommand command, Ground ground) {
        return new GuardedCommand(command, ground.plugIns().guard());
    }

    private static ExpiryWatcher watcher(
            Ground ground,
            LaneReader reader,
            AgentCache cache,
            LifecycleCalls hooks,
            LaneRegistry lanes,
            Signals signals) {
        Retention retention = ground.settings().retention();
        return new ExpiryWatcher(
                ground.storage(),
                reader,
                cache,
                hooks,
                calls(ground, PASS_LIMIT),
                ground.plugIns().events(),
                ground.timing().timers(),
                ground.timing()::now,
                ground.timing().ids(),
                new ExpirySettings(
                        retention.firstLook(),
                        retention.interval(),
                        retention.lanes(),
                        retention.rows(),
                        retention.history()),
                (key, task) -> lanes.tell(key, new LaneInput.WhileIdle(task)),
                signals::watches);
    }
}
