package dev.parley.adapter.console;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Transcripts;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A conversation from its beginning, a window of messages at a time, as far as it went when this was made. Of the messages that are not
 * handed out yet only a number per window is held.
 */
final class Windows {
    private static final int WINDOW = 100;

    private final Transcripts transcripts;
    private final SessionId session;
    private final long last;

    /** The first message of each window that is not handed out yet. */
    private final Deque<Long> marks;

    private Windows(Transcripts transcripts, SessionId session, long last, Deque<Long> marks) {
        this.transcripts = transcripts;
        this.session = session;
        this.last = last;
        this.marks = marks;
    }

    static Windows of(Transcripts transcripts, SessionId session) {
        Deque<Long> marks = new ArrayDeque<>();
        List<StoredMessage> window = transcripts.tail(session, WINDOW);
        long last = window.isEmpty() ? 0 : window.get(window.size() - 1).sequence();
        while (!window.isEmpty() && (marks.isEmpty() || window.size() > 1)) {
            marks.push(window.get(0).sequence());
            window = transcripts.around(session, window.get(0).sequence(), WINDOW, 0);
        }
        return new Windows(transcripts, session, last, marks);
    }

    /**
     * Returns the messages of the next window; empty behind the last one.
     *
     * @throws InvalidRequest where messages were taken out of the conversation meanwhile
     */
    List<StoredMessage> next() {
        if (marks.isEmpty()) {
            return List.of();
        }
        long first = marks.pop();
        long end = marks.isEmpty() ? last + 1 : marks.getFirst();
        List<StoredMessage> window = transcripts.around(session, first, 0, WINDOW).stream()
                .filter(message -> message.sequence() < end)
                .toList();
        if (window.isEmpty() || !window.get(0).isActive()) {
            throw new InvalidRequest("The conversation was changed while it was being saved; save it again.");
        }
        return window;
    }
}
