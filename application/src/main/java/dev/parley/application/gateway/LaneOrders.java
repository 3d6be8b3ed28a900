package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.commands.OperatorOrders;
import dev.parley.application.lane.LaneInput;
import dev.parley.application.nodes.OrderPost;
import dev.parley.application.port.HeldElsewhere;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.PostedOrder;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.InboundId;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * What operators ask of lanes: done here where this gateway works on the lane or nobody does, and at the node that works on it otherwise.
 *
 * @param storage the store
 * @param lanes the lanes at work
 * @param requests waits for answers
 * @param timing time and chance
 * @param post asks other gateways; absent where there are none
 */
record LaneOrders(Storage storage, LaneRegistry lanes, Requests requests, Timing timing, Optional<OrderPost> post) {
    /**
     * Asks something of a lane and waits for the answer.
     *
     * @param epoch the lane's epoch when the operator looked; absent where they did not
     * @return whether it was done
     * @throws StorageUnavailable where there is no answer in time
     */
    boolean ask(PostedOrder.What what, SessionKey key, OptionalLong epoch) {
        return requests.ask(done -> {
            CompletableFuture<Boolean> here = new CompletableFuture<>();
            var unused = here.whenComplete((was, failure) -> {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                if (cause instanceof HeldElsewhere held && post.isPresent()) {
                    timing.after(Duration.ZERO, () -> elsewhere(what, key, epoch, held, done));
                } else if (cause != null) {
                    done.completeExceptionally(cause);
                } else {
                    done.complete(was);
                }
            });
            lanes.ask(key, input(what, epoch, here));
        });
    }

    /**
     * Has a lane go back to a session and waits for the answer.
     *
     * @return whether it did
     * @throws HeldElsewhere where another gateway works on the lane
     */
    boolean resume(SessionKey key, SessionId session, long epoch) {
        return requests.ask(done -> lanes.ask(
                key, ordered(context -> OperatorOrders.resume(context, session), OptionalLong.of(epoch), done)));
    }

    /**
     * Has a lane drop a message that waits, and waits for the answer.
     *
     * @return whether it waited
     * @throws HeldElsewhere where another gateway works on the lane
     */
    boolean drop(SessionKey key, InboundId message) {
        return requests.ask(done -> lanes.ask(key, new LaneInput.Withdrawn(message, done)));
    }

    private void elsewhere(
            PostedOrder.What what,
            SessionKey key,
            OptionalLong epoch,
            HeldElsewhere held,
            CompletableFuture<Boolean> done) {
        try {
            Optional<Lane> lane = storage.lanes().find(key);
            if (lane.isEmpty()) {
                done.complete(false);
                return;
            }
            PostedOrder order = new PostedOrder(
                    timing.ids().unique("order"),
                    key,
                    what,
                    epoch.orElse(lane.get().epoch()));
            post.orElseThrow().post(order, held.holder(), done);
        } catch (ParleyException e) {
            done.completeExceptionally(e);
        }
    }

    /** Returns what a lane is told of an order. */
    static LaneInput input(PostedOrder.What what, OptionalLong epoch, CompletableFuture<Boolean> done) {
        return switch (what) {
            case INTERRUPT -> new LaneInput.Interrupted(done);
            case RESET -> ordered(OperatorOrders::reset, epoch, done);
            case SUSPEND -> ordered(OperatorOrders::suspend, epoch, done);
            case UNSUSPEND -> ordered(OperatorOrders::unsuspend, epoch, done);
            case UNRESET -> ordered(OperatorOrders::unreset, epoch, done);
        };
    }

    private static LaneInput ordered(
            Function<CommandContext, Optional<CommandOutcome>> order,
            OptionalLong epoch,
            CompletableFuture<Boolean> done) {
        return new LaneInput.Ordered(epoch.isPresent() ? OperatorOrders.seenAt(epoch.getAsLong(), order) : order, done);
    }
}
