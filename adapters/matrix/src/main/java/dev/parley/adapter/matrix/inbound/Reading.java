package dev.parley.adapter.matrix.inbound;

import dev.parley.adapter.kit.access.Gate;
import java.time.Duration;
import java.util.Set;

/**
 * How an account's rooms are read.
 *
 * @param patience how long a sync waits for something to happen
 * @param grace how much longer than that its answer may take before the connection counts as dead
 * @param backfill how many messages of a gap in one room are read at most
 * @param receipts whether people see up to where the bot has read
 * @param autoThread whether what is said to the bot in a room begins a thread
 * @param invitations which rooms the bot joins
 * @param ignoredUsers who is never listened to
 * @param gate which messages of rooms are for the agent
 * @param observe whether what is not for the agent is kept until something is
 */
public record Reading(
        Duration patience,
        Duration grace,
        int backfill,
        boolean receipts,
        boolean autoThread,
        Invitations invitations,
        Set<String> ignoredUsers,
        Gate gate,
        boolean observe) {
    /** Copies the list. */
    public Reading {
        ignoredUsers = Set.copyOf(ignoredUsers);
    }
}
