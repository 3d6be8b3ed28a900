package dev.parley.adapter.console;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection;
import java.util.Locale;

/** Tells the audit who did what. */
final class Audit {
    private Audit() {}

    /**
     * Tells what became of something that a caller asked for.
     *
     * @param action what was asked for
     * @param target of what
     * @param outcome what became of it, in a word or two
     */
    static void tell(GatewayInspection gateway, PageRequest request, String action, String target, String outcome) {
        gateway.told(new GatewayEvent.OperatorActed(
                request.caller().name(),
                request.caller().role().name().toLowerCase(Locale.ROOT),
                request.caller().remote(),
                action,
                target,
                outcome));
    }
}
