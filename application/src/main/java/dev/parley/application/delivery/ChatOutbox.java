package dev.parley.application.delivery;

import dev.parley.application.actor.Actor;
import dev.parley.application.actor.ActorHost;
import dev.parley.application.actor.Backoff;
import dev.parley.application.actor.Timing;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Timers;
import dev.parley.application.settings.Delivery;
import dev.parley.domain.change.Change;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the stored messages of one chat, one at a time and in the order in which they were stored, whoever stored them. The
 * attempt is stored before each send and the delivery after it; where the platform recognises repeats, the delivery alone. What
 * cannot be delivered is tried again until it is older than its limit; then it is reported. A send that takes too long counts as
 * failed; should it arrive all the same, that is stored.
 */
final class ChatOutbox extends Actor {
    /** How long somebody waits for a send that is under way. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Backoff PAUSES = new Backoff(Duration.ofSeconds(1), 8);

    private final Executor executor;
    private final Timing timing;
    private final GatewayEvents events;
    private final Connections connections;
    private final Delivery settings;
    private final Runnable changed;
    private final AtomicInteger offered = new AtomicInteger();
    private final Deque<Outgoing> waiting = new ArrayDeque<>();
    private final Map<OutgoingId, Runnable> attempted = new LinkedHashMap<>();
    private Optional<Attempt> sending = Optional.empty();
    private Timers.@Nullable Timer retry;
    private volatile boolean quiet = true;

    ChatOutbox(
            ActorHost host,
            Connections connections,
            Delivery settings,
            Runnable changed,
            Consumer<? super Actor> gone) {
        super(host, Optional.empty(), gone);
        this.executor = host.executor();
        this.timing = host.timing();
        this.events = host.events();
        this.connections = connections;
        this.settings = settings;
        this.changed = changed;
    }

    /** One send. Written by the outbox's tasks. */
    private static final class Attempt {
        final Outgoing message;
        final ChatPlatform platform;
        Timers.@Nullable Timer limit;
        boolean slow;
        boolean hangs;

        Attempt(Outgoing message, ChatPlatform platform) {
            this.message = message;
            this.platform = platform;
        }
    }

    @Override
    protected boolean isIdle() {
        return waiting.isEmpty() && sending.isEmpty() && offered.get() == 0;
    }

    /** Whatever went wrong, the head is tried again later. */
    @Override
    protected void faulted(Throwable failure) {
        sending.ifPresent(this::over);
        Outgoing head = waiting.peekFirst();
        if (head != null) {
            retryAfter(PAUSES.pause(head.attempts(), timing.ids()));
        }
    }

    /** Notes, from any thread, that messages are about to be handed over. */
    boolean offer() {
        offered.incrementAndGet();
        return true;
    }

    /** Takes a stored message, unless it has it already; {@code then} runs once its first attempt has ended or is put off. */
    void take(Outgoing message, Runnable then) {
        // Before the message counts as offered no more: in between a stop would see nothing on its way.
        quiet = false;
        offered.decrementAndGet();
        if (!isWaiting(message.id())) {
            waiting.add(message);
        }
        attempted.put(message.id(), then);
        pump();
    }

    private boolean isWaiting(OutgoingId id) {
        return waiting.stream().anyMatch(w -> w.id().equals(id));
    }

    /** Tries again at once, as its platform has become able to send. */
    void poke() {
        cancelRetry();
        pump();
    }

    /** Returns whether nothing is being sent that could be, though something may wait for its platform; asked from any thread. */
    boolean isQuiet() {
        return quiet && offered.get() == 0;
    }

    /** Tells those who wait for a first attempt that has ended, that is put off, or that takes too long to wait for. */
    private void tellAttempted() {
        boolean underWay = sending.filter(attempt -> !attempt.slow).isPresent();
        List<OutgoingId> over = attempted.keySet().stream()
                .filter(id -> !underWay || !isWaiting(id))
                .toList();
        over.forEach(id -> Optional.ofNullable(attempted.remove(id)).ifPresent(Runnable::run));
    }

    @Override
    protected void settled() {
        tellAttempted();
        Outgoing head = waiting.peekFirst();
        boolean now = sending.map(a -> a.hangs)
                .orElse(head == null || connections.sender(head.platform()).isEmpty());
        quiet = now;
        if (now) {
            changed.run();
        }
    }

    private void pump() {
        Outgoing head = waiting.peekFirst();
        if (sending.isPresent() || retry != null || head == null) {
            return;
        }
        if (DeliveryRules.isTooOld(head, timing.now(), settings)) {
            giveUp(head);
            return;
        }
        Optional<ChatPlatform> platform = connections.sender(head.platform());
        if (platform.isEmpty()) {
            Duration age = Duration.between(head.createdAt(), timing.now());
            retryAfter(DeliveryRules.limit(head, settings).minus(age).plusMillis(1));
            return;
        }
        Attempt attempt = new Attempt(head.attempted(timing.now()), platform.get());
        sending = Optional.of(attempt);
        if (connections.recognisesRepeats(head.platform())) {
            begin(attempt);
        } else {
            commit(List.of(), List.of(new Change.PutOutgoing(attempt.message)), stored -> begin(attempt));
        }
    }

    private void begin(Attempt attempt) {
        attempt.limit = later(PATIENCE, () -> takesLong(attempt));
        executor.execute(() -> {
            Optional<Throwable> failure = send(attempt);
            post(() -> ended(attempt, failure));
        });
    }

    private static Optional<Throwable> send(Attempt attempt) {
        try {
            attempt.platform.send(attempt.message);
            return Optional.empty();
        } catch (Throwable e) {
            return Optional.of(e);
        }
    }

    private void takesLong(Attempt attempt) {
        if (sending.equals(Optional.of(attempt))) {
            attempt.slow = true;
            attempt.limit = later(settings.sendTimeout().minus(PATIENCE), () -> tookTooLong(attempt));
        }
    }

    private void tookTooLong(Attempt attempt) {
        if (!sending.equals(Optional.of(attempt))) {
            return;
        }
        attempt.hangs = true;
        connections.hangs(attempt.platform);
        sending = Optional.empty();
        failed(
                attempt,
                new TimeoutException("The platform " + attempt.platform.name() + " has not answered for "
                        + settings.sendTimeout().toSeconds() + " s."));
    }

    private void ended(Attempt attempt, Optional<Throwable> failure) {
        boolean late = attempt.hangs;
        over(attempt);
        Outgoing head = waiting.peekFirst();
        if (head == null || !head.id().equals(attempt.message.id())) {
            pump();
            return;
        }
        if (failure.isEmpty()) {
            cancelRetry();
            sending = Optional.of(attempt);
            commit(List.of(), List.of(new Change.PutOutgoing(attempt.message.delivered())), stored -> {
                over(attempt);
                leave();
                events.on(new GatewayEvent.Sent(attempt.message.delivered()));
            });
        } else if (late) {
            pump();
        } else {
            failed(attempt, failure.get());
        }
    }

    private void over(Attempt attempt) {
        if (attempt.limit != null) {
            attempt.limit.cancel();
            attempt.limit = null;
        }
        if (attempt.hangs) {
            attempt.hangs = false;
            connections.returned(attempt.platform);
        }
        if (sending.equals(Optional.of(attempt))) {
            sending = Optional.empty();
        }
    }

    private void failed(Attempt attempt, Throwable failure) {
        Outgoing begun = attempt.message.failed(cause(failure), Optional.empty());
        boolean permanent = failure instanceof DeliveryFailed f && f.isPermanent();
        boolean unknown = !(failure instanceof DeliveryFailed);
        boolean mayRepeat = DeliveryRules.mayRepeat(settings, connections.recognisesRepeats(begun.platform()));
        if (permanent || (unknown && !mayRepeat)) {
            trouble(begun, "A message was not delivered and is given up.", failure);
            giveUp(begun);
            return;
        }
        if (begun.attempts() == 1) {
            trouble(begun, "A message was not delivered; trying again.", failure);
        }
        waiting.pollFirst();
        waiting.addFirst(begun);
        retryAfter(PAUSES.pause(begun.attempts() - 1, timing.ids()));
    }

    /** Why an attempt failed, as it is stored with what is stored of the message next. */
    private static String cause(Throwable failure) {
        String said = failure.getMessage();
        return said == null || said.isBlank() ? failure.getClass().getSimpleName() : said;
    }

    private void trouble(Outgoing message, String what, Throwable failure) {
        events.on(new GatewayEvent.Trouble(message.lane(), what, Optional.of(failure)));
    }

    private void giveUp(Outgoing message) {
        commit(List.of(), List.of(new Change.PutOutgoing(message.expired())), stored -> {
            leave();
            events.on(new GatewayEvent.Expired(message.expired()));
        });
    }

    private void leave() {
        waiting.pollFirst();
        then(this::pump);
    }

    private void retryAfter(Duration pause) {
        cancelRetry();
        retry = later(pause, () -> {
            retry = null;
            pump();
        });
    }

    private void cancelRetry() {
        if (retry != null) {
            retry.cancel();
            retry = null;
        }
    }
}
