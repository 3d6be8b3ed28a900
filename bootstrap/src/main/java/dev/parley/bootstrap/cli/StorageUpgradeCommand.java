package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Brings the format of what is stored up to date and repairs what can be repaired. */
@Command(name = "upgrade", description = "bring the format up to date and repair what can be repaired")
final class StorageUpgradeCommand implements Callable<Integer> {
    private final StorageCommand group;

    @Mixin
    private final JsonOption json = new JsonOption();

    StorageUpgradeCommand(StorageCommand group) {
        this.group = group;
    }

    @Override
    public Integer call() {
        Workplace w = group.workplace();
        try (Storage storage = group.change()) {
            List<String> done;
            try (Progress progress = Progress.of(w, "upgrading", 0)) {
                done = storage.maintenance().repair(progress::at);
            }
            if (json.isWanted()) {
                w.json(Map.of("done", done));
            } else if (done.isEmpty()) {
                w.out().println("up to date: " + storage.location());
            } else {
                done.forEach(w.out()::println);
            }
        }
        return ExitCode.DONE.code();
    }
}
