package dev.parley.application.guard;

import dev.parley.application.port.AnswerListener;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.util.Optional;

/**
 * A listener whose failures harm nobody.
 *
 * @param listener the listener
 * @param lane the lane it listens to
 * @param guard tells its failures
 */
public record GuardedAnswer(AnswerListener listener, SessionKey lane, Guard guard) implements AnswerListener {
    /** Returns a listener guarded; the one that stands for nobody as it is. */
    public static AnswerListener of(AnswerListener listener, SessionKey lane, Guard guard) {
        return listener == NONE ? NONE : new GuardedAnswer(listener, lane, guard);
    }

    @Override
    public void streamed(TurnId turn, String delta) {
        quietly(() -> listener.streamed(turn, delta));
    }

    @Override
    public void replied(Outgoing reply) {
        quietly(() -> listener.replied(reply));
    }

    @Override
    public void asked(Outgoing question) {
        quietly(() -> listener.asked(question));
    }

    @Override
    public void finished(Outgoing answer) {
        quietly(() -> listener.finished(answer));
    }

    @Override
    public void finished(TurnId turn, String text) {
        quietly(() -> listener.finished(turn, text));
    }

    @Override
    public void closed(String why) {
        quietly(() -> listener.closed(why));
    }

    private void quietly(Runnable call) {
        guard.run(Optional.of(lane), "Whoever waits for an answer failed.", call);
    }
}
