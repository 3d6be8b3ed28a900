package dev.parley.adapter.discord.inbound;

import dev.parley.adapter.kit.flow.Offer;

/**
 * Which event of a session something came by.
 *
 * @param sequence the session's events
 * @param number the event's number
 */
record Event(Sequence sequence, int number) implements Offer {
    /** Notes that it is settled: Discord need not tell it again. */
    @Override
    public void settle() {
        sequence.settle(number);
    }
}
