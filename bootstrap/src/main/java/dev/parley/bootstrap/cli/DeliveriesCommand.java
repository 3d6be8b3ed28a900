package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.spi.Storage;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.home.GatewayThreads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import picocli.CommandLine.Command;

/** Messages to chats. */
@Command(
        name = "deliveries",
        description = "list messages to chats and why they did not arrive, try one again, give one up")
final class DeliveriesCommand extends CommandGroup {
    DeliveriesCommand(ParleyCommand root) {
        super(root);
    }

    @Override
    public List<Object> commands() {
        return List.of(
                new DeliveriesListCommand(this), new DeliveriesRetryCommand(this), new DeliveriesGiveUpCommand(this));
    }

    /**
     * Has the gateway on the home do something to a message that was not delivered.
     *
     * @param id the message
     * @param done what was done, as the name of a field
     * @param asked asks the gateway
     * @param json whether it is said in JSON
     */
    int ask(String id, String done, BiPredicate<GatewayClient, OutgoingId> asked, boolean json) {
        Workplace w = workplace();
        OutgoingId message = new OutgoingId(id);
        boolean did;
        try (GatewayThreads threads = new GatewayThreads()) {
            GatewayClient gateway =
                    RunningGateway.on(w.home(), threads.executor()).orElseThrow(() -> RunningGateway.missing(w.home()));
            did = asked.test(gateway, message);
        }
        if (json) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("id", message.value());
            row.put(done, did);
            w.json(row);
        }
        if (!did) {
            w.note("parley: nothing was done: no message " + OneLine.quoted(id)
                    + " waits to be delivered by the gateway, or it is being sent; see `parley deliveries list`.");
        }
        return (did ? ExitCode.DONE : ExitCode.NO).code();
    }

    /** Opens the storage for looking at it. */
    Storage look() {
        return workplace().look(Optional.empty());
    }
}
