package dev.parley.application.delivery;

import dev.parley.application.ability.Asking;
import dev.parley.application.actor.Actor;
import dev.parley.application.actor.ActorHost;
import dev.parley.application.actor.Backoff;
import dev.parley.application.actor.Timing;
import dev.parley.application.nodes.Membership;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvent.Expired.Why;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Sent;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.settings.Delivery;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.SentPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the stored messages of one chat, one at a time and in the order in which they were stored, whoever stored them. The
 * attempt is stored before each send and the delivery after it; where the platform recognises repeats, the delivery alone. Of a
 * platform that sends in parts each part is stored before the next is sent, so that a later attempt continues behind it. What cannot be
 * delivered is tried again, not before the platform's own pause is over, until it is older than its limit; then it is reported. A send
 * that takes too long counts as failed; should it arrive all the same, that is stored, also of a message that was given up meanwhile. The outbox
 * stays until each such send has returned.
 *
 * <p>What follows a step's own changes is a step of its own ({@code then}), since a step whose reads fail is repeated whole.
 */
final class ChatOutbox extends Actor {
    /** How long somebody waits for a send that is under way. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** How long an answer waits for a preview that is being shown. */
    private static final Duration PREVIEW_PATIENCE = Duration.ofSeconds(10);

    /** The longest pause of a platform that is kept to; a message that waits longer asks again in between. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private static final Backoff PAUSES = new Backoff(Duration.ofSeconds(1), 8);

    private final Executor executor;
    private final Timing timing;
    private final GatewayEvents events;
    private final Connections connections;
    private final Delivery settings;
    private final DeliveryListener listener;
    private final Runnable able;
    private final TurnShows shows;
    private final Membership nodes;
    private final AtomicInteger offered = new AtomicInteger();
    private final WaitingMessages waiting;
    private Optional<SendAttempt> sending = Optional.empty();
    /** The sends that count as failed and have not returned. */
    private final Set<SendAttempt> hanging = new HashSet<>();

    private Timers.@Nullable Timer retry;
    /** The answer of which it is not known yet whether it takes the place of a message. */
    private Optional<OutgoingId> asked = Optional.empty();

    private Optional<OutgoingId> known = Optional.empty();
    private volatile boolean quiet = true;

    ChatOutbox(
            ActorHost host,
            Connections connections,
            Delivery settings,
            TurnShows shows,
            Membership nodes,
            DeliveryListener listener,
            Runnable able,
            Consumer<? super Actor> gone) {
        super(host, Optional.empty(), gone);
        this.executor = host.executor();
        this.timing = host.timing();
        this.events = host.events();
        this.connections = connections;
        this.settings = settings;
        this.shows = shows;
        this.nodes = nodes;
        this.listener = listener;
        this.able = able;
        this.waiting = new WaitingMessages(shows, nodes, listener);
    }

    @Override
    protected boolean isIdle() {
        return waiting.isEmpty() && sending.isEmpty() && hanging.isEmpty() && asked.isEmpty() && offered.get() == 0;
    }

    /** Whatever went wrong, the head is tried again later. */
    @Override
    protected void faulted(Throwable failure) {
        sending.ifPresent(this::over);
        waiting.head().ifPresent(head -> retryAfter(PAUSES.pause(head.attempts(), timing.ids())));
    }

    /** Notes, from any thread, that messages are about to be handed over. */
    boolean offer() {
        offered.incrementAndGet();
        return true;
    }

    /**
     * Takes a stored message that counts as on its way, unless it has it already; {@code then} runs once its first attempt has ended or is put off.
     *
     * @param answers answers to choose from, shown where the platform can; empty where it asks nothing
     */
    void take(Outgoing message, List<Asking.Choice> answers, Runnable then) {
        // Before the message counts as offered no more: in between a stop would see nothing on its way.
        quiet = false;
        offered.decrementAndGet();
        waiting.take(message, answers, then);
        then(this::pump);
    }

    /**
     * Takes stored messages that nobody handed over, before those that were stored later. What is not delivered is read again here, where
     * no send of this chat can end meanwhile.
     *
     * @param seen what was not delivered when the caller looked, and counts as on its way: taken where the store cannot be read now
     * @param undelivered reads that again
     * @param all reads all that is not delivered, in the order in which it was stored
     */
    void takeMissed(
            Chat chat, List<Outgoing> seen, Supplier<List<Outgoing>> undelivered, Supplier<List<Outgoing>> all) {
        quiet = false;
        offered.decrementAndGet();
        List<Outgoing> missed = read(undelivered, seen).stream()
                .filter(message -> Chat.of(message).equals(chat) && !waiting.has(message.id()))
                .toList();
        boolean begun = sending.isPresent() || asked.isPresent();
        if (!missed.isEmpty()) {
            waiting.takeMissed(missed, begun, () -> read(all, List.of()));
        }
        seen.forEach(waiting::release);
        if (!begun && !missed.isEmpty()) {
            cancelRetry();
        }
        then(this::pump);
    }

    private static List<Outgoing> read(Supplier<List<Outgoing>> stored, List<Outgoing> otherwise) {
        try {
            return stored.get();
        } catch (StorageUnavailable | StorageCorrupt e) {
            return otherwise;
        }
    }

    /** Tries again at once, as its platform has become able to send. */
    void poke() {
        cancelRetry();
        then(this::pump);
    }

    /** Tries again at once where a message waits here, and says whether it does. */
    void tryNow(OutgoingId id, CompletableFuture<Boolean> done) {
        boolean waits = waiting.has(id);
        if (waits) {
            poke();
        }
        done.complete(waits);
    }

    /** Gives a message up, unless it does not wait here or is being sent, and says whether it was. */
    void giveUp(OutgoingId id, CompletableFuture<Boolean> done) {
        Optional<Outgoing> found = waiting.find(id);
        boolean underWay = asked.equals(Optional.of(id))
                || sending.filter(attempt -> attempt.message.id().equals(id)).isPresent();
        Optional<List<Precondition>> fence = found.flatMap(nodes::fence);
        if (fence.isEmpty() || underWay) {
            done.complete(false);
            return;
        }
        Outgoing gone = found.get().expired();
        commit(fence.get(), List.of(new Change.PutOutgoing(gone)), result -> {
            if (result.isCommitted()) {
                noteGivenUp(gone);
                forget(gone);
                events.on(new GatewayEvent.Expired(gone, Why.OPERATOR));
            }
            done.complete(result.isCommitted());
        });
    }

    /** Lets go of a message that is not sent any more, wherever it stands. */
    private void forget(Outgoing gone) {
        if (waiting.isHead(gone)) {
            cancelRetry();
            leave();
        } else {
            waiting.leave(gone);
        }
    }

    /** Returns whether nothing is being sent that could be, though something may wait for its platform; asked from any thread. */
    boolean isQuiet() {
        return quiet && offered.get() == 0;
    }

    /** Tells those who wait for a first attempt that has ended, that is put off, or that takes too long to wait for. */
    private void tellAttempted() {
        waiting.tellAttempted(sending.filter(attempt -> !attempt.slow).isPresent());
    }

    @Override
    protected void settled() {
        tellAttempted();
        boolean now = sending.map(hanging::contains)
                .orElseGet(() -> waiting.head()
                        .flatMap(head -> connections.sender(head.platform()))
                        .isEmpty());
        quiet = now && asked.isEmpty();
        if (quiet) {
            listener.changed();
        }
    }

    private void pump() {
        Optional<Outgoing> first = waiting.head();
        if (sending.isPresent() || asked.isPresent() || retry != null || first.isEmpty()) {
            return;
        }
        Outgoing head = first.get();
        if (nodes.fence(head).isEmpty()) {
            leave();
            return;
        }
        if (DeliveryRules.isTooOld(head, timing.now(), settings)) {
            giveUp(head, Why.TOO_OLD);
            return;
        }
        Optional<Duration> pause = head.delivery()
                .notBefore()
                .map(at -> Duration.between(timing.now(), at))
                .filter(left -> left.compareTo(Duration.ZERO) > 0);
        if (pause.isPresent()) {
            retryAfter(pause.get());
            return;
        }
        Optional<ChatPlatform> platform = connections.sender(head.platform());
        if (platform.isEmpty()) {
            Duration age = Duration.between(head.createdAt(), timing.now());
            retryAfter(DeliveryRules.limit(head, settings).minus(age).plusMillis(1));
            return;
        }
        if (!known.equals(Optional.of(head.id())) && shows.mayReplace(head)) {
            ask(head);
            return;
        }
        SendAttempt attempt = attempt(head.attempted(timing.now()), platform.get());
        if (connections.recognisesRepeats(head.platform())) {
            begin(attempt);
        } else {
            store(attempt.message, List.of(new Change.PutOutgoing(attempt.message)), () -> begin(attempt));
        }
    }

    /** Stores what became of the head; where another gateway works on its lane by now, that one delivers it. */
    private void store(Outgoing message, List<Change> changes, Runnable next) {
        Optional<List<Precondition>> fence = nodes.fence(message);
        if (fence.isEmpty()) {
            elsewhere();
            return;
        }
        commit(fence.get(), changes, result -> {
            if (result.isCommitted()) {
                next.run();
            } else {
                elsewhere();
            }
        });
    }

    private void elsewhere() {
        sending.ifPresent(this::over);
        cancelRetry();
        leave();
    }

    /** Asks which message an answer takes the place of; one that is not told soon becomes a message of its own. */
    private void ask(Outgoing message) {
        OutgoingId id = message.id();
        shows.replaced(message, replaced -> post(() -> told(id, replaced)));
        asked = Optional.of(id);
        later(PREVIEW_PATIENCE, () -> told(id, Optional.empty()));
    }

    private void told(OutgoingId id, Optional<String> replaced) {
        if (!asked.equals(Optional.of(id))) {
            return;
        }
        asked = Optional.empty();
        known = Optional.of(id);
        Optional<Outgoing> head = waiting.head().filter(message -> message.id().equals(id));
        if (head.isPresent() && replaced.isPresent()) {
            waiting.replaceHead(head.get().toBuilder().replaces(replaced.get()).build());
        }
        then(this::pump);
    }

    private SendAttempt attempt(Outgoing message, ChatPlatform platform) {
        SendAttempt attempt = new SendAttempt(message, platform, waiting.choices(message.id()));
        sending = Optional.of(attempt);
        return attempt;
    }

    private void begin(SendAttempt attempt) {
        attempt.limit = later(PATIENCE, () -> takesLong(attempt));
        executor.execute(() -> {
            SendAttempt.Outcome outcome = nodes.isAlive() ? attempt.perform() : SendAttempt.Outcome.NOT_NOW;
            post(() -> ended(attempt, outcome));
        });
    }

    private void takesLong(SendAttempt attempt) {
        if (sending.equals(Optional.of(attempt))) {
            attempt.slow = true;
            attempt.limit = later(settings.sendTimeout().minus(PATIENCE), () -> tookTooLong(attempt));
        }
    }

    private void tookTooLong(SendAttempt attempt) {
        if (!sending.equals(Optional.of(attempt))) {
            return;
        }
        hanging.add(attempt);
        connections.hangs(attempt.platform);
        sending = Optional.empty();
        failed(
                attempt,
                new TimeoutException("The platform " + attempt.platform.name() + " has not answered for "
                        + settings.sendTimeout().toSeconds() + " s."));
    }

    private void ended(SendAttempt attempt, SendAttempt.Outcome outcome) {
        boolean late = hanging.remove(attempt);
        if (late && connections.returned(attempt.platform)) {
            able.run();
        }
        over(attempt);
        Optional<Outgoing> head = waiting.head().filter(message -> message.id().equals(attempt.message.id()));
        if (head.isEmpty()
                || attempt.message.delivery().nextPart() < head.get().delivery().nextPart()) {
            then(this::pump);
            outcome.sent().filter(sent -> attempt.isGivenUp && !sent.more()).ifPresent(sent -> arrived(attempt, sent));
        } else if (outcome.sent().isPresent()) {
            cancelRetry();
            taken(attempt, outcome.sent().get());
        } else if (late) {
            then(this::pump);
        } else {
            failed(attempt, outcome.failure().orElseThrow());
        }
    }

    /** A message has arrived that was given up while its send hung: that is stored, unless another gateway works on its lane by now. */
    private void arrived(SendAttempt attempt, Sent sent) {
        Outgoing arrived = with(attempt.message, sent).delivered();
        ofHanging(arrived).forEach(other -> other.isGivenUp = false);
        nodes.fence(arrived)
                .ifPresent(fence -> commit(fence, List.of(new Change.PutOutgoing(arrived)), result -> {
                    if (result.isCommitted()) {
                        events.on(new GatewayEvent.Sent(arrived));
                    }
                }));
    }

    private static Outgoing with(Outgoing before, Sent sent) {
        boolean whole = !sent.more()
                && sent.messageIds().isEmpty()
                && before.delivery().parts().isEmpty();
        return whole ? before : before.sent(new SentPart(before.delivery().nextPart(), sent.messageIds()));
    }

    /** The platform has taken a message, or a part of it: that is stored before anything else is sent. */
    private void taken(SendAttempt attempt, Sent sent) {
        Outgoing after = with(attempt.message, sent);
        sending = Optional.of(attempt);
        if (sent.more()) {
            store(after, List.of(new Change.PutOutgoing(after)), () -> {
                over(attempt);
                waiting.replaceHead(after);
                then(() -> next(after));
            });
        } else {
            List<Change> changes = new ArrayList<>();
            changes.add(new Change.PutOutgoing(after.delivered()));
            if (after.replaces().isPresent() && after.lane().isPresent()) {
                changes.add(Shown.forgotten(after.platform(), after.lane().get()));
            }
            store(after, changes, () -> {
                over(attempt);
                leave();
                events.on(new GatewayEvent.Sent(after.delivered()));
            });
        }
    }

    /** Sends the part behind the one that was taken, as a part of the same attempt. */
    private void next(Outgoing message) {
        Optional<ChatPlatform> platform = connections.sender(message.platform());
        boolean mayGoOn = sending.isEmpty() && retry == null && platform.isPresent() && waiting.isHead(message);
        if (mayGoOn) {
            begin(attempt(message, platform.get()));
        } else {
            then(this::pump);
        }
    }

    private void over(SendAttempt attempt) {
        if (attempt.limit != null) {
            attempt.limit.cancel();
            attempt.limit = null;
        }
        if (sending.equals(Optional.of(attempt))) {
            sending = Optional.empty();
        }
    }

    private void failed(SendAttempt attempt, Throwable failure) {
        Optional<Duration> asked = failure instanceof DeliveryFailed f ? f.retryAfter() : Optional.empty();
        Duration pause = asked.filter(wait -> wait.compareTo(LONGEST) < 0)
                .or(() -> asked.map(wait -> LONGEST))
                .orElse(Duration.ZERO);
        Outgoing begun = attempt.message.failed(
                SendAttempt.cause(failure), asked.map(wait -> timing.now().plus(pause)));
        events.on(new GatewayEvent.SendFailed(begun, SendAttempt.word(failure)));
        boolean permanent = failure instanceof DeliveryFailed f && f.isPermanent();
        boolean unknown = !(failure instanceof DeliveryFailed);
        boolean mayRepeat = DeliveryRules.mayRepeat(settings, connections.recognisesRepeats(begun.platform()));
        if (permanent || (unknown && !mayRepeat)) {
            trouble(begun, "A message was not delivered and is given up.", failure);
            giveUp(begun, permanent ? Why.REFUSED : Why.UNKNOWN);
            return;
        }
        if (begun.attempts() == 1) {
            trouble(begun, "A message was not delivered; trying again.", failure);
        }
        waiting.replaceHead(begun);
        Duration own = PAUSES.pause(begun.attempts() - 1, timing.ids());
        // Stored, so that operators see why, and a process that is started meanwhile keeps to the platform's pause too.
        sending = Optional.of(attempt);
        store(begun, List.of(new Change.PutOutgoing(begun)), () -> {
            sending = Optional.empty();
            retryAfter(own.compareTo(pause) > 0 ? own : pause);
        });
    }

    private void trouble(Outgoing message, String what, Throwable failure) {
        events.on(new GatewayEvent.Trouble(message.lane(), what, Optional.of(failure)));
    }

    private void giveUp(Outgoing message, Why why) {
        store(message, List.of(new Change.PutOutgoing(message.expired())), () -> {
            noteGivenUp(message);
            leave();
            events.on(new GatewayEvent.Expired(message.expired(), why));
        });
    }

    /** A message is given up, though sends of it may hang and arrive. */
    private void noteGivenUp(Outgoing message) {
        ofHanging(message).forEach(attempt -> attempt.isGivenUp = true);
    }

    private Stream<SendAttempt> ofHanging(Outgoing message) {
        return hanging.stream().filter(attempt -> attempt.message.id().equals(message.id()));
    }

    private void leave() {
        waiting.leaveHead();
        then(this::pump);
    }

    private void retryAfter(Duration pause) {
        cancelRetry();
        retry = later(pause, () -> {
            retry = null;
            then(this::pump);
        });
    }

    private void cancelRetry() {
        if (retry != null) {
            retry.cancel();
            retry = null;
        }
    }
}
