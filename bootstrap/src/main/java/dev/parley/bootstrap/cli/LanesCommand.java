package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.application.store.Explanation;
import dev.parley.application.store.LaneReader;
import dev.parley.application.store.SessionStore;
import dev.parley.application.view.Rows;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.home.GatewayLock;
import dev.parley.bootstrap.home.WhatsAppAliasFiles;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.bootstrap.wiring.Threads;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiPredicate;
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

    @Command(name = "reset", description = "begin a lane anew; its conversation so far stays readable")
    int reset(
            @Parameters(paramLabel = "KEY", description = "the lane") String key,
            @Option(names = "--yes", description = "do not ask") boolean yes) {
        root.workplace().confirm("Begin the lane " + key + " anew?", yes);
        return operate(
                key,
                GatewayClient::reset,
                (store, lane) -> store.resetForOperator(lane).isPresent());
    }

    @Command(name = "suspend", description = "make a lane's next message begin it anew")
    int suspend(@Parameters(paramLabel = "KEY", description = "the lane") String key) {
        return operate(key, GatewayClient::suspend, SessionStore::suspendForOperator);
    }

    /** Asks the gateway where one runs on the home, since it holds the lanes then; otherwise does it itself. */
    private int operate(
            String key, BiPredicate<GatewayClient, SessionKey> asked, BiPredicate<SessionStore, SessionKey> done) {
        Workplace w = root.workplace();
        SessionKey lane = SessionKey.of(key);
        w.home().create();
        Optional<GatewayLock> lock = GatewayLock.tryTake(w.home());
        boolean found;
        if (lock.isEmpty()) {
            try (Threads threads = new Threads()) {
                found = asked.test(
                        GatewayClient.of(w.home().path(), threads.executor())
                                .orElseThrow(() -> new InvalidRequest("A gateway runs on the home "
                                        + w.home().path() + " and does not listen over HTTP; stop it first.")),
                        lane);
            }
        } else {
            GatewayLock held = lock.get();
            try (held;
                    Storage storage = w.open(Optional.empty(), Mode.READ_WRITE)) {
                found = done.test(store(w, storage), lane);
            }
        }
        return found ? ExitCode.DONE.code() : notFound(key);
    }

    private static SessionStore store(Workplace w, Storage storage) {
        Configuration c = w.configuration();
        KeyRules rules = new KeyRules(c.isolation(), new WhatsAppAliasFiles(w.home()));
        LaneReader reader = new LaneReader(
                storage, rules, c.resets(), ProcessActivity.NONE, w.around().clock(), c.zone());
        return new SessionStore(storage, rules, reader, w.around().clock(), c.zone(), ProcessSurroundings.ids());
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
