package dev.parley.bootstrap.cli;

import dev.parley.domain.session.SessionId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes a session with its messages. */
@Command(name = "delete", description = "delete a session with its messages")
final class SessionsDeleteCommand implements Callable<Integer> {
    private final SessionsCommand sessions;

    @Parameters(paramLabel = "ID", description = "the session")
    private String id = "";

    @Mixin
    private final YesOption yes = new YesOption();

    SessionsDeleteCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        SessionId session = SessionId.of(id);
        sessions.workplace().confirm("Delete the session " + session + " with all its messages?", yes.isSaid());
        return sessions.edit(edits -> edits.delete(session));
    }
}
