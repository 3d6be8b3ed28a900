package dev.parley.application.scan;

import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Preview;
import dev.parley.domain.transcript.StoredMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a list of sessions shows of a transcript; derived from it. Messages taken back count only among the rows.
 *
 * @param rows messages, hidden ones included
 * @param active messages of the conversation
 * @param preview the beginning of the first user message (storage 3.9), possibly empty
 * @param previewAt the time of that message; absent without one
 * @param lastActive the time of the latest message; absent without messages
 */
public record Digest(
        long rows, long active, String preview, Optional<Instant> previewAt, Optional<Instant> lastActive) {
    /** What is shown of a transcript without messages. */
    public static final Digest EMPTY = new Digest(0, 0, "", Optional.empty(), Optional.empty());

    /** Returns the digest of all messages of a session, hidden ones included, in order. */
    public static Digest of(List<StoredMessage> all) {
        Digest digest = EMPTY;
        for (StoredMessage each : all) {
            digest = digest.plus(each);
        }
        return digest;
    }

    /** Returns the digest with one more message, the last in order. */
    public Digest plus(StoredMessage row) {
        long nextActive = active + (row.isActive() ? 1 : 0);
        if (row.state() == StoredMessage.State.REWOUND) {
            return new Digest(rows + 1, nextActive, preview, previewAt, lastActive);
        }
        Message message = row.message();
        boolean first = Preview.isMadeOf(message)
                && previewAt.filter(at -> !message.at().isBefore(at)).isEmpty();
        return new Digest(
                rows + 1,
                nextActive,
                first ? Preview.of(message.content()) : preview,
                first ? Optional.of(message.at()) : previewAt,
                lastActive.filter(at -> !at.isBefore(message.at())).or(() -> Optional.of(message.at())));
    }
}
