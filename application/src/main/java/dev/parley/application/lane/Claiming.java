package dev.parley.application.lane;

import dev.parley.application.lane.FollowUps.Item;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.settings.Recovery;
import dev.parley.application.settings.Turns;
import dev.parley.application.store.Access;
import dev.parley.application.store.LaneAccess;
import dev.parley.application.store.LaneFacts;
import dev.parley.application.turn.TurnPlan;
import dev.parley.application.turn.TurnWatch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.context.SenderPrefix;
import dev.parley.domain.context.SystemNotes;
import dev.parley.domain.reset.ResetNotice;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Takes the next item of a lane's queue: claim, decision, session, lane and the user's message in one batch (commit rule 2). Pure. */
final class Claiming {
    private Claiming() {}

    /**
     * Returns for whom an item runs; absent for a turn that resumes where nothing is to be resumed any more.
     *
     * @param item the item
     */
    static Optional<SessionSource> source(LaneState state, Item item, Recovery recovery, Instant now) {
        if (item.kind() != Inbound.Kind.RESUME) {
            return Optional.of(item.last().source());
        }
        Optional<SessionEntry> entry = state.lane().map(Lane::entry);
        Optional<Standing.ResumePending> mark = entry.flatMap(SessionEntry::toBeResumed);
        boolean fresh = mark.filter(m -> SystemNotes.isFresh(
                        m.markedAt().or(() -> entry.map(SessionEntry::updatedAt)), now, recovery.freshness()))
                .isPresent();
        return fresh ? entry.flatMap(SessionEntry::origin) : Optional.empty();
    }

    /** Takes a turn that resumes out of the queue, because there is nothing to resume. */
    static LaneStep dropResume(LaneState state, Item item) {
        return new LaneStep.Draft(state)
                .store(new Change.PutInbound(item.last().in(Inbound.State.DROPPED)))
                .after(s -> s.without(item.parts()))
                .done();
    }

    /** Has the conversation compressed before the next turn, as if its sender had asked for it; once for each turn (Z12.11). */
    static LaneStep compress(LaneState state, SessionSource source, Moment moment) {
        Inbound command = moment.inbound(
                state.waiting(),
                Inbound.Kind.COMMAND,
                Inbound.State.ADMITTED,
                source,
                LaneState.COMPRESS,
                List.of(),
                Optional.empty());
        return new LaneStep.Draft(state)
                .store(new Change.PutInbound(command))
                .after(s -> s.with(s.waiting().with(command)).compressed(true))
                .done();
    }

    /**
     * Claims a turn.
     *
     * @param facts what decides which session it belongs to
     * @param shared whether several people talk in the session
     */
    static LaneStep claim(LaneState state, Item item, LaneFacts facts, boolean shared, Turns turns, Moment moment) {
        SessionSource source = facts.source();
        Access access = LaneAccess.decide(facts, moment.session(), true);
        SessionEntry entry = access.entry();
        // Nobody said anything in a turn that resumes, so nobody is named (P7.32).
        boolean named = shared && item.kind() != Inbound.Kind.RESUME;
        Message input = moment.message(Role.USER, Content.text(SenderPrefix.apply(source, named, promptText(item))))
                .platformMessageId(item.last()
                        .platformMessage()
                        .map(PlatformMessage::messageId)
                        .orElse(null))
                .build();
        Turn turn = new Turn(
                new TurnId(moment.ids().unique("t")),
                moment.lane(),
                entry.sessionId(),
                new RunId(moment.ids().unique("r")),
                item.parts().stream().map(Inbound::id).toList(),
                moment.now(),
                Turn.State.CLAIMED,
                Optional.empty());
        Optional<Beginning.AfterReset> afterReset =
                access.beginning() instanceof Beginning.AfterReset after ? Optional.of(after) : Optional.empty();
        TurnPlan plan = new TurnPlan(
                turn,
                item.parts(),
                source,
                input,
                afterReset.map(Beginning.AfterReset::reason),
                entry.toBeResumed(),
                shared);
        LaneStep.Draft step = new LaneStep.Draft(state)
                .require(access.transition().preconditions())
                .require(new Precondition.LaneEpoch(moment.lane(), facts.epoch()))
                .require(stillAdmitted(item.parts()))
                .store(access.transition().changes())
                .store(new Change.AppendMessages(entry.sessionId(), List.of(input)))
                .store(new Change.PutTurn(turn))
                .store(item.parts().stream()
                        .map(part -> new Change.PutInbound(part.claimedBy(turn.id())))
                        .toList())
                .during(state.with(new TurnSlot.Claiming(plan)))
                .after(s -> s.with(access.transition().after())
                        .without(item.parts())
                        .compressed(false)
                        .with(new TurnSlot.Starting(
                                TurnWork.of(plan, TurnWatch.begun(turns, moment.now(), moment.now())))))
                .then(new Effect.Tell(new GatewayEvent.Decided(moment.lane(), entry.sessionId(), access.decision())));
        access.transition().history().forEach(line -> step.then(new Effect.Tell(new GatewayEvent.Transition(line))));
        access.transition().left().filter(old -> access.begins()).ifPresent(old -> step.then(new Effect.CloseAgent()));
        Histories.finalized(state.lane(), access.transition().changes()).forEach(step::then);
        if (access.begins()) {
            step.then(new Effect.SessionStarted(entry.sessionId()));
        }
        afterReset
                .flatMap(after ->
                        ResetNotice.of(after.reason(), facts.applied(), after.hadActivity(), source.platform()))
                .map(told -> moment.outgoing(source, told, Outgoing.Kind.NOTICE, Optional.of(turn.id())))
                .ifPresent(notice -> step.store(new Change.PutOutgoing(notice)).then(new Effect.Deliver(notice)));
        return step.then(new Effect.Begin()).done();
    }

    private static List<Precondition> stillAdmitted(List<Inbound> parts) {
        return parts.stream()
                .<Precondition>map(part -> new Precondition.StillAdmitted(part.id()))
                .toList();
    }

    /** Returns whether all of a turn's input waits in the queue, so that the turn's claim is not stored. */
    static boolean isUnclaimed(LaneState state, List<Inbound> parts) {
        List<InboundId> waiting =
                state.waiting().messages().stream().map(Inbound::id).toList();
        return parts.stream().map(Inbound::id).allMatch(waiting::contains);
    }

    /** Takes messages that wait out of the queue with an honest answer; nothing where one of them was claimed meanwhile. */
    static LaneStep giveUp(LaneState state, List<Inbound> parts, String text, String why, Moment moment) {
        Inbound last = parts.get(parts.size() - 1);
        Outgoing reply = moment.outgoing(last.source(), text, Outgoing.Kind.NOTICE, Optional.empty());
        LaneStep.Draft step = new LaneStep.Draft(state)
                .require(stillAdmitted(parts))
                .store(parts.stream()
                        .map(part -> new Change.PutInbound(part.in(Inbound.State.DROPPED)))
                        .toList())
                .store(new Change.PutOutgoing(reply))
                .after(s -> s.without(parts))
                .then(new Effect.Tell(new GatewayEvent.Dropped(moment.lane(), why)));
        parts.forEach(part -> step.then(new Effect.Reply(part.id(), reply)));
        return step.then(new Effect.Close(parts.stream().map(Inbound::id).toList(), why))
                .then(new Effect.Deliver(reply))
                .done();
    }

    /** Admits a turn that resumes what was cut off; nothing where one waits, the lane is busy, or nothing is to be resumed. */
    static LaneStep admitResume(LaneState state, Moment moment) {
        boolean there = state.waiting().messages().stream().anyMatch(i -> i.kind() == Inbound.Kind.RESUME);
        Optional<SessionSource> origin = state.lane().flatMap(l -> l.entry().origin());
        if (!state.slot().isFree()
                || there
                || origin.isEmpty()
                || state.lane().flatMap(l -> l.entry().toBeResumed()).isEmpty()) {
            return LaneStep.none(state);
        }
        Inbound inbound = moment.inbound(
                state.waiting(),
                Inbound.Kind.RESUME,
                Inbound.State.ADMITTED,
                origin.get(),
                "",
                List.of(),
                Optional.empty());
        return new LaneStep.Draft(state)
                .store(new Change.PutInbound(inbound))
                .after(s -> s.with(s.waiting().with(inbound)))
                .done();
    }

    /** Returns what an item says, with a line for each attachment. */
    private static String promptText(Item item) {
        StringBuilder text = new StringBuilder(item.text());
        for (Attachment attachment : item.attachments()) {
            if (text.length() > 0) {
                text.append('\n');
            }
            text.append('[')
                    .append(attachment.kind())
                    .append(": ")
                    .append(attachment.name().orElse(attachment.location()))
                    .append(attachment.name().isPresent() ? " at " + attachment.location() : "")
                    .append(']');
        }
        return text.toString();
    }
}
