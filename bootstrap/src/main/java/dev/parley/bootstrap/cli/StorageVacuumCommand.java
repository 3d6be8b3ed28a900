package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.home.GatewayLock;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Gives unused space back to the file system. */
@Command(
        name = "vacuum",
        description = "give unused space back to the file system; no gateway may run on the home meanwhile")
final class StorageVacuumCommand implements Callable<Integer> {
    private final StorageCommand group;

    StorageVacuumCommand(StorageCommand group) {
        this.group = group;
    }

    @Override
    public Integer call() {
        Workplace w = group.workplace();
        // It takes the file for itself for as long as it lasts, so no gateway may need it meanwhile.
        Optional<GatewayLock> held = group.database().isEmpty() ? Optional.of(w.lock()) : Optional.empty();
        try (Storage storage = group.change()) {
            LiveNodes.refuse(storage, "made smaller");
            long given = Progress.during(w, "giving space back", storage.maintenance()::compact);
            w.out().println(given + " bytes given back");
        } finally {
            held.ifPresent(GatewayLock::close);
        }
        return ExitCode.DONE.code();
    }
}
