package dev.parley.bootstrap.cli;

import dev.parley.application.port.GatewayOperations;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.AutoMaintenance;
import dev.parley.application.store.SessionEdits;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What the operator changes of stored sessions (storage 3.2, 3.3, 3.8). Each change stands on what it must not break. */
final class SessionChanges {
    private final Storage storage;
    private final Workplace workplace;
    private final SessionEdits edits;
    private final String writer = ProcessSurroundings.ids().unique("command");
    private long sequence;

    SessionChanges(Storage storage, Workplace workplace) {
        this.storage = storage;
        this.workplace = workplace;
        this.edits = new SessionEdits(storage, workplace.around().clock(), ProcessSurroundings.ids());
    }

    /** Sets a title, or removes it where the text is empty once cleaned. */
    int title(SessionId session, String text) {
        return done(edits.title(session, text), session);
    }

    /** Ends a session; the first end wins. A session in use by a lane stays as it is. */
    int end(SessionId session, String reason) {
        return done(edits.end(session, reason), session);
    }

    /** Makes an ended session live again. */
    int reopen(SessionId session) {
        return done(edits.reopen(session), session);
    }

    /** Deletes a session that no lane uses. */
    int delete(SessionId session) {
        GatewayOperations.Edited edited = edits.delete(session);
        if (edited instanceof GatewayOperations.Edited.Done) {
            finishDeletions();
        }
        return done(edited, session);
    }

    /** What deleted sessions left behind is seen by nobody, so that it is still there is no failure of the command. */
    private void finishDeletions() {
        try {
            storage.maintenance().finishDeletions((done, total) -> {});
        } catch (ParleyException e) {
            workplace.note("warning: what deleted sessions left behind is taken away later: " + e.getMessage());
        }
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
                CommitResult result = commit(
                        spaced,
                        List.of(new Precondition.SessionExists(id), new Precondition.NotCurrent(id)),
                        List.of(new Change.DeleteSession(id)));
                if (result.isCommitted()) {
                    deleted++;
                    finishDeletions();
                }
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

    private int done(GatewayOperations.Edited edited, SessionId session) {
        if (edited instanceof GatewayOperations.Edited.Done) {
            return ExitCode.DONE.code();
        }
        workplace.note("parley: " + why(edited, session));
        return (edited instanceof GatewayOperations.Edited.Invalid ? ExitCode.USAGE : ExitCode.NO).code();
    }

    private static String why(GatewayOperations.Edited edited, SessionId session) {
        if (edited instanceof GatewayOperations.Edited.InUse used) {
            String lane = used.lane().map(SessionKey::value).orElse("a lane");
            return "the session " + session + " is the current one of " + lane
                    + "; begin that lane anew first: `parley lanes reset '" + lane + "'`.";
        }
        if (edited instanceof GatewayOperations.Edited.TitleTaken taken) {
            return "Title '" + taken.title() + "' is already in use by "
                    + taken.holder().map(id -> "session " + id.value()).orElse("a session whose id cannot be used")
                    + "; choose another.";
        }
        if (edited instanceof GatewayOperations.Edited.NoTitles none) {
            return "The store " + none.location() + " keeps no titles.";
        }
        return edited instanceof GatewayOperations.Edited.Invalid invalid
                ? invalid.why()
                : "there is no session " + session + "; see `parley sessions list --children`.";
    }

    private CommitResult commit(Ledger ledger, List<Precondition> conditions, List<Change> changes) {
        sequence++;
        return ledger.commit(new Batch(new BatchId(writer, sequence), conditions, changes));
    }

    private Instant now() {
        return workplace.around().clock().instant();
    }
}
