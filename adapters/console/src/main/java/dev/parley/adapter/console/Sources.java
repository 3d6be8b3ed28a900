package dev.parley.adapter.console;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The filter by where conversations are. */
final class Sources {
    private static final Duration LATELY = Duration.ofDays(7);
    private static final int MOST = 20;

    private Sources() {}

    /** Returns a choice for each source that was used lately or is connected, and for all. {@code here} has all other filters. */
    static Pages.Choices choices(GatewayInspection gateway, PageRequest request, Link here) {
        String chosen = request.text("source");
        Set<String> sources = new TreeSet<>();
        gateway.platforms().forEach(state -> sources.add(state.platform().name()));
        try {
            gateway.sessions()
                    .usage(request.times().now().minus(LATELY), request.times().now())
                    .forEach(slot -> sources.add(slot.key().source()));
        } catch (StorageUnavailable | StorageCorrupt e) {
            // The connected ones are offered all the same.
        }
        List<Pages.Choice> choices = new ArrayList<>();
        choices.add(new Pages.Choice("any source", here.text(), chosen.isEmpty()));
        sources.stream()
                .filter(source -> !source.isEmpty())
                .limit(MOST)
                .forEach(source -> choices.add(
                        new Pages.Choice(Words.line(source), here.and("source", source), source.equals(chosen))));
        if (!chosen.isEmpty() && !sources.contains(chosen)) {
            choices.add(new Pages.Choice(Words.line(chosen), here.and("source", chosen), true));
        }
        return new Pages.Choices("From", choices);
    }
}
