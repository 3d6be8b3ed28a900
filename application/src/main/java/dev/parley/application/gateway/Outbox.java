package dev.parley.application.gateway;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Timers;
import dev.parley.domain.change.Change;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Delivers a desk's stored messages, one at a time and in order (architecture, section 7, rule 7): the attempt is stored before
 * each send, the delivery after it. What cannot be delivered is tried again until it is older than the limit; then it is reported.
 */
final class Outbox {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 8;

    private final Desk desk;
    private final Deque<Outgoing> waiting = new ArrayDeque<>();
    private final Map<OutgoingId, Runnable> attempted = new HashMap<>();
    private boolean sending;
    private volatile boolean quiet = true;
    private Timers.@Nullable Timer retry;

    Outbox(Desk desk) {
        this.desk = desk;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Returns whether a message is among those to be delivered. */
    boolean holds(Outgoing message) {
        return waiting.stream().anyMatch(w -> w.id().equals(message.id()));
    }

    /** Returns whether nothing is being sent, though something may wait for its platform; asked from any thread. */
    boolean isQuiet() {
        return quiet;
    }

    private void noteQuiet() {
        Outgoing head = waiting.peekFirst();
        quiet = head == null || (!sending && !works().canSend(head));
    }

    /** Adds a stored message. */
    void add(Outgoing message) {
        add(message, () -> {});
    }

    /** Adds a stored message; {@code then} runs once its first attempt has ended or is put off. */
    void add(Outgoing message, Runnable then) {
        waiting.add(message);
        attempted.put(message.id(), then);
        noteQuiet();
        desk.then(this::pump);
    }

    /** Tries again at once, as its platform has become able to send. */
    void poke() {
        cancelRetry();
        desk.then(this::pump);
    }

    private Workings works() {
        return desk.works;
    }

    private void pump() {
        if (sending || retry != null) {
            return;
        }
        Outgoing head = waiting.peekFirst();
        if (head == null) {
            return;
        }
        Duration age = Duration.between(head.createdAt(), works().now());
        Duration limit = works().settings.delivery().limit();
        if (age.compareTo(limit) > 0) {
            giveUp(head);
            return;
        }
        Optional<ChatPlatform> platform = works().platformFor(head.platform());
        if (platform.isEmpty()) {
            noteQuiet();
            works().changed();
            waiting.forEach(this::settle);
            retryAfter(limit.minus(age).plusMillis(1));
            return;
        }
        sending = true;
        Outgoing begun = head.attempted();
        desk.commit(
                List.of(),
                List.of(new Change.PutOutgoing(begun)),
                stored -> works().run(() -> {
                    Optional<Throwable> failure = send(platform.get(), begun);
                    desk.post(() -> ended(begun, failure));
                }));
    }

    private static Optional<Throwable> send(ChatPlatform platform, Outgoing message) {
        try {
            platform.send(message);
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e);
        }
    }

    private void ended(Outgoing begun, Optional<Throwable> failure) {
        if (failure.isEmpty()) {
            desk.commit(List.of(), List.of(new Change.PutOutgoing(begun.delivered())), stored -> {
                leave(begun);
                works().tell(new GatewayEvent.Sent(begun.delivered()));
            });
            return;
        }
        boolean permanent = failure.get() instanceof DeliveryFailed f && f.isPermanent();
        boolean unknown = !(failure.get() instanceof DeliveryFailed);
        if (permanent || (unknown && !works().mayRepeat(begun.platform()))) {
            works().tell(new GatewayEvent.Trouble(
                    begun.lane(), "A message was not delivered and is given up.", failure));
            giveUp(begun);
            return;
        }
        if (begun.attempts() == 1) {
            works().tell(new GatewayEvent.Trouble(begun.lane(), "A message was not delivered; trying again.", failure));
        }
        sending = false;
        waiting.pollFirst();
        waiting.addFirst(begun);
        settle(begun);
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(begun.attempts() - 1, MOST_DOUBLINGS));
        retryAfter(pause.plus(works().ids.jitter(Duration.ZERO, pause.dividedBy(4))));
    }

    private void giveUp(Outgoing message) {
        sending = true;
        desk.commit(List.of(), List.of(new Change.PutOutgoing(message.expired())), stored -> {
            leave(message);
            works().tell(new GatewayEvent.Expired(message.expired()));
        });
    }

    private void leave(Outgoing message) {
        sending = false;
        waiting.pollFirst();
        noteQuiet();
        settle(message);
        desk.then(this::pump);
        works().changed();
    }

    private void settle(Outgoing message) {
        Runnable then = attempted.remove(message.id());
        if (then != null) {
            then.run();
        }
    }

    private void retryAfter(Duration pause) {
        cancelRetry();
        retry = works().timers
                .after(
                        pause,
                        () -> desk.post(() -> {
                            retry = null;
                            pump();
                        }));
    }

    private void cancelRetry() {
        if (retry != null) {
            retry.cancel();
            retry = null;
        }
    }
}
