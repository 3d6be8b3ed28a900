package dev.parley.application.gateway;

import dev.parley.application.actor.Actor;
import dev.parley.application.actor.ActorHost;
import dev.parley.application.delivery.Deliveries;
import dev.parley.application.delivery.Outgoings;
import dev.parley.domain.change.Change;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the gateway as a whole reads and stores while it runs: it waits for the store where that is away, and the {@link GatewayActor} does
 * not. Here the operator's chats are told. Never retires.
 */
final class StoreActor extends Actor {
    private final ActorHost host;
    private final Deliveries deliveries;

    StoreActor(ActorHost host, Deliveries deliveries) {
        super(host, Optional.empty(), gone -> {});
        this.host = host;
        this.deliveries = deliveries;
    }

    @Override
    protected boolean isIdle() {
        return false;
    }

    @Override
    protected void faulted(Throwable failure) {
        // The failure is told; the next task runs.
    }

    /** Says something to somebody of whom the gateway keeps nothing else; from any thread, returns at once. */
    void say(SessionSource to, String text) {
        Outgoing message = outgoings().to(to, text, Outgoing.Kind.NOTICE);
        post(() -> store(List.of(message), List.of(), () -> {}));
    }

    private Outgoings outgoings() {
        return new Outgoings(host.timing().ids(), host.timing().now());
    }

    /** Tells chats something, once it is stored together with {@code more}; then {@code next}. The last thing a step of this actor does. */
    void announce(List<HomeChannel> channels, String text, Outgoing.Kind kind, List<Change> more, Runnable next) {
        Outgoings outgoings = outgoings();
        List<Outgoing> messages =
                channels.stream().map(home -> outgoings.to(home, text, kind)).toList();
        if (messages.isEmpty() && more.isEmpty()) {
            next.run();
        } else {
            store(messages, more, () -> then(next));
        }
    }

    private void store(List<Outgoing> messages, List<Change> more, Runnable next) {
        List<Change> changes = new ArrayList<>(more);
        messages.forEach(message -> changes.add(new Change.PutOutgoing(message)));
        Runnable storing = () -> commit(List.of(), changes, stored -> {
            messages.forEach(deliveries::add);
            next.run();
        });
        if (lock(deliveries.lock(changes), storing)) {
            storing.run();
        }
    }
}
