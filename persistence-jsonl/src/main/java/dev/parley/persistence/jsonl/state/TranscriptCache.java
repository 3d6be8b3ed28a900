package dev.parley.persistence.jsonl.state;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Transcripts that were used lately, so many messages of them. Safe for concurrent use. */
final class TranscriptCache {
    private static final long MESSAGES = 50_000;
    private static final int SESSIONS = 1_000;

    private final Map<SessionId, Transcript> kept = new LinkedHashMap<>(16, 0.75f, true);
    private long counted;

    synchronized Optional<Transcript> find(SessionId id) {
        return Optional.ofNullable(kept.get(id));
    }

    /** Keeps a transcript, and lets go of those that were not used for longest. */
    synchronized void put(SessionId id, Transcript transcript) {
        kept.put(id, transcript);
        counted += transcript.rows().size() + 1L;
        if (counted > MESSAGES || kept.size() > SESSIONS) {
            shrink(id);
        }
    }

    /** Adds a message to a transcript that is kept. */
    synchronized void add(SessionId id, StoredMessage row) {
        Transcript transcript = kept.get(id);
        if (transcript != null) {
            transcript.add(row);
            counted++;
            if (counted > MESSAGES) {
                shrink(id);
            }
        }
    }

    synchronized void remove(SessionId id) {
        kept.remove(id);
    }

    private void shrink(SessionId newest) {
        long messages = kept.values().stream()
                .mapToLong(each -> each.rows().size() + 1L)
                .sum();
        var oldest = kept.entrySet().iterator();
        while ((messages > MESSAGES / 2 || kept.size() > SESSIONS / 2) && oldest.hasNext()) {
            Map.Entry<SessionId, Transcript> each = oldest.next();
            if (!each.getKey().equals(newest)) {
                messages -= each.getValue().rows().size() + 1L;
                oldest.remove();
            }
        }
        counted = messages;
    }
}
