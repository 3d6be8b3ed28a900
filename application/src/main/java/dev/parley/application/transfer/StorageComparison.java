package dev.parley.application.transfer;

import dev.parley.application.spi.Storage;
import dev.parley.application.transfer.CopyProgress.Phase;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Compares a store with the one it was copied into. Only reads. */
final class StorageComparison {
    private final Storage from;
    private final Storage to;
    private final Set<SessionId> renamed;
    private final InstantSource clock;

    /**
     * A comparison that has not begun.
     *
     * @param renamed the sessions whose title got another number
     */
    StorageComparison(Storage from, Storage to, Set<SessionId> renamed, InstantSource clock) {
        this.from = from;
        this.to = to;
        this.renamed = Set.copyOf(renamed);
        this.clock = clock;
    }

    /** Returns the differences, one line each; {@code progress} is told after each session. */
    List<String> differences(Consumer<CopyProgress> progress) {
        List<String> differences = new ArrayList<>();
        compare(differences, "lanes", from.lanes().count(), to.lanes().count());
        compare(
                differences,
                "messages",
                from.transcripts().countAll(),
                to.transcripts().countAll());
        compare(differences, "waiting messages", waiting(from), waiting(to));
        long total = from.sessions().count(Optional.empty());
        PhaseProgress pace = new PhaseProgress(Phase.VERIFY, Optional.of(total), progress, clock);
        from.sessions().forEach(session -> {
            Optional<Session> copy = to.sessions().find(session.id());
            if (copy.isEmpty()) {
                differences.add("The session " + session.id() + " is missing in " + to.location() + ".");
            } else if (!digest(from, compared(session, session)).equals(digest(to, compared(copy.get(), session)))) {
                differences.add("The session " + session.id() + " is not the same in " + to.location() + ".");
            }
            pace.stored(1);
        });
        return differences;
    }

    private static String digest(Storage store, Session session) {
        return SessionDigest.of(session, store.transcripts().loadAll(session.id()));
    }

    /** What is compared of a session: not a title that was given another number, nor a lane that only a file knew of. */
    private Session compared(Session session, Session original) {
        Session.Builder compared = session.toBuilder();
        if (renamed.contains(session.id())) {
            compared.title(null);
        }
        if (original.peer().isEmpty()) {
            compared.peer(null);
        }
        return compared.build();
    }

    private static long waiting(Storage store) {
        return (long) store.queue().admitted().size()
                + store.queue().undelivered().size();
    }

    private void compare(List<String> differences, String what, long source, long target) {
        if (target < source) {
            differences.add(
                    from.location() + " has " + source + " " + what + ", " + to.location() + " only " + target + ".");
        }
    }
}
