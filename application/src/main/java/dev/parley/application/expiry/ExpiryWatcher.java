package dev.parley.application.expiry;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.actor.Writers;
import dev.parley.application.agents.AgentCache;
import dev.parley.application.guard.LifecycleCalls;
import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.LaneReader;
import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.Transition;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks regularly for sessions that have expired, agents that nobody uses and lanes that nobody comes back to (W10). Finalising a
 * session tells the hooks, closes the lane's agent and sets a flag; the session itself ends with the next message (W10.5). Whatever
 * fails, the watcher looks again.
 *
 * <p>Hooks are told at least once per session, beside its lane, which takes messages meanwhile: what fails or takes too long is tried
 * again with the next pass, and after three failures in a row the session counts as finalised all the same (W10.6). Lanes are only
 * touched through the {@link LaneGate}.
 *
 * <p>Started and stopped by the gateway. Safe for concurrent use.
 */
public final class ExpiryWatcher {
    private static final int MOST_FAILURES = 3;
    /** So many lanes of a kind are looked after in one pass: each is a task of its own, which takes memory until it has run. */
    private static final int MOST_AT_ONCE = 2_000;
    /** Where there were more, the next pass follows after this. */
    private static final Duration SOON = Duration.ofSeconds(10);

    private static final Duration PRUNE_INTERVAL = Duration.ofHours(1);
    private static final String EXPIRED = "session_expired";
    private static final String GAVE_UP = "gave_up";
    private static final String UNPRUNED = "An unused lane could not be removed.";

    private final Storage storage;
    private final LaneReader reader;
    private final AgentCache agents;
    private final LifecycleCalls hooks;
    private final TimedCalls passes;
    private final GatewayEvents events;
    private final Timers timers;
    private final InstantSource clock;
    private final Writers writers;
    private final ExpirySettings settings;
    private final LaneGate gate;
    private final BooleanSupplier duty;
    private final Object lock = new Object();
    /** How often the hooks of each session have failed in a row, of those that are still to be finalised. */
    private final Map<SessionId, Failures> failures = new HashMap<>();

    private final Set<SessionId> beingTold = new HashSet<>();
    private final Set<SessionKey> waitingForPrune = new HashSet<>();
    private Optional<Instant> lastPrune = Optional.empty();
    private Timers.@Nullable Timer next;
    private boolean running;
    /** Whether the last pass left lanes to the next. */
    private boolean more;

    private record Failures(SessionKey lane, int count) {}

    /**
     * Makes a watcher that is not started.
     *
     * @param storage what is watched
     * @param reader knows the policies
     * @param agents the agents of the lanes
     * @param hooks calls the hooks, which are told of sessions that are over
     * @param passes look, each for its time; the next look does not wait for one that hangs
     * @param events told of everything done, and of failures
     * @param timers when the next pass runs
     * @param clock time
     * @param ids names the batches
     * @param settings when and for how long
     * @param gate the way to a lane
     * @param duty whether this gateway looks after the sessions of all; its agents it looks after in any case
     */
    public ExpiryWatcher(
            Storage storage,
            LaneReader reader,
            AgentCache agents,
            LifecycleCalls hooks,
            TimedCalls passes,
            GatewayEvents events,
            Timers timers,
            InstantSource clock,
            Ids ids,
            ExpirySettings settings,
            LaneGate gate,
            BooleanSupplier duty) {
        this.storage = storage;
        this.reader = reader;
        this.agents = agents;
        this.hooks = hooks;
        this.passes = passes;
        this.events = events;
        this.timers = timers;
        this.clock = clock;
        this.writers = new Writers(ids);
        this.settings = settings;
        this.gate = gate;
        this.duty = duty;
    }

    /** Begins to look: first after the delay, then after each interval. Does nothing where it has begun. */
    public void start() {
        synchronized (lock) {
            if (!running) {
                running = true;
                next = timers.after(settings.delay(), this::look);
            }
        }
    }

    /** Stops looking; a pass that is under way ends. Does nothing where it has not begun. */
    public void stop() {
        synchronized (lock) {
            running = false;
            Timers.Timer timer = next;
            next = null;
            if (timer != null) {
                timer.cancel();
            }
        }
    }

    private void look() {
        synchronized (lock) {
            if (!running) {
                return;
            }
        }
        passes.attempt(this::pass, failure -> {
            failure.ifPresent(e -> events.on(new GatewayEvent.Trouble(
                    Optional.empty(),
                    "A look for expired sessions has not ended; the next one follows.",
                    Optional.of(e))));
            synchronized (lock) {
                if (running) {
                    Duration pause = more && SOON.compareTo(settings.interval()) < 0 ? SOON : settings.interval();
                    next = timers.after(pause, this::look);
                }
            }
        });
    }

    /**
     * Looks once: sets right what a clock that was ahead has left, finalises expired sessions, then releases idle agents, then once an
     * hour removes unused lanes and forgets what is over (W10.2). Of very many lanes it looks after some thousands and leaves the others to
     * the next pass, which follows soon. A part that fails is told as trouble and the others follow. Throws nothing.
     */
    public void pass() {
        boolean all = duty.getAsBoolean();
        boolean goesOn;
        synchronized (lock) {
            goesOn = more;
            more = false;
        }
        if (all) {
            attempt(
                    "Lanes whose last use lies in the future, because the clock was ahead, could not be looked up.",
                    this::setClockRight);
            attempt("Expired sessions could not be looked for.", () -> finaliseExpired(goesOn));
        }
        attempt("Idle agents could not be looked for.", () -> agents.sweep(this::awaitsItsEnd));
        if (all) {
            attempt("Unused lanes could not be looked for.", this::pruneHourly);
        }
    }

    private void attempt(String failure, Runnable part) {
        try {
            part.run();
        } catch (RuntimeException e) {
            events.on(new GatewayEvent.Trouble(
                    Optional.empty(), failure + " It is tried again with the next pass.", Optional.of(e)));
        }
    }

    // a clock that has come back

    /** Activity in the future would keep its session, and its lane, until the clock gets there. */
    private void setClockRight() {
        for (Lane lane : lanesWhere(this::isAhead)) {
            gate.whileIdle(
                    lane.key(),
                    () -> attemptOn(
                            lane.key(),
                            "A lane used in the future could not be set right.",
                            () -> storage.lanes()
                                    .find(lane.key())
                                    .filter(this::isAhead)
                                    .ifPresent(
                                            ahead -> store(SessionTransitions.clockCameBack(ahead, clock.instant())))));
        }
    }

    private boolean isAhead(Lane lane) {
        return lane.entry().updatedAt().isAfter(clock.instant());
    }

    // finalising

    /** A pass that goes on with what the one before left does not try again what that one tried: failures count by the usual interval. */
    private void finaliseExpired(boolean goesOn) {
        Set<SessionId> tried = goesOn ? failed().keySet() : Set.of();
        forgetFailures();
        for (Lane lane : lanesWhere(
                each -> isToBeFinalised(each) && !tried.contains(each.entry().sessionId()))) {
            SessionId session = lane.entry().sessionId();
            gate.whileIdle(
                    lane.key(),
                    () -> attemptOn(
                            lane.key(),
                            "An expired session could not be finalised.",
                            () -> finalise(lane.key(), session)));
        }
    }

    /** A session that its lane has left, or that has not expired any more, begins its count anew. */
    private void forgetFailures() {
        failed().forEach((session, failing) -> {
            if (toBeFinalised(failing.lane(), session).isEmpty()) {
                synchronized (lock) {
                    failures.remove(session);
                }
            }
        });
    }

    private boolean isToBeFinalised(Lane lane) {
        return !lane.entry().expiryFinalized()
                && reader.expired(lane.entry(), false).isPresent();
    }

    private void finalise(SessionKey key, SessionId session) {
        if (toBeFinalised(key, session).isEmpty() || !begins(session)) {
            return;
        }
        hooks.call(key, each -> each.sessionFinalized(key, session, Optional.empty(), EXPIRED), failure -> {
            boolean prunes = ended(key, session);
            gate.whileIdle(key, () -> {
                attemptOn(key, "An expired session could not be finalised.", () -> finalised(key, session, failure));
                if (prunes) {
                    attemptOn(key, UNPRUNED, () -> prune(key));
                }
            });
        });
    }

    /** Notes that a session's hooks were told; returns whether its lane waits for that to be removed. */
    private boolean ended(SessionKey key, SessionId session) {
        synchronized (lock) {
            beingTold.remove(session);
            return waitingForPrune.remove(key);
        }
    }

    /** Returns whether a lane's hooks are being told of its session, so that it is removed behind that. */
    private boolean waitsForPrune(SessionKey key, SessionId session) {
        synchronized (lock) {
            boolean waits = beingTold.contains(session);
            if (waits) {
                waitingForPrune.add(key);
            }
            return waits;
        }
    }

    private boolean begins(SessionId session) {
        synchronized (lock) {
            return beingTold.add(session);
        }
    }

    private Optional<Lane> toBeFinalised(SessionKey key, SessionId session) {
        return storage.lanes()
                .find(key)
                .filter(lane -> lane.entry().sessionId().equals(session))
                .filter(this::isToBeFinalised);
    }

    /** The hooks were told, or failed; the lane may have gone on meanwhile. */
    private void finalised(SessionKey key, SessionId session, Optional<Throwable> failure) {
        Optional<Lane> lane = toBeFinalised(key, session);
        if (lane.isEmpty()) {
            return;
        }
        boolean gaveUp = failure.isPresent() && failed(key, session) >= MOST_FAILURES;
        failure.ifPresent(e -> events.on(new GatewayEvent.Trouble(
                Optional.of(key),
                "The expired session " + session + " could not be finalised; "
                        + (gaveUp ? "it counts as finalised." : "it is tried again with the next pass."),
                Optional.of(e))));
        if (failure.isPresent() && !gaveUp) {
            return;
        }
        if (failure.isEmpty()) {
            agents.close(key);
        }
        if (store(SessionTransitions.finalise(lane.get(), clock.instant(), !gaveUp, gaveUp ? GAVE_UP : EXPIRED))) {
            synchronized (lock) {
                failures.remove(session);
            }
            events.on(new GatewayEvent.Finalized(key, session));
        }
    }

    private Map<SessionId, Failures> failed() {
        synchronized (lock) {
            return Map.copyOf(failures);
        }
    }

    private int failed(SessionKey lane, SessionId session) {
        synchronized (lock) {
            return failures.merge(
                            session, new Failures(lane, 1), (before, one) -> new Failures(lane, before.count() + 1))
                    .count();
        }
    }

    /** An agent is kept while the end of its session is still to be told with it (A11.7). */
    private boolean awaitsItsEnd(SessionKey key) {
        Optional<SessionEntry> entry = storage.lanes().find(key).map(Lane::entry);
        return entry.filter(reader::isFinalizable)
                .filter(e -> !e.expiryFinalized() || reader.expired(e, false).isEmpty())
                .isPresent();
    }

    // pruning

    private void pruneHourly() {
        Instant now = clock.instant();
        synchronized (lock) {
            if (lastPrune
                    .filter(last -> Duration.between(last, now).abs().compareTo(PRUNE_INTERVAL) <= 0)
                    .isPresent()) {
                return;
            }
            lastPrune = Optional.of(now);
        }
        if (!settings.laneMaxAge().isZero()) {
            List<Lane> unused = lanesWhere(this::isPrunable);
            unused.forEach(lane ->
                    gate.whileIdle(lane.key(), () -> attemptOn(lane.key(), UNPRUNED, () -> prune(lane.key()))));
            if (unused.size() == MOST_AT_ONCE) {
                synchronized (lock) {
                    lastPrune = Optional.empty();
                }
            }
        }
        commit(
                List.of(),
                List.of(new Change.Forget(
                        now.minus(settings.retention()),
                        settings.historyRetention().map(now::minus))));
    }

    private boolean isPrunable(Lane lane) {
        Instant now = clock.instant();
        return reader.isPrunable(lane.entry(), now.minus(settings.laneMaxAge()), now);
    }

    private void prune(SessionKey key) {
        Optional<Lane> lane = storage.lanes().find(key).filter(this::isPrunable);
        if (lane.isEmpty() || waitsForPrune(key, lane.get().entry().sessionId())) {
            return;
        }
        if (store(SessionTransitions.prune(lane.get(), clock.instant()))) {
            agents.close(key);
            events.on(new GatewayEvent.Pruned(key, lane.get().entry().sessionId()));
        }
    }

    // storing

    /** Returns such lanes, the first of them by key; there may be more where it has as many as are looked after at once. */
    private List<Lane> lanesWhere(Predicate<Lane> wanted) {
        List<Lane> found = new ArrayList<>();
        storage.lanes().forEach(lane -> {
            if (found.size() < MOST_AT_ONCE && wanted.test(lane)) {
                found.add(lane);
            }
        });
        if (found.size() == MOST_AT_ONCE) {
            synchronized (lock) {
                more = true;
            }
        }
        return found;
    }

    private void attemptOn(SessionKey lane, String failure, Runnable part) {
        try {
            part.run();
        } catch (RuntimeException e) {
            events.on(new GatewayEvent.Trouble(
                    Optional.of(lane), failure + " It is tried again with the next pass.", Optional.of(e)));
        }
    }

    private boolean store(Transition transition) {
        boolean stored = commit(transition.preconditions(), transition.changes());
        if (stored) {
            transition.history().forEach(event -> events.on(new GatewayEvent.Transition(event)));
        }
        return stored;
    }

    private boolean commit(List<Precondition> preconditions, List<? extends Change> changes) {
        BatchWriter writer = writers.lend();
        boolean stored =
                storage.ledger().commit(writer.next(preconditions, changes)).isCommitted();
        writers.giveBack(writer);
        return stored;
    }
}
