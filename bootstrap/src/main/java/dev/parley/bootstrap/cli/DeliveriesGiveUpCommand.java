package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Gives up a message that was not delivered. */
@Command(
        name = "give-up",
        description = {
            "give up a message that was not delivered: it counts as expired and is never sent",
            "It needs a running gateway."
        })
final class DeliveriesGiveUpCommand implements Callable<Integer> {
    private final DeliveriesCommand deliveries;

    @Parameters(paramLabel = "ID", description = "the message; `parley deliveries list` has its id")
    private String id = "";

    @Mixin
    private final YesOption yes = new YesOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    DeliveriesGiveUpCommand(DeliveriesCommand deliveries) {
        this.deliveries = deliveries;
    }

    @Override
    public Integer call() {
        deliveries.workplace().confirm("Never send the message " + id + "? It cannot be taken back.", yes.isSaid());
        return deliveries.ask(id, "given_up", GatewayClient::giveUp, json.isWanted());
    }
}
