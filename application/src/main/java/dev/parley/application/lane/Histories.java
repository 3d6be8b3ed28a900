package dev.parley.application.lane;

import dev.parley.application.port.GatewayEvent;
import dev.parley.domain.change.Change;
import java.util.List;

/** Lines of history among changes. Pure. */
final class Histories {
    private Histories() {}

    /** Returns the effects that tell the lines of history among stored changes. */
    static List<Effect> told(List<Change> changes) {
        return changes.stream()
                .filter(Change.AppendHistory.class::isInstance)
                .<Effect>map(c -> new Effect.Tell(new GatewayEvent.Transition(((Change.AppendHistory) c).event())))
                .toList();
    }
}
