package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
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

    /** Returns a lane's turns that are claimed and have not ended, by start, then id. */
    default List<Turn> claimed(SessionKey lane) {
        return claimed().stream().filter(turn -> turn.lane().equals(lane)).toList();
    }

    /** Returns the turn, or nothing. */
    Optional<Turn> turn(TurnId id);

    /** Returns every outgoing message that is neither delivered nor expired, in the order it was first stored. */
    List<Outgoing> undelivered();

    /** Returns a lane's outgoing messages that are neither delivered nor expired, in the order they were first stored. */
    default List<Outgoing> undelivered(SessionKey lane) {
        return undelivered().stream()
                .filter(message -> message.lane().filter(lane::equals).isPresent())
                .toList();
    }

    /**
     * Returns up to {@code limit} messages to a chat whose sending was begun and that were not given up, in the order they were
     * first stored: those behind {@code after}, or the oldest where that is absent or not kept any more. Looks at every outgoing
     * message unless a store knows better.
     */
    default List<Outgoing> sentTo(Platform platform, String chatId, Optional<OutgoingId> after, int limit) {
        return Scanned.sentTo(
                each -> forEach(Instant.EPOCH, inbound -> {}, turn -> {}, each), platform, chatId, after, limit);
    }

    /** Returns a page of turns; see {@link TurnQuery}. Looks at every turn unless a store knows better. */
    default Page<Turn> turns(TurnQuery query) {
        return Scanned.turns(
                each -> forEach(query.from().orElse(Instant.EPOCH), inbound -> {}, each, outgoing -> {}), query);
    }

    /** Returns a page of outgoing messages; see {@link OutgoingQuery}. Looks at every one unless a store knows better. */
    default Page<Outgoing> outgoing(OutgoingQuery query) {
        return Scanned.outgoing(
                each -> forEach(query.from().orElse(Instant.EPOCH), inbound -> {}, turn -> {}, each), query);
    }

    /**
     * Hands everything kept of turns, inbound and outgoing messages since {@code since} to the consumers, in the order it was
     * first stored, for copies and checks.
     */
    void forEach(Instant since, Consumer<Inbound> inbound, Consumer<Turn> turns, Consumer<Outgoing> outgoing);
}
