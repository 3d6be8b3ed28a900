package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.guard.Guard;
import dev.parley.application.nodes.Company;
import dev.parley.application.nodes.LivingAgents;
import dev.parley.application.nodes.Membership;
import dev.parley.application.nodes.NodeSettings;
import dev.parley.application.port.Cluster;
import dev.parley.application.port.Heard;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.port.Vitals;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The life of a gateway that shares its store: says that it goes on, gives everything up in time where it cannot, begins another life
 * afterwards, ends the lives of others that are not heard of, and looks for work that nobody does. Its tasks are the executor's own, so
 * that nothing that waits for the store keeps them waiting.
 */
final class NodeLife {
    private static final int BEATS = 5;
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration SKEW = Duration.ofSeconds(30);
    private static final int AT_ONCE = 50;
    /** How long a node that ends waits for what is still worked on in its lanes: longer than the store lets a transaction stand idle. */
    private static final Duration LAST_WORK = Duration.ofSeconds(6);

    private final Cluster cluster;
    private final Company company;
    private final Membership nodes;
    private final NodeSettings settings;
    private final LongSupplier ticks;
    private final Timing timing;
    private final Guard guard;
    private final LivingAgents agents;
    private final NodeWork work;
    private final Object lock = new Object();
    private Timers.@Nullable Timer deadline;
    private Optional<Runnable> listening = Optional.empty();
    private boolean over;
    private long lastBeat;
    /** Until when the life counts as alive. */
    private long until;
    /** From when on others may be declared dead: they had their time to be heard of. */
    private long judgesFrom;
    /** How far the store's clock is from this one's, when it was last heard of. */
    private Optional<Duration> clocks = Optional.empty();

    /** Held while a life begins or ends in the store, so that a process that ends leaves none behind. */
    private final Object changing = new Object();
    /** The lives of this process that may not be over by what the store knows. */
    private final Set<LifeId> begun = new LinkedHashSet<>();

    NodeLife(
            Company company,
            Membership nodes,
            LongSupplier ticks,
            Timing timing,
            Guard guard,
            LivingAgents agents,
            NodeWork work) {
        this.cluster = company.cluster();
        this.company = company;
        this.nodes = nodes;
        this.settings = company.settings();
        this.ticks = ticks;
        this.timing = timing;
        this.guard = guard;
        this.agents = agents;
        this.work = work;
    }

    // ------------------------------------------------------------------ beginning

    /**
     * Begins a life, and goes on from then on.
     *
     * @return whether no other node lives
     * @throws InvalidRequest where the node cannot share the store with those that do already
     */
    boolean start() {
        // It may be over before the start is through, on a machine that stands still: then the next beat begins another
        // one.
        LifeId life = join(true);
        checkClock(cluster.beat(life, settings.lease(), Vitals.NONE).map(Heard::now));
        listening = Optional.of(cluster.wakes().listen((meant, lane) -> {
            if (nodes.life().equals(Optional.of(meant))) {
                work.posted(lane);
                timing.after(
                        Duration.ZERO, () -> orderly("Orders of operators could not be looked for.", this::orders));
            }
        }));
        repeatedly(settings.lease().dividedBy(BEATS), "The database was not told that this node lives.", this::beat);
        repeatedly(settings.lease().dividedBy(2 * BEATS), "Nodes that are gone could not be looked for.", this::reap);
        repeatedly(LOOK, "Work that nobody does could not be looked for.", this::look);
        return company.others(life).isEmpty();
    }

    /** Begins a life; {@code anew} where the process starts, so that whatever ran on its home before is over. */
    private LifeId join(boolean anew) {
        LifeId life = new LifeId(settings.name() + "#" + timing.ids().unique("life"));
        synchronized (changing) {
            long sent = ticks.getAsLong();
            begun.add(life);
            company.join(life);
            boolean welcome = false;
            try {
                if (anew) {
                    company.replace(life);
                }
                Optional<InvalidRequest> refusal = company.refusal(company.others(life));
                if (refusal.isPresent()) {
                    throw refusal.get();
                }
                welcome = true;
            } finally {
                if (!welcome) {
                    leave(life, Duration.ZERO);
                }
            }
            synchronized (lock) {
                judgesFrom = sent + settings.lease().toNanos();
            }
            heard(life, sent);
        }
        return life;
    }

    /** Has the store know that a life is over; returns whether it holds nothing any more. */
    private boolean leave(LifeId life, Duration patience) {
        boolean free = cluster.leave(life, patience);
        begun.remove(life);
        return free;
    }

    private void checkClock(Optional<Instant> now) {
        now.map(at -> Duration.between(at, timing.clock().instant()).abs())
                .filter(skew -> skew.compareTo(SKEW) > 0)
                .ifPresent(skew -> {
                    throw new InvalidRequest("The clock of this machine is " + skew.toSeconds()
                            + " s away from that of the database; set it right, or sessions end at wrong times.");
                });
    }

    /** Takes up, at the start, what only one node may do. */
    void takeUp() {
        nodes.life().ifPresent(life -> work.duties(name -> cluster.lease(life, name)));
    }

    /** The store knows, since {@code sent}, that the life goes on. */
    private void heard(LifeId life, long sent) {
        long lease = settings.lease().toNanos();
        synchronized (lock) {
            if (over) {
                return;
            }
            // As long as the store was away it heard of nobody: a life has as much time left as after half a lease.
            long late = sent - lastBeat - lease / 2;
            if (late > 0) {
                judgesFrom = Math.max(judgesFrom, sent + Math.min(lease, late));
            }
            lastBeat = sent;
            until = sent + lease * 4 / BEATS;
            nodes.live(life, until);
            watch(life);
        }
    }

    /** Gives everything up when the time has come, unless the life was renewed by then. */
    private void watch(LifeId life) {
        synchronized (lock) {
            if (deadline != null) {
                deadline.cancel();
            }
            deadline = timing.after(Duration.ofNanos(Math.max(0, until - ticks.getAsLong())), () -> {
                if (!nodes.life().equals(Optional.of(life)) || isOver()) {
                    return;
                }
                if (nodes.isAlive()) {
                    watch(life);
                } else {
                    end(life);
                }
            });
        }
    }

    // ------------------------------------------------------------------ going on

    private void repeatedly(Duration pause, String failure, Runnable task) {
        timing.after(pause, () -> {
            if (isOver()) {
                return;
            }
            try {
                orderly(failure, task);
            } finally {
                repeatedly(pause, failure, task);
            }
        });
    }

    private void orderly(String failure, Runnable task) {
        try {
            task.run();
        } catch (StorageUnavailable | StorageCorrupt e) {
            // The next time tells; that the store does not answer is told where something waits for it.
        } catch (RuntimeException e) {
            guard.tell(Optional.empty(), failure, e);
        }
    }

    private boolean isOver() {
        synchronized (lock) {
            return over;
        }
    }

    private void beat() {
        Optional<LifeId> life = nodes.life();
        if (life.isEmpty()) {
            again();
            return;
        }
        long sent = ticks.getAsLong();
        Optional<Heard> heard =
                cluster.beat(life.get(), settings.lease(), new Vitals(work.busy(), work.isDraining(), work.address()));
        if (heard.isEmpty() || !nodes.isAlive()) {
            end(life.get());
            return;
        }
        noteClock(heard.get().now(), sent);
        if (nodes.life().equals(life)) {
            heard(life.get(), sent);
            work.wished(heard.get().wish());
        }
    }

    /** A store whose clock has leapt would have every life look as if it was over. */
    private void noteClock(Instant now, long sent) {
        synchronized (lock) {
            Duration apart = Duration.between(Instant.EPOCH.plusNanos(sent), now);
            boolean leapt = clocks.filter(before ->
                            before.minus(apart).abs().compareTo(settings.lease().dividedBy(2)) > 0)
                    .isPresent();
            if (leapt) {
                judgesFrom = sent + settings.lease().toNanos();
            }
            clocks = Optional.of(apart);
        }
    }

    /** Others may work on the lanes from now on, or a moment later. */
    private void end(LifeId life) {
        if (!nodes.life().equals(Optional.of(life))) {
            return;
        }
        if (nodes.isAlive() && !isOver()) {
            // The store says so itself: the deadline does not matter any more.
            nodes.live(life, ticks.getAsLong());
        }
        boolean isMine = nodes.end().isPresent();
        agents.interrupt("The node lost its lease");
        if (!isMine || isOver()) {
            return;
        }
        guard.tell(
                Optional.empty(),
                "This node has not reached the database for too long: its turns are stopped, and other nodes take its lanes.",
                new StorageUnavailable("The lease of " + life.value() + " has run out.", null));
        work.lost();
    }

    /** Begins another life, once the store answers again. */
    private void again() {
        synchronized (changing) {
            if (isOver()) {
                return;
            }
            List.copyOf(begun).forEach(before -> leave(before, Duration.ZERO));
            join(false);
        }
    }

    /** Ends lives that are not heard of, unless this one was not heard of itself: then all may be late. */
    private void reap() {
        synchronized (lock) {
            if (ticks.getAsLong() - judgesFrom < 0 || !nodes.isAlive()) {
                return;
            }
        }
        List<LifeId> dead = cluster.reap();
        if (!dead.isEmpty()) {
            work.died(dead);
            look();
        }
    }

    private void look() {
        Optional<LifeId> life = nodes.life().filter(mine -> nodes.isAlive());
        if (life.isEmpty()) {
            return;
        }
        Map<SessionKey, Long> held = cluster.holdsOf(life.get());
        work.check(held);
        int room = Math.min(AT_ONCE, work.room());
        if (room > 0) {
            cluster.wanted(room).forEach(work::wanted);
        }
        work.places().ifPresent(most -> nodes.roomElsewhere(company.room(life.get(), most)));
        work.duties(name -> cluster.lease(life.get(), name));
        orders();
    }

    /** Follows what operators ask of lanes that this node works on, or nobody does. */
    private void orders() {
        Optional<LifeId> life = nodes.life().filter(mine -> nodes.isAlive());
        if (life.isEmpty() || isOver()) {
            return;
        }
        cluster.takeOrders(life.get())
                .forEach(order -> work.ordered(
                        order,
                        done -> timing.after(
                                Duration.ZERO,
                                () -> orderly(
                                        "What came of an operator's order could not be stored.",
                                        () -> cluster.answer(order.id(), done)))));
    }

    // ------------------------------------------------------------------ ending

    /** Ends: what any life of this process held is free for others. */
    void leave() {
        synchronized (lock) {
            over = true;
            if (deadline != null) {
                deadline.cancel();
            }
        }
        listening.ifPresent(Runnable::run);
        nodes.end();
        try {
            boolean free;
            synchronized (changing) {
                free = leaveAll();
            }
            if (!free) {
                guard.tell(
                        Optional.empty(),
                        "Lanes of this node are still worked on in the database; they are free once another node, or the next start, finds that over.",
                        new StorageUnavailable("A transaction in the database has not ended.", null));
            }
        } catch (StorageUnavailable | StorageCorrupt e) {
            guard.tell(
                    Optional.empty(), "The database was not told that this node ends; others wait for its lease.", e);
        }
    }

    /** A connection that broke some time ago is found out by whoever uses it next: once more is worth it. */
    private boolean leaveAll() {
        List<LifeId> lives = List.copyOf(begun);
        try {
            return leaveAll(lives);
        } catch (StorageUnavailable e) {
            return leaveAll(lives);
        }
    }

    private boolean leaveAll(List<LifeId> lives) {
        boolean free = true;
        for (LifeId life : lives) {
            free &= leave(life, LAST_WORK);
        }
        return free;
    }
}
