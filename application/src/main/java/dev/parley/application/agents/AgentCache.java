package dev.parley.application.agents;

import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one agent per lane between turns (A11). A lane takes its agent for each run and puts it back when the run has ended;
 * between the two the agent is running and is neither evicted nor let go of, whatever is asked (A11.6): what was asked happens when
 * it comes back. So the cache may hold more than its size while all are running.
 *
 * <p>Safe for concurrent use. Nothing of an agent is called under the lock: agents are let go of as tasks of their own (A11.8). An
 * agent that fails at that, or takes too long, is told as trouble and forgotten.
 *
 * <p>Not part of the API: it may change with any version.
 */
public final class AgentCache {
    private final AgentFactory factory;
    private final int size;
    private final Duration idle;
    private final InstantSource clock;
    private final TimedCalls calls;
    private final Consumer<Eviction> evictions;
    private final Object lock = new Object();

    /** The kept agents, least recently used first. */
    private final LinkedHashMap<SessionKey, Kept> kept = new LinkedHashMap<>();

    /** The agents that are running, also those no longer kept. */
    private final IdentityHashMap<Agent, Kept> running = new IdentityHashMap<>();

    /**
     * Makes an empty cache.
     *
     * @param factory makes agents
     * @param size how many agents are kept; those running may be more
     * @param idle how long an unused agent is kept
     * @param clock time
     * @param calls let go of agents
     * @param evictions told of each agent that leaves, once it is no longer kept
     */
    public AgentCache(
            AgentFactory factory,
            int size,
            Duration idle,
            InstantSource clock,
            TimedCalls calls,
            Consumer<Eviction> evictions) {
        this.factory = factory;
        this.size = size;
        this.idle = idle;
        this.clock = clock;
        this.calls = calls;
        this.evictions = evictions;
    }

    /**
     * Returns the lane's agent for a run, and counts it as running until it is put back. It is the one kept where that is built from
     * the same (A11.2, A11.3) and, for the same session, nobody else has written since (A11.5); otherwise a new one, and the one kept
     * is released.
     *
     * @param spec what the agent is made for
     * @param messages how many messages the session has, before the run's input; negative where that is not to be compared
     * @throws dev.parley.application.port.InvalidRequest where the agent is not configured; nothing is kept then
     */
    public Agent take(AgentSpec spec, long messages) {
        String signature = factory.signature(spec);
        PendingReleases pending = new PendingReleases();
        Agent reused;
        synchronized (lock) {
            reused = reuse(spec, signature, messages, pending);
        }
        pending.run();
        if (reused != null) {
            return reused;
        }
        Agent made = factory.create(spec);
        synchronized (lock) {
            Kept entry = new Kept(spec.lane(), made, signature, spec.session(), messages, clock.instant());
            Kept before = kept.remove(spec.lane());
            if (before != null) {
                pending.leave(before, Eviction.Reason.REBUILT, false);
            }
            entry.running = true;
            running.put(made, entry);
            kept.put(spec.lane(), entry);
            shrink(pending);
        }
        pending.run();
        return made;
    }

    private @Nullable Agent reuse(AgentSpec spec, String signature, long messages, PendingReleases pending) {
        Kept entry = kept.get(spec.lane());
        if (entry == null) {
            return null;
        }
        boolean sameSession = entry.session.equals(spec.session());
        boolean foreign = sameSession && messages >= 0 && entry.messages >= 0 && entry.messages != messages;
        if (entry.running || foreign || !entry.signature.equals(signature)) {
            kept.remove(spec.lane());
            pending.leave(entry, foreign ? Eviction.Reason.FOREIGN_CHANGE : Eviction.Reason.REBUILT, false);
            return null;
        }
        kept.remove(spec.lane());
        kept.put(spec.lane(), entry);
        entry.session = spec.session();
        entry.messages = messages;
        entry.lastUsed = clock.instant();
        entry.running = true;
        running.put(entry.agent, entry);
        return entry.agent;
    }

    /**
     * Takes back an agent whose run has ended; does nothing for one that is not running.
     *
     * @param messages how many messages its session has after everything the run stored; negative where that is not known, then
     *     the next comparison is left out
     * @param spoilt whether it must not be used again, because its run was interrupted (Q8.33)
     */
    public void putBack(Agent agent, long messages, boolean spoilt) {
        PendingReleases pending = new PendingReleases();
        synchronized (lock) {
            Kept entry = running.remove(agent);
            if (entry == null) {
                return;
            }
            entry.running = false;
            entry.messages = messages;
            entry.lastUsed = clock.instant();
            if (entry.leaving.isPresent()) {
                pending.letGo(entry, entry.closing);
            } else if (spoilt) {
                kept.remove(entry.lane);
                pending.leave(entry, Eviction.Reason.INTERRUPTED, false);
            } else {
                shrink(pending);
            }
        }
        pending.run();
    }

    /**
     * Notes how many messages a running agent's session has after something was stored for its run (A11.5), such as before a turn
     * that follows at once.
     */
    public void stored(Agent agent, long messages) {
        synchronized (lock) {
            Kept entry = running.get(agent);
            if (entry != null) {
                entry.messages = messages;
            }
        }
    }

    /** Lets go of a lane's agent, whose session may go on with another one; does nothing where none is kept. */
    public void release(SessionKey lane) {
        evict(lane, Eviction.Reason.RELEASED, false);
    }

    /** Closes a lane's agent, whose session is over; does nothing where none is kept. */
    public void close(SessionKey lane) {
        evict(lane, Eviction.Reason.SESSION_OVER, true);
    }

    private void evict(SessionKey lane, Eviction.Reason reason, boolean closing) {
        PendingReleases pending = new PendingReleases();
        synchronized (lock) {
            Kept entry = kept.remove(lane);
            if (entry != null) {
                pending.leave(entry, reason, closing);
            }
        }
        pending.run();
    }

    /** Closes all agents when the gateway stops; those still running are closed when they come back. */
    public void closeAll() {
        PendingReleases pending = new PendingReleases();
        synchronized (lock) {
            for (Kept entry : kept.values()) {
                pending.leave(entry, Eviction.Reason.SHUTDOWN, true);
            }
            kept.clear();
        }
        pending.run();
    }

    /**
     * Releases the agents that were not used for longer than the idle time (A11.7), those running aside.
     *
     * @param awaitsItsEnd the lanes whose session has not expired yet and will, so that the expiry watcher still needs their agent
     * @return how many
     */
    public int sweep(Predicate<SessionKey> awaitsItsEnd) {
        List<Kept> old = new ArrayList<>();
        Instant now = clock.instant();
        synchronized (lock) {
            for (Kept entry : kept.values()) {
                if (isIdle(entry, now)) {
                    old.add(entry);
                }
            }
        }
        old.removeIf(entry -> awaitsItsEnd.test(entry.lane));
        PendingReleases pending = new PendingReleases();
        synchronized (lock) {
            old.removeIf(entry -> kept.get(entry.lane) != entry || !isIdle(entry, now));
            for (Kept entry : old) {
                kept.remove(entry.lane);
                pending.leave(entry, Eviction.Reason.IDLE, false);
            }
        }
        pending.run();
        return old.size();
    }

    private boolean isIdle(Kept entry, Instant now) {
        return !entry.running && Duration.between(entry.lastUsed, now).compareTo(idle) > 0;
    }

    /** Returns how many agents are kept. */
    public int size() {
        synchronized (lock) {
            return kept.size();
        }
    }

    /** Returns whether an agent of the lane is running. */
    public boolean isRunning(SessionKey lane) {
        synchronized (lock) {
            return running.values().stream().anyMatch(entry -> entry.lane.equals(lane));
        }
    }

    /** Looks only at as many of the least recently used as there are too many; one that is running is not replaced by another. */
    private void shrink(PendingReleases pending) {
        int excess = kept.size() - size;
        if (excess <= 0) {
            return;
        }
        List<Kept> oldest = kept.values().stream()
                .limit(excess)
                .filter(entry -> !entry.running)
                .toList();
        for (Kept entry : oldest) {
            kept.remove(entry.lane);
            pending.leave(entry, Eviction.Reason.CAPACITY, false);
        }
    }

    /** What is kept of an agent. Touched under the lock. */
    private static final class Kept {
        final SessionKey lane;
        final Agent agent;
        final String signature;
        SessionId session;
        long messages;
        Instant lastUsed;
        boolean running;
        boolean closing;
        Optional<Eviction.Reason> leaving = Optional.empty();

        Kept(SessionKey lane, Agent agent, String signature, SessionId session, long messages, Instant lastUsed) {
            this.lane = lane;
            this.agent = agent;
            this.signature = signature;
            this.session = session;
            this.messages = messages;
            this.lastUsed = lastUsed;
        }
    }

    /** Collects under the lock what is to happen outside of it. */
    private final class PendingReleases {
        private final List<Kept> released = new ArrayList<>();
        private final List<Kept> closed = new ArrayList<>();
        private final List<Eviction> left = new ArrayList<>();

        /** An agent is no longer kept; where it runs, it is let go of when it comes back, and closed if that was ever asked. */
        void leave(Kept entry, Eviction.Reason reason, boolean closing) {
            entry.closing |= closing;
            entry.leaving = Optional.of(reason);
            left.add(new Eviction(entry.lane, reason));
            if (!entry.running) {
                letGo(entry, entry.closing);
            }
        }

        void letGo(Kept entry, boolean closing) {
            (closing ? closed : released).add(entry);
        }

        /** Outside the lock: listeners are told, and agents are let go of. */
        void run() {
            left.forEach(evictions);
            left.clear();
            closed.forEach(entry -> letGo(entry, "closed", entry.agent::close));
            closed.clear();
            released.forEach(entry -> letGo(entry, "released", entry.agent::release));
            released.clear();
        }

        private void letGo(Kept entry, String how, Runnable call) {
            calls.run(Optional.of(entry.lane), "An agent could not be " + how + ".", call);
        }
    }
}
