package dev.parley.application.lane;

import dev.parley.application.actor.Actor;
import dev.parley.application.actor.ActorHost;
import dev.parley.application.delivery.Deliveries;
import dev.parley.application.guard.TimedCalls;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Inbound;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The state of a lane and the one way in which it changes: what is stored is read, a decision is made on it, the decision is committed,
 * and then its effects happen. Where the commit loses a race, the same is read and decided again, three times; the decision after that is one
 * that cannot lose.
 *
 * <p>The state is volatile and immutable, so that other threads may read it; everything else is touched by the actor's tasks only.
 */
abstract class DecidingActor extends Actor implements LaneWork {
    private final SessionKey key;
    private final LaneReading reading;
    private final TimedCalls calls;
    private final Deliveries deliveries;
    private volatile LaneState state = LaneState.UNKNOWN;
    private final LaneHold hold;
    private boolean loaded;

    DecidingActor(
            ActorHost host,
            SessionKey key,
            LaneReading reading,
            TimedCalls calls,
            Deliveries deliveries,
            LaneHold hold,
            Consumer<? super Actor> gone) {
        super(host, Optional.of(key), gone);
        this.hold = hold;
        this.key = key;
        this.reading = reading;
        this.calls = calls;
        this.deliveries = deliveries;
    }

    /** Returns whether the lane is this gateway's to work on; takes it where nobody holds it. */
    abstract boolean isHere();

    /** A message waits that another gateway has stored while this one worked on the lane. */
    abstract void noticed(Inbound posted);

    /** One effect of a stored decision happens. */
    abstract void run(Effect effect);

    /** The running turn belongs to another run by now, so its agent works for nothing. */
    abstract void runReplaced();

    @Override
    protected final List<Precondition> fence(List<? extends Change> changes) {
        return hold.fence(changes, state.waiting().lastOrdinal());
    }

    @Override
    protected final List<? extends Change> marked(List<? extends Change> changes) {
        return hold.marked(changes);
    }

    @Override
    public final LaneState state() {
        return state;
    }

    @Override
    public final void become(LaneState next) {
        state = next;
    }

    @Override
    public final void forget() {
        loaded = false;
    }

    @Override
    public final void load() {
        if (!loaded) {
            LaneState before = state;
            List<Inbound> taken = state.slot().active().map(TurnWork::taken).orElse(List.of());
            state = reading.load(key, state, taken);
            loaded = true;
            if (hold.isKept()) {
                notice(state.waiting().messages().stream()
                        .filter(each -> !before.waiting().has(each))
                        .toList());
            }
        }
    }

    /** What another gateway has stored does to a running turn what it does; where none runs it is begun, whatever the lane was read for. */
    private void notice(List<Inbound> found) {
        if (!state.slot().isFree()) {
            found.forEach(this::noticed);
        } else if (!found.isEmpty()) {
            then(this::next);
        }
    }

    @Override
    public final void decide(Decision decision) {
        decide(decision, 1);
    }

    private void decide(Decision decision, int attempt) {
        decide(decision, attempt, () -> decide(decision, attempt + 1));
    }

    @Override
    public final <T> void decideAsking(String failed, Asking<T> asking, T otherwise, Answered<T> decision) {
        decideAsking(failed, asking, otherwise, decision, 1);
    }

    private <T> void decideAsking(String failed, Asking<T> asking, T otherwise, Answered<T> decision, int attempt) {
        if (!isHere()) {
            return;
        }
        load();
        AtomicBoolean thrown = new AtomicBoolean();
        ask(failed, asking.on(state, attempt), () -> otherwise, answer -> {
            // The step is repeated once the store is back; what the store threw would be thrown again, so it is asked
            // again.
            if (thrown.get()) {
                decideAsking(failed, asking, otherwise, decision, attempt);
                return;
            }
            thrown.set(true);
            T answered = answer.get();
            thrown.set(false);
            decide(
                    (found, n) -> decision.on(found, answered),
                    attempt,
                    () -> decideAsking(failed, asking, otherwise, decision, attempt + 1));
        });
    }

    private void decide(Decision decision, int attempt, Runnable again) {
        if (attempt > ATTEMPTS + 1) {
            throw new IllegalStateException("A decision that cannot lose a race has lost one.");
        }
        if (!isHere()) {
            return;
        }
        load();
        LaneStep step = decision.on(state, attempt);
        if (step.store().isEmpty()) {
            apply(step);
            return;
        }
        Runnable storing = () -> store(step, again);
        if (lockChats(step.store(), storing)) {
            storing.run();
        }
    }

    private void store(LaneStep step, Runnable again) {
        LaneState before = state;
        state = step.during();
        commit(step.require(), step.store(), result -> {
            if (!result.isCommitted()) {
                state = before;
            }
            Outcome outcome = outcome(result);
            if (outcome instanceof Outcome.Stored) {
                apply(step);
            } else if (outcome instanceof Outcome.RaceLost race) {
                then(race.isByRun() && step.ofTurn() ? this::next : again);
            }
        });
    }

    /** Returns what became of a batch, once the lane knows as well where it or its turn is another's. */
    private Outcome outcome(CommitResult result) {
        if (!(result instanceof CommitResult.Conflict conflict)) {
            return new Outcome.Stored();
        }
        forget();
        if (conflict.failed() instanceof Precondition.HeldBy) {
            laneTaken();
            return new Outcome.LaneTaken();
        }
        if (conflict.failed() instanceof Precondition.NotReceived known) {
            return new Outcome.Known(known.message());
        }
        Outcome.RaceLost race = new Outcome.RaceLost(conflict.failed());
        if (race.isByRun()) {
            runReplaced();
        }
        return race;
    }

    @Override
    public final void apply(LaneStep step) {
        state = step.after();
        for (Effect effect : step.then()) {
            try {
                run(effect);
            } catch (Throwable e) {
                tell("Something that follows from a decision failed.", e);
            }
        }
        then(this::next);
    }

    @Override
    public final <T> void ask(String failed, Supplier<T> call, T otherwise, Consumer<? super T> next) {
        await(resume -> calls.ask(
                Optional.of(key), failed, call, otherwise, answer -> resume.accept(() -> next.accept(answer))));
    }

    @Override
    public final void afterwards(Runnable step) {
        then(step);
    }

    @Override
    public final void postpone(Runnable task) {
        post(task);
    }

    @Override
    public final Outcome storeOnce(List<Precondition> require, List<? extends Change> changes) {
        return outcome(commitOnce(require, changes));
    }

    @Override
    public final boolean lockChats(List<? extends Change> changes, Runnable later) {
        return lock(deliveries.lock(changes), later);
    }

    @Override
    public final void after(Duration delay, Runnable task) {
        later(delay, task);
    }

    @Override
    public final boolean isPaused() {
        return isWaiting();
    }

    @Override
    public final void trouble(String what, Throwable cause) {
        tell(what, cause);
    }
}
