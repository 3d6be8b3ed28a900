package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints the sessions that a name resolves to (storage 3.4, 3.5, 3.7). */
@Command(name = "resolve", description = "print the sessions that a name resolves to")
final class SessionsResolveCommand implements Callable<Integer> {
    private final SessionsCommand sessions;

    @Parameters(paramLabel = "NAME", description = "an id, the beginning of one, or a title")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    SessionsResolveCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        Workplace w = sessions.workplace();
        try (Storage storage = sessions.look()) {
            Map<String, @Nullable Object> row = SessionNames.resolve(storage, name);
            if (json.isWanted()) {
                w.json(row);
            } else {
                row.forEach((key, value) -> w.out().println(key + ": " + (value == null ? "-" : value)));
            }
        }
        return ExitCode.DONE.code();
    }
}
