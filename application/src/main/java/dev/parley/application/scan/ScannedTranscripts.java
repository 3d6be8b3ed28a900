package dev.parley.application.scan;

import dev.parley.application.port.Transcripts;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads the transcripts by looking at every message of the sessions asked for, and at every message where all are asked for. A backend
 * that can walk through all of them in order replaces {@link #forEach}. Safe where the snapshot is.
 */
public class ScannedTranscripts implements Transcripts {
    private final Snapshot snapshot;

    /** Reads what the snapshot shows. */
    public ScannedTranscripts(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    @Override
    public final List<StoredMessage> load(SessionId session) {
        return snapshot.read(r -> r.conversation(session));
    }

    @Override
    public final List<StoredMessage> loadAll(SessionId session) {
        return snapshot.read(r -> r.messages(session));
    }

    @Override
    public final List<StoredMessage> load(Collection<SessionId> sessions) {
        return snapshot.read(r -> new LinkedHashSet<>(sessions)
                .stream()
                        .flatMap(s -> r.conversation(s).stream())
                        .sorted(Comparator.comparingLong(StoredMessage::sequence))
                        .toList());
    }

    @Override
    public final List<StoredMessage> tail(SessionId session, int limit) {
        return last(load(session), limit);
    }

    @Override
    public final List<StoredMessage> recentUserMessages(SessionId session, int limit) {
        List<StoredMessage> users = load(session).stream()
                .filter(m -> m.message().role().equals(Role.USER))
                .toList();
        List<StoredMessage> newestFirst = new ArrayList<>(last(users, limit));
        Collections.reverse(newestFirst);
        return List.copyOf(newestFirst);
    }

    @Override
    public final List<StoredMessage> around(SessionId session, long sequence, int before, int after) {
        List<StoredMessage> all = loadAll(session);
        if (all.stream().noneMatch(m -> m.sequence() == sequence)) {
            return List.of();
        }
        List<StoredMessage> earlier = all.stream()
                .filter(m -> m.isActive() && m.sequence() < sequence)
                .toList();
        List<StoredMessage> found = new ArrayList<>(last(earlier, before));
        all.stream().filter(m -> m.sequence() == sequence).forEach(found::add);
        all.stream()
                .filter(m -> m.isActive() && m.sequence() > sequence)
                .limit(Math.max(0, after))
                .forEach(found::add);
        return List.copyOf(found);
    }

    @Override
    public final long count(SessionId session) {
        return snapshot.read(r -> r.digest(session).active());
    }

    @Override
    public final long countAll() {
        return snapshot.read(r ->
                r.sessions().stream().mapToLong(s -> r.digest(s.id()).rows()).sum());
    }

    @Override
    public void forEach(Consumer<StoredMessage> each) {
        everything().forEach(each);
    }

    private List<StoredMessage> everything() {
        return snapshot.read(r -> r.sessions().stream()
                .map(Session::id)
                .flatMap(s -> r.messages(s).stream())
                .sorted(Comparator.comparingLong(StoredMessage::sequence))
                .toList());
    }

    private static List<StoredMessage> last(List<StoredMessage> messages, int limit) {
        return messages.subList(Math.max(0, messages.size() - Math.max(0, limit)), messages.size());
    }
}
