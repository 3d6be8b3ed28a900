package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.PostedOrder;
import dev.parley.domain.key.SessionKey;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Interrupts a lane's running turn. */
@Command(
        name = "interrupt",
        description = "interrupt a lane's running turn: its answer so far is kept, and what waits runs next")
final class LanesInterruptCommand implements Callable<Integer> {
    private final LanesCommand lanes;

    @Parameters(paramLabel = "KEY", description = "the lane; see `parley lanes list`")
    private String key = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    LanesInterruptCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        return lanes.order(
                SessionKey.of(key),
                Optional.of(PostedOrder.What.INTERRUPT),
                GatewayClient::interrupt,
                Optional.of(nothingRuns -> Optional.empty()),
                new LanesCommand.Answer("interrupted", "no turn runs on the lane", json.isWanted()));
    }
}
