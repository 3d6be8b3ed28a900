package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows or sets the title of a session (storage 3.3). */
@Command(name = "title", description = "show or set a session's title")
final class SessionsTitleCommand implements Callable<Integer> {
    private final SessionsCommand sessions;

    @Parameters(index = "0", paramLabel = "ID", description = "the session")
    private String id = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "TEXT", description = "the new title; empty removes it")
    private @Nullable String text;

    SessionsTitleCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        SessionId session = SessionId.of(id);
        String title = text;
        return title == null ? show(session) : sessions.edit(edits -> edits.title(session, title));
    }

    private int show(SessionId session) {
        try (Storage storage = sessions.look()) {
            Optional<Session> found = storage.sessions().find(session);
            if (found.isEmpty()) {
                return sessions.notFound(session);
            }
            sessions.workplace().out().println(found.get().title().orElse(""));
            return ExitCode.DONE.code();
        }
    }
}
