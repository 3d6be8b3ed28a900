package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.PostedOrder;
import dev.parley.application.store.SessionStore;
import dev.parley.domain.key.SessionKey;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes a lane's next message begin it anew. */
@Command(name = "suspend", description = "make a lane's next message begin it anew")
final class LanesSuspendCommand implements Callable<Integer> {
    private final LanesCommand lanes;

    @Parameters(paramLabel = "KEY", description = "the lane; see `parley lanes list`")
    private String key = "";

    LanesSuspendCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        return lanes.change(
                SessionKey.of(key), PostedOrder.What.SUSPEND, GatewayClient::suspend, SessionStore::suspendForOperator);
    }
}
