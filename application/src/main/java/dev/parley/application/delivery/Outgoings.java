package dev.parley.application.delivery;

import dev.parley.application.port.Ids;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.TurnId;
import java.time.Instant;
import java.util.Optional;

/**
 * Makes messages to chats, not stored yet.
 *
 * @param ids makes their ids
 * @param now when they are made
 */
public record Outgoings(Ids ids, Instant now) {
    /** Returns a message to where a source is. */
    public Outgoing to(SessionSource source, SessionKey lane, String text, Outgoing.Kind kind, Optional<TurnId> turn) {
        return new Outgoing(
                new OutgoingId(ids.unique("o")),
                Optional.of(lane),
                source.platform(),
                source.chatId(),
                source.threadId(),
                text,
                kind,
                now,
                turn,
                Outgoing.State.PENDING,
                0);
    }

    /** Returns a message of the gateway itself to one of the operator's chats. */
    public Outgoing to(HomeChannel channel, String text, Outgoing.Kind kind) {
        return new Outgoing(
                new OutgoingId(ids.unique("o")),
                Optional.empty(),
                channel.platform(),
                channel.chatId(),
                channel.threadId(),
                text,
                kind,
                now,
                Optional.empty(),
                Outgoing.State.PENDING,
                0);
    }
}
