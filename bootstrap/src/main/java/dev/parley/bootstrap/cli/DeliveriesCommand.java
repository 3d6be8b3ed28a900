package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Looks at messages to chats. */
@Command(name = "deliveries", description = "list messages to chats and why they did not arrive")
final class DeliveriesCommand extends CommandGroup {
    private DeliveriesCommand(ParleyCommand root) {
        super(root);
    }

    /** Returns this command with its own ones. */
    static CommandLine of(ParleyCommand root) {
        DeliveriesCommand deliveries = new DeliveriesCommand(root);
        return deliveries.with(new DeliveriesListCommand(deliveries));
    }

    /** Opens the storage for looking at it. */
    Storage look() {
        return workplace().open(Optional.empty(), Mode.READ_ONLY);
    }
}
