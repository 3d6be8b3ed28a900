package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.commands.OperatorOrders;
import dev.parley.application.port.PostedOrder;
import dev.parley.domain.key.SessionKey;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Takes a lane's suspension back. */
@Command(name = "unsuspend", description = "take a lane's suspension back: its session goes on with the next message")
final class LanesUnsuspendCommand implements Callable<Integer> {
    private final LanesCommand lanes;

    @Parameters(paramLabel = "KEY", description = "the lane; see `parley lanes list`")
    private String key = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    LanesUnsuspendCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        return lanes.order(
                SessionKey.of(key),
                Optional.of(PostedOrder.What.UNSUSPEND),
                GatewayClient::unsuspend,
                Optional.of(OperatorOrders::unsuspend),
                new LanesCommand.Answer("unsuspended", "the lane is not suspended", json.isWanted()));
    }
}
