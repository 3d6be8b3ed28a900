package dev.parley.application.nodes;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Heard;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Newcomer;
import dev.parley.application.port.Node;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.port.Vitals;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.turn.LifeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that others could share, for one gateway that has it to itself. The gateway lives there as nodes do, so that it finds others
 * and is found by them; it stores nothing while others may work there. Where its life is over and nobody else lives it begins another
 * one. Reads are not kept from it. Safe for concurrent use.
 */
public final class SoleStorage implements ComposedStorage {
    private static final int BEATS = 5;

    private final Storage store;
    private final Company company;
    private final NodeSettings settings;
    private final Timers timers;
    private final Ids ids;
    private final LongSupplier ticks;
    private final StorageParts parts;
    private final Object renewing = new Object();
    private volatile LifeId life;
    /** Until when nobody else may begin, by the clock of this process. */
    private volatile long until;

    private volatile boolean closed;
    private volatile Timers.@Nullable Timer next;

    private SoleStorage(Storage store, Company company, Timers timers, Ids ids, LongSupplier ticks) {
        this.store = store;
        this.company = company;
        this.settings = company.settings();
        this.timers = timers;
        this.ids = ids;
        this.ticks = ticks;
        this.parts = StorageParts.of(store).withLedger(this::commit);
        this.life = newLife();
    }

    /**
     * Takes a store for one gateway alone. Where somebody was heard of there just now, who may have been killed, it waits for as long as
     * their lease runs.
     *
     * @param ticks a clock in nanoseconds that only runs forward
     * @return the store; the same where no others could share it
     * @throws InvalidRequest where others use it; then it is closed
     */
    public static Storage of(Storage store, NodeSettings settings, Timers timers, Ids ids, LongSupplier ticks) {
        return of(store, settings, Newcomer.Kind.ALONE, timers, ids, ticks);
    }

    /**
     * Takes a store to copy into it, as a gateway alone would: until it is closed none begins there, and each is told why.
     *
     * @param name what the copy is called in lists of nodes
     * @param ticks a clock in nanoseconds that only runs forward
     * @return the store; the same where no others could share it
     * @throws InvalidRequest where others use it; then it is closed
     */
    public static Storage copiedTo(Storage store, String name, Timers timers, Ids ids, LongSupplier ticks) {
        return of(store, NodeSettings.named(name), Newcomer.Kind.COPY, timers, ids, ticks);
    }

    private static Storage of(
            Storage store, NodeSettings settings, Newcomer.Kind kind, Timers timers, Ids ids, LongSupplier ticks) {
        Optional<Cluster> cluster = store.cluster();
        if (cluster.isEmpty()) {
            return store;
        }
        boolean taken = false;
        try {
            SoleStorage sole = new SoleStorage(
                    store, new Company(cluster.get(), store.location(), settings, kind), timers, ids, ticks);
            sole.begin();
            taken = true;
            return sole;
        } finally {
            if (!taken) {
                store.close();
            }
        }
    }

    private LifeId newLife() {
        return new LifeId(settings.name() + "#" + ids.unique("life"));
    }

    // ------------------------------------------------------------------ beginning

    private void begin() {
        LifeId mine = life;
        company.join(mine);
        boolean alone = false;
        try {
            company.replace(mine);
            waitForTheDead(mine);
            renew();
            alone = true;
        } finally {
            if (!alone) {
                company.cluster().leave(mine);
            }
        }
        later();
    }

    /** Waits while nobody is heard of but the lease of somebody runs. */
    private void waitForTheDead(LifeId mine) {
        Duration pause = settings.lease().dividedBy(BEATS);
        List<Node> first = company.others(mine);
        List<Node> others = first;
        while (!others.isEmpty()) {
            for (Node other : others) {
                if (!first.stream().map(Node::leaseUntil).toList().contains(other.leaseUntil())) {
                    throw company.refusal(others).orElseThrow();
                }
            }
            CompletableFuture<Void> passed = new CompletableFuture<>();
            timers.after(pause, () -> passed.complete(null));
            passed.join();
            others = company.others(mine);
        }
    }

    // ------------------------------------------------------------------ going on

    private void later() {
        if (!closed) {
            next = timers.after(settings.lease().dividedBy(BEATS), () -> {
                try {
                    renew();
                } catch (StorageUnavailable | StorageCorrupt e) {
                    // Whatever is to be stored asks again, and says so.
                } finally {
                    later();
                }
            });
        }
    }

    private CommitResult commit(Batch batch) {
        if (ticks.getAsLong() - until >= 0) {
            renew();
        }
        return store.ledger().commit(batch);
    }

    /** Says that the life goes on, or begins another one. */
    private void renew() {
        synchronized (renewing) {
            if (closed) {
                throw new StorageUnavailable("The store " + location() + " is closed; open it again.", null);
            }
            long sent = ticks.getAsLong();
            Optional<Heard> heard = company.cluster().beat(life, settings.lease(), Vitals.NONE);
            if (heard.isEmpty()) {
                again();
            }
            until = sent + settings.lease().toNanos() * (BEATS - 1) / BEATS;
        }
    }

    /** The life is over: somebody else has found it silent for too long, and may have begun. */
    private void again() {
        LifeId another = newLife();
        company.join(another);
        Optional<InvalidRequest> refusal = company.refusal(company.others(another));
        if (refusal.isPresent()) {
            company.cluster().leave(another);
            throw new StorageUnavailable(String.valueOf(refusal.get().getMessage()), refusal.get());
        }
        life = another;
    }

    // ------------------------------------------------------------------ the store

    @Override
    public StorageParts parts() {
        return parts;
    }

    @Override
    public String location() {
        return store.location();
    }

    @Override
    public void close() {
        closed = true;
        Optional.ofNullable(next).ifPresent(Timers.Timer::cancel);
        try {
            synchronized (renewing) {
                company.cluster().leave(life);
            }
        } catch (StorageUnavailable | StorageCorrupt e) {
            // Others wait for the lease.
        } finally {
            store.close();
        }
    }
}
