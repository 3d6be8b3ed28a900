package dev.parley.application.nodes;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Tenure;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * This gateway's part among those that share its store: its life and the lanes it holds. A gateway that has its store to itself is alone:
 * it lives as long as its process, and every lane is its own.
 *
 * <p>The life counts as alive until a moment before others may take its lanes, by a clock that only runs forward. Safe for concurrent
 * use.
 */
public final class Membership {
    private final Optional<Cluster> cluster;
    private final LongSupplier ticks;
    private final Map<SessionKey, Held> holds = new HashMap<>();
    private volatile @Nullable Life life;
    /** The other lives that have places for lanes, each as often as it has. */
    private final Deque<LifeId> room = new ArrayDeque<>();

    /** A lane that is held; {@code uses} counts the messages of it that are on their way. */
    private record Held(long token, int uses) {}

    private record Life(LifeId id, long until) {}

    private Membership(Optional<Cluster> cluster, LongSupplier ticks) {
        this.cluster = cluster;
        this.ticks = ticks;
    }

    /** Returns the membership of a gateway that has its store to itself. */
    public static Membership alone() {
        return new Membership(Optional.empty(), () -> 0);
    }

    /**
     * Returns the membership of a gateway that lives no life yet.
     *
     * @param ticks a clock in nanoseconds that only runs forward, whatever its zero
     */
    public static Membership of(Cluster cluster, LongSupplier ticks) {
        return new Membership(Optional.of(cluster), ticks);
    }

    /** Returns whether other gateways may share the store. */
    public boolean isShared() {
        return cluster.isPresent();
    }

    // ------------------------------------------------------------------ the life

    /** Returns the life; absent before it has begun and once it is over. */
    public Optional<LifeId> life() {
        return Optional.ofNullable(life).map(Life::id);
    }

    /** Returns whether this gateway may do what cannot be taken back: no other one may work on its lanes yet. */
    public boolean isAlive() {
        Life mine = life;
        return cluster.isEmpty() || (mine != null && mine.until() - ticks.getAsLong() > 0);
    }

    /** A life begins, or goes on; it is alive until the clock says {@code until}. */
    public void live(LifeId id, long until) {
        life = new Life(id, until);
    }

    /**
     * The life is over: nothing is held any more.
     *
     * @return the life; absent where it was over already
     */
    public Optional<LifeId> end() {
        synchronized (holds) {
            Optional<LifeId> over = life();
            life = null;
            holds.clear();
            return over;
        }
    }

    // ------------------------------------------------------------------ lanes

    /**
     * Takes a lane.
     *
     * @throws StorageUnavailable where that cannot be known now, or the life is over
     */
    public Tenure take(SessionKey lane) {
        LifeId id = alive();
        Tenure tenure = cluster.orElseThrow().take(id, lane);
        if (tenure instanceof Tenure.Mine mine) {
            synchronized (holds) {
                if (!life().equals(Optional.of(id))) {
                    throw over();
                }
                int uses = Optional.ofNullable(holds.get(lane)).map(Held::uses).orElse(0);
                holds.put(lane, new Held(mine.token(), uses));
            }
        } else if (tenure instanceof Tenure.Over) {
            throw over();
        }
        return tenure;
    }

    private LifeId alive() {
        Life mine = life;
        if (mine == null || !isAlive()) {
            throw over();
        }
        return mine.id();
    }

    private static StorageUnavailable over() {
        return new StorageUnavailable(
                "This node has not reached the database for too long, so others may do its work; try another node, or again in a moment.",
                null);
    }

    /** Frees a lane; returns false where somebody stored a message behind {@code lastOrdinal}, or it is held under another token. */
    public boolean giveBack(SessionKey lane, long token, long lastOrdinal) {
        boolean free = cluster.orElseThrow().giveBack(lane, token, lastOrdinal);
        if (free) {
            lose(lane, token);
        }
        return free;
    }

    /** The lane is not held under this token any more. */
    public void lose(SessionKey lane, long token) {
        synchronized (holds) {
            holds.computeIfPresent(lane, (key, held) -> held.token() == token ? null : held);
        }
    }

    /** Returns what each batch of a lane requires; absent where the lane is not held. */
    public Optional<Precondition> fence(SessionKey lane) {
        synchronized (holds) {
            return Optional.ofNullable(holds.get(lane)).map(held -> new Precondition.HeldBy(lane, held.token()));
        }
    }

    // ------------------------------------------------------------------ places elsewhere

    /** Other lives have places for lanes: each as often as it has, in the order in which they are to be taken. */
    public void roomElsewhere(List<LifeId> places) {
        synchronized (room) {
            room.clear();
            room.addAll(places);
        }
    }

    /** Returns whether others are known to have places. */
    public boolean hasRoomElsewhere() {
        synchronized (room) {
            return !room.isEmpty();
        }
    }

    /** Takes one of the places that others have; absent where none is known. */
    public Optional<LifeId> takeRoomElsewhere() {
        synchronized (room) {
            return Optional.ofNullable(room.poll());
        }
    }

    // ------------------------------------------------------------------ messages on their way

    /** A message of a lane is on its way: the lane is kept until it is not. */
    public void use(Outgoing message) {
        count(message, 1);
    }

    /** A message is not on its way any more; returns whether nothing of its lane is, of one that is held. */
    public boolean release(Outgoing message) {
        return count(message, -1);
    }

    /** Returns whether nothing of the lane is on its way afterwards. */
    private boolean count(Outgoing message, int more) {
        if (cluster.isEmpty() || message.lane().isEmpty()) {
            return false;
        }
        SessionKey lane = message.lane().get();
        @Nullable Held after;
        synchronized (holds) {
            after = holds.computeIfPresent(
                    lane, (key, held) -> new Held(held.token(), Math.max(0, held.uses() + more)));
        }
        return after != null && after.uses() == 0;
    }

    /** Returns whether messages of a lane are on their way. */
    public boolean isUsed(SessionKey lane) {
        synchronized (holds) {
            return Optional.ofNullable(holds.get(lane))
                    .filter(held -> held.uses() > 0)
                    .isPresent();
        }
    }

    /** Returns what a batch about a message requires: nothing for a gateway alone or a message of no lane; absent where its lane is not held. */
    public Optional<List<Precondition>> fence(Outgoing message) {
        if (cluster.isEmpty() || message.lane().isEmpty()) {
            return Optional.of(List.of());
        }
        return fence(message.lane().get()).map(List::of);
    }

    /** Has others told that something was stored in a lane that one of them holds. */
    public void wake(LifeId holder, SessionKey lane) {
        cluster.ifPresent(shared -> shared.wakes().wake(holder, lane));
    }
}
