package dev.parley.adapter.kit.flow;

import dev.parley.application.port.Receipt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Settles what was handed in, in the order in which it came: a place in the platform's stream is passed only once everything before
 * it is stored too. Where the gateway cannot store, nothing behind that place is passed; the adapter stops reading and offers from
 * there again. Safe for concurrent use.
 *
 * @param <P> a place in the platform's stream
 */
public final class OrderedReceipts<P> {
    private final int room;
    private final Consumer<? super P> settled;
    private final Consumer<? super P> unavailable;
    private final Deque<Entry<P>> entries = new ArrayDeque<>();
    private boolean stopped;

    private static final class Entry<P> {
        final P place;
        State state = State.OPEN;

        Entry(P place) {
            this.place = place;
        }
    }

    private enum State {
        OPEN,
        SETTLED,
        UNAVAILABLE
    }

    /**
     * Nothing handed in yet.
     *
     * @param room how much may be under way at once
     * @param settled told each place once it may be passed, in order; called by the thread that completed the receipt, must not block
     * @param unavailable told the first place that could not be stored; nothing more is settled until {@link #clear}
     */
    public OrderedReceipts(int room, Consumer<? super P> settled, Consumer<? super P> unavailable) {
        this.room = room;
        this.settled = settled;
        this.unavailable = unavailable;
    }

    /** Returns whether more may be handed in now; an adapter stops reading where not. */
    public synchronized boolean hasRoom() {
        return !stopped && entries.size() < room;
    }

    /** Returns whether nothing is under way. */
    public synchronized boolean isIdle() {
        return entries.isEmpty();
    }

    /** Adds what was handed in last, with its receipt. */
    public void add(P place, CompletionStage<Receipt> receipt) {
        Entry<P> entry = new Entry<>(place);
        synchronized (this) {
            entries.add(entry);
        }
        receipt.whenComplete((answer, failure) -> done(
                entry,
                failure == null && !(answer instanceof Receipt.Unavailable) ? State.SETTLED : State.UNAVAILABLE));
    }

    /** Forgets what is under way, for the adapter offers it again; receipts that still come change nothing. */
    public synchronized void clear() {
        entries.clear();
        stopped = false;
    }

    private synchronized void done(Entry<P> entry, State state) {
        entry.state = state;
        if (stopped || !entries.contains(entry)) {
            return;
        }
        List<P> passed = new ArrayList<>();
        while (!entries.isEmpty() && entries.peek().state == State.SETTLED) {
            passed.add(entries.poll().place);
        }
        passed.forEach(settled);
        Entry<P> head = entries.peek();
        if (head != null && head.state == State.UNAVAILABLE) {
            stopped = true;
            unavailable.accept(head.place);
        }
    }
}
