package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.session.SessionId;
import java.util.function.ToIntFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Looks at stored sessions and changes them (storage 3 to 6). */
@Command(name = "sessions", description = "list, show, search, title, end, delete, prune, export and import sessions")
final class SessionsCommand extends CommandGroup {
    @Mixin
    private final DatabaseOption database = new DatabaseOption();

    private SessionsCommand(ParleyCommand root) {
        super(root);
    }

    /** Returns this command with its own ones. */
    static CommandLine of(ParleyCommand root) {
        SessionsCommand sessions = new SessionsCommand(root);
        return sessions.with(
                new SessionsListCommand(sessions),
                new SessionsShowCommand(sessions),
                new SessionsSearchCommand(sessions),
                new SessionsResolveCommand(sessions),
                new SessionsStatsCommand(sessions),
                new SessionsTitleCommand(sessions),
                new SessionsEndCommand(sessions),
                new SessionsReopenCommand(sessions),
                new SessionsDeleteCommand(sessions),
                new SessionsPruneCommand(sessions),
                new SessionsExportCommand(sessions),
                new SessionsImportCommand(sessions));
    }

    /** Opens the storage for looking at it. */
    Storage look() {
        return database.look(workplace());
    }

    /** Opens the storage for adding to it; creates it if it is missing. */
    Storage add() {
        return database.open(workplace(), Mode.READ_WRITE);
    }

    /** Changes sessions. A file that is not there has no session to change, so none is made for it. */
    int edit(ToIntFunction<SessionChanges> change) {
        try (Storage storage = database.openExisting(workplace())) {
            return change.applyAsInt(new SessionChanges(storage, workplace()));
        }
    }

    /** Says that there is no such session, and returns the exit code of that answer. */
    int notFound(SessionId id) {
        workplace().note("parley: there is no session " + id + "; see `parley sessions list --children`.");
        return ExitCode.NO.code();
    }
}
