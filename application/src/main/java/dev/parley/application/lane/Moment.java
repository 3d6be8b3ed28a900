package dev.parley.application.lane;

import dev.parley.application.delivery.Outgoings;
import dev.parley.application.port.Ids;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.TurnId;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * When and where something is decided: makes what is new in it. Time and chance are given, so a decision with the same moment is the
 * same.
 *
 * @param lane the lane
 * @param now the clock
 * @param zone the gateway's zone
 * @param ids makes ids
 */
record Moment(SessionKey lane, Instant now, ZoneId zone, Ids ids) {
    /** Returns a message that is next in the lane's order; it has no place in the queue until it is stored. */
    Inbound inbound(
            Waiting waiting,
            Inbound.Kind kind,
            Inbound.State state,
            SessionSource source,
            String text,
            List<Attachment> attachments,
            Optional<PlatformMessage> name) {
        return inbound(newInbound(), waiting, kind, state, source, text, attachments, name);
    }

    /** Returns the id of a message that comes in. */
    InboundId newInbound() {
        return new InboundId(ids.unique("in"));
    }

    /** Returns a message of this id that is behind all that wait. */
    Inbound inbound(
            InboundId id,
            Waiting waiting,
            Inbound.Kind kind,
            Inbound.State state,
            SessionSource source,
            String text,
            List<Attachment> attachments,
            Optional<PlatformMessage> name) {
        return new Inbound(
                id,
                lane,
                waiting.lastOrdinal() + 1,
                kind,
                source,
                text,
                attachments,
                now,
                name,
                state,
                Optional.empty());
    }

    /** Returns a message to where a source is. */
    Outgoing outgoing(SessionSource to, String text, Outgoing.Kind kind, Optional<TurnId> turn) {
        return new Outgoings(ids, now).to(to, lane, text, kind, turn);
    }

    /** Starts a message of the lane's conversation. */
    Message.Builder message(Role role, Content content) {
        return Message.builder(new MessageId(ids.unique("m")), role, content, now);
    }

    /** Returns the id of a session that begins now. */
    SessionId session() {
        return SessionId.begunAt(now, zone, ids.sessionSuffix());
    }
}
