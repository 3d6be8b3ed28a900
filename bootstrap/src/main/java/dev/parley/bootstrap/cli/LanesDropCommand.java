package dev.parley.bootstrap.cli;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.InboundId;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Drops a message that waits in a lane's queue. */
@Command(
        name = "drop",
        description = {"drop a message that waits in a lane's queue: no turn answers it", "It needs a running gateway."
        })
final class LanesDropCommand implements Callable<Integer> {
    private final LanesCommand lanes;

    @Parameters(index = "0", paramLabel = "KEY", description = "the lane; see `parley lanes list`")
    private String key = "";

    @Parameters(
            index = "1",
            paramLabel = "ID",
            description = "the message; `parley lanes show KEY` lists those that wait")
    private String message = "";

    @Mixin
    private final YesOption yes = new YesOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    LanesDropCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        InboundId id = new InboundId(message);
        lanes.workplace().confirm("Drop the message " + message + "? It cannot be taken back.", yes.isSaid());
        return lanes.order(
                SessionKey.of(key),
                Optional.empty(),
                (gateway, lane) -> gateway.drop(lane, id),
                Optional.empty(),
                new LanesCommand.Answer("dropped", "this message does not wait in the lane", json.isWanted()));
    }
}
