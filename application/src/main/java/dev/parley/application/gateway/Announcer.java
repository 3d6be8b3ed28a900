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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The gateway's own actor: what happens to the whole gateway happens here, and the operator's chats are told. Never retires. */
final class Announcer extends Actor {
    private final ActorHost host;
    private final Deliveries deliveries;

    /** Those who want to know whether this gets on. */
    private final Queue<CompletableFuture<Void>> asked = new ConcurrentLinkedQueue<>();

    Announcer(ActorHost host, Deliveries deliveries) {
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

    /** Returns what completes once a task posted now is reached, or while the store is waited for: that is no hang. */
    CompletionStage<Void> alive() {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        asked.add(answer);
        if (trouble().isPresent() || !post(this::answer)) {
            answer();
        }
        return answer.minimalCompletionStage();
    }

    @Override
    protected void troubled(String why) {
        answer();
    }

    private void answer() {
        for (CompletableFuture<Void> each = asked.poll(); each != null; each = asked.poll()) {
            each.complete(null);
        }
    }

    /** Says something to somebody of whom the gateway keeps nothing else. The last thing a task does. */
    void say(SessionSource to, String text) {
        Outgoings outgoings = new Outgoings(host.timing().ids(), host.timing().now());
        Outgoing message = outgoings.to(to, text, Outgoing.Kind.NOTICE);
        commit(List.of(), List.of(new Change.PutOutgoing(message)), stored -> deliveries.add(message));
    }

    /** Tells chats something, once it is stored together with {@code more}; then {@code next}. The last thing a task does. */
    void announce(List<HomeChannel> channels, String text, Outgoing.Kind kind, List<Change> more, Runnable next) {
        Outgoings outgoings = new Outgoings(host.timing().ids(), host.timing().now());
        List<Outgoing> messages =
                channels.stream().map(home -> outgoings.to(home, text, kind)).toList();
        List<Change> changes = new ArrayList<>(more);
        messages.forEach(message -> changes.add(new Change.PutOutgoing(message)));
        if (changes.isEmpty()) {
            next.run();
            return;
        }
        commit(List.of(), changes, stored -> {
            messages.forEach(deliveries::add);
            then(next);
        });
    }
}
