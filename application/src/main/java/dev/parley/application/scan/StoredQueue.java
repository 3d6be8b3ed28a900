package dev.parley.application.scan;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.util.List;
import java.util.Optional;

/** What a store keeps of messages that came in, turns, and messages that go out, at one moment. */
public interface StoredQueue {
    /** Returns all messages that came in, in the order they were first stored. */
    List<Inbound> inbound();

    /** Returns the message, or nothing. */
    Optional<Inbound> inbound(InboundId id);

    /** Returns the first message that was stored under its platform's name, or nothing. */
    Optional<Inbound> received(PlatformMessage message);

    /** Returns the greatest ordinal ever given to a message of the lane, also to one that is not kept any more, or 0. */
    long lastOrdinal(SessionKey lane);

    /** Returns all turns, in the order they were first stored. */
    List<Turn> turns();

    /** Returns the turn, or nothing. */
    Optional<Turn> turn(TurnId id);

    /** Returns all outgoing messages, in the order they were first stored. */
    List<Outgoing> outgoing();
}
