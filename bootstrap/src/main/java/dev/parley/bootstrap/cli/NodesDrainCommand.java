package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Node;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Has a node end as at a SIGTERM, from anywhere. */
@Command(name = "drain", description = "have a node finish its turns, hand over the rest and end, as at SIGTERM")
final class NodesDrainCommand implements Callable<Integer> {
    private final NodesCommand nodes;

    @Parameters(paramLabel = "NODE", description = "the node's name, or its life")
    private String named = "";

    @Mixin
    private final YesOption yes = new YesOption();

    NodesDrainCommand(NodesCommand nodes) {
        this.nodes = nodes;
    }

    @Override
    public Integer call() {
        return nodes.with(cluster -> {
            Optional<Node> node = nodes.find(cluster, named);
            if (node.isEmpty()) {
                return ExitCode.NO.code();
            }
            if (node.get().self().isAlone()) {
                throw new InvalidRequest("The gateway " + node.get().shown()
                        + " runs without cluster.enabled, so there is no other one to go on; stop it where it runs.");
            }
            nodes.workplace().confirm("Have the node " + node.get().shown() + " end?", yes.isSaid());
            if (!cluster.wish(node.get().life(), Node.Wish.DRAIN)) {
                nodes.workplace().note("parley: the node " + named + " has ended meanwhile.");
                return ExitCode.NO.code();
            }
            nodes.workplace()
                    .note(
                            "The node " + node.get().shown()
                                    + " ends once its turns have ended, or its drain timeout is over; `parley nodes` shows it until then.");
            return ExitCode.DONE.code();
        });
    }
}
