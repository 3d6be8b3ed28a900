package dev.parley.application.delivery;

import dev.parley.application.port.Ids;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Address;
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
        return Outgoing.builder(new OutgoingId(ids.unique("o")), source.address(), text, kind, now)
                .lane(lane)
                .turn(turn.orElse(null))
                .build();
    }

    /** Returns a message of the gateway itself to where a source is, where there is no lane. */
    public Outgoing to(SessionSource source, String text, Outgoing.Kind kind) {
        return Outgoing.builder(new OutgoingId(ids.unique("o")), source.address(), text, kind, now)
                .build();
    }

    /** Returns a message of the gateway itself to one of the operator's chats. */
    public Outgoing to(HomeChannel channel, String text, Outgoing.Kind kind) {
        Address to = Address.of(channel.platform(), channel.chatId(), channel.threadId());
        return Outgoing.builder(new OutgoingId(ids.unique("o")), to, text, kind, now)
                .build();
    }
}
