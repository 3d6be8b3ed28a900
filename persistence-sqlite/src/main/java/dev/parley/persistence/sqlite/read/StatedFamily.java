package dev.parley.persistence.sqlite.read;

import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.sqlite.statement.Statements;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The sessions of a file as the rules of lineage ask for them, read by one connection. */
class StatedFamily implements Lineage.Family {
    private final Statements statements;
    private final SessionLists lists;

    StatedFamily(Statements statements, SessionLists lists) {
        this.statements = statements;
        this.lists = lists;
    }

    /** A question to the file. */
    interface Question<T> {
        T ask() throws SQLException;
    }

    /** The rules know nothing of files, so what a file fails with goes through them as it is. */
    static <T> T answer(Question<T> question) {
        try {
            return question.ask();
        } catch (SQLException e) {
            throw rethrown(e);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Exception> RuntimeException rethrown(Exception e) throws E {
        throw (E) e;
    }

    @Override
    public Optional<Session> find(SessionId id) {
        return answer(() -> lists.find(statements, id.value())).map(SessionLists.Seen::session);
    }

    @Override
    public List<Session> childrenOf(SessionId id) {
        return answer(() -> lists.childrenOf(statements, id));
    }

    @Override
    public Instant lastActive(Session session) {
        return answer(() -> lists.lastActive(statements, session));
    }

    @Override
    public boolean hasMessages(Session session) {
        throw new UnsupportedOperationException("Lists do not ask for it");
    }
}
