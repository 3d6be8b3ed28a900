package dev.parley.application.lane;

import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * A lane's queue: the admitted messages that wait for their turn.
 *
 * @param messages the messages, by ordinal
 * @param lastOrdinal the greatest ordinal that was ever given to a message of the lane
 */
record Waiting(List<Inbound> messages, long lastOrdinal) {
    static final Waiting NOTHING = new Waiting(List.of(), 0);

    Waiting {
        messages = List.copyOf(messages);
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    boolean has(Inbound inbound) {
        return messages.stream().anyMatch(is(inbound.id()));
    }

    /** Returns this with a message that waits now. */
    Waiting with(Inbound inbound) {
        List<Inbound> all = new ArrayList<>(messages);
        all.removeIf(is(inbound.id()));
        all.add(inbound);
        all.sort(Comparator.comparingLong(Inbound::ordinal));
        return new Waiting(all, Math.max(lastOrdinal, inbound.ordinal()));
    }

    /** Returns this after a message was stored that does not wait: its place in the order is used. */
    Waiting used(Inbound inbound) {
        return new Waiting(messages, Math.max(lastOrdinal, inbound.ordinal()));
    }

    /** Returns this without messages that wait no more. */
    Waiting without(List<Inbound> gone) {
        List<InboundId> ids = gone.stream().map(Inbound::id).toList();
        return new Waiting(messages.stream().filter(m -> !ids.contains(m.id())).toList(), lastOrdinal);
    }

    private static Predicate<Inbound> is(InboundId id) {
        return m -> m.id().equals(id);
    }

    /** Returns how many messages count against the limit of follow-ups (Q8.17). */
    long followUps() {
        return messages.stream()
                .filter(i -> i.kind() == Inbound.Kind.MESSAGE || i.kind() == Inbound.Kind.STEER)
                .count();
    }
}
