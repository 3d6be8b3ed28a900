package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tries a message that was not delivered again now. */
@Command(
        name = "retry",
        description = {
            "try a message that was not delivered again now; a pause that the platform asked for is kept to",
            "It needs a running gateway."
        })
final class DeliveriesRetryCommand implements Callable<Integer> {
    private final DeliveriesCommand deliveries;

    @Parameters(paramLabel = "ID", description = "the message; `parley deliveries list` has its id")
    private String id = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    DeliveriesRetryCommand(DeliveriesCommand deliveries) {
        this.deliveries = deliveries;
    }

    @Override
    public Integer call() {
        return deliveries.ask(id, "tried", GatewayClient::deliverNow, json.isWanted());
    }
}
