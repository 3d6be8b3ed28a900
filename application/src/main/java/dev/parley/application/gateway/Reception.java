package dev.parley.application.gateway;

import dev.parley.application.guard.Guard;
import dev.parley.application.guard.GuardedAnswer;
import dev.parley.application.lane.LaneInput;
import dev.parley.application.lane.MovedChats;
import dev.parley.application.port.AnswerListener;
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
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Takes messages from platforms: says at once what is refused, and hands the others to their lane.
 *
 * @param phase how far the gateway has come
 * @param entrance asks who may talk
 * @param rules tell lanes apart
 * @param guard guards those who wait for answers
 * @param lanes the lanes
 * @param receipts what platforms wait for
 * @param announcer tells those who may not talk how to be let in
 * @param movedChats chats that have another id than their lanes
 */
record Reception(
        Phase phase,
        Entrance entrance,
        KeyRules rules,
        Guard guard,
        LaneRegistry lanes,
        Receipts receipts,
        StoreActor announcer,
        MovedChats movedChats) {
    private static final Receipt NOT_RUNNING = new Receipt.Unavailable("The gateway is not running; try again later.");

    private static final Receipt NOT_ALLOWED =
            new Receipt.Refused(Receipt.Reason.NOT_ALLOWED, "This sender may not talk to the gateway.");

    CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
        if (!phase.takesMessages()) {
            return CompletableFuture.completedFuture(NOT_RUNNING);
        }
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        isWaitedFor(receipt);
        entrance.ask(
                message.source(),
                may -> orUnavailable(receipt, () -> {
                    if (!may) {
                        refuse(message.source(), receipt);
                        return;
                    }
                    hand(
                            message.source(),
                            receipt,
                            key -> lanes.arrive(
                                    key,
                                    new LaneInput.Arrived(message, GuardedAnswer.of(answer, key, guard), receipt)));
                }));
        return receipt;
    }

    CompletionStage<Receipt> happened(Happened what) {
        if (!phase.takesMessages()) {
            return CompletableFuture.completedFuture(NOT_RUNNING);
        }
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        isWaitedFor(receipt);
        Runnable handing =
                () -> hand(what.source(), receipt, key -> lanes.occur(key, new LaneInput.Occurred(what, receipt)));
        if (what.event() instanceof ChatEvent.Moved chat) {
            entrance.pass(
                    what.source(),
                    () -> orUnavailable(receipt, () -> {
                        movedChats.note(what.source(), chat.from());
                        handing.run();
                    }));
            return receipt;
        }
        entrance.ask(
                what.source(),
                may -> orUnavailable(receipt, () -> {
                    if (may) {
                        handing.run();
                    } else {
                        receipt.complete(NOT_ALLOWED);
                    }
                }));
        return receipt;
    }

    CompletionStage<Boolean> mayTalk(SessionSource source) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        entrance.ask(source, answer::complete);
        return answer;
    }

    /** Takes a step with what was handed in; where that throws its platform is told so at once. */
    private void orUnavailable(CompletableFuture<Receipt> receipt, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            guard.tell(Optional.empty(), "What a platform has handed in could not be handed on.", e);
            receipt.complete(new Receipt.Unavailable("Something went wrong inside the gateway; try again."));
        }
    }

    /** While somebody is asked who may talk, a stop and the time of a receipt end the platform's wait. */
    private void isWaitedFor(CompletableFuture<Receipt> receipt) {
        if (!entrance.answersAtOnce()) {
            receipts.add(receipt, Optional.empty());
        }
    }

    private void hand(SessionSource source, CompletableFuture<Receipt> receipt, Consumer<SessionKey> to) {
        if (receipt.isDone()) {
            return;
        }
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
        if (!source.chatType().isDm()) {
            receipt.complete(NOT_ALLOWED);
            return;
        }
        receipts.add(receipt, Optional.empty());
        entrance.invite(source, invitation -> {
            receipt.complete(
                    invitation.isPresent()
                            ? new Receipt.Refused(
                                    Receipt.Reason.UNPAIRED,
                                    "This sender may not talk to the gateway yet and was told how to be let in.")
                            : NOT_ALLOWED);
            invitation.ifPresent(text -> announcer.say(source, text));
        });
    }
}
