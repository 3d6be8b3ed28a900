package dev.parley.testing;

import dev.parley.application.port.AnswerListener;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.util.Optional;

/** What came back for one message: the answer, the agent's question, or why neither comes. Safe for concurrent use. */
final class HeardAnswer implements AnswerListener {
    private Optional<String> text = Optional.empty();
    private Optional<String> reply = Optional.empty();
    private Optional<String> closed = Optional.empty();

    @Override
    public synchronized void replied(Outgoing said) {
        reply = Optional.of(said.text());
    }

    @Override
    public synchronized void asked(Outgoing question) {
        text = text.or(() -> Optional.of(question.text()));
    }

    @Override
    public synchronized void finished(TurnId turn, String answer) {
        text = text.or(() -> Optional.of(answer));
    }

    @Override
    public synchronized void closed(String why) {
        closed = Optional.of(why);
    }

    /** Returns whether nothing more is to come. */
    synchronized boolean isOver() {
        return text.isPresent() || closed.isPresent();
    }

    /** Returns what was heard: an answer or a question, else the gateway's own reply to a command. */
    synchronized Optional<String> text() {
        return text.or(() -> closed.isPresent() ? reply : Optional.empty());
    }

    /** Returns why no answer came; absent where one may still come. */
    synchronized Optional<String> why() {
        return closed;
    }
}
