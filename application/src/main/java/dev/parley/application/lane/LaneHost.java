package dev.parley.application.lane;

import dev.parley.application.actor.ActorHost;
import dev.parley.application.nodes.Membership;
import dev.parley.application.settings.GatewaySettings;
import java.time.ZoneId;

/**
 * The gateway around its lanes. Safe for concurrent use.
 *
 * @param actors what their actors run on
 * @param zone the gateway's zone
 * @param settings how the gateway behaves
 * @param state what lanes ask of it
 * @param answers who waits for what other gateways answer
 * @param nodes its part among the gateways that share its store
 */
public record LaneHost(
        ActorHost actors,
        ZoneId zone,
        GatewaySettings settings,
        GatewayState state,
        Membership nodes,
        AnswersElsewhere answers) {}
