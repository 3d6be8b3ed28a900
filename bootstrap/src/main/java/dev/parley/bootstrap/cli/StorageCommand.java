package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.LaneFileReader;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.application.transfer.ForeignLanes;
import dev.parley.application.transfer.StorageCopy;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.home.GatewayLock;
import dev.parley.bootstrap.home.WhatsAppAliasFiles;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.domain.key.KeyRules;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Maintains the storage. */
@Command(name = "storage", description = "look at, check, repair, shrink and copy the storage")
final class StorageCommand implements Callable<Integer> {
    private static final String READ_SESSIONS_JSON = "read_sessions_json";

    private final ParleyCommand root;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--db",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "open this state.db instead of the home's storage")
    private @Nullable Path database;

    StorageCommand(ParleyCommand root) {
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

    @Command(name = "status", description = "say what is stored where, and in which format")
    int status(@Option(names = "--json", description = "print JSON") boolean json) {
        Map<String, String> status = new LinkedHashMap<>();
        Optional<ParleyException> failure = Optional.empty();
        try (Storage storage = open(Mode.READ_ONLY)) {
            status.put("location", storage.location());
            status.putAll(storage.maintenance().status());
        } catch (StorageUnavailable | StorageCorrupt e) {
            failure = Optional.of(e);
        }
        if (database == null) {
            fallback(status);
        }
        print(status, json);
        if (failure.isPresent()) {
            throw failure.get();
        }
        return ExitCode.DONE.code();
    }

    /** What the fallback holds and the running gateway says, whether or not the storage itself can be read. */
    private void fallback(Map<String, String> status) {
        Workplace w = root.workplace();
        w.gatewayHealth()
                .ifPresent(health -> health.ofStorage().forEach((name, value) -> status.put("gateway_" + name, value)));
        w.configuration().storage().fallback().ifPresent(address -> {
            status.put("fallback", address);
            status.put("waiting_batches", Long.toString(w.waitingBatches(address)));
        });
    }

    private void print(Map<String, String> status, boolean json) {
        if (json) {
            root.workplace().json(status);
        } else {
            Table table = new Table("WHAT", "VALUE");
            status.forEach(table::row);
            table.print(root.workplace().out());
        }
    }

    @Command(name = "check", description = "check everything that is stored; changes nothing")
    int check(@Option(names = "--json", description = "print JSON") boolean json) {
        try (Storage storage = open(Mode.READ_ONLY)) {
            List<String> problems;
            try (Progress progress = Progress.of(root.workplace(), "checking", 0)) {
                problems = storage.maintenance().check(progress::at);
            }
            if (json) {
                root.workplace().json(Map.of("ok", problems.isEmpty(), "problems", problems));
            } else if (problems.isEmpty()) {
                root.workplace().out().println("ok: " + storage.location());
            } else {
                problems.forEach(root.workplace().out()::println);
            }
            return problems.isEmpty() ? ExitCode.DONE.code() : ExitCode.NO.code();
        }
    }

    @Command(name = "upgrade", description = "bring the format up to date and repair what can be repaired")
    int upgrade(@Option(names = "--json", description = "print JSON") boolean json) {
        try (Storage storage = root.workplace().openExisting(Optional.ofNullable(database), Mode.READ_WRITE)) {
            List<String> done;
            try (Progress progress = Progress.of(root.workplace(), "upgrading", 0)) {
                done = storage.maintenance().repair(progress::at);
            }
            if (json) {
                root.workplace().json(Map.of("done", done));
            } else if (done.isEmpty()) {
                root.workplace().out().println("up to date: " + storage.location());
            } else {
                done.forEach(root.workplace().out()::println);
            }
        }
        return ExitCode.DONE.code();
    }

    @Command(name = "vacuum", description = "give unused space back to the file system")
    int vacuum() {
        try (Storage storage = root.workplace().openExisting(Optional.ofNullable(database), Mode.READ_WRITE)) {
            long given = Progress.during(root.workplace(), "giving space back", storage.maintenance()::compact);
            root.workplace().out().println(given + " bytes given back");
        }
        return ExitCode.DONE.code();
    }

    @Command(
            name = "copy",
            description = "copy everything from one storage to another",
            footer = {
                "",
                "Addresses are sqlite:FILE, jsonl:DIRECTORY, or those of a plug-in; relative ones are in the home, as in",
                "storage.url. A copy that was interrupted goes on with --resume. Nothing may run on the home meanwhile.",
                "An existing installation is taken over with --from sqlite:ITS_STATE.DB --lanes ITS_SESSIONS.JSON; entries",
                "that cannot be read are named and left out."
            })
    int copy(
            @Option(names = "--from", required = true, paramLabel = "URL", description = "what is copied; is only read")
                    String from,
            @Option(
                            names = "--to",
                            required = true,
                            paramLabel = "URL",
                            description = "where to; made where there is none")
                    String to,
            @Option(names = "--lanes", paramLabel = "FILE", description = "also take the lanes of this sessions.json")
                    @Nullable
                    Path lanes,
            @Option(names = "--merge", description = "keep what the target has and add what it lacks") boolean merge,
            @Option(names = "--resume", description = "go on with a copy that was interrupted") boolean resume,
            @Option(names = "--verify", description = "compare counts and a digest of every session afterwards")
                    boolean verify,
            @Option(names = "--json", description = "print JSON") boolean json) {
        if (merge && resume) {
            throw new InvalidRequest("--merge and --resume exclude each other; a copy is resumed as it was begun.");
        }
        if (from.equals(to)) {
            throw new InvalidRequest("--from and --to are both " + from + "; name two different storages.");
        }
        Workplace w = root.workplace();
        ForeignLanes foreign = lanes == null ? ForeignLanes.NONE : lanesOf(lanes);
        GatewayLock held = w.lock();
        try (held;
                Storage source = w.open(from, Mode.READ_ONLY, Map.of());
                Storage target = w.open(to, Mode.READ_WRITE, onlyWhatIsCopied(to))) {
            StorageCopy copy =
                    new StorageCopy(source, target, w.around().clock(), ProcessSurroundings.ids()).with(foreign);
            StorageCopy.Into into =
                    merge ? StorageCopy.Into.MERGE : resume ? StorageCopy.Into.RESUME : StorageCopy.Into.EMPTY;
            StorageCopy.Outcome outcome;
            try (Progress progress = Progress.of(w, "copying", 0)) {
                outcome = copy.copy(into, p -> progress.at(p.done(), p.total().orElse(0L)));
            }
            List<String> differences = List.of();
            if (verify) {
                try (Progress progress = Progress.of(w, "verifying", 0)) {
                    differences =
                            copy.verify(p -> progress.at(p.done(), p.total().orElse(0L)));
                }
            }
            report(outcome, verify, differences, json);
            return differences.isEmpty() ? ExitCode.DONE.code() : ExitCode.NO.code();
        }
    }

    /** A target in the home takes no lanes of its own accord from the file that the storage before has left there. */
    private Map<String, String> onlyWhatIsCopied(String url) {
        return root.workplace().storages().provider(url).options().contains(READ_SESSIONS_JSON)
                ? Map.of(READ_SESSIONS_JSON, "false")
                : Map.of();
    }

    private ForeignLanes lanesOf(Path file) {
        Workplace w = root.workplace();
        Configuration c = w.configuration();
        LaneFileReader reader = w.providers()
                .laneFiles()
                .orElseThrow(() ->
                        new InvalidRequest("This build cannot read sessions.json; use one with the SQLite storage."));
        LaneFileReader.LaneFile read = reader.read(file, c.zone(), w.providers().platformNames());
        read.leftOut().forEach(w::note);
        KeyRules rules = new KeyRules(c.isolation(), new WhatsAppAliasFiles(w.home()));
        return new ForeignLanes(
                read.entries(), c.multiplexProfiles() ? rules.withProfiles(Optional.empty()) : rules, w::note);
    }

    private void report(StorageCopy.Outcome outcome, boolean verified, List<String> differences, boolean json) {
        Workplace w = root.workplace();
        if (json) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("sessions", outcome.sessions());
            row.put("messages", outcome.messages());
            row.put("lanes", outcome.lanes());
            row.put("kept_lanes", outcome.keptLanes());
            row.put("lanes_from_file", outcome.foreignLanes());
            row.put("renamed_titles", outcome.renamed());
            row.put("verified", verified);
            row.put("differences", differences);
            w.json(row);
            return;
        }
        w.out()
                .println(outcome.sessions() + " sessions, " + outcome.messages() + " messages, " + outcome.lanes()
                        + " lanes copied"
                        + (outcome.foreignLanes() > 0 ? ", " + outcome.foreignLanes() + " lanes from the file" : "")
                        + (outcome.keptLanes() > 0 ? ", " + outcome.keptLanes() + " lanes kept as they were" : "")
                        + (outcome.renamed() > 0 ? ", " + outcome.renamed() + " titles numbered" : ""));
        if (verified) {
            differences.forEach(w.out()::println);
            w.out()
                    .println(
                            differences.isEmpty()
                                    ? "verified: both are the same"
                                    : differences.size() + " differences");
        }
    }

    private Storage open(Mode mode) {
        return root.workplace().open(Optional.ofNullable(database), mode);
    }
}
