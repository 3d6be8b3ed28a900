package dev.parley.persistence.postgres.read;

import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.postgres.statement.Statements;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The sessions of a database as the rules of lineage ask for them, read by one connection. */
final class StatedFamily implements Lineage.Family {
    private final Statements statements;
    private final SessionLists lists;

    private StatedFamily(Statements statements, SessionLists lists) {
        this.statements = statements;
        this.lists = lists;
    }

    /** Asks the rules a question; what the database fails with comes out as it is. */
    static <T> T ask(Statements statements, SessionLists lists, Function<Lineage.Family, T> question)
            throws SQLException {
        try {
            return question.apply(new StatedFamily(statements, lists));
        } catch (Broken e) {
            throw e.why;
        }
    }

    /** The rules know nothing of databases, so a failure goes through them in this. */
    private static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final SQLException why;

        Broken(SQLException why) {
            super(why);
            this.why = why;
        }
    }

    @FunctionalInterface
    private interface Asked<T> {
        T answer() throws SQLException;
    }

    private static <T> T answer(Asked<T> asked) {
        try {
            return asked.answer();
        } catch (SQLException e) {
            throw new Broken(e);
        }
    }

    @Override
    public Optional<Session> find(SessionId id) {
        return answer(() -> lists.session(statements, id));
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
