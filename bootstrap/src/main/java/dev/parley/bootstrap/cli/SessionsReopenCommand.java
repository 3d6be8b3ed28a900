package dev.parley.bootstrap.cli;

import dev.parley.domain.session.SessionId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes an ended session live again. */
@Command(name = "reopen", description = "make an ended session live again")
final class SessionsReopenCommand implements Callable<Integer> {
    private final SessionsCommand sessions;

    @Parameters(paramLabel = "ID", description = "the session")
    private String id = "";

    SessionsReopenCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        SessionId session = SessionId.of(id);
        return sessions.edit(edits -> edits.reopen(session));
    }
}
