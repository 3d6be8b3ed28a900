package dev.parley.application.degrade;

import dev.parley.application.port.Transcripts;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Transcripts: while degraded what is known of the conversations in use. */
final class DegradingTranscripts implements Transcripts {
    private final Reading reading;
    private final Knowledge knowledge;

    DegradingTranscripts(Reading reading, Knowledge knowledge) {
        this.reading = reading;
        this.knowledge = knowledge;
    }

    /** What the fallback does not know of is not taken for a session in which nothing was said. */
    private <T> T read(SessionId session, Function<Transcripts, T> stored, Function<List<StoredMessage>, T> known) {
        return reading.either(s -> stored.apply(s.transcripts()), spill -> spill.read(session, stored, known));
    }

    @Override
    public List<StoredMessage> load(SessionId session) {
        return reading.either(
                s -> {
                    try (Knowledge.Look look = knowledge.look(session)) {
                        List<StoredMessage> messages = s.transcripts().load(session);
                        look.saw(messages);
                        return messages;
                    }
                },
                spill -> spill.read(session, t -> t.load(session), known -> known));
    }

    @Override
    public List<StoredMessage> loadAll(SessionId session) {
        return reading.whole("Hidden messages", s -> s.transcripts().loadAll(session));
    }

    /** While degraded, those that nothing was said in meanwhile stand before the others. */
    @Override
    public List<StoredMessage> load(Collection<SessionId> several) {
        return reading.either(s -> s.transcripts().load(several), spill -> {
            List<StoredMessage> messages = new ArrayList<>();
            several.stream().distinct().filter(id -> !spill.has(id)).forEach(id -> messages.addAll(spill.known(id)));
            spill.stored().ifPresent(s -> messages.addAll(s.transcripts().load(several)));
            return messages;
        });
    }

    @Override
    public List<StoredMessage> tail(SessionId session, int limit) {
        return read(
                session,
                t -> t.tail(session, limit),
                known -> known.subList(Math.max(0, known.size() - limit), known.size()));
    }

    @Override
    public List<StoredMessage> recentUserMessages(SessionId session, int limit) {
        return read(session, t -> t.recentUserMessages(session, limit), known -> {
            List<StoredMessage> newestFirst = new ArrayList<>(known);
            Collections.reverse(newestFirst);
            return newestFirst.stream()
                    .filter(m -> m.message().role().equals(Role.USER))
                    .limit(limit)
                    .toList();
        });
    }

    @Override
    public List<StoredMessage> around(SessionId session, long sequence, int before, int after) {
        return reading.whole("Messages around another", s -> s.transcripts().around(session, sequence, before, after));
    }

    @Override
    public long count(SessionId session) {
        return read(session, t -> t.count(session), known -> (long) known.size());
    }

    @Override
    public long countAll() {
        return reading.whole("The number of messages", s -> s.transcripts().countAll());
    }

    @Override
    public void forEach(Consumer<StoredMessage> each) {
        reading.unlocked("All messages").transcripts().forEach(each);
    }

    @Override
    public boolean isWhole(SessionId session) {
        return reading.either(s -> s.transcripts().isWhole(session), spill -> spill.isWhole(session));
    }
}
