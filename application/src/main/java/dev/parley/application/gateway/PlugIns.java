package dev.parley.application.gateway;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.guard.Guard;
import dev.parley.application.guard.GuardedActivity;
import dev.parley.application.guard.GuardedAgents;
import dev.parley.application.guard.GuardedAuthorization;
import dev.parley.application.guard.GuardedCommand;
import dev.parley.application.guard.GuardedEvents;
import dev.parley.application.guard.GuardedHooks;
import dev.parley.application.guard.GuardedMarkers;
import dev.parley.application.guard.GuardedPlatform;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.ProcessActivity;
import java.util.List;

/**
 * The foreign code of a gateway, each under its guard.
 *
 * @param guard tells failures
 * @param events told what happens
 * @param agents makes agents
 * @param hooks told of sessions
 * @param activity knows background processes
 * @param authorization says who may talk
 * @param markers keeps the facts of the gateway's own life
 * @param platforms where people are
 * @param commands commands beside the built-in ones
 */
record PlugIns(
        Guard guard,
        GuardedEvents events,
        AgentFactory agents,
        LifecycleHooks hooks,
        ProcessActivity activity,
        Authorization authorization,
        GatewayMarkers markers,
        List<ChatPlatform> platforms,
        List<ChatCommand> commands) {
    PlugIns {
        platforms = List.copyOf(platforms);
        commands = List.copyOf(commands);
    }

    /** Puts each plug-in under its guard; platforms and commands keep their order. */
    static PlugIns guarding(
            Guard guard,
            GuardedEvents events,
            AgentFactory agents,
            LifecycleHooks hooks,
            ProcessActivity activity,
            Authorization authorization,
            GatewayMarkers markers,
            List<ChatPlatform> platforms,
            List<ChatCommand> commands) {
        return new PlugIns(
                guard,
                events,
                new GuardedAgents(agents, guard),
                LifecycleHooks.all(LifecycleHooks.each(hooks).stream()
                        .map(each -> new GuardedHooks(each, guard))
                        .toList()),
                new GuardedActivity(activity),
                Authorization.all(Authorization.each(authorization).stream()
                        .map(each -> new GuardedAuthorization(each, guard))
                        .toList()),
                new GuardedMarkers(markers, guard),
                platforms.stream()
                        .<ChatPlatform>map(platform -> new GuardedPlatform(platform, guard))
                        .toList(),
                commands.stream()
                        .<ChatCommand>map(command -> new GuardedCommand(command, guard))
                        .toList());
    }
}
