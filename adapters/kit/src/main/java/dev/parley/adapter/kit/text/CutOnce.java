package dev.parley.adapter.kit.text;

import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Keeps the pieces of the messages that were cut last: a long message is asked for as often as it has pieces, and cut once. Safe for
 * concurrent use.
 *
 * @param <P> a piece of a message
 */
public final class CutOnce<P> {
    private static final int MOST = 16;

    private final Map<OutgoingId, Cut<P>> last = new LinkedHashMap<>(MOST, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<OutgoingId, Cut<P>> eldest) {
            return size() > MOST;
        }
    };

    private record Cut<P>(String text, List<Attachment> files, List<P> pieces) {
        boolean isOf(Outgoing message) {
            return text.equals(message.text()) && files.equals(message.attachments());
        }
    }

    /** No message was cut yet. */
    public CutOnce() {}

    /** Returns the pieces of a message; cuts it unless that was done lately. */
    public List<P> of(Outgoing message, Supplier<List<P>> cutting) {
        synchronized (last) {
            Cut<P> known = last.get(message.id());
            if (known != null && known.isOf(message)) {
                return known.pieces();
            }
        }
        List<P> pieces = List.copyOf(cutting.get());
        if (pieces.size() > 1) {
            synchronized (last) {
                last.put(message.id(), new Cut<>(message.text(), message.attachments(), pieces));
            }
        }
        return pieces;
    }
}
