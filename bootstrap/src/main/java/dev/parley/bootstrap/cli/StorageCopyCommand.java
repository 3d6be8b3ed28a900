package dev.parley.bootstrap.cli;

import dev.parley.application.nodes.SoleStorage;
import dev.parley.application.port.Cluster;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Node;
import dev.parley.application.spi.LaneFileReader;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.application.transfer.ForeignLanes;
import dev.parley.application.transfer.StorageCopy;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.StorageConfiguration;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.domain.key.KeyRules;
import dev.parley.home.GatewayLock;
import dev.parley.home.GatewayThreads;
import dev.parley.home.WhatsAppAliasFiles;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Copies everything from one storage to another. */
@Command(
        name = "copy",
        description = "copy everything from one storage to another",
        footer = {
            "",
            "Addresses are sqlite:FILE, jsonl:DIRECTORY, postgres://HOST/DATABASE, or those of a plug-in; relative "
                    + "ones are in the home, as in storage.url, whose own address takes storage.options. A copy that was "
                    + "interrupted goes on with --resume. Nothing may run on the home meanwhile.",
            "An existing installation is taken over with --from sqlite:ITS_STATE.DB --lanes ITS_SESSIONS.JSON; entries "
                    + "that cannot be read are named and left out. Later versions keep the same in their state.db: --lanes takes it "
                    + "where sessions.json is missing."
        })
final class StorageCopyCommand implements Callable<Integer> {
    private static final String READ_SESSIONS_JSON = "read_sessions_json";

    private final StorageCommand group;

    @Option(names = "--from", required = true, paramLabel = "URL", description = "what is copied; is only read")
    private String from = "";

    @Option(names = "--to", required = true, paramLabel = "URL", description = "where to; created if it is missing")
    private String to = "";

    @Option(
            names = "--lanes",
            paramLabel = "FILE",
            description = "also take the lanes of this sessions.json, or of this state.db")
    private @Nullable Path lanes;

    @Option(names = "--merge", description = "keep what the target has and add what it lacks")
    private boolean merge;

    @Option(names = "--resume", description = "go on with a copy that was interrupted")
    private boolean resume;

    @Option(names = "--verify", description = "compare counts and a digest of every session afterwards")
    private boolean verify;

    @Mixin
    private final JsonOption json = new JsonOption();

    StorageCopyCommand(StorageCommand group) {
        this.group = group;
    }

    @Override
    public Integer call() {
        if (merge && resume) {
            throw new InvalidRequest("--merge and --resume exclude each other; a copy is resumed as it was begun.");
        }
        if (from.equals(to)) {
            throw new InvalidRequest("--from and --to are both " + from + "; name two different storages.");
        }
        Path file = lanes;
        Workplace w = group.workplace();
        ForeignLanes foreign = file == null ? ForeignLanes.NONE : lanesOf(file);
        GatewayLock held = w.lock();
        try (held;
                GatewayThreads threads = new GatewayThreads();
                Storage source = w.open(from, Mode.READ_ONLY, configured(from));
                Storage target = forItself(w.open(to, Mode.READ_WRITE, onlyWhatIsCopied(to)), threads)) {
            LiveNodes.refuse(source, "copied");
            Optional<Instant> begun = source.cluster().map(Cluster::now);
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
            List<String> leftOut = LeftOut.of(source, Optional.empty(), w);
            report(outcome, leftOut, differences);
            boolean still = isStill(source, begun);
            return differences.isEmpty() && leftOut.isEmpty() && still ? ExitCode.DONE.code() : ExitCode.NO.code();
        }
    }

    /** Takes the target for this copy alone, as a gateway would: none begins there until it is done. */
    private static Storage forItself(Storage target, GatewayThreads threads) {
        boolean free = false;
        try {
            LiveNodes.refuse(target, "copied to");
            free = true;
        } finally {
            if (!free) {
                target.close();
            }
        }
        return SoleStorage.copiedTo(target, "storage copy", threads, ProcessSurroundings.ids(), System::nanoTime);
    }

    /** Returns whether nobody has begun to work in the source meanwhile, which is only read: otherwise says so. */
    private boolean isStill(Storage source, Optional<Instant> begun) {
        List<Node> since = begun.map(
                        then -> LiveNodes.begunSince(source.cluster().orElseThrow(), then))
                .orElse(List.of());
        since.forEach(node -> group.workplace()
                .note("The gateway " + node.shown() + " has begun in " + source.location()
                        + " meanwhile, and what it changed may be missing in the copy; stop it and copy again."));
        return since.isEmpty();
    }

    /** A target in the home takes no lanes from the file that the storage before has left there. */
    private Map<String, String> onlyWhatIsCopied(String url) {
        Map<String, String> options = new HashMap<>(configured(url));
        if (group.workplace().storages().provider(url).options().contains(READ_SESSIONS_JSON)) {
            options.put(READ_SESSIONS_JSON, "false");
        }
        return options;
    }

    /** Returns the options of the configured storage, such as who logs in, where the address is its own. */
    private Map<String, String> configured(String url) {
        StorageConfiguration storage = group.workplace().configuration().storage();
        return url.equals(storage.url()) ? storage.options() : Map.of();
    }

    private ForeignLanes lanesOf(Path file) {
        Workplace w = group.workplace();
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

    private void report(StorageCopy.Outcome outcome, List<String> leftOut, List<String> differences) {
        Workplace w = group.workplace();
        if (json.isWanted()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("sessions", outcome.sessions());
            row.put("messages", outcome.messages());
            row.put("lanes", outcome.lanes());
            row.put("kept_lanes", outcome.keptLanes());
            row.put("lanes_from_file", outcome.foreignLanes());
            row.put("renamed_titles", outcome.renamed());
            row.put("left_out", leftOut);
            row.put("verified", verify);
            row.put("differences", differences);
            w.json(row);
            return;
        }
        w.out()
                .println(outcome.sessions() + " sessions, " + outcome.messages() + " messages, " + outcome.lanes()
                        + " lanes copied"
                        + (outcome.foreignLanes() > 0 ? ", " + outcome.foreignLanes() + " lanes from the file" : "")
                        + (outcome.keptLanes() > 0 ? ", " + outcome.keptLanes() + " lanes kept as they were" : "")
                        + (outcome.renamed() > 0 ? ", " + outcome.renamed() + " titles numbered" : "")
                        + (leftOut.isEmpty() ? "" : ", " + leftOut.size() + " sessions left out"));
        if (verify) {
            differences.forEach(w.out()::println);
            w.out()
                    .println(
                            differences.isEmpty()
                                    ? "verified: both are the same"
                                    : differences.size() + " differences");
        }
    }
}
