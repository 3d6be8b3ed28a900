package dev.parley.application.gateway;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * The desk of one lane: its mailbox, its memory, and the parts that do the work. Lives only as long as the lane is busy.
 *
 * <p>A message's way: {@link Admission} stores it, with what {@link BusyLane} says of a running turn, or {@link CommandRunner} lets
 * it take effect; {@link Claiming} takes it out of the queue; {@link Running} lets the agent work; {@link TurnEnding} stores the
 * end; the {@link Outbox} delivers. {@link Summaries} stand in for a turn, {@link Draining} is what a stop does.
 *
 * <p>Locking: there is none. Everything here is touched only by tasks of this desk's mailbox, one at a time, and every call from
 * outside is posted to it. The exceptions are read by other threads and only ever written by the mailbox's: {@link
 * Running#current}, {@code TurnRun.superseded} and the outbox's quiet flag are volatile, a run's agent is taken atomically. No
 * task waits for I/O of others: a task ends with at most one commit, what follows goes on the agenda, agents and platforms report
 * by posting. {@link Workings#busy} is the only thing lanes share; a lane enters it before it asks whether to go on, so that a
 * stop sees it or is seen.
 */
final class LaneDesk extends Desk {
    /** How often something is tried again that lost a race. */
    static final int ATTEMPTS = 3;

    static final String LOST_RACE =
            "This could not be done because the conversation changed meanwhile. Please try again.";
    private static final Duration CATCH_UP = Duration.ofSeconds(5);
    private static final String BROKEN = "Something went wrong inside the gateway. Please try again.";

    private final SessionKey key;
    private final Consumer<LaneDesk> forget;
    final LaneMemory memory;
    final Outbox outbox = new Outbox(this);
    final Running running;
    final Summaries summaries;
    final BusyLane busyLane;
    final Claiming claiming;
    final TurnEnding ending;
    final CommandRunner commands;
    final Admission admission;
    final Draining draining;
    private final Queue<CompletableFuture<Receipt>> offered = new ConcurrentLinkedQueue<>();
    private int faults;

    LaneDesk(Workings works, SessionKey key, Consumer<LaneDesk> forget) {
        super(works);
        this.key = key;
        this.forget = forget;
        this.memory = new LaneMemory(works, key);
        this.running = new Running(this);
        this.summaries = new Summaries(this);
        this.busyLane = new BusyLane(this);
        this.claiming = new Claiming(this);
        this.ending = new TurnEnding(this);
        this.commands = new CommandRunner(this);
        this.admission = new Admission(this);
        this.draining = new Draining(this);
    }

    SessionKey key() {
        return key;
    }

    @Override
    Optional<SessionKey> lane() {
        return Optional.of(key);
    }

    @Override
    boolean isIdle() {
        return !isBusy()
                && outbox.isEmpty()
                && !memory.isAwaited()
                && (memory.isQueueEmpty() || works.stopping().isPresent() || works.isHeld());
    }

    @Override
    void forgotten() {
        forget.accept(this);
    }

    /** A task failed for good: the running turn ends honestly, so that the lane goes on. */
    @Override
    void faulted(Throwable failure) {
        TurnRun current = running.current();
        faults++;
        if (faults > ATTEMPTS) {
            works.tell(new GatewayEvent.Trouble(
                    Optional.of(key),
                    "The lane is given up until the next message or start; what it was asked stays in the queue.",
                    Optional.of(failure)));
            faults = 0;
            memory.forget();
            if (current != null) {
                running.supersede(current, "Failed");
            }
            endBusy();
            return;
        }
        memory.doubt();
        if (current != null) {
            endHonestly(current);
        }
    }

    private void endHonestly(TurnRun run) {
        if (!run.claimed) {
            running.clear();
            claiming.giveUp(run.item, BROKEN, "failed");
        } else if (run.isActive()) {
            ending.fail(run, BROKEN, TokenUsage.NONE, 0);
        } else {
            running.supersede(run, "Failed");
            next();
        }
    }

    /** A turn was claimed: whatever failed before is over. */
    void sound() {
        faults = 0;
    }

    /** Reads what is not known of the lane. */
    void load() {
        TurnRun current = running.current();
        memory.load(current == null ? List.of() : current.taken());
    }

    /** Looks for the next turn behind the current task. */
    void next() {
        then(claiming::next);
    }

    /** Returns whether a turn or a summary is under way, its delivery included. */
    boolean isBusy() {
        return running.current() != null || summaries.isUnderWay();
    }

    /** Counts the lane among the running ones. */
    void beginBusy() {
        works.busy.put(key, this);
    }

    void endBusy() {
        works.busy.remove(key, this);
        works.changed();
    }

    MessageId newMessage() {
        return new MessageId(works.ids.unique("m"));
    }

    /** Tells somebody who waits for an answer; their failure harms nobody. */
    void quietly(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            works.tell(
                    new GatewayEvent.Trouble(Optional.of(key), "Whoever waits for an answer failed.", Optional.of(e)));
        }
    }

    /** Tells the hooks that a session is over, unless the expiry watcher has (W10.9). */
    void finalized(Optional<Lane> before, SessionId next, String reason) {
        before.map(Lane::entry)
                .filter(old -> !old.expiryFinalized())
                .ifPresent(old -> works.hook(
                        key, () -> works.hooks.sessionFinalized(key, old.sessionId(), Optional.of(next), reason)));
    }

    // ------------------------------------------------------------------ from outside the lane

    /**
     * Notes, from any thread, that a message is about to be given to {@link #admit}. One that the store's trouble overtakes is refused at
     * once: whoever sent it does not wait until the store is back.
     *
     * @return whether it may be given
     */
    boolean offer(CompletableFuture<Receipt> receipt) {
        offered.add(receipt);
        trouble().ifPresent(this::troubled);
        return !receipt.isDone();
    }

    @Override
    void troubled(String why) {
        offered.forEach(receipt -> receipt.complete(new Receipt.Unavailable(why)));
        offered.removeIf(CompletableFuture::isDone);
    }

    /** Takes a message, unless it was refused meanwhile. */
    void admit(Received message, AnswerListener answer, CompletableFuture<Receipt> receipt) {
        offered.removeIf(each -> each == receipt);
        if (receipt.isDone()) {
            quietly(() -> answer.closed("The message was not taken."));
            return;
        }
        admission.admit(message, answer, receipt);
    }

    /** Takes over messages that were stored before and not delivered. */
    void deliver(List<Outgoing> messages) {
        messages.forEach(outbox::add);
    }

    /** Looks for work and for deliveries that have become possible. */
    void wake() {
        outbox.poke();
        next();
    }

    /** Looks for work that somebody else has stored. */
    void refresh() {
        memory.doubt();
        next();
    }

    /**
     * The store did not answer, so something may be stored that this desk does not know of: once it answers what waits runs and
     * what is undelivered goes out, also where nobody writes again.
     */
    void catchUpLater() {
        if (works.unknown.add(key)) {
            works.timers.after(CATCH_UP, () -> works.onLane(key, LaneDesk::catchUp));
        }
    }

    /** Looks for what was stored without this desk's knowledge; nothing where all is known. */
    void catchUp() {
        if (!works.unknown.remove(key)) {
            return;
        }
        try {
            memory.doubt();
            load();
            works.storage.queue().undelivered().stream()
                    .filter(message -> message.lane().equals(Optional.of(key)) && !outbox.holds(message))
                    .forEach(outbox::add);
        } catch (StorageUnavailable | StorageCorrupt e) {
            memory.doubt();
            catchUpLater();
            return;
        }
        next();
    }

    /** Runs a task of somebody else while nothing of the lane runs, and forgets what is known of the lane; else does nothing. */
    void whileIdle(Runnable task) {
        if (isBusy() || !memory.isQueueEmpty()) {
            return;
        }
        memory.doubt();
        task.run();
    }

    /** Returns whether nothing is being delivered that could be; asked from any thread. */
    boolean isQuiet() {
        return outbox.isQuiet();
    }
}
