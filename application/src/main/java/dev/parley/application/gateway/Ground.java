package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Storage;
import dev.parley.domain.key.KeyRules;
import java.time.ZoneId;
import java.util.concurrent.Executor;

/**
 * What a gateway stands on.
 *
 * @param plugIns the foreign code, under guards
 * @param storage where everything is stored
 * @param timing time and chance
 * @param executor runs its tasks
 * @param zone the zone of the daily boundary and of session ids
 * @param rules how lanes are told apart
 * @param settings how it behaves
 * @param sharing how it shares its store with others
 */
record Ground(
        PlugIns plugIns,
        Storage storage,
        Timing timing,
        Executor executor,
        ZoneId zone,
        KeyRules rules,
        GatewaySettings settings,
        Sharing sharing) {}
