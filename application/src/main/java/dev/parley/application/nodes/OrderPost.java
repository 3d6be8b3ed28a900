package dev.parley.application.nodes;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.PostedOrder;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.port.Timers;
import dev.parley.domain.turn.LifeId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Asks something of a lane that another gateway works on, or any may: stores an order for them, and looks for what came of it.
 *
 * @param cluster the gateways that share the store
 * @param timers runs what looks
 */
public record OrderPost(Cluster cluster, Timers timers) {
    private static final Duration LOOK = Duration.ofMillis(250);

    /**
     * Stores an order. Once {@code done} is completed by somebody else, the order is taken back where nobody has begun with it.
     *
     * @param holder who works on the lane, to be woken; absent where that is not known
     * @param done completed with whether it was done; exceptionally where the store fails
     */
    public void post(PostedOrder order, Optional<LifeId> holder, CompletableFuture<Boolean> done) {
        orFail(done, () -> {
            cluster.post(order);
            holder.ifPresent(life -> cluster.wakes().wake(life, order.lane()));
            look(order, done);
        });
    }

    private void look(PostedOrder order, CompletableFuture<Boolean> done) {
        timers.after(
                LOOK,
                () -> orFail(done, () -> {
                    if (done.isDone()) {
                        cluster.withdraw(order.id());
                        return;
                    }
                    Optional<Boolean> outcome = cluster.outcome(order.id());
                    if (outcome.isPresent()) {
                        done.complete(outcome.get());
                    } else {
                        look(order, done);
                    }
                }));
    }

    /** The order may be followed all the same where the store fails only now. */
    private static void orFail(CompletableFuture<Boolean> done, Runnable step) {
        try {
            step.run();
        } catch (ParleyException e) {
            done.completeExceptionally(e);
        } catch (RuntimeException e) {
            done.completeExceptionally(new StorageUnavailable(
                    "Whether the lane has done it is not known (" + StrippedFailure.line(e) + "); look again.", e));
        }
    }
}
