package dev.parley.application.gateway;

import dev.parley.application.guard.Guard;
import dev.parley.application.guard.GuardedAnswer;
import dev.parley.application.lane.LaneInput;
import dev.parley.application.lane.MovedChats;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.Happened;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Takes messages from platforms: says at once what is refused, and hands the others to their lane.
 *
 * @param phase how far the gateway has come
 * @param authorization says who may talk
 * @param rules tell lanes apart
 * @param guard guards those who wait for answers
 * @param lanes the lanes
 * @param receipts what platforms wait for
 * @param executor asks what may take a while
 * @param actor tells those who may not talk how to be let in
 * @param movedChats chats that have another id than their lanes
 */
record Reception(
        Phase phase,
        Authorization authorization,
        KeyRules rules,
        Guard guard,
        LaneRegistry lanes,
        Receipts receipts,
        Executor executor,
        Announcer actor,
        MovedChats movedChats) {
    CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        if (phase.is(Phase.State.STOPPED) || phase.is(Phase.State.NEW) || phase.isOver()) {
            receipt.complete(new Receipt.Unavailable("The gateway is not running; try again later."));
            return receipt;
        }
        if (!authorization.mayTalk(message.source())) {
            refuse(message.source(), receipt);
            return receipt;
        }
        hand(
                message.source(),
                receipt,
                key -> lanes.arrive(
                        key, new LaneInput.Arrived(message, GuardedAnswer.of(answer, key, guard), receipt)));
        return receipt;
    }

    CompletionStage<Receipt> happened(Happened what) {
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        if (phase.is(Phase.State.STOPPED) || phase.is(Phase.State.NEW) || phase.isOver()) {
            receipt.complete(new Receipt.Unavailable("The gateway is not running; try again later."));
            return receipt;
        }
        boolean moved = what.event() instanceof ChatEvent.Moved;
        if (!moved && !authorization.mayTalk(what.source())) {
            receipt.complete(
                    new Receipt.Refused(Receipt.Reason.NOT_ALLOWED, "This sender may not talk to the gateway."));
            return receipt;
        }
        if (what.event() instanceof ChatEvent.Moved chat) {
            movedChats.note(what.source(), chat.from());
        }
        hand(what.source(), receipt, key -> lanes.occur(key, new LaneInput.Occurred(what, receipt)));
        return receipt;
    }

    private void hand(SessionSource source, CompletableFuture<Receipt> receipt, Consumer<SessionKey> to) {
        SessionKey key;
        try {
            key = rules.keyOf(movedChats.asBefore(source));
        } catch (IllegalArgumentException e) {
            receipt.complete(new Receipt.Refused(Receipt.Reason.MALFORMED, String.valueOf(e.getMessage())));
            return;
        }
        receipts.add(receipt, Optional.of(key));
        try {
            to.accept(key);
        } catch (RejectedExecutionException e) {
            receipt.complete(new Receipt.Unavailable("The gateway has ended; try again later."));
        }
        if (phase.isOver()) {
            receipts.refuseAll();
        }
    }

    /** Nobody who may not talk ever reaches an agent; in a direct chat they may be told how to be let in. */
    private void refuse(SessionSource source, CompletableFuture<Receipt> receipt) {
        Receipt refused = new Receipt.Refused(Receipt.Reason.NOT_ALLOWED, "This sender may not talk to the gateway.");
        if (!source.chatType().isDm()) {
            receipt.complete(refused);
            return;
        }
        receipts.add(receipt, Optional.empty());
        try {
            executor.execute(() -> {
                Optional<String> invitation = authorization.invitation(source);
                receipt.complete(
                        invitation.isPresent()
                                ? new Receipt.Refused(
                                        Receipt.Reason.UNPAIRED,
                                        "This sender may not talk to the gateway yet and was told how to be let in.")
                                : refused);
                invitation.ifPresent(text -> actor.post(() -> actor.say(source, text)));
            });
        } catch (RejectedExecutionException e) {
            receipt.complete(refused);
        }
    }
}
