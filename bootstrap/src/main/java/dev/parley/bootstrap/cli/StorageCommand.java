package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Takes care of the storage. */
@Command(name = "storage", description = "look at, check, repair, shrink and copy the storage")
final class StorageCommand implements Callable<Integer> {
    private final ParleyCommand root;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--db",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "open this state.db instead of the home's storage")
    private @Nullable Path database;

    StorageCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        CommandSpec s = spec;
        if (s != null) {
            s.commandLine().usage(root.workplace().out());
        }
        return ExitCode.DONE.code();
    }

    @Command(name = "status", description = "say what is stored where, and in which format")
    int status(@Option(names = "--json", description = "print JSON") boolean json) {
        try (Storage storage = open(Mode.READ_ONLY)) {
            Map<String, String> status = new LinkedHashMap<>();
            status.put("location", storage.location());
            status.putAll(storage.care().status());
            if (json) {
                root.workplace().json(status);
            } else {
                Table table = new Table("WHAT", "VALUE");
                status.forEach(table::row);
                table.print(root.workplace().out());
            }
        }
        return ExitCode.DONE.code();
    }

    @Command(name = "check", description = "check everything that is stored; changes nothing")
    int check(@Option(names = "--json", description = "print JSON") boolean json) {
        try (Storage storage = open(Mode.READ_ONLY)) {
            List<String> problems;
            try (Progress progress = Progress.of(root.workplace(), "checking", 0)) {
                problems = storage.care().check(progress::at);
            }
            if (json) {
                root.workplace().json(Map.of("ok", problems.isEmpty(), "problems", problems));
            } else if (problems.isEmpty()) {
                root.workplace().out().println("ok: " + storage.location());
            } else {
                problems.forEach(root.workplace().out()::println);
            }
            return problems.isEmpty() ? ExitCode.DONE.code() : ExitCode.NO.code();
        }
    }

    @Command(name = "upgrade", description = "bring the format up to date and repair what can be repaired")
    int upgrade(@Option(names = "--json", description = "print JSON") boolean json) {
        try (Storage storage = open(Mode.READ_WRITE)) {
            List<String> done;
            try (Progress progress = Progress.of(root.workplace(), "upgrading", 0)) {
                done = storage.care().repair(progress::at);
            }
            if (json) {
                root.workplace().json(Map.of("done", done));
            } else if (done.isEmpty()) {
                root.workplace().out().println("up to date: " + storage.location());
            } else {
                done.forEach(root.workplace().out()::println);
            }
        }
        return ExitCode.DONE.code();
    }

    @Command(name = "vacuum", description = "give unused space back to the file system")
    int vacuum() {
        try (Storage storage = open(Mode.READ_WRITE)) {
            root.workplace().out().println(storage.care().compact() + " bytes given back");
        }
        return ExitCode.DONE.code();
    }

    private Storage open(Mode mode) {
        return root.workplace().open(Optional.ofNullable(database), mode);
    }
}
