package dev.parley.bootstrap.cli;

import dev.parley.application.port.Node;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Declares a node dead without waiting for its lease. */
@Command(
        name = "forget",
        description = "declare a node dead now, so that others take its lanes without waiting for its lease")
final class NodesForgetCommand implements Callable<Integer> {
    private final NodesCommand nodes;

    @Parameters(paramLabel = "NODE", description = "the node's name, or its life")
    private String named = "";

    @Mixin
    private final YesOption yes = new YesOption();

    NodesForgetCommand(NodesCommand nodes) {
        this.nodes = nodes;
    }

    @Override
    public Integer call() {
        return nodes.with(cluster -> {
            Optional<Node> node = nodes.find(cluster, named);
            if (node.isEmpty()) {
                return ExitCode.NO.code();
            }
            nodes.workplace()
                    .confirm(
                            "Declare the node " + node.get().shown()
                                    + " dead? Where it still works, its turns are cut off and run again at another node.",
                            yes.isSaid());
            boolean forgotten = cluster.forget(node.get().life());
            cluster.reap();
            if (!forgotten) {
                nodes.workplace().note("parley: the node " + named + " has ended meanwhile.");
                return ExitCode.NO.code();
            }
            nodes.workplace().note("The node " + node.get().shown() + " is dead; others take its lanes.");
            return ExitCode.DONE.code();
        });
    }
}
