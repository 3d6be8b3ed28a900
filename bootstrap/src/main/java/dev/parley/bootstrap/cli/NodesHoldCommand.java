package dev.parley.bootstrap.cli;

import dev.parley.application.port.Node;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Wishes of nodes, wherever they run: have a node begin no turns until it is released; running ones end, others take what comes in. */
@Command(
        name = "hold",
        description = "have a node begin no turns until it is released; running ones end, others take what comes in")
final class NodesHoldCommand implements Callable<Integer> {
    private final NodesCommand nodes;

    @Parameters(
            paramLabel = "NODE",
            arity = "0..1",
            description = "the node's name, or its life; all nodes unless said")
    private String named = "";

    NodesHoldCommand(NodesCommand nodes) {
        this.nodes = nodes;
    }

    @Override
    public Integer call() {
        return nodes.wish(named, Node.Wish.HOLD, "begins no turns from now on");
    }
}
