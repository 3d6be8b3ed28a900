package dev.parley.adapter.console;

import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Node;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import java.util.List;
import java.util.Optional;

/**
 * The gateways that share the store.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 */
record Nodes(GatewayInspection gateway, Frames frames) {
    /** The gateways that share the store; absent where this one has it to itself. */
    Optional<Table> table(Times times) {
        Table table = Reads.guarded("Nodes", () -> {
            Optional<LifeId> mine = gateway.health().part().flatMap(GatewayHealth.Part::life);
            return Table.of(
                    "Nodes",
                    List.of("Node", "State", "Lanes", "Running", "Since"),
                    gateway.nodes().stream()
                            .filter(node -> node.state().isLive())
                            .map(node -> Row.of(
                                    "node-" + node.life().value(),
                                    Optional.of(node.life()).equals(mine)
                                            ? Cell.text("Node", Words.line(node.shown() + ", this one"))
                                            : Cell.text("Node", Words.line(node.shown()))
                                                    .to(consoleOf(node, Link.ROOT + "/")),
                                    nodeState(node),
                                    Cell.number("Lanes", node.lanes()),
                                    Cell.number("Running", node.busy()),
                                    times.cell("Since", node.joinedAt())))
                            .toList(),
                    "");
        });
        return Optional.of(table).filter(any -> any.failed() || !any.rows().isEmpty());
    }

    private static Cell nodeState(Node node) {
        if (node.state() == Node.State.DRAINING || node.wish() == Node.Wish.DRAIN) {
            return Cell.text("State", "draining").in("warn");
        }
        return node.wish() == Node.Wish.HOLD
                ? Cell.text("State", "held").in("warn")
                : Cell.text("State", "up").in("ok");
    }

    /** Returns a page of the console of a node; empty where its address is not known or is none that a browser may follow. */
    static String consoleOf(Node node, String page) {
        return node.address()
                .filter(address -> address.startsWith("http://") || address.startsWith("https://"))
                .map(address -> address.replaceFirst("/+$", "") + page)
                .orElse("");
    }

    /** Returns the node that works on a lane, where that is not this one. */
    Optional<Node> holder(SessionKey key) {
        try {
            List<Node> nodes = gateway.nodes();
            Optional<LifeId> mine = gateway.health().part().flatMap(GatewayHealth.Part::life);
            return nodes.isEmpty()
                    ? Optional.empty()
                    : gateway.laneReads()
                            .hold(key)
                            .holder()
                            .flatMap(life -> nodes.stream()
                                    .filter(node -> node.life().equals(life)
                                            && node.state().isLive()
                                            && !Optional.of(life).equals(mine))
                                    .findFirst());
        } catch (StorageUnavailable | StorageCorrupt e) {
            return Optional.empty();
        }
    }

    /** Says that a lane is worked on by another node, and where that is asked. */
    String elsewhere(PageRequest request, Optional<LifeId> holder) {
        Optional<Node> node = holder.flatMap(life -> gateway.nodes().stream()
                .filter(each -> each.life().equals(life))
                .findFirst());
        String name = node.map(Node::shown).orElse("another node");
        String lane = request.field("key").map(Link::lane).orElse(Link.ROOT + "/");
        String there = node.map(each -> consoleOf(each, lane)).orElse("");
        return NoticeRenderer.of()
                .execute(new Pages.Notice(
                        frames.of(request, "Nothing was done", ""),
                        Words.line("The lane is worked on by " + name + ". Do this in the console of that node."),
                        there.isEmpty() ? Link.ROOT + "/" : there,
                        there.isEmpty() ? "Look at the nodes" : "Go to its console"));
    }
}
