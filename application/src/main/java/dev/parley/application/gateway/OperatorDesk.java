package dev.parley.application.gateway;

import dev.parley.domain.change.Change;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The gateway's own desk: starting, stopping, and messages to the operator's chats. Never retires. */
final class OperatorDesk extends Desk {
    private final Outbox outbox = new Outbox(this);

    OperatorDesk(Workings works) {
        super(works);
    }

    @Override
    Optional<SessionKey> lane() {
        return Optional.empty();
    }

    @Override
    boolean isIdle() {
        return false;
    }

    @Override
    void forgotten() {}

    @Override
    void faulted(Throwable failure) {}

    boolean isQuiet() {
        return outbox.isQuiet();
    }

    void deliver(List<Outgoing> messages) {
        messages.forEach(outbox::add);
    }

    void wake() {
        outbox.poke();
    }

    /** Tells chats something, once it is stored together with {@code more}. */
    void announce(List<HomeChannel> channels, String text, Outgoing.Kind kind, List<Change> more, Runnable next) {
        List<Outgoing> messages = new ArrayList<>();
        List<Change> changes = new ArrayList<>(more);
        for (HomeChannel home : channels) {
            Outgoing message = new Outgoing(
                    new OutgoingId(works.ids.unique("o")),
                    Optional.empty(),
                    home.platform(),
                    home.chatId(),
                    home.threadId(),
                    text,
                    kind,
                    works.now(),
                    Optional.empty(),
                    Outgoing.State.PENDING,
                    0);
            messages.add(message);
            changes.add(new Change.PutOutgoing(message));
        }
        if (changes.isEmpty()) {
            next.run();
            return;
        }
        commit(List.of(), changes, stored -> {
            messages.forEach(outbox::add);
            then(next);
        });
    }
}
