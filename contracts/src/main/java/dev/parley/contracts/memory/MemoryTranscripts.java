package dev.parley.contracts.memory;

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

final class MemoryTranscripts implements Transcripts {
    private final MemoryStorage storage;

    MemoryTranscripts(MemoryStorage storage) {
        this.storage = storage;
    }

    @Override
    public List<StoredMessage> load(SessionId session) {
        return loadAll(session).stream().filter(StoredMessage::isActive).toList();
    }

    @Override
    public List<StoredMessage> loadAll(SessionId session) {
        return storage.read(d -> d.messagesOf(session));
    }

    @Override
    public List<StoredMessage> load(Collection<SessionId> sessions) {
        return storage.read(d -> new LinkedHashSet<>(sessions)
                .stream()
                        .flatMap(s -> d.messagesOf(s).stream())
                        .filter(StoredMessage::isActive)
                        .sorted(Comparator.comparingLong(StoredMessage::sequence))
                        .toList());
    }

    @Override
    public List<StoredMessage> tail(SessionId session, int limit) {
        return last(load(session), limit);
    }

    @Override
    public List<StoredMessage> recentUserMessages(SessionId session, int limit) {
        List<StoredMessage> users = load(session).stream()
                .filter(m -> m.message().role().equals(Role.USER))
                .toList();
        List<StoredMessage> newestFirst = new ArrayList<>(last(users, limit));
        Collections.reverse(newestFirst);
        return List.copyOf(newestFirst);
    }

    @Override
    public List<StoredMessage> around(SessionId session, long sequence, int before, int after) {
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
    public long count(SessionId session) {
        return load(session).size();
    }

    @Override
    public long countAll() {
        return everything().size();
    }

    @Override
    public void forEach(Consumer<StoredMessage> each) {
        everything().forEach(each);
    }

    private List<StoredMessage> everything() {
        return storage.read(d -> d.sessions.rows().stream()
                .map(Session::id)
                .flatMap(s -> d.messagesOf(s).stream())
                .sorted(Comparator.comparingLong(StoredMessage::sequence))
                .toList());
    }

    private static List<StoredMessage> last(List<StoredMessage> messages, int limit) {
        return messages.subList(Math.max(0, messages.size() - Math.max(0, limit)), messages.size());
    }
}
