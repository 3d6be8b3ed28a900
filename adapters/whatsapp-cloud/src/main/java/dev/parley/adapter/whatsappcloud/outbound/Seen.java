package dev.parley.adapter.whatsappcloud.outbound;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What Meta's posts tell the sender: which message a person wrote last, since typing is shown with one; and that a part arrived whose
 * sending had no answer, since each part carries its name and a status tells it. Kept in memory, for the latest. Safe for concurrent use.
 */
public final class Seen {
    private final Map<String, String> written = new Latest();
    private final Map<String, String> statuses = new Latest();
    private final Map<String, String> unanswered = new Latest();

    private static final class Latest extends LinkedHashMap<String, String> {
        private static final long serialVersionUID = 1L;
        private static final int MOST = 10_000;

        Latest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST;
        }
    }

    /** Somebody wrote a message. */
    public synchronized void wrote(String chat, String messageId) {
        written.put(chat, messageId);
    }

    /** A status names a part, and the message that it became. */
    public synchronized void arrived(String part, String messageId) {
        statuses.put(part, messageId);
    }

    /** Sending a part had no answer. */
    synchronized void unanswered(String part) {
        unanswered.put(part, part);
    }

    /** Returns the message that a part became whose sending had no answer; absent where no status has told so. */
    synchronized Optional<String> arrived(String part) {
        return unanswered.containsKey(part) ? Optional.ofNullable(statuses.get(part)) : Optional.empty();
    }

    /** Returns what was written last in a chat; absent where nothing was since the start. */
    synchronized Optional<String> lastWritten(String chat) {
        return Optional.ofNullable(written.get(chat));
    }
}
