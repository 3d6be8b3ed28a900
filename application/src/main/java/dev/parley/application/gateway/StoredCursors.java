package dev.parley.application.gateway;

import dev.parley.application.actor.Actor;
import dev.parley.application.actor.ActorHost;
import dev.parley.application.actor.Timing;
import dev.parley.application.actor.Writers;
import dev.parley.application.port.Cursors;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Meta;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.source.CursorName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Cursors in a gateway's storage. What is noted while a commit is under way is stored together by the next one. It may be made before
 * the gateway is, so that platforms can be given it.
 */
public final class StoredCursors implements Cursors {
    private final Meta meta;
    private final Map<CursorName, String> noted = new ConcurrentHashMap<>();
    private final AtomicBoolean due = new AtomicBoolean();
    private final Keeper keeper;

    /**
     * Cursors in this storage.
     *
     * @param storage where they are kept
     * @param timing time and chance
     * @param executor stores them
     * @param events told where the storage does not take them
     */
    public StoredCursors(Storage storage, Timing timing, Executor executor, GatewayEvents events) {
        this.meta = storage.meta();
        this.keeper = new Keeper(
                new ActorHost(executor, storage.ledger(), new Writers(timing.ids()), timing, events, () -> false));
    }

    @Override
    public Optional<String> get(CursorName name) {
        Optional<String> fresh = Optional.ofNullable(noted.get(name));
        return fresh.isPresent() ? fresh : meta.cursor(name);
    }

    @Override
    public void put(CursorName name, String value) {
        noted.put(name, value);
        if (due.compareAndSet(false, true)) {
            keeper.post(keeper::store);
        }
    }

    /** Stores what is noted, one commit at a time. Never retires. */
    private final class Keeper extends Actor {
        Keeper(ActorHost host) {
            super(host, Optional.empty(), gone -> {});
        }

        @Override
        protected boolean isIdle() {
            return false;
        }

        @Override
        protected void faulted(Throwable failure) {
            // The failure is told; what is noted is stored with the next cursor.
        }

        void store() {
            due.set(false);
            Map<CursorName, String> now = new TreeMap<>(noted);
            if (now.isEmpty()) {
                return;
            }
            List<Change> changes = new ArrayList<>();
            now.forEach((name, value) -> changes.add(new Change.PutCursor(name, Optional.of(value))));
            commit(List.of(), changes, stored -> now.forEach(noted::remove));
        }
    }
}
