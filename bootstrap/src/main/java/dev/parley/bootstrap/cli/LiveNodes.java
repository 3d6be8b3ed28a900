package dev.parley.bootstrap.cli;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Node;
import dev.parley.application.spi.Storage;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** The gateways that live in a storage, whatever their homes: commands that need it for themselves are refused beside them. */
final class LiveNodes {
    private LiveNodes() {}

    /** Returns the gateways whose lease runs; none for a storage that serves one gateway only. */
    static List<Node> in(Storage storage) {
        return storage.cluster().map(LiveNodes::in).orElse(List.of());
    }

    /** Returns the gateways whose lease runs. */
    static List<Node> in(Cluster cluster) {
        Instant now = cluster.now();
        return cluster.nodes().stream()
                .filter(node -> node.state().isLive() && !node.leaseUntil().isBefore(now))
                .toList();
    }

    /** Returns the gateways that have begun since then, also where they have ended again. */
    static List<Node> begunSince(Cluster cluster, Instant then) {
        return cluster.nodes().stream()
                .filter(node -> !node.joinedAt().isBefore(then))
                .toList();
    }

    /**
     * Throws where gateways live in a storage.
     *
     * @param done what cannot be done to it beside them, such as {@code copied}
     */
    static void refuse(Storage storage, String done) {
        List<Node> there = in(storage);
        if (there.isEmpty()) {
            return;
        }
        String names = there.stream().map(Node::shown).collect(Collectors.joining(", "));
        throw new InvalidRequest("The storage " + storage.location() + " is in use by "
                + (there.get(0).self().isAlone()
                        ? "the gateway " + names + " and cannot be " + done + " meanwhile; stop it first."
                        : "the nodes " + names + " and cannot be " + done
                                + " meanwhile; stop them first, with `parley nodes drain NODE`."));
    }
}
