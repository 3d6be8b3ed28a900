package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.application.store.Explanation;
import dev.parley.application.view.Rows;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Looks at lanes and their history. */
@Command(name = "lanes", description = "list lanes, show one, say why it changed, begin it anew")
final class LanesCommand implements Callable<Integer> {
    private static final int HISTORY = 20;

    private final ParleyCommand root;

    @Spec
    private @Nullable CommandSpec spec;

    LanesCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        CommandSpec s = spec;
        if (s != null) {
            s.commandLine().usage(root.workplace().out());
        }
        return ExitCode.DONE.code();
    }

    @Command(name = "list", description = "list all lanes")
    int list(@Option(names = "--json", description = "print JSON") boolean json) {
        try (Storage storage = open()) {
            List<Map<String, @Nullable Object>> rows = new ArrayList<>();
            Table table = new Table("LANE", "SESSION", "LAST ACTIVE", "STATE");
            storage.lanes().forEach(lane -> {
                if (json) {
                    rows.add(Rows.lane(lane));
                } else {
                    table.row(lane.key().value(), lane.entry().sessionId().value(), when(lane), state(lane));
                }
            });
            if (json) {
                root.workplace().json(rows);
            } else {
                table.print(root.workplace().out());
            }
        }
        return ExitCode.DONE.code();
    }

    @Command(name = "show", description = "show a lane")
    int show(
            @Parameters(paramLabel = "KEY", description = "the lane") String key,
            @Option(names = "--json", description = "print JSON") boolean json) {
        try (Storage storage = open()) {
            Optional<Lane> lane = storage.lanes().find(SessionKey.of(key));
            if (lane.isEmpty()) {
                return notFound(key);
            }
            if (json) {
                root.workplace().json(Rows.lane(lane.get()));
            } else {
                Table table = new Table("FIELD", "VALUE");
                Rows.lane(lane.get()).forEach((name, value) -> table.row(name, value == null ? "" : value.toString()));
                table.print(root.workplace().out());
            }
        }
        return ExitCode.DONE.code();
    }

    @Command(name = "why", description = "say in words why a lane has the session it has")
    int why(
            @Parameters(paramLabel = "KEY", description = "the lane") String key,
            @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "at most N changes")
                    int limit,
            @Option(names = "--json", description = "print JSON") boolean json) {
        SessionKey lane = SessionKey.of(key);
        try (Storage storage = open()) {
            List<LaneEvent> events = storage.lanes().history(lane, limit <= 0 ? HISTORY : limit);
            if (events.isEmpty() && storage.lanes().find(lane).isEmpty()) {
                return notFound(key);
            }
            if (json) {
                root.workplace().json(events.stream().map(Rows::event).toList());
            } else {
                events.forEach(e -> root.workplace().out().println(explain(e)));
            }
        }
        return ExitCode.DONE.code();
    }

    private String explain(LaneEvent event) {
        return Explanation.inWords(event, root.workplace().configuration().zone());
    }

    private Storage open() {
        return root.workplace().open(Optional.empty(), Mode.READ_ONLY);
    }

    private String when(Lane lane) {
        return DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm")
                .format(lane.entry()
                        .updatedAt()
                        .atZone(root.workplace().configuration().zone()));
    }

    private static String state(Lane lane) {
        if (lane.entry().isSuspended()) {
            return "suspended";
        }
        return lane.entry().toBeResumed().isPresent() ? "resume pending" : "open";
    }

    private int notFound(String key) {
        root.workplace().note("parley: there is no lane " + key + "; see `parley lanes list`.");
        return ExitCode.NO.code();
    }
}
