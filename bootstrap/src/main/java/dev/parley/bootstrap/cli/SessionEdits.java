package dev.parley.bootstrap.cli;

import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.AutoMaintenance;
import dev.parley.application.store.StoredFamily;
import dev.parley.application.store.TitleChoice;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.title.Title;
import dev.parley.domain.title.TitleTooLong;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the operator changes of stored sessions (storage 3.2, 3.3, 3.8). Each change stands on what it must not break. */
final class SessionEdits {
    private final Storage storage;
    private final Workplace workplace;
    private final String writer = ProcessSurroundings.ids().unique("command");
    private long sequence;

    SessionEdits(Storage storage, Workplace workplace) {
        this.storage = storage;
        this.workplace = workplace;
    }

    /** Sets a title, or removes it where the text is empty once cleaned. */
    int title(SessionId session, String text) {
        Optional<String> title;
        try {
            title = Title.clean(text);
        } catch (TitleTooLong e) {
            workplace.note("parley: " + e.getMessage());
            return ExitCode.USAGE.code();
        }
        if (title.isPresent() && !storage.sessions().keepsTitles()) {
            workplace.note("parley: The store " + storage.location() + " keeps no titles.");
            return ExitCode.NO.code();
        }
        Optional<SessionId> from = title.flatMap(t -> givenUpBy(t, session));
        List<Precondition> conditions = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        from.ifPresent(
                ancestor -> changes.add(new Change.EditSession(ancestor, new SessionEdit.Retitle(Optional.empty()))));
        title.filter(t -> from.isEmpty()).ifPresent(t -> conditions.add(new Precondition.TitleFree(t, session)));
        conditions.add(new Precondition.SessionExists(session));
        changes.add(new Change.EditSession(session, new SessionEdit.Retitle(title)));
        CommitResult result = commit(conditions, changes);
        if (result instanceof CommitResult.Conflict conflict && conflict.failed() instanceof Precondition.TitleFree) {
            String holder = title.flatMap(t -> storage.sessions().findByTitle(t))
                    .map(s -> "session " + s.id().value())
                    .orElse("a session whose id cannot be used");
            workplace.note(
                    "parley: Title '" + title.orElse("") + "' is already in use by " + holder + "; choose another.");
            return ExitCode.NO.code();
        }
        return done(result, session);
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

    /** Ends a session; the first end wins. A session in use by a lane stays as it is. */
    int end(SessionId session, String reason) {
        if (reason.isBlank()) {
            workplace.note("parley: the reason is empty; say why the session ends, such as user_exit.");
            return ExitCode.USAGE.code();
        }
        return done(
                commit(
                        List.of(new Precondition.SessionExists(session), new Precondition.NotCurrent(session)),
                        List.of(new Change.EditSession(session, new SessionEdit.End(Ending.of(now(), reason))))),
                session);
    }

    /** Makes an ended session live again. */
    int reopen(SessionId session) {
        return done(
                commit(
                        List.of(new Precondition.SessionExists(session)),
                        List.of(new Change.EditSession(session, new SessionEdit.Reopen()))),
                session);
    }

    /** Deletes a session that no lane uses. */
    int delete(SessionId session) {
        storage.maintenance().emptyInSteps(session, (done, total) -> {});
        return done(
                commit(
                        List.of(new Precondition.SessionExists(session), new Precondition.NotCurrent(session)),
                        List.of(new Change.DeleteSession(session))),
                session);
    }

    /** Says which sessions {@link #prune} would delete. */
    int wouldPrune(Duration age, Optional<String> source) {
        List<SessionId> candidates = begunBefore(age, source);
        candidates.forEach(id -> workplace.out().println(id));
        workplace.note(candidates.size() + " would be deleted");
        return ExitCode.DONE.code();
    }

    private List<SessionId> begunBefore(Duration age, Optional<String> source) {
        return storage.sessions().endedBefore(now().minus(age), source);
    }

    /** Deletes the ended sessions begun longer ago than this. */
    int prune(Duration age, Optional<String> source, boolean yes) {
        List<SessionId> candidates = begunBefore(age, source);
        if (!candidates.isEmpty()) {
            workplace.confirm("Delete " + candidates.size() + " ended sessions with all their messages?", yes);
        }
        int deleted = 0;
        Ledger spaced = new SpacedLedger(storage.ledger());
        try (Progress progress = Progress.of(workplace, "pruning", candidates.size())) {
            for (SessionId id : candidates) {
                storage.maintenance().emptyInSteps(id, (done, total) -> {});
                CommitResult result = commit(
                        spaced,
                        List.of(new Precondition.SessionExists(id), new Precondition.NotCurrent(id)),
                        List.of(new Change.DeleteSession(id)));
                deleted += result.isCommitted() ? 1 : 0;
                progress.step();
            }
        }
        workplace.out().println(deleted + " deleted");
        return ExitCode.DONE.code();
    }

    /** Deletes old ended sessions where that is due. */
    int maintain(Duration age, Duration interval) {
        // Giving space back takes the tables from whoever works with them.
        AutoMaintenance.Settings settings = new AutoMaintenance.Settings(
                age, interval, LiveNodes.in(storage).isEmpty());
        AutoMaintenance.Outcome outcome = new AutoMaintenance(
                        storage,
                        new SpacedLedger(storage.ledger()),
                        workplace.around().clock(),
                        ProcessSurroundings.ids(),
                        warning -> workplace.note("warning: " + warning))
                .run(settings);
        outcome.error().ifPresent(error -> {
            throw new StorageUnavailable(error, null);
        });
        workplace.out().println(outcome.skipped() ? "not due" : outcome.pruned() + " deleted");
        return ExitCode.DONE.code();
    }

    private int done(CommitResult result, SessionId session) {
        if (result instanceof CommitResult.Conflict conflict) {
            if (conflict.failed() instanceof Precondition.NotCurrent) {
                String lane = storage.lanes()
                        .findBySession(session)
                        .map(l -> l.key().value())
                        .orElse("a lane");
                workplace.note("parley: the session " + session + " is the current one of " + lane
                        + "; begin that lane anew first: `parley lanes reset '" + lane + "'`.");
            } else {
                workplace.note("parley: there is no session " + session + "; see `parley sessions list --children`.");
            }
            return ExitCode.NO.code();
        }
        return ExitCode.DONE.code();
    }

    private CommitResult commit(List<Precondition> conditions, List<Change> changes) {
        return commit(storage.ledger(), conditions, changes);
    }

    private CommitResult commit(Ledger ledger, List<Precondition> conditions, List<Change> changes) {
        sequence++;
        return ledger.commit(new Batch(new BatchId(writer, sequence), conditions, changes));
    }

    private Instant now() {
        return workplace.around().clock().instant().truncatedTo(ChronoUnit.MICROS);
    }
}
