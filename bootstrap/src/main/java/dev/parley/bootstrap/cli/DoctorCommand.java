package dev.parley.bootstrap.cli;

import dev.parley.application.nodes.Company;
import dev.parley.application.nodes.NodeSettings;
import dev.parley.application.port.Cluster;
import dev.parley.application.port.Newcomer;
import dev.parley.application.port.Node;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.config.ConfigProblem;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.ConfigurationLoader;
import dev.parley.bootstrap.wiring.NodeIdentity;
import dev.parley.domain.key.SessionKey;
import dev.parley.home.FileMarkers;
import dev.parley.home.GatewayLock;
import dev.parley.home.HomeDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Looks at everything a gateway needs and says what is wrong and what to do. Changes nothing. */
@Command(
        name = "doctor",
        description = "say what is wrong and what to do: home, configuration, storage, platforms, markers, ports")
final class DoctorCommand implements Callable<Integer> {
    /** How far the clock of a node may be from the database's, in seconds. */
    private static final long MUCH_SKEW = 30;

    private static final long LITTLE_SPACE = 100L * 1024 * 1024;

    private final ParleyCommand root;
    private final List<Finding> findings = new ArrayList<>();

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    DoctorCommand(ParleyCommand root) {
        this.root = root;
    }

    private enum Verdict {
        OK,
        NOTE,
        WRONG
    }

    private record Finding(String what, Verdict verdict, String text) {}

    @Override
    public Integer call() {
        Workplace w = root.workplace();
        home(w.home());
        Optional<Configuration> configuration = configuration(w);
        boolean running = running(w.home());
        configuration.ifPresent(c -> {
            storage(w, c, running);
            platforms(w);
            if (running) {
                turns(w);
            } else {
                port(c);
            }
        });
        markers(w.home());
        for (String problem : w.providers().problems()) {
            add("plug-ins", Verdict.WRONG, problem);
        }
        print(w);
        return findings.stream().anyMatch(f -> f.verdict() == Verdict.WRONG)
                ? ExitCode.NO.code()
                : ExitCode.DONE.code();
    }

    private void add(String what, Verdict verdict, String text) {
        findings.add(new Finding(what, verdict, text));
    }

    private void home(HomeDirectory home) {
        Path path = home.path();
        if (!Files.exists(path)) {
            add("home", Verdict.NOTE, path + " does not exist yet; the first start makes it.");
            return;
        }
        if (!Files.isDirectory(path)) {
            add("home", Verdict.WRONG, path + " is a file; name a directory with --home.");
            return;
        }
        if (!Files.isWritable(path)) {
            add("home", Verdict.WRONG, path + " cannot be written to; make it writable for this user.");
            return;
        }
        try {
            boolean open = home.isReachable();
            add(
                    "home",
                    open ? Verdict.NOTE : Verdict.OK,
                    open
                            ? path + " can be read by others; `chmod 700 " + path + "` keeps conversations private."
                            : path + "");
            long free = Files.getFileStore(path).getUsableSpace();
            add(
                    "disk",
                    free < LITTLE_SPACE ? Verdict.WRONG : Verdict.OK,
                    (free / (1024 * 1024)) + " MiB free"
                            + (free < LITTLE_SPACE ? "; make room before messages cannot be stored." : ""));
        } catch (IOException e) {
            add("home", Verdict.WRONG, path + " cannot be looked at (" + e.getMessage() + ").");
        }
    }

    private Optional<Configuration> configuration(Workplace w) {
        try {
            ConfigurationLoader.Loaded loaded = w.load();
            for (ConfigProblem problem : loaded.problems()) {
                boolean error = problem.severity() == ConfigProblem.Severity.ERROR;
                add("configuration", error ? Verdict.WRONG : Verdict.NOTE, problem.text());
            }
            if (loaded.problems().isEmpty()) {
                add(
                        "configuration",
                        Verdict.OK,
                        w.configFile().map(Path::toString).orElse("no file, the defaults hold"));
            }
            return loaded.errors().isEmpty() ? Optional.of(loaded.configuration()) : Optional.empty();
        } catch (ParleyException e) {
            add("configuration", Verdict.WRONG, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private boolean running(HomeDirectory home) {
        boolean running = home.exists() && GatewayLock.isHeld(home);
        add(
                "gateway",
                Verdict.OK,
                running ? "running, process " + GatewayLock.owner(home).orElse(0) : "not running");
        return running;
    }

    private void notYetThere(Configuration c) {
        add("storage", Verdict.NOTE, c.storage().url() + " does not exist yet; the first start makes it.");
    }

    private void storage(Workplace w, Configuration c, boolean running) {
        if (!w.home().exists()) {
            notYetThere(c);
            return;
        }
        try (Storage storage = w.open(Optional.empty(), Mode.READ_ONLY)) {
            List<String> problems = storage.maintenance().check((done, total) -> {});
            problems.forEach(p -> add("storage", Verdict.WRONG, p));
            Optional<String> locked = running ? Optional.empty() : unwritable(storage.location(), Files::isWritable);
            locked.ifPresent(text -> add("storage", Verdict.WRONG, text));
            if (problems.isEmpty() && locked.isEmpty()) {
                add("storage", Verdict.OK, storage.location() + " is whole" + without(storage));
            }
            storage.maintenance().risks().forEach(risk -> add("storage", Verdict.NOTE, risk + "."));
            storage.cluster().ifPresent(cluster -> nodes(w, c, storage.location(), cluster));
        } catch (StorageUnavailable e) {
            if (e.isMissing() && GatewayLock.takenAt(w.home()).isEmpty()) {
                notYetThere(c);
                return;
            }
            Optional<ReportedHealth> health = running ? w.gatewayHealth() : Optional.empty();
            boolean inUse = running
                    && health.flatMap(ReportedHealth::degraded).isEmpty()
                    && (!w.storages().provider(c.storage().url()).readsBesideWriter() || health.isPresent());
            add(
                    "storage",
                    inUse ? Verdict.NOTE : Verdict.WRONG,
                    inUse
                            ? c.storage().url() + " is in use by the gateway and cannot be looked into meanwhile ("
                                    + e.getMessage() + ")"
                            : String.valueOf(e.getMessage()));
        } catch (ParleyException e) {
            add("storage", Verdict.WRONG, String.valueOf(e.getMessage()));
        }
        c.storage().fallback().ifPresent(address -> fallback(w, address));
    }

    /** Returns why a gateway could not write to a store of files; databases that are elsewhere are not looked at. */
    static Optional<String> unwritable(String location, Predicate<Path> writable) {
        Path store = Path.of(location.replaceFirst("^[a-z]+:", ""));
        Path directory = store.toAbsolutePath().getParent();
        if (!Files.exists(store) || directory == null) {
            return Optional.empty();
        }
        return Stream.of(store, directory)
                .filter(each -> !writable.test(each))
                .findFirst()
                .map(each -> each
                        + " cannot be written to, so no gateway can use the storage; make it writable for this user.");
    }

    /** Returns what a store does without, for the end of a sentence. */
    private static String without(Storage storage) {
        List<String> lacking = new ArrayList<>();
        if (!storage.search().isOffered()) {
            lacking.add("offers no search");
        }
        if (!storage.sessions().keepsTitles()) {
            lacking.add("keeps no titles");
        }
        return lacking.isEmpty() ? "" : "; it " + String.join(" and ", lacking);
    }

    /** The other gateways that live in the storage, and whether one of this home gets on with them. */
    private void nodes(Workplace w, Configuration c, String store, Cluster cluster) {
        Instant now = cluster.now();
        long skew = Duration.between(w.around().clock().instant(), now).abs().toSeconds();
        if (skew > MUCH_SKEW) {
            add(
                    "clock",
                    c.cluster().isPresent() ? Verdict.WRONG : Verdict.NOTE,
                    "it is " + skew
                            + " s away from that of the database; set it right, or sessions end at wrong times.");
        }
        NodeSettings settings = NodeIdentity.of(c, w.home());
        List<Node> live =
                cluster.nodes().stream().filter(node -> node.state().isLive()).toList();
        for (Node node : live) {
            String state = NodesCommand.state(node, now);
            boolean lost = state.equals("lost");
            add(
                    "node",
                    lost ? Verdict.NOTE : Verdict.OK,
                    node.shown() + " is " + state + (lost ? "" : ", works on " + node.busy() + " lanes")
                            + (lost
                                    ? " and was not heard of for longer than its lease; it holds " + node.lanes()
                                            + " lanes."
                                    : ""));
        }
        List<Node> others = live.stream()
                .filter(node -> !node.self().place().equals(settings.place())
                        && !node.leaseUntil().isBefore(now))
                .toList();
        new Company(cluster, store, settings, c.cluster().isEmpty() ? Newcomer.Kind.ALONE : Newcomer.Kind.NODE)
                .refusal(others)
                .ifPresent(refusal -> add("node", Verdict.WRONG, String.valueOf(refusal.getMessage())));
    }

    private void fallback(Workplace w, String address) {
        try {
            long waiting = w.waitingBatches(address);
            add(
                    "fallback",
                    waiting > 0 ? Verdict.NOTE : Verdict.OK,
                    waiting > 0
                            ? waiting + " batches wait in " + address
                                    + "; the gateway merges them back once the storage can be used. Keep the directory."
                            : "nothing waits in " + address);
        } catch (ParleyException e) {
            add("fallback", Verdict.WRONG, String.valueOf(e.getMessage()));
        }
        w.gatewayHealth().flatMap(ReportedHealth::degraded).ifPresent(how -> add("gateway", Verdict.WRONG, how));
    }

    /** Why turns of a running gateway may not begin though nothing is broken. */
    private void turns(Workplace w) {
        Optional<ReportedHealth> health = w.gatewayHealth();
        health.flatMap(ReportedHealth::starved).ifPresent(why -> add("gateway", Verdict.WRONG, why));
        health.flatMap(ReportedHealth::held)
                .ifPresent(how -> add(
                        "gateway",
                        Verdict.NOTE,
                        how + ": delete " + w.home().path().resolve(".drain_request.json")
                                + ", or run `parley nodes release` where a node was held."));
    }

    /** Platforms that nobody wants are left out; {@code parley platforms} lists them. */
    private void platforms(Workplace w) {
        for (PlatformRow row : PlatformRow.all(w)) {
            if (row.isIdle()) {
                continue;
            }
            String since = row.since().map(time -> " since " + time).orElse("");
            String text = row.text();
            add(
                    row.section(),
                    row.isBad() ? Verdict.WRONG : row.isWell() ? Verdict.OK : Verdict.NOTE,
                    row.state() + since + (text.isEmpty() ? "" : "; " + text));
        }
    }

    private void port(Configuration c) {
        Map<String, String> http = Optional.ofNullable(c.platforms().get("http"))
                .map(p -> p.settings())
                .orElse(Map.of());
        int port = port(http.get("port"));
        if (port == 0) {
            return;
        }
        try (ServerSocket probe =
                new ServerSocket(port, 1, InetAddress.getByName(http.getOrDefault("bind", "127.0.0.1")))) {
            add("port", Verdict.OK, probe.getLocalPort() + " is free");
        } catch (IOException e) {
            add("port", Verdict.WRONG, port + " is in use; set platforms.http.port to another, or 0 for any free one.");
        }
    }

    /** The port that must be free: 0 where none is configured, since any free one is taken then. */
    private int port(@Nullable String configured) {
        try {
            return configured == null ? 0 : Integer.parseInt(configured);
        } catch (NumberFormatException e) {
            add("port", Verdict.WRONG, "platforms.http.port is \"" + configured + "\", not a number; correct it.");
            return 0;
        }
    }

    private void markers(HomeDirectory home) {
        if (!home.exists()) {
            return;
        }
        Map<SessionKey, Integer> counts = new FileMarkers(home).restartCounts();
        counts.forEach((lane, count) -> add(
                "restarts",
                Verdict.NOTE,
                "the lane " + lane.value() + " was cut off by " + count + " restarts in a row."));
    }

    private void print(Workplace w) {
        if (json) {
            List<Map<String, Object>> rows = new ArrayList<>();
            for (Finding finding : findings) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("what", finding.what());
                row.put("verdict", finding.verdict().name().toLowerCase(java.util.Locale.ROOT));
                row.put("text", finding.text());
                rows.add(row);
            }
            w.json(rows);
            return;
        }
        Table table = new Table("WHAT", "IS", "");
        for (Finding finding : findings) {
            table.row(finding.what(), finding.verdict().name().toLowerCase(java.util.Locale.ROOT), finding.text());
        }
        table.print(w.out());
    }
}
