package dev.parley.application.replay;

import dev.parley.application.port.Authorization;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.key.KeyRules;
import java.time.ZoneId;

/**
 * How a replayed gateway is configured.
 *
 * @param gateway how it behaves
 * @param rules how lanes are told apart
 * @param zone its zone
 * @param authorization who may talk
 */
public record ReplaySettings(GatewaySettings gateway, KeyRules rules, ZoneId zone, Authorization authorization) {}
