package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Gives unused space back to the file system. */
@Command(name = "vacuum", description = "give unused space back to the file system")
final class StorageVacuumCommand implements Callable<Integer> {
    private final StorageCommand group;

    StorageVacuumCommand(StorageCommand group) {
        this.group = group;
    }

    @Override
    public Integer call() {
        Workplace w = group.workplace();
        try (Storage storage = group.change()) {
            long given = Progress.during(w, "giving space back", storage.maintenance()::compact);
            w.out().println(given + " bytes given back");
        }
        return ExitCode.DONE.code();
    }
}
