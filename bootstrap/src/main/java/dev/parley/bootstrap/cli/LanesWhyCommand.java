package dev.parley.bootstrap.cli;

import dev.parley.application.port.EventQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.Explanation;
import dev.parley.application.view.PlainRows;
import dev.parley.application.view.TimeSpan;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says in words why a lane has the session it has. */
@Command(name = "why", description = "say in words why a lane has the session it has")
final class LanesWhyCommand implements Callable<Integer> {
    private static final int HISTORY = 20;

    private final LanesCommand lanes;

    @Parameters(paramLabel = "KEY", description = "the lane; see `parley lanes list`")
    private String key = "";

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "at most N changes (default: 20)")
    private int limit;

    @Mixin
    private final TimeOptions times = new TimeOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    LanesWhyCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        Workplace w = lanes.workplace();
        SessionKey lane = SessionKey.of(key);
        TimeSpan span = times.span(w);
        try (Storage storage = lanes.look()) {
            List<LaneEvent> events = storage.lanes()
                    .events(EventQuery.first(limit <= 0 ? HISTORY : limit)
                            .of(lane)
                            .between(span.from(), span.to()))
                    .rows();
            if (events.isEmpty() && storage.lanes().find(lane).isEmpty()) {
                return lanes.notFound(lane);
            }
            if (json.isWanted()) {
                w.json(events.stream().map(PlainRows::event).toList());
            } else {
                events.forEach(e ->
                        w.out().println(Explanation.inWords(e, w.configuration().zone())));
            }
        }
        return ExitCode.DONE.code();
    }
}
