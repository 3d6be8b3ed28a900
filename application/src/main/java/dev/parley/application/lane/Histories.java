package dev.parley.application.lane;

import dev.parley.application.port.GatewayEvent;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.session.Lane;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Lines of history among changes. Pure. */
final class Histories {
    /** With these the session that a lane leaves is over, and another one begins. */
    private static final Set<LaneEvent.Kind> ENDING =
            Set.of(LaneEvent.Kind.CREATED, LaneEvent.Kind.RESET, LaneEvent.Kind.RENEWED);

    private Histories() {}

    /** Returns the effects that tell the lines of history among stored changes. */
    static List<Effect> told(List<Change> changes) {
        return changes.stream()
                .filter(Change.AppendHistory.class::isInstance)
                .<Effect>map(c -> new Effect.Tell(new GatewayEvent.Transition(((Change.AppendHistory) c).event())))
                .toList();
    }

    /** Returns the effects that tell the hooks which session a lane leaves for good with these changes, where they were not told before. */
    static List<Effect> finalized(Optional<Lane> before, List<Change> changes) {
        return changes.stream()
                .filter(Change.AppendHistory.class::isInstance)
                .map(change -> ((Change.AppendHistory) change).event())
                .filter(line -> ENDING.contains(line.kind()) && !line.from().equals(line.to()))
                .flatMap(line -> before
                        .map(Lane::entry)
                        .filter(old ->
                                line.from().filter(old.sessionId()::equals).isPresent())
                        .filter(old -> !old.expiryFinalized())
                        .flatMap(old -> line.to()
                                .<Effect>map(next -> new Effect.SessionFinalized(old.sessionId(), next, line.reason())))
                        .stream())
                .toList();
    }
}
