package dev.parley.application.lane;

import dev.parley.application.port.Received;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.LifeId;
import java.util.List;
import java.util.Optional;

/** Messages that one gateway stores for another one, which works on their lane. Pure. */
final class Posting {
    private Posting() {}

    /**
     * Returns a message as it is posted; its place is given when it is stored.
     *
     * @param command whether it is a command
     * @param via the life whose caller waits for the answer; absent where nobody waits
     */
    static Inbound posted(Received message, boolean command, Optional<LifeId> via, Moment moment) {
        return Inbound.builder(
                        new InboundId(moment.ids().unique("in")),
                        moment.lane(),
                        0,
                        command ? Inbound.Kind.COMMAND : Inbound.Kind.MESSAGE,
                        message.source(),
                        message.text(),
                        moment.now())
                .attachments(message.attachments())
                .platformMessage(message.name().orElse(null))
                .sentAt(message.sentAt().orElse(null))
                .replyTo(message.replyTo().orElse(null))
                .mentioned(message.mentioned())
                .context(message.context())
                .via(via.orElse(null))
                .build();
    }

    /** Returns a posted message as its platform handed it in. */
    static Received received(Inbound posted) {
        return new Received(
                posted.source(),
                posted.text(),
                posted.attachments(),
                posted.platformMessage().map(name -> name.messageId()),
                posted.sentAt(),
                posted.replyTo(),
                posted.mentioned(),
                posted.context());
    }

    /** Returns the admitted messages that are not known yet, in order. */
    static List<Inbound> unknown(LaneState state, List<Inbound> admitted) {
        List<Inbound> taken = state.slot().active().map(TurnWork::taken).orElse(List.of());
        return admitted.stream()
                .filter(each -> !state.waiting().has(each))
                .filter(each -> taken.stream().noneMatch(t -> t.id().equals(each.id())))
                .toList();
    }
}
