package dev.parley.adapter.kit.flow;

import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * What waits in one chat of a platform that tells what happens and keeps a history, in the order in which it happened. One thing is handed
 * in at a time, and the next once it is settled. After an absence nothing is handed in until what was written meanwhile has been read. Safe
 * for concurrent use.
 *
 * @param <T> what is told
 * @param <R> what is read of it
 */
public final class ChatBacklog<T, R> {
    /** Something that makes the gateway fail so often is left out: it would fail for ever. */
    private static final int MOST_FAILURES = 3;

    private static final int MOST_REMEMBERED = 2_000;
    private static final int MOST_DOUBLINGS = 5;

    private final Chat<T, R> chat;
    private final Host host;
    private final Backoff tries;
    private final List<Item<T>> waiting = new ArrayList<>();
    private final Set<String> settled = Remembered.latest(MOST_REMEMBERED);
    /** What found no room and is settled once the history has told of it. */
    private final List<Offer> left = new ArrayList<>();

    private boolean overflowed;
    private boolean absent = true;
    private boolean looking;
    private boolean busy;
    private int failures;
    private Optional<Timers.Timer> pausing = Optional.empty();

    /** What becomes of something that is told. */
    public enum Room {
        /** It waits. */
        WAITS,
        /** It is left to the history, and settled once that is read. */
        IN_HISTORY,
        /** It is not settled, and told again. */
        AGAIN
    }

    /**
     * One chat as its platform knows it. It is called by one thread at a time, but for {@link #id}, {@link #isBefore} and {@link #room},
     * which return at once.
     *
     * @param <T> what is told
     * @param <R> what is read of it
     */
    public interface Chat<T, R> {
        /** Returns the same each time something is told, in whatever way. */
        String id(T told);

        /** Returns whether one thing is known to have happened before another. */
        boolean isBefore(T told, T other);

        /**
         * Returns what becomes of something new.
         *
         * @param told what was told
         * @param more whether more may wait, and nothing before it was left out
         */
        Room room(T told, boolean more);

        /**
         * Returns what was written since what is settled, in order; what is told elsewhere may be among it.
         *
         * @throws LookupFailed where that cannot be known now
         */
        List<T> written() throws LookupFailed;

        /**
         * Reads what was told.
         *
         * @throws LookupFailed where something that has to be known for it could not be asked for now
         */
        R read(T told) throws LookupFailed;

        /** Hands in what was read; completes exceptionally where the gateway failed with it. */
        CompletionStage<Settlement> handIn(T told, R read);

        /** Notes that something is settled. */
        void settled(T told, R read);

        /** Notes that something is left out because the gateway fails with it; returns what is settled in its place. */
        R leftOut(T told, Throwable failure);
    }

    /** Where a backlog lives. */
    public interface Host {
        /** Returns whether somebody listens, so that a history read now has all that is not told later. */
        boolean isListening();

        /** Returns whether nothing is handed in any more. */
        boolean isStopped();

        /** Returns whether more may wait in all chats. */
        boolean hasRoom();

        /** Notes that more waits, or less. */
        void waits(int change);

        /** Has {@link #look} called soon, by one thread at a time, and {@link #next} after it. */
        void lookInto(ChatBacklog<?, ?> backlog);

        /** Runs something that may block. */
        void execute(Runnable task);

        /** Runs something that does not block after a time. */
        Timers.Timer after(Duration time, Runnable task);

        /** Returns where chance comes from. */
        Ids ids();
    }

    /** Something that was told and not settled. */
    private static final class Item<T> {
        final T told;
        final Set<Offer> offers = new LinkedHashSet<>();
        int failures;

        Item(T told) {
            this.told = told;
        }
    }

    /**
     * A chat of which nothing was told, and whose history is to be read first.
     *
     * @param chat the chat
     * @param host where it lives
     * @param leastPause how long to wait at least before something is tried again
     */
    public ChatBacklog(Chat<T, R> chat, Host host, Duration leastPause) {
        this.chat = chat;
        this.host = host;
        this.tries = new Backoff(leastPause, MOST_DOUBLINGS);
    }

    /** Takes something that was told. What is settled already settles its offer; what waits already settles it later. */
    public void take(T told, Offer offer) {
        String id = chat.id(told);
        boolean known;
        synchronized (this) {
            known = settled.contains(id);
            if (!known) {
                wait(told, id, offer);
            }
        }
        if (known) {
            offer.settle();
        }
        next();
    }

    private void wait(T told, String id, Offer offer) {
        Room room = chat.room(told, !overflowed && host.hasRoom());
        Optional<Item<T>> item = room == Room.WAITS ? Optional.of(add(told)) : waitingAs(id);
        overflowed |= room != Room.WAITS;
        if (item.isPresent()) {
            item.get().offers.add(offer);
        } else if (room == Room.IN_HISTORY) {
            left.add(offer);
        }
    }

    private Optional<Item<T>> waitingAs(String id) {
        return waiting.stream().filter(item -> chat.id(item.told).equals(id)).findFirst();
    }

    /** Adds in order what does not wait yet. */
    private Item<T> add(T told) {
        Optional<Item<T>> before = waitingAs(chat.id(told));
        if (before.isPresent()) {
            return before.get();
        }
        Item<T> item = new Item<>(told);
        int at = waiting.size();
        while (at > (busy ? 1 : 0) && chat.isBefore(told, waiting.get(at - 1).told)) {
            at--;
        }
        waiting.add(at, item);
        host.waits(1);
        return item;
    }

    /** Notes whether there may be something written that nobody has heard: it is read before anything else is handed in. */
    public synchronized void absent(boolean now) {
        absent = now;
    }

    /** Returns whether something waits. */
    public synchronized boolean isWaitedFor() {
        return !waiting.isEmpty();
    }

    /**
     * Reads what was written in an absence, and adds it, unless nobody listens now. Called by one thread at a time.
     *
     * @throws LookupFailed where that cannot be known now
     */
    public void look() throws LookupFailed {
        List<Offer> told;
        synchronized (this) {
            if (!host.isListening()) {
                // What is written from now on would not be read: it is looked into once somebody listens.
                absent = true;
                return;
            }
            absent = false;
            overflowed = false;
            looking = true;
            told = List.copyOf(left);
            left.clear();
        }
        boolean read = false;
        try {
            List<T> written = chat.written();
            read = true;
            synchronized (this) {
                written.stream()
                        .filter(each -> !settled.contains(chat.id(each)))
                        .forEach(this::add);
                // They are settled with the last of what the history tells in their place.
                if (waiting.isEmpty()) {
                    told.forEach(Offer::settle);
                } else {
                    waiting.get(waiting.size() - 1).offers.addAll(told);
                }
            }
        } finally {
            synchronized (this) {
                looking = false;
                if (!read) {
                    absent = true;
                    left.addAll(told);
                }
            }
        }
    }

    /** Does what is next, unless something is under way. */
    public void next() {
        Item<T> head;
        synchronized (this) {
            if (busy || looking || pausing.isPresent() || host.isStopped()) {
                return;
            }
            if (absent || (overflowed && waiting.isEmpty())) {
                if (host.isListening()) {
                    host.lookInto(this);
                }
                return;
            }
            if (waiting.isEmpty()) {
                return;
            }
            busy = true;
            head = waiting.get(0);
        }
        host.execute(() -> handIn(head));
    }

    private void handIn(Item<T> item) {
        CompletionStage<Settlement> stage;
        R read;
        try {
            read = chat.read(item.told);
            stage = chat.handIn(item.told, read);
        } catch (LookupFailed e) {
            again(e.retryAfter().orElse(Duration.ZERO));
            return;
        } catch (RuntimeException | Error e) {
            failed(item, e);
            return;
        }
        stage.whenComplete((settlement, failure) -> {
            if (failure != null) {
                failed(item, failure.getCause() == null ? failure : failure.getCause());
            } else if (settlement.again().isPresent()) {
                again(settlement.again().get());
            } else {
                done(item, read);
            }
        });
    }

    private void failed(Item<T> item, Throwable failure) {
        if (++item.failures < MOST_FAILURES) {
            again(Duration.ZERO);
        } else {
            done(item, chat.leftOut(item.told, failure));
        }
    }

    private void again(Duration asked) {
        synchronized (this) {
            busy = false;
            Duration own = tries.pause(failures++, host.ids());
            pausing = Optional.of(host.after(own.compareTo(asked) > 0 ? own : asked, () -> {
                synchronized (this) {
                    pausing = Optional.empty();
                }
                next();
            }));
        }
    }

    private void done(Item<T> item, R read) {
        chat.settled(item.told, read);
        List<Offer> offers;
        synchronized (this) {
            busy = false;
            failures = 0;
            waiting.remove(item);
            settled.add(chat.id(item.told));
            offers = List.copyOf(item.offers);
        }
        host.waits(-1);
        offers.forEach(Offer::settle);
        next();
    }

    /** Ends waiting. */
    public synchronized void stop() {
        pausing.ifPresent(Timers.Timer::cancel);
        pausing = Optional.empty();
        waiting.clear();
    }
}
