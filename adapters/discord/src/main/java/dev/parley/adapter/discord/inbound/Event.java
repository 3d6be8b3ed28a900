package dev.parley.adapter.discord.inbound;

/**
 * Which event of a session something came by.
 *
 * @param sequence the session's events
 * @param number the event's number
 */
record Event(Sequence sequence, int number) {
    /** Notes that it is settled: Discord need not tell it again. */
    void settle() {
        sequence.settle(number);
    }
}
