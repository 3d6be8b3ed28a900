package dev.parley.domain.turn;

import dev.parley.domain.text.OneLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How far an outgoing message has come.
 *
 * @param state how it stands
 * @param attempts how often sending it was begun
 * @param attemptedAt when it was begun last; absent before, and for messages that an earlier version stored
 * @param failure one line: why the last attempt failed; absent where none did
 * @param notBefore when it may be tried again at the earliest, where its platform asked for a pause
 * @param parts the parts that the platform took so far, in order
 */
public record Delivery(
        Outgoing.State state,
        int attempts,
        Optional<Instant> attemptedAt,
        Optional<String> failure,
        Optional<Instant> notBefore,
        List<SentPart> parts) {
    private static final int FAILURE = 300;

    /** Stored, not yet sent. */
    public static final Delivery PENDING = of(Outgoing.State.PENDING, 0);

    /** Makes the failure one line of at most 300 characters. */
    public Delivery {
        failure = failure.map(text -> OneLine.of(text, FAILURE)).filter(text -> !text.isEmpty());
        parts = List.copyOf(parts);
    }

    /** Returns a delivery of which no more is known than its state and how often it was begun. */
    public static Delivery of(Outgoing.State state, int attempts) {
        return new Delivery(state, attempts, Optional.empty(), Optional.empty(), Optional.empty(), List.of());
    }

    /** Returns this in another state. */
    public Delivery in(Outgoing.State next) {
        return new Delivery(next, attempts, attemptedAt, failure, notBefore, parts);
    }

    /** Returns this begun once more; the pause that was asked for is over. */
    public Delivery attempted(Optional<Instant> at) {
        return new Delivery(
                Outgoing.State.ATTEMPTED, attempts + 1, at.or(() -> attemptedAt), failure, Optional.empty(), parts);
    }

    /** Returns this after an attempt that failed; not to be tried again before a time, where one is given. */
    public Delivery failed(String why, Optional<Instant> again) {
        return new Delivery(state, attempts, attemptedAt, Optional.of(why), again, parts);
    }

    /** Returns this with a part that the platform took; a part that is there already stays as it is. */
    public Delivery sent(SentPart part) {
        if (parts.stream().anyMatch(each -> each.number() == part.number())) {
            return this;
        }
        List<SentPart> all = new ArrayList<>(parts);
        all.add(part);
        return new Delivery(state, attempts, attemptedAt, failure, notBefore, all);
    }

    /** Returns the number of the part that is next. */
    public int nextPart() {
        return parts.stream().mapToInt(SentPart::number).max().orElse(0) + 1;
    }

    /** Returns the messages that it became, as the platform names them, in order. */
    public List<String> messageIds() {
        return parts.stream().flatMap(part -> part.messageIds().stream()).toList();
    }
}
