package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads what is admitted, claimed and waiting to be delivered. Consistent with the last commit of this process; safe for
 * concurrent use. Every method throws {@link StorageUnavailable} or {@link StorageCorrupt} rather than answer that nothing is
 * there.
 */
public interface TurnQueue {
    /** Returns every admitted message of every lane, by lane and ordinal. */
    List<Inbound> admitted();

    /** Returns a lane's admitted messages, by ordinal. */
    List<Inbound> admitted(SessionKey lane);

    /** Returns the greatest ordinal ever given to a message of the lane, or 0. */
    long lastOrdinal(SessionKey lane);

    /** Returns the message, or nothing. */
    Optional<Inbound> inbound(InboundId id);

    /** Returns the message that its platform names so, or nothing. */
    Optional<Inbound> received(PlatformMessage message);

    /** Returns every turn that is claimed and has not ended, by lane, then start, then id. */
    List<Turn> claimed();

    /** Returns the turn, or nothing. */
    Optional<Turn> turn(TurnId id);

    /** Returns every outgoing message that is neither delivered nor expired, in the order it was first stored. */
    List<Outgoing> undelivered();

    /**
     * Hands everything kept of turns, inbound and outgoing messages since {@code since} to the consumers, in the order it was
     * first stored, for copies and checks.
     */
    void forEach(Instant since, Consumer<Inbound> inbound, Consumer<Turn> turns, Consumer<Outgoing> outgoing);
}
