package dev.parley.application.lane;

import dev.parley.application.port.AnswerListener;
import dev.parley.domain.turn.InboundId;

/** Those who wait here for answers that another gateway gives. Safe for concurrent use. */
@FunctionalInterface
public interface AnswersElsewhere {
    /** Somebody waits from now on; returns at once. */
    void await(InboundId message, AnswerListener answer);

    /** Returns the id of the message that a command of this id puts into the queue for somebody who waits at another gateway. */
    static InboundId queuedBy(InboundId command) {
        return new InboundId(command.value() + "-queued");
    }
}
