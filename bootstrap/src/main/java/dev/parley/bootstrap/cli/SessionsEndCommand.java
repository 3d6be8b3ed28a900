package dev.parley.bootstrap.cli;

import dev.parley.domain.session.SessionId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends a session. */
@Command(name = "end", description = "end a session")
final class SessionsEndCommand implements Callable<Integer> {
    private final SessionsCommand sessions;

    @Parameters(index = "0", paramLabel = "ID", description = "the session")
    private String id = "";

    @Parameters(index = "1", paramLabel = "REASON", description = "why, as `parley sessions show` tells it")
    private String reason = "";

    SessionsEndCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        SessionId session = SessionId.of(id);
        return sessions.edit(edits -> edits.end(session, reason));
    }
}
