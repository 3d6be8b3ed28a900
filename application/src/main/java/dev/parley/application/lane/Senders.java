package dev.parley.application.lane;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.TurnId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Those who wait for something of a lane: platforms for receipts, senders for answers, an operator for what was ordered. Each is told
 * once. Used by the lane's own tasks, but for {@link #offer}, {@link #refuseOffered} and {@link #delayed}.
 */
final class Senders implements Effect.SendersVisitor {
    private final Queue<CompletableFuture<Receipt>> offered = new ConcurrentLinkedQueue<>();
    private final Map<InboundId, AnswerListener> listeners = new LinkedHashMap<>();
    private Optional<CompletableFuture<Receipt>> receipt = Optional.empty();
    private volatile Optional<CompletableFuture<Boolean>> order = Optional.empty();

    // ------------------------------------------------------------------ receipts

    /** A message is about to be handed over. */
    void offer(CompletableFuture<Receipt> arriving) {
        offered.add(arriving);
    }

    /** Refuses the messages that are about to be handed over. */
    void refuseOffered(String why) {
        offered.forEach(each -> each.complete(new Receipt.Unavailable(why)));
        offered.removeIf(CompletableFuture::isDone);
    }

    /** Something was handed over; returns false where it was refused meanwhile. */
    boolean take(LaneInput.HandedIn input) {
        offered.removeIf(each -> each == input.receipt());
        if (input.receipt().isDone()) {
            input.answer().closed("The message was not taken.");
            return false;
        }
        receipt = Optional.of(input.receipt());
        return true;
    }

    /** What was taken has its receipt, or will have it of a later task. */
    void taken() {
        receipt = Optional.empty();
    }

    /** An operator waits for what was ordered. */
    void order(CompletableFuture<Boolean> done) {
        order = Optional.of(done);
    }

    /** The store keeps what was ordered from being done for now: its operator waits no longer. */
    void delayed(String why) {
        order.ifPresent(each -> each.completeExceptionally(
                new StorageUnavailable("The lane waits for its storage and may do this later: " + why, null)));
    }

    /** The task at hand failed: its sender or operator is told. */
    void fail(String why) {
        answer(false);
        receipt.ifPresent(each -> each.complete(new Receipt.Unavailable(why)));
        receipt = Optional.empty();
    }

    private void answer(boolean done) {
        order.ifPresent(each -> each.complete(done));
        order = Optional.empty();
    }

    // ------------------------------------------------------------------ answers

    /** The sender of a message listens from now on to what its step tells of it. */
    void listen(LaneStep step, AnswerListener answer) {
        if (answer == AnswerListener.NONE) {
            return;
        }
        for (Effect effect : step.then()) {
            if (effect instanceof Effect.Receive r && r.receipt() instanceof Receipt.Admitted admitted) {
                listeners.put(admitted.id(), answer);
                return;
            } else if (effect instanceof Effect.Close close && !close.to().isEmpty()) {
                listeners.put(close.to().get(0), answer);
                return;
            }
        }
    }

    boolean isAnybodyListening() {
        return !listeners.isEmpty();
    }

    /** Those who wait for answers get them of whoever gives them elsewhere. */
    void handOver(AnswersElsewhere answers) {
        listeners.forEach(answers::await);
        listeners.clear();
    }

    /** Those who wait for the answers to messages wait no longer. */
    void close(Collection<InboundId> to, String why) {
        to.forEach(each -> Optional.ofNullable(listeners.remove(each)).ifPresent(l -> l.closed(why)));
    }

    /** Nobody waits any longer for an answer. */
    void closeAll(String why) {
        close(List.copyOf(listeners.keySet()), why);
    }

    /** The lane is worked on elsewhere: nobody waits for anything here but for a receipt. */
    void laneTaken(String why) {
        answer(false);
        closeAll(why);
    }

    /** The agent said more of its answer to messages. */
    void streamed(Collection<InboundId> to, TurnId turn, String delta) {
        tell(to, listener -> listener.streamed(turn, delta));
    }

    // ------------------------------------------------------------------ effects

    @Override
    public void receive(Effect.Receive effect) {
        receipt.ifPresent(each -> each.complete(effect.receipt()));
    }

    @Override
    public void reply(Effect.Reply effect) {
        tell(List.of(effect.to()), listener -> listener.replied(effect.reply()));
    }

    @Override
    public void ask(Effect.Ask effect) {
        tell(effect.to(), listener -> listener.asked(effect.question()));
    }

    @Override
    public void finish(Effect.Finish effect) {
        effect.to()
                .forEach(to -> Optional.ofNullable(listeners.remove(to)).ifPresent(l -> l.finished(effect.answer())));
    }

    @Override
    public void close(Effect.Close effect) {
        close(effect.to(), effect.why());
    }

    @Override
    public void waitFor(Effect.WaitFor effect) {
        Optional.ofNullable(listeners.remove(effect.from())).ifPresent(l -> listeners.put(effect.to(), l));
    }

    @Override
    public void answer(Effect.Answer effect) {
        answer(effect.done());
    }

    @Override
    public void refuse(Effect.Refuse effect) {
        order.ifPresent(each -> each.completeExceptionally(effect.why()));
        order = Optional.empty();
    }

    private void tell(Collection<InboundId> to, Consumer<AnswerListener> what) {
        to.forEach(each -> Optional.ofNullable(listeners.get(each)).ifPresent(what));
    }
}
