package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.session.SessionId;
import java.util.List;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Looks at stored sessions and changes them (storage 3 to 6). */
@Command(name = "sessions", description = "list, show, search, title, end, delete, prune, export and import sessions")
final class SessionsCommand extends CommandGroup {
    @Mixin
    private final DatabaseOption database = new DatabaseOption();

    SessionsCommand(ParleyCommand root) {
        super(root);
    }

    @Override
    public List<Object> commands() {
        return List.of(
                new SessionsListCommand(this),
                new SessionsShowCommand(this),
                new SessionsSearchCommand(this),
                new SessionsResolveCommand(this),
                new SessionsStatsCommand(this),
                new SessionsTitleCommand(this),
                new SessionsEndCommand(this),
                new SessionsReopenCommand(this),
                new SessionsDeleteCommand(this),
                new SessionsPruneCommand(this),
                new SessionsExportCommand(this),
                new SessionsImportCommand(this));
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
