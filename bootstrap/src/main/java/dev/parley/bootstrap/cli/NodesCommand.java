package dev.parley.bootstrap.cli;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Node;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the gateways that share the storage, and asks things of them. */
@Command(name = "nodes", description = "list the gateways that share the storage; drain, hold, release and forget one")
final class NodesCommand implements CommandParent, Callable<Integer> {
    private final ParleyCommand root;

    @Option(names = "--all", description = "list those too that ended within the last seven days")
    private boolean all;

    @Mixin
    private final JsonOption json = new JsonOption();

    NodesCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public List<Object> commands() {
        return List.of(
                new NodesDrainCommand(this),
                new NodesHoldCommand(this),
                new NodesReleaseCommand(this),
                new NodesForgetCommand(this));
    }

    Workplace workplace() {
        return root.workplace();
    }

    @Override
    public Integer call() {
        return with(cluster -> {
            Instant now = cluster.now();
            print(
                    cluster.nodes().stream()
                            .filter(node -> all || node.state().isLive())
                            .toList(),
                    now,
                    json.isWanted());
            return ExitCode.DONE.code();
        });
    }

    /** Does something with the gateways that share the storage; makes no storage that is not there. */
    <T> T with(Function<Cluster, T> work) {
        Workplace w = workplace();
        w.open(Optional.empty(), Mode.READ_ONLY).close();
        try (Storage storage = w.open(Optional.empty(), Mode.READ_WRITE)) {
            Cluster cluster = storage.cluster()
                    .orElseThrow(() -> new InvalidRequest("The storage " + storage.location()
                            + " serves one gateway only, so there are no nodes; a postgres: address serves several."));
            return work.apply(cluster);
        }
    }

    /** Returns the live node of this name or life; absent, and told, where there is none. */
    Optional<Node> find(Cluster cluster, String named) {
        List<Node> found = cluster.nodes().stream()
                .filter(node -> node.state().isLive())
                .filter(node -> node.name().equals(named) || node.life().value().equals(named))
                .toList();
        if (found.size() > 1) {
            throw new InvalidRequest("Several nodes have the name " + named + "; say which one: "
                    + found.stream().map(node -> node.life().value()).collect(Collectors.joining(", ")) + ".");
        }
        if (found.isEmpty()) {
            workplace().note("parley: there is no live node " + named + "; see `parley nodes`.");
        }
        return found.stream().findFirst();
    }

    /** Wishes something of a node, or of all where none is named, and says so. */
    int wish(String named, Node.Wish wish, String done) {
        return with(cluster -> {
            List<Node> meant = named.isEmpty()
                    ? cluster.nodes().stream()
                            .filter(node ->
                                    node.state().isLive() && !node.self().isAlone())
                            .filter(node -> node.wish() != Node.Wish.DRAIN)
                            .toList()
                    : find(cluster, named).stream().toList();
            if (meant.isEmpty()) {
                if (named.isEmpty()) {
                    workplace().note("parley: no node lives in this storage; see `parley nodes --all`.");
                }
                return ExitCode.NO.code();
            }
            for (Node node : meant) {
                if (node.self().isAlone()) {
                    throw new InvalidRequest("The gateway " + node.shown()
                            + " runs without cluster.enabled; make a file .drain_request.json in its home to hold its turns"
                            + " back.");
                }
                if (node.wish() == Node.Wish.DRAIN) {
                    throw new InvalidRequest("The node " + node.shown() + " ends already; start it again afterwards.");
                }
            }
            for (Node node : meant) {
                cluster.wish(node.life(), wish);
                workplace().note("The node " + node.shown() + " " + done + ".");
            }
            return ExitCode.DONE.code();
        });
    }

    /** Prints nodes, as JSON or for people. */
    void print(List<Node> nodes, Instant now, boolean asJson) {
        Workplace w = workplace();
        if (asJson) {
            w.json(nodes.stream().map(node -> row(node, now)).toList());
            return;
        }
        Table table = new Table("NODE", "STATE", "LANES", "BUSY", "LEASE", "SINCE", "ADDRESS", "PLACE", "LIFE");
        nodes.forEach(node -> table.row(
                node.name(),
                state(node, now),
                Integer.toString(node.lanes()),
                Integer.toString(node.busy()),
                node.state().isLive() ? left(node, now) + " s" : "-",
                w.when(node.joinedAt()),
                node.address().orElse("-"),
                node.self().place().isEmpty() ? "-" : node.self().place(),
                node.life().value()));
        table.print(w.out());
    }

    private static long left(Node node, Instant now) {
        return Math.max(0, Duration.between(now, node.leaseUntil()).toSeconds());
    }

    /** Returns how a node stands in one word; {@code lost} is one whose lease has run out and that nobody declared dead yet. */
    static String state(Node node, Instant now) {
        if (!node.state().isLive()) {
            return node.state() == Node.State.DEAD ? "dead" : "left";
        }
        if (node.leaseUntil().isBefore(now)) {
            return "lost";
        }
        if (node.state() == Node.State.DRAINING || node.wish() == Node.Wish.DRAIN) {
            return "draining";
        }
        if (node.wish() == Node.Wish.HOLD) {
            return "held";
        }
        return node.self().isAlone() ? "alone" : "up";
    }

    private static Map<String, @Nullable Object> row(Node node, Instant now) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("life", node.life().value());
        row.put("name", node.name());
        row.put("state", state(node, now));
        row.put("lanes", node.lanes());
        row.put("busy", node.busy());
        row.put("since", node.joinedAt().toString());
        row.put("lease_until", node.leaseUntil().toString());
        row.put("address", node.address().orElse(null));
        row.put("place", node.self().place());
        row.put("version", node.version());
        return row;
    }
}
