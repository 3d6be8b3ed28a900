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

/** Takes a lane's latest reset back. */
@Command(
        name = "unreset",
        description = "take a lane's latest reset back: the session before goes on, with what was said since behind it")
final class LanesUnresetCommand implements Callable<Integer> {
    private final LanesCommand lanes;

    @Parameters(paramLabel = "KEY", description = "the lane; see `parley lanes list`")
    private String key = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    LanesUnresetCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        return lanes.order(
                SessionKey.of(key),
                Optional.of(PostedOrder.What.UNRESET),
                GatewayClient::unreset,
                Optional.of(OperatorOrders::unreset),
                new LanesCommand.Answer(
                        "unreset",
                        "the lane was not reset, gateway.unreset_window_minutes is over, or a turn runs",
                        json.isWanted()));
    }
}
