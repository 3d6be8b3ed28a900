package dev.parley.adapter.terminal;

import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.TurnId;
import java.util.LinkedHashSet;
import java.util.Set;

/** Remembers what was shown lately: answers reach a terminal on two ways, as they come about and when they are sent. */
final class Shown {
    private static final int REMEMBERED = 1000;

    private final Set<TurnId> turns = new LinkedHashSet<>();
    private final Set<OutgoingId> messages = new LinkedHashSet<>();

    /** Returns whether the answer of this turn was not shown yet; from now on it was. */
    synchronized boolean first(TurnId turn) {
        return add(turns, turn);
    }

    /** Returns whether this message was not shown yet; from now on it was. */
    synchronized boolean first(Outgoing message) {
        boolean first = add(messages, message.id());
        if (message.kind() == Outgoing.Kind.REPLY && message.turn().isPresent()) {
            return add(turns, message.turn().get()) && first;
        }
        return first;
    }

    private static <T> boolean add(Set<T> seen, T one) {
        boolean first = seen.add(one);
        if (seen.size() > REMEMBERED) {
            seen.remove(seen.iterator().next());
        }
        return first;
    }
}
