package dev.parley.application.gateway;

import dev.parley.application.lane.FollowUps.Item;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.store.Access;
import dev.parley.application.store.LaneFacts;
import dev.parley.application.store.SessionTransitions;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.context.SenderPrefix;
import dev.parley.domain.context.SystemNotes;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetNotice;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.TokenEstimate;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Takes the next item of a lane's queue: claim, decision, session, lane and the user's message in one batch (rule 2). */
final class Claiming {
    private static final String COMPRESS = "/compress";
    private static final long FULL_PERCENT = 85;
    private static final long LEAST_MESSAGES = 4;
    private static final long MOST_MESSAGES = 5000;

    private final Workings works;
    private final SessionKey key;
    private final LaneDesk desk;
    private final LaneMemory memory;
    private boolean compressed;

    Claiming(LaneDesk desk) {
        this.works = desk.works;
        this.key = desk.key();
        this.desk = desk;
        this.memory = desk.memory;
    }

    /** Begins the next turn where the lane is free. */
    void next() {
        if (desk.isBusy()) {
            return;
        }
        desk.load();
        List<Item> items = memory.items();
        if (items.isEmpty()) {
            desk.endBusy();
            return;
        }
        desk.beginBusy();
        if (works.stopping().isPresent()) {
            desk.endBusy();
            return;
        }
        Item item = items.get(0);
        if (works.isHeld() && item.kind() != Inbound.Kind.RESUME) {
            desk.endBusy();
            return;
        }
        switch (item.kind()) {
            case COMMAND -> desk.commands.runAgain(item.last(), 1);
            case RESUME -> resume(item);
            default -> {
                if (!compressed && outgrows(item.last().source())) {
                    compress(item.last().source());
                } else {
                    claim(item, item.last().source(), 1);
                }
            }
        }
    }

    /** Compresses the conversation before the next turn, as if its sender had asked for it; tried once for each turn (Z12.11). */
    private void compress(SessionSource source) {
        compressed = true;
        Inbound command = memory.next(
                Inbound.Kind.COMMAND, Inbound.State.ADMITTED, source, COMPRESS, List.of(), Optional.empty());
        desk.commit(List.of(), List.of(new Change.PutInbound(command)), stored -> {
            memory.admit(command, AnswerListener.NONE);
            desk.next();
        });
    }

    /** Returns whether the conversation that a message continues is about to outgrow its model; where that is not known, it is not. */
    private boolean outgrows(SessionSource source) {
        Optional<SessionEntry> entry = memory.lane().map(Lane::entry);
        if (entry.isEmpty()
                || works.commands
                        .read(COMPRESS)
                        .flatMap(Commands.Typed::command)
                        .isEmpty()) {
            return false;
        }
        try {
            return isTooLong(entry.get(), source)
                    && !SessionTransitions.access(
                                    works.reader.read(key, source, memory.lane(), false, false),
                                    entry.get().sessionId(),
                                    true)
                            .begins();
        } catch (StorageUnavailable e) {
            return false;
        }
    }

    private boolean isTooLong(SessionEntry entry, SessionSource source) {
        long limit =
                works.agents.contextLength(new AgentSpec(key, entry.sessionId(), source, "", entry.modelOverride()));
        long used = entry.usage().lastPromptTokens();
        boolean counted = limit > 0 && used > 0;
        if (counted && used * 100 < limit * FULL_PERCENT) {
            limit = 0;
        }
        long messages = works.storage
                .sessions()
                .find(entry.sessionId())
                .map(Session::messageCount)
                .orElse(0L);
        if (messages < LEAST_MESSAGES || (limit <= 0 && messages < MOST_MESSAGES)) {
            return false;
        }
        List<Message> active = works.storage.transcripts().load(entry.sessionId()).stream()
                .map(StoredMessage::message)
                .toList();
        long estimate = counted ? used : TokenEstimate.of(active);
        return active.size() >= MOST_MESSAGES
                || (active.size() >= LEAST_MESSAGES && limit > 0 && estimate * 100 >= limit * FULL_PERCENT);
    }

    private void resume(Item item) {
        Optional<Standing.ResumePending> mark =
                memory.lane().flatMap(l -> l.entry().toBeResumed());
        Optional<SessionSource> origin = memory.lane().flatMap(l -> l.entry().origin());
        boolean fresh = mark.filter(m -> SystemNotes.isFresh(
                        m.markedAt().or(() -> memory.lane().map(l -> l.entry().updatedAt())),
                        works.now(),
                        works.settings.recovery().freshness()))
                .isPresent();
        if (!fresh || origin.isEmpty()) {
            desk.commit(List.of(), List.of(new Change.PutInbound(item.last().in(Inbound.State.DROPPED))), stored -> {
                memory.remove(item.last());
                desk.next();
            });
            return;
        }
        claim(item, origin.get(), 1);
    }

    /** Claims a turn: claim, decision, session, lane, history and the user's message in one batch (rule 2). */
    private void claim(Item item, SessionSource source, int attempt) {
        LaneFacts facts = works.reader.read(key, source, memory.lane(), false, false);
        SessionId fresh = SessionId.begunAt(facts.now(), works.zone, works.ids.sessionSuffix());
        Access access = SessionTransitions.access(facts, fresh, true);
        SessionEntry entry = access.entry();
        TurnId turnId = new TurnId(works.ids.unique("t"));
        // Nobody said anything in a turn that resumes, so nobody is named (P7.32).
        boolean shared = item.kind() != Inbound.Kind.RESUME && works.rules.isShared(source);
        String text = SenderPrefix.apply(source, shared, spoken(item));
        Message input = Message.builder(desk.newMessage(), Role.USER, Content.text(text), facts.now())
                .platformMessageId(item.last()
                        .platformMessage()
                        .map(PlatformMessage::messageId)
                        .orElse(null))
                .build();
        Turn turn = new Turn(
                turnId,
                key,
                entry.sessionId(),
                new RunId(works.ids.unique("r")),
                item.parts().stream().map(Inbound::id).toList(),
                facts.now(),
                Turn.State.CLAIMED,
                Optional.empty());
        List<Precondition> preconditions = new ArrayList<>(access.transition().preconditions());
        Precondition epoch = new Precondition.LaneEpoch(key, facts.epoch());
        if (!preconditions.contains(epoch)) {
            preconditions.add(epoch);
        }
        item.parts().forEach(part -> preconditions.add(new Precondition.StillAdmitted(part.id())));
        List<Change> changes = new ArrayList<>(access.transition().changes());
        changes.add(new Change.AppendMessages(entry.sessionId(), List.of(input)));
        changes.add(new Change.PutTurn(turn));
        item.parts().forEach(part -> changes.add(new Change.PutInbound(part.claimedBy(turnId))));
        Optional<Beginning.AfterReset> afterReset =
                access.beginning() instanceof Beginning.AfterReset after ? Optional.of(after) : Optional.empty();
        Optional<Outgoing> notice = afterReset
                .flatMap(after ->
                        ResetNotice.of(after.reason(), facts.applied(), after.hadActivity(), source.platform()))
                .map(told -> works.outgoing(key, source, told, Outgoing.Kind.NOTICE, Optional.of(turnId)));
        notice.ifPresent(n -> changes.add(new Change.PutOutgoing(n)));
        List<AnswerListener> waited = item.parts().stream()
                .flatMap(part -> memory.listener(part).stream())
                .toList();
        TurnRun claimed = new TurnRun(
                turn, item, waited, source, afterReset.map(Beginning.AfterReset::reason), input, entry.toBeResumed());
        desk.running.claim(claimed);
        desk.commit(preconditions, changes, result -> {
            if (!result.isCommitted()) {
                desk.running.clear();
                memory.doubt();
                desk.then(() -> claimAgain(item, attempt));
                return;
            }
            claimed.claimed = true;
            compressed = false;
            desk.sound();
            memory.lane(access.transition().after());
            item.parts().forEach(part -> {
                memory.remove(part);
                memory.release(part);
            });
            works.tell(new GatewayEvent.Decided(key, entry.sessionId(), access.decision()));
            works.tellHistory(changes);
            access.transition().left().filter(old -> access.begins()).ifPresent(old -> {
                works.cache.close(key);
                desk.finalized(
                        access.transition().before(),
                        entry.sessionId(),
                        access.decision().text());
            });
            if (access.begins()) {
                works.hook(key, () -> works.hooks.sessionStarted(key, entry.sessionId()));
            }
            notice.ifPresent(desk.outbox::add);
            desk.then(() -> desk.running.beginKnowingly(claimed));
        });
    }

    private void claimAgain(Item item, int attempt) {
        desk.load();
        boolean allThere = item.parts().stream().allMatch(part -> memory.waits(part));
        if (!allThere) {
            next();
        } else if (attempt < LaneDesk.ATTEMPTS) {
            claim(
                    item,
                    item.kind() == Inbound.Kind.RESUME
                            ? memory.lane()
                                    .flatMap(l -> l.entry().origin())
                                    .orElse(item.last().source())
                            : item.last().source(),
                    attempt + 1);
        } else {
            giveUp(item, LaneDesk.LOST_RACE, "lost three races");
        }
    }

    /** Takes an item out of the queue with an honest answer. */
    void giveUp(Item item, String text, String why) {
        Outgoing reply = works.outgoing(key, item.last().source(), text, Outgoing.Kind.NOTICE, Optional.empty());
        List<Change> changes = new ArrayList<>();
        item.parts().forEach(part -> changes.add(new Change.PutInbound(part.in(Inbound.State.DROPPED))));
        changes.add(new Change.PutOutgoing(reply));
        desk.commit(List.of(), changes, stored -> {
            item.parts().forEach(part -> {
                memory.remove(part);
                memory.release(part).ifPresent(waited -> {
                    desk.quietly(() -> waited.replied(reply));
                    desk.quietly(() -> waited.closed(why));
                });
            });
            works.tell(new GatewayEvent.Dropped(key, why));
            desk.outbox.add(reply);
            desk.next();
        });
    }

    private static String spoken(Item item) {
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

    /** Admits a turn that resumes what was cut off, unless one waits or the lane is running. */
    void admitResume(BooleanSupplier wanted) {
        desk.load();
        boolean there = memory.waiting().stream().anyMatch(i -> i.kind() == Inbound.Kind.RESUME);
        Optional<SessionSource> origin = memory.lane().flatMap(l -> l.entry().origin());
        if (desk.isBusy()
                || there
                || origin.isEmpty()
                || memory.lane().flatMap(l -> l.entry().toBeResumed()).isEmpty()
                || !wanted.getAsBoolean()) {
            desk.next();
            return;
        }
        Inbound inbound =
                memory.next(Inbound.Kind.RESUME, Inbound.State.ADMITTED, origin.get(), "", List.of(), Optional.empty());
        desk.commit(List.of(), List.of(new Change.PutInbound(inbound)), stored -> {
            memory.admit(inbound, AnswerListener.NONE);
            desk.next();
        });
    }
}
