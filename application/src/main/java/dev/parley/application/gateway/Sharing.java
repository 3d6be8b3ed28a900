package dev.parley.application.gateway;

import dev.parley.application.guard.TimedCalls;
import dev.parley.application.nodes.Company;
import dev.parley.application.nodes.LivingAgents;
import dev.parley.application.nodes.Membership;
import dev.parley.application.nodes.NodeSettings;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.Cluster;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Newcomer;
import dev.parley.application.spi.Storage;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How a gateway shares its store with others, or has it to itself.
 *
 * @param nodes its part among them
 * @param agents its agents, which end where it may not go on
 * @param others how it is one of several; absent where it has its store to itself
 */
record Sharing(Membership nodes, AgentFactory agents, Optional<Others> others) {
    /**
     * What a gateway that shares its store stands on.
     *
     * @param company those whom it finds there
     * @param ticks a clock in nanoseconds that only runs forward
     * @param living its agents
     */
    record Others(Company company, LongSupplier ticks, LivingAgents living) {}

    /** A gateway that has its store to itself. */
    static Sharing alone(AgentFactory agents) {
        return new Sharing(Membership.alone(), agents, Optional.empty());
    }

    /**
     * A gateway that is one of several.
     *
     * @param agents the agents, under their guard
     * @param calls ask agents to end
     * @throws InvalidRequest where its store serves one gateway only
     */
    static Sharing with(
            NodeSettings settings, LongSupplier ticks, Storage storage, AgentFactory agents, TimedCalls calls) {
        Cluster cluster = storage.cluster()
                .orElseThrow(
                        () -> new InvalidRequest(
                                "The store " + storage.location()
                                        + " serves one gateway only, so that no other one can share it; use PostgreSQL, and no fallback."));
        Membership nodes = Membership.of(cluster, ticks);
        LivingAgents living = new LivingAgents(agents, nodes, calls);
        return new Sharing(
                nodes,
                living,
                Optional.of(new Others(
                        new Company(cluster, storage.location(), settings, Newcomer.Kind.NODE), ticks, living)));
    }
}
