package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Brings the format of what is stored up to date and repairs what can be repaired. */
@Command(
        name = "upgrade",
        description = "bring the format up to date and repair what can be repaired",
        footer = {
            "",
            "--compact makes the search index of an existing database as small as that of a new one; --shared takes that "
                    + "back. Both can be interrupted and given again, also while a gateway runs; vacuum gives the space back."
        })
final class StorageUpgradeCommand implements Callable<Integer> {
    private final StorageCommand group;

    @Option(names = "--compact", description = "make the search index small, as new databases have it")
    private boolean compact;

    @Option(names = "--shared", description = "make the search index as other software of schema 11 does")
    private boolean shared;

    @Mixin
    private final JsonOption json = new JsonOption();

    StorageUpgradeCommand(StorageCommand group) {
        this.group = group;
    }

    @Override
    public Integer call() {
        if (compact && shared) {
            throw new InvalidRequest("--compact and --shared exclude each other; one takes the other back.");
        }
        Workplace w = group.workplace();
        if (group.database().isEmpty()) {
            try (Storage storage = group.look()) {
                LiveNodes.refuse(storage, "brought up to date");
            }
        }
        try (Storage storage = group.repair()) {
            List<String> done = upgrade(storage.maintenance());
            List<String> left;
            try (Progress progress = Progress.of(w, "checking", 0)) {
                left = storage.maintenance().check(progress::at);
            }
            if (json.isWanted()) {
                w.json(Map.of("done", done, "problems", left));
            } else {
                done.forEach(w.out()::println);
                left.forEach(w.out()::println);
                if (done.isEmpty() && left.isEmpty()) {
                    w.out().println("up to date: " + storage.location());
                }
            }
            return left.isEmpty() ? ExitCode.DONE.code() : ExitCode.NO.code();
        }
    }

    private List<String> upgrade(StorageMaintenance maintenance) {
        try (Progress progress = Progress.of(group.workplace(), "upgrading", 0)) {
            List<String> done = new ArrayList<>(maintenance.repair(progress::at));
            if (compact) {
                done.addAll(maintenance.arrange(StorageMaintenance.Arrangement.COMPACT, progress::at));
            } else if (shared) {
                done.addAll(maintenance.arrange(StorageMaintenance.Arrangement.SHARED, progress::at));
            }
            return done;
        }
    }
}
