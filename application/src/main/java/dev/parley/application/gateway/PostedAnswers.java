package dev.parley.application.gateway;

import dev.parley.application.lane.AnswersElsewhere;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.OutgoingQuery;
import dev.parley.application.port.TurnQueue;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Those who wait here for answers that other gateways give: it is looked in the store whether the answers are there. What streams is not
 * told. Safe for concurrent use.
 */
final class PostedAnswers implements AnswersElsewhere {
    private static final int REPLIES = 100;

    private final TurnQueue queue;
    private final Map<InboundId, AnswerListener> waiting = new ConcurrentHashMap<>();

    PostedAnswers(TurnQueue queue) {
        this.queue = queue;
    }

    @Override
    public void await(InboundId message, AnswerListener answer) {
        waiting.put(message, answer);
    }

    /** Looks which answers are there, and tells those who wait for them. */
    void look() {
        waiting.keySet().forEach(this::look);
    }

    private void look(InboundId id) {
        Optional<Inbound> message = queue.inbound(id);
        if (message.isEmpty()) {
            close(id, "The message is not kept any more.");
            return;
        }
        switch (message.get().state()) {
            case ADMITTED, CLAIMED -> {}
            case DROPPED -> close(id, "The message was dropped.");
            case DONE -> done(message.get());
        }
    }

    private void done(Inbound message) {
        Optional<Turn> turn = message.turn().flatMap(queue::turn);
        if (turn.isEmpty()) {
            List<Outgoing> replies = replies(
                    message, each -> each.cause().filter(message.id()::equals).isPresent());
            Optional.ofNullable(waiting.get(message.id())).ifPresent(listener -> replies.forEach(listener::replied));
            awaitQueued(message.id());
            close(message.id(), "Only a command's reply was due.");
            return;
        }
        List<Outgoing> replies = replies(
                message,
                each -> each.kind() == Outgoing.Kind.REPLY
                        && each.turn().filter(turn.get().id()::equals).isPresent());
        switch (turn.get().state()) {
            case CLAIMED -> {}
            case COMPLETED ->
                Optional.ofNullable(waiting.remove(message.id()))
                        .ifPresent(listener -> replies.stream()
                                .findFirst()
                                .ifPresentOrElse(
                                        listener::finished,
                                        () -> listener.finished(turn.get().id(), "")));
            case FAILED, INTERRUPTED, DROPPED -> {
                Optional.ofNullable(waiting.get(message.id()))
                        .ifPresent(listener -> replies.forEach(listener::replied));
                close(message.id(), "The turn was " + turn.get().state().text() + ".");
            }
        }
    }

    /** A command may have put a message into the queue: then the answer to that one is waited for. */
    private void awaitQueued(InboundId command) {
        InboundId queued = AnswersElsewhere.queuedBy(command);
        if (queue.inbound(queued).isPresent()) {
            Optional.ofNullable(waiting.remove(command)).ifPresent(listener -> waiting.put(queued, listener));
        }
    }

    private List<Outgoing> replies(Inbound message, Predicate<Outgoing> wanted) {
        return queue
                // Not only since the message was received: that is by another clock than what answers it.
                .outgoing(OutgoingQuery.first(REPLIES).of(message.lane()))
                .rows()
                .stream()
                .filter(wanted)
                .toList();
    }

    private void close(InboundId id, String why) {
        Optional.ofNullable(waiting.remove(id)).ifPresent(listener -> listener.closed(why));
    }

    /** The gateway ends: nobody waits any longer. */
    void end() {
        waiting.keySet().forEach(id -> close(id, "The gateway has stopped; the message is answered by another node."));
    }
}
