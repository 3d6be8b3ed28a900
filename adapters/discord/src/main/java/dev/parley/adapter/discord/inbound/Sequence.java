package dev.parley.adapter.discord.inbound;

import java.util.TreeSet;

/** The numbers of one session's events: up to which all are settled. Safe for concurrent use. */
final class Sequence {
    private final TreeSet<Integer> open = new TreeSet<>();
    private int last;

    /** A session of which everything up to a number is settled. */
    Sequence(int settled) {
        this.last = settled;
    }

    /** Notes an event that came. */
    synchronized void came(int number) {
        if (number > last) {
            last = number;
            open.add(number);
        }
    }

    /** Notes that an event is settled, or needs nothing. */
    synchronized void settle(int number) {
        open.remove(number);
    }

    /** Returns the number up to which everything is settled: behind it Discord is asked for events again. */
    synchronized int settled() {
        return open.isEmpty() ? last : open.first() - 1;
    }
}
