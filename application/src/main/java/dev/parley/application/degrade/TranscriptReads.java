package dev.parley.application.degrade;

import dev.parley.application.port.Transcripts;
import dev.parley.application.spi.Storage;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Transcripts: while degraded what is known of the conversations in use. */
final class TranscriptReads implements Transcripts {
    private final Reading reading;
    private final PrimaryMirror mirror;
    private final Spill spill;

    TranscriptReads(Reading reading, PrimaryMirror mirror, Spill spill) {
        this.reading = reading;
        this.mirror = mirror;
        this.spill = spill;
    }

    /** What the fallback does not know of is not taken for a session in which nothing was said. */
    private <T> T known(SessionId session, Function<Storage, T> transcript) {
        return reading.any(s -> {
            if (reading.isDegraded()) {
                spill.session(session);
            }
            return transcript.apply(s);
        });
    }

    @Override
    public List<StoredMessage> load(SessionId session) {
        List<StoredMessage> messages = known(session, s -> s.transcripts().load(session));
        if (!reading.isDegraded()) {
            mirror.read(session, messages);
        }
        return messages;
    }

    @Override
    public List<StoredMessage> loadAll(SessionId session) {
        return reading.whole("Hidden messages", s -> s.transcripts().loadAll(session));
    }

    @Override
    public List<StoredMessage> load(Collection<SessionId> several) {
        return reading.any(s -> s.transcripts().load(several));
    }

    @Override
    public List<StoredMessage> tail(SessionId session, int limit) {
        return known(session, s -> s.transcripts().tail(session, limit));
    }

    @Override
    public List<StoredMessage> recentUserMessages(SessionId session, int limit) {
        return known(session, s -> s.transcripts().recentUserMessages(session, limit));
    }

    @Override
    public List<StoredMessage> around(SessionId session, long sequence, int before, int after) {
        return reading.whole("Messages around another", s -> s.transcripts().around(session, sequence, before, after));
    }

    @Override
    public long count(SessionId session) {
        return known(session, s -> s.transcripts().count(session));
    }

    @Override
    public long countAll() {
        return reading.whole("The number of messages", s -> s.transcripts().countAll());
    }

    @Override
    public void forEach(Consumer<StoredMessage> each) {
        reading.whole("All messages", s -> {
            s.transcripts().forEach(each);
            return true;
        });
    }

    @Override
    public boolean isWhole(SessionId session) {
        return !reading.isDegraded() || !spill.isPartial(session);
    }
}
