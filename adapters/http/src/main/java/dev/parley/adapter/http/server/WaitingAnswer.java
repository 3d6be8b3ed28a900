package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.AnswerListener;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.TurnId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Gathers the answer to one message for a caller that waits for all of it. */
final class WaitingAnswer implements AnswerListener {
    private final CompletableFuture<ObjectNode> outcome = new CompletableFuture<>();
    private final Map<OutgoingId, Outgoing> replies = new LinkedHashMap<>();

    /** Completes with the answer, or with what there is when waiting ends. */
    CompletableFuture<ObjectNode> outcome() {
        return outcome;
    }

    @Override
    public synchronized void replied(Outgoing reply) {
        replies.putIfAbsent(reply.id(), reply);
    }

    @Override
    public synchronized void asked(Outgoing question) {
        replied(question);
        outcome.complete(body("asked")
                .put("turn", question.turn().map(TurnId::value).orElse(null))
                .put("reply", question.text())
                .set("messages", messages()));
    }

    @Override
    public synchronized void finished(Outgoing answer) {
        ObjectNode body = body("answered")
                .put("turn", answer.turn().map(TurnId::value).orElse(null))
                .put("reply", answer.text());
        outcome.complete(SentFiles.named(body, answer).set("messages", messages()));
    }

    @Override
    public synchronized void finished(TurnId turn, String text) {
        outcome.complete(
                body("answered").put("turn", turn.value()).put("reply", text).set("messages", messages()));
    }

    @Override
    public synchronized void closed(String why) {
        ObjectNode body = body("closed").putNull("turn");
        replies.values().stream()
                .filter(reply -> reply.kind() == Outgoing.Kind.REPLY)
                .reduce((earlier, later) -> later)
                .ifPresentOrElse(reply -> body.put("reply", reply.text()), () -> body.putNull("reply"));
        outcome.complete(body.put("why", why).set("messages", messages()));
    }

    /** Ends the waiting; the message is kept and will be answered. */
    synchronized void giveUp(String why) {
        outcome.complete(
                body("waiting").putNull("turn").putNull("reply").put("why", why).set("messages", messages()));
    }

    private static ObjectNode body(String status) {
        return Json.object().put("status", status);
    }

    private ArrayNode messages() {
        ArrayNode rows = Json.object().putArray("messages");
        replies.values().forEach(reply -> rows.add(LiveRows.outgoing(reply)));
        return rows;
    }
}
