package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.PostedOrder;
import dev.parley.domain.key.SessionKey;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Begins a lane anew. */
@Command(name = "reset", description = "begin a lane anew; its conversation so far stays readable")
final class LanesResetCommand implements Callable<Integer> {
    private final LanesCommand lanes;

    @Parameters(paramLabel = "KEY", description = "the lane; see `parley lanes list`")
    private String key = "";

    @Mixin
    private final YesOption yes = new YesOption();

    LanesResetCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        lanes.workplace().confirm("Begin the lane " + key + " anew?", yes.isSaid());
        return lanes.change(
                SessionKey.of(key),
                PostedOrder.What.RESET,
                GatewayClient::reset,
                (store, lane) -> store.resetForOperator(lane).isPresent());
    }
}
