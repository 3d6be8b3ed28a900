package dev.parley.application.lane;

import dev.parley.application.actor.ActorHost;
import dev.parley.application.settings.GatewaySettings;
import java.time.ZoneId;

/**
 * The gateway around its lanes. Safe for concurrent use.
 *
 * @param actors what their actors run on
 * @param zone the gateway's zone
 * @param settings how the gateway behaves
 * @param state what lanes ask of it
 */
public record LaneHost(ActorHost actors, ZoneId zone, GatewaySettings settings, GatewayState state) {}
