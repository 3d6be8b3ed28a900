package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks everything that is stored. */
@Command(name = "check", description = "check everything that is stored; changes nothing")
final class StorageCheckCommand implements Callable<Integer> {
    private final StorageCommand group;

    @Mixin
    private final JsonOption json = new JsonOption();

    StorageCheckCommand(StorageCommand group) {
        this.group = group;
    }

    @Override
    public Integer call() {
        Workplace w = group.workplace();
        try (Storage storage = group.look()) {
            List<String> problems;
            try (Progress progress = Progress.of(w, "checking", 0)) {
                problems = storage.maintenance().check(progress::at);
            }
            if (json.isWanted()) {
                w.json(Map.of("ok", problems.isEmpty(), "problems", problems));
            } else if (problems.isEmpty()) {
                w.out().println("ok: " + storage.location());
            } else {
                problems.forEach(w.out()::println);
            }
            return problems.isEmpty() ? ExitCode.DONE.code() : ExitCode.NO.code();
        }
    }
}
