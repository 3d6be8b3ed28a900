package dev.parley.application.store;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.port.GatewayOperations.Edited;
import dev.parley.application.port.Ids;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.change.StoredTime;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.title.Title;
import dev.parley.domain.title.TitleTooLong;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What operators change of stored sessions (storage 3.2, 3.3, 3.8), on the command line and in the console. Each change is one batch that
 * stands on what it must not break. Its methods throw what the store throws. For one thread at a time.
 */
public final class SessionEdits {
    private final Storage storage;
    private final InstantSource clock;
    private final BatchWriter writer;

    /** Changes sessions of a store. */
    public SessionEdits(Storage storage, InstantSource clock, Ids ids) {
        this.storage = storage;
        this.clock = clock;
        this.writer = new BatchWriter(ids.unique("operator"));
    }

    /** Sets a title, or removes it where the text is empty once cleaned. */
    public Edited title(SessionId session, String text) {
        Optional<String> title;
        try {
            title = Title.clean(text);
        } catch (TitleTooLong e) {
            return new Edited.Invalid(String.valueOf(e.getMessage()));
        }
        if (title.isPresent() && !storage.sessions().keepsTitles()) {
            return new Edited.NoTitles(storage.location());
        }
        Optional<SessionId> from = title.flatMap(t -> givenUpBy(t, session));
        List<Precondition> conditions = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        from.ifPresent(
                ancestor -> changes.add(new Change.EditSession(ancestor, new SessionEdit.Retitle(Optional.empty()))));
        title.filter(t -> from.isEmpty()).ifPresent(t -> conditions.add(new Precondition.TitleFree(t, session)));
        conditions.add(new Precondition.SessionExists(session));
        changes.add(new Change.EditSession(session, new SessionEdit.Retitle(title)));
        return commit(session, conditions, changes);
    }

    /** Returns the compressed ancestor that has the title and gives it up, or nothing. */
    private Optional<SessionId> givenUpBy(String title, SessionId session) {
        TitleChoice choice = TitleChoice.of(
                title,
                session,
                storage.sessions(),
                new StoredFamily(storage.sessions(), storage.transcripts()),
                Viewer.operator());
        return choice instanceof TitleChoice.Free free ? free.takenFrom() : Optional.empty();
    }

    /** Ends a session; the first end wins. A session that a lane is in stays as it is. */
    public Edited end(SessionId session, String reason) {
        if (reason.isBlank()) {
            return new Edited.Invalid("the reason is empty; say why the session ends, such as user_exit.");
        }
        return commit(
                session,
                List.of(new Precondition.SessionExists(session), new Precondition.NotCurrent(session)),
                List.of(new Change.EditSession(session, new SessionEdit.End(Ending.of(now(), reason)))));
    }

    /** Makes an ended session live again. */
    public Edited reopen(SessionId session) {
        return commit(
                session,
                List.of(new Precondition.SessionExists(session)),
                List.of(new Change.EditSession(session, new SessionEdit.Reopen())));
    }

    /** Deletes a session that no lane is in, with its messages. */
    public Edited delete(SessionId session) {
        return commit(
                session,
                List.of(new Precondition.SessionExists(session), new Precondition.NotCurrent(session)),
                List.of(new Change.DeleteSession(session)));
    }

    private Edited commit(SessionId session, List<Precondition> conditions, List<Change> changes) {
        CommitResult result = storage.ledger().commit(writer.next(conditions, changes));
        return result instanceof CommitResult.Conflict conflict
                ? refused(session, conflict.failed())
                : new Edited.Done();
    }

    private Edited refused(SessionId session, Precondition failed) {
        if (failed instanceof Precondition.TitleFree taken) {
            return new Edited.TitleTaken(
                    taken.title(), storage.sessions().findByTitle(taken.title()).map(Session::id));
        }
        return failed instanceof Precondition.NotCurrent
                ? new Edited.InUse(storage.lanes().findBySession(session).map(Lane::key))
                : new Edited.Missing();
    }

    private Instant now() {
        return StoredTime.now(clock);
    }
}
