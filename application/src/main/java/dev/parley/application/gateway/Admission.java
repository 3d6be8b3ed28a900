package dev.parley.application.gateway;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Takes messages in: a command takes effect, anything else is stored and waits for its turn, or is turned away honestly. */
final class Admission {
    private final Workings works;
    private final SessionKey key;
    private final LaneDesk desk;
    private final LaneMemory memory;

    Admission(LaneDesk desk) {
        this.works = desk.works;
        this.key = desk.key();
        this.desk = desk;
        this.memory = desk.memory;
    }

    /** Takes a message: a command takes effect, anything else waits for its turn. */
    void admit(Received message, AnswerListener answer, CompletableFuture<Receipt> receipt) {
        try {
            desk.load();
            Optional<Commands.Typed> typed =
                    works.commands.read(message.text()).or(() -> desk.busyLane.approval(message));
            if (typed.isPresent() && (typed.get().command().isPresent() || !desk.isBusy())) {
                desk.commands.run(message, typed.get(), answer, receipt);
            } else {
                plain(message, answer, receipt);
            }
        } catch (StorageUnavailable | StorageCorrupt e) {
            refuse(receipt, answer, e);
        } catch (RuntimeException e) {
            refuse(receipt, answer, e);
            throw e;
        }
    }

    private void refuse(CompletableFuture<Receipt> receipt, AnswerListener answer, RuntimeException e) {
        memory.doubt();
        String why = e instanceof ParleyException
                ? String.valueOf(e.getMessage())
                : "Something went wrong inside the gateway; try again.";
        works.tell(new GatewayEvent.Trouble(Optional.of(key), "A message could not be stored.", Optional.of(e)));
        receipt.complete(new Receipt.Unavailable(why));
        desk.quietly(() -> answer.closed(why));
        desk.catchUpLater();
    }

    /** Returns a message that is next in the lane's order, as it came in. */
    Inbound inbound(Received message, Inbound.Kind kind, Inbound.State state) {
        return memory.next(kind, state, message.source(), message.text(), message.attachments(), named(message));
    }

    private static Optional<PlatformMessage> named(Received message) {
        return message.messageId()
                .map(id -> new PlatformMessage(
                        message.source().platform(), message.source().chatId(), id));
    }

    private void plain(Received message, AnswerListener answer, CompletableFuture<Receipt> receipt) {
        Inbound inbound = inbound(message, Inbound.Kind.MESSAGE, Inbound.State.ADMITTED);
        Optional<StopMode> stopping = works.stopping();
        if (!desk.isBusy() && memory.isQueueEmpty() && stopping.isEmpty() && !works.mayBegin(desk)) {
            turnedAway(
                    message,
                    inbound,
                    "Active session limit reached (" + works.busy.size() + "/"
                            + works.settings.busy().maxLanes().orElse(0)
                            + "). Please try again in a moment.",
                    "active session limit",
                    answer,
                    receipt);
            return;
        }
        if (desk.isBusy()
                && !desk.busyLane.isAnswer(message)
                && memory.followUps() >= works.settings.busy().maxPending()) {
            turnedAway(
                    message,
                    inbound,
                    "Too many messages are waiting (" + memory.followUps()
                            + "); this one was not taken. Please send it again after the next answer.",
                    "too many waiting",
                    answer,
                    receipt);
            return;
        }
        BusyLane.Reaction reaction = desk.busyLane.reaction(message);
        Optional<Outgoing> ack = reaction.ack()
                .filter(text -> desk.busyLane.mayAcknowledge(stopping.isPresent() || works.isHeld()))
                .map(text -> works.outgoing(key, message.source(), text, Outgoing.Kind.ACK, Optional.empty()));
        List<Change> changes = new ArrayList<>(List.of(new Change.PutInbound(inbound)));
        ack.ifPresent(a -> changes.add(new Change.PutOutgoing(a)));
        if (!store(message, receipt, answer, List.of(), changes)) {
            if (!desk.isBusy()) {
                desk.endBusy();
            }
            return;
        }
        memory.admit(inbound, stopping.isPresent() ? AnswerListener.NONE : answer);
        receipt.complete(new Receipt.Admitted(inbound.id(), key));
        boolean taken = reaction.effect().test(inbound);
        if (!taken && (desk.isBusy() || stopping.isPresent() || works.isHeld())) {
            works.tell(new GatewayEvent.Queued(key, memory.depth()));
        }
        ack.ifPresent(a -> {
            desk.busyLane.acknowledged();
            desk.outbox.add(a);
            desk.quietly(() -> answer.replied(a));
        });
        if (stopping.isPresent()) {
            desk.quietly(() -> answer.closed(Draining.KEPT));
        }
        desk.next();
    }

    /** Stores what a message brings, together with its platform id; says what became of it otherwise. */
    boolean store(
            Received message,
            CompletableFuture<Receipt> receipt,
            AnswerListener answer,
            List<Precondition> preconditions,
            List<Change> changes) {
        List<Precondition> all = new ArrayList<>();
        Optional<PlatformMessage> name = named(message);
        name.ifPresent(n -> all.add(new Precondition.NotReceived(n)));
        all.addAll(preconditions);
        CommitResult result = works.storage.ledger().commit(desk.batch(all, changes));
        if (result instanceof CommitResult.Conflict conflict) {
            if (conflict.failed() instanceof Precondition.NotReceived n) {
                duplicate(n.message(), receipt, answer);
            } else {
                memory.doubt();
            }
            return false;
        }
        return true;
    }

    private void duplicate(PlatformMessage name, CompletableFuture<Receipt> receipt, AnswerListener answer) {
        Optional<Inbound> before = works.storage.queue().received(name);
        receipt.complete(
                before.isPresent()
                        ? new Receipt.Duplicate(before.get().id(), before.get().lane())
                        : new Receipt.Unavailable("The message seems to be known but cannot be found; try again."));
        desk.quietly(() -> answer.closed("This message was received before."));
        desk.catchUp();
    }

    private void turnedAway(
            Received message,
            Inbound inbound,
            String text,
            String why,
            AnswerListener answer,
            CompletableFuture<Receipt> receipt) {
        Inbound dropped = inbound.in(Inbound.State.DROPPED);
        Outgoing reply = works.outgoing(key, message.source(), text, Outgoing.Kind.NOTICE, Optional.empty());
        if (!store(
                message,
                receipt,
                answer,
                List.of(),
                List.of(new Change.PutInbound(dropped), new Change.PutOutgoing(reply)))) {
            return;
        }
        memory.used(dropped);
        receipt.complete(new Receipt.Admitted(dropped.id(), key));
        works.tell(new GatewayEvent.Dropped(key, why));
        desk.quietly(() -> answer.replied(reply));
        desk.quietly(() -> answer.closed(why));
        desk.outbox.add(reply);
    }
}
