package dev.parley.application.gateway;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Runs commands: what one changes, its reply and its message are one batch (architecture, section 7, rule 3); then its effects happen. */
final class CommandRunner {
    private static final String BUSY_REPLY =
            "The agent is running. Wait for its answer, or stop it with /stop, and try again.";

    private final Workings works;
    private final SessionKey key;
    private final LaneDesk desk;
    private final LaneMemory memory;

    CommandRunner(LaneDesk desk) {
        this.works = desk.works;
        this.key = desk.key();
        this.desk = desk;
        this.memory = desk.memory;
    }

    /** Runs a command that has come in. */
    void run(Received message, Commands.Typed typed, AnswerListener answer, CompletableFuture<Receipt> receipt) {
        for (int attempt = 1; attempt <= LaneDesk.ATTEMPTS; attempt++) {
            desk.load();
            CommandContext context = context(message.source(), typed.arguments());
            CommandOutcome outcome = outcome(typed, context);
            Inbound.State state = outcome.summarise().isPresent() ? Inbound.State.ADMITTED : Inbound.State.DONE;
            Inbound inbound = desk.admission.inbound(message, Inbound.Kind.COMMAND, state);
            Effects effects = effects(outcome, context, inbound, message.attachments());
            if (desk.admission.store(message, receipt, answer, effects.preconditions(), effects.changes())) {
                memory.used(inbound);
                receipt.complete(new Receipt.Admitted(inbound.id(), key));
                took(outcome, effects, inbound, answer);
                return;
            }
            if (receipt.isDone()) {
                return;
            }
        }
        Inbound inbound = desk.admission.inbound(message, Inbound.Kind.COMMAND, Inbound.State.DONE);
        Outgoing reply =
                works.outgoing(key, message.source(), LaneDesk.LOST_RACE, Outgoing.Kind.REPLY, Optional.empty());
        if (desk.admission.store(
                message,
                receipt,
                answer,
                List.of(),
                List.of(new Change.PutInbound(inbound), new Change.PutOutgoing(reply)))) {
            memory.used(inbound);
            receipt.complete(new Receipt.Admitted(inbound.id(), key));
            replied(reply, answer);
        }
    }

    private CommandOutcome outcome(Commands.Typed typed, CommandContext context) {
        if (typed.command().isEmpty()) {
            return CommandOutcome.reply("Unknown command /" + typed.name() + ". /help lists the commands.");
        }
        ChatCommand command = typed.command().get();
        Optional<CommandOutcome> refused =
                command.flags().flatMap(flags -> flags.refusal(typed.name(), command.usage(), typed.arguments()));
        if (refused.isPresent()) {
            return refused.get();
        }
        boolean agentRuns = desk.summaries.isUnderWay() || desk.running.shown().isPresent();
        if (agentRuns && command.when() == ChatCommand.When.IDLE) {
            return CommandOutcome.reply(BUSY_REPLY);
        }
        try {
            return command.run(context);
        } catch (StorageUnavailable e) {
            return CommandOutcome.reply("Not available now: " + e.getMessage());
        }
    }

    /** Returns what a command decides on. */
    CommandContext context(SessionSource source, String arguments) {
        return new CommandContext(
                key,
                source,
                memory.lane(),
                arguments,
                works.isAdmin(source),
                works.now(),
                works.zone,
                works.storage,
                works.reader,
                desk.running.shown(),
                desk.summaries.isUnderWay(),
                beside(source),
                works.stopping().isPresent(),
                memory.depth(),
                works.settings,
                works.rules,
                works.ids,
                works.agents,
                works.connected(),
                works.commands.all());
    }

    /** Returns the other lanes of the source's thread whose turn is running. */
    private List<SessionKey> beside(SessionSource source) {
        if (source.threadId().isEmpty()) {
            return List.of();
        }
        return works.busy.values().stream()
                .filter(other -> !other.key().equals(key))
                .filter(other -> other.draining
                        .shownSource()
                        .filter(there -> there.platform().equals(source.platform())
                                && there.chatId().equals(source.chatId())
                                && there.threadId().equals(source.threadId()))
                        .isPresent())
                .map(LaneDesk::key)
                .toList();
    }

    /** What a command's outcome stores, and what it leaves behind. */
    private record Effects(
            List<Precondition> preconditions,
            List<Change> changes,
            List<Change> told,
            Optional<Outgoing> reply,
            Optional<Inbound> enqueued,
            List<Inbound> dropped,
            Optional<Lane> lane,
            boolean dropsTurn) {}

    private Effects effects(
            CommandOutcome outcome, CommandContext context, Inbound inbound, List<Attachment> attachments) {
        List<Precondition> preconditions = new ArrayList<>(outcome.preconditions());
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.PutInbound(inbound));
        TurnRun current = desk.running.current();
        boolean dropsTurn =
                current != null && current.isActive() && outcome.effects().contains(CommandOutcome.Effect.DROP_TURN);
        boolean clears = outcome.effects().contains(CommandOutcome.Effect.CLEAR_QUEUE);
        if (!outcome.changes().isEmpty() || dropsTurn || clears) {
            preconditions.add(new Precondition.LaneEpoch(key, context.epoch()));
        }
        List<Inbound> dropped = new ArrayList<>();
        if (dropsTurn && current != null) {
            preconditions.add(new Precondition.TurnClaimed(current.turn.id(), current.turn.run()));
            changes.add(new Change.PutTurn(current.turn.ended(Turn.State.DROPPED, works.now())));
            current.item.parts().forEach(part -> changes.add(new Change.PutInbound(part.in(Inbound.State.DONE))));
            current.taken().forEach(part -> changes.add(new Change.PutInbound(part.in(Inbound.State.DROPPED))));
        }
        if (clears) {
            dropped.addAll(memory.waiting());
            dropped.removeIf(i -> i.id().equals(inbound.id()));
            dropped.forEach(i -> changes.add(new Change.PutInbound(i.in(Inbound.State.DROPPED))));
        }
        changes.addAll(outcome.changes());
        Optional<Inbound> enqueued = outcome.enqueue()
                .map(e -> memory.behind(
                        inbound,
                        e.kind(),
                        e.source().orElse(inbound.source()),
                        e.text(),
                        e.keepAttachments() ? attachments : List.of()));
        enqueued.ifPresent(e -> changes.add(new Change.PutInbound(e)));
        Optional<Outgoing> reply = outcome.reply().isBlank()
                ? Optional.empty()
                : Optional.of(
                        works.outgoing(key, inbound.source(), outcome.reply(), Outgoing.Kind.REPLY, Optional.empty()));
        reply.ifPresent(r -> changes.add(new Change.PutOutgoing(r)));
        Optional<Lane> put = outcome.changes().stream()
                .filter(Change.PutLane.class::isInstance)
                .map(c -> ((Change.PutLane) c).lane())
                .filter(l -> l.key().equals(key))
                .reduce((first, second) -> second);
        return new Effects(preconditions, changes, outcome.changes(), reply, enqueued, dropped, put, dropsTurn);
    }

    private void took(CommandOutcome outcome, Effects effects, Inbound inbound, AnswerListener answer) {
        Optional<Lane> before = memory.lane();
        if (effects.lane().isPresent()) {
            memory.lane(effects.lane());
        } else if (outcome.changes().stream()
                .anyMatch(c -> c instanceof Change.TouchLane || c instanceof Change.RemoveLane)) {
            memory.doubt();
        }
        works.tellHistory(effects.told());
        TurnRun current = desk.running.current();
        if (effects.dropsTurn() && current != null) {
            desk.running.supersede(current, "Stop requested");
            current.taken()
                    .forEach(part -> memory.release(part)
                            .ifPresent(waited -> desk.quietly(() -> waited.closed("The turn was stopped."))));
        }
        if (outcome.effects().contains(CommandOutcome.Effect.DROP_TURN)) {
            desk.summaries.cancel();
        }
        for (Inbound gone : effects.dropped()) {
            memory.remove(gone);
            works.tell(new GatewayEvent.Dropped(key, "queue cleared"));
            memory.release(gone).ifPresent(waited -> desk.quietly(() -> waited.closed("The queue was cleared.")));
        }
        if (outcome.effects().contains(CommandOutcome.Effect.RELEASE_AGENT)) {
            works.cache.release(key);
        }
        if (outcome.effects().contains(CommandOutcome.Effect.CLOSE_AGENT)) {
            works.cache.close(key);
        }
        hooksAfter(outcome, before);
        effects.reply().ifPresent(reply -> {
            desk.outbox.add(reply);
            desk.quietly(() -> answer.replied(reply));
        });
        effects.enqueued()
                .ifPresentOrElse(
                        e -> {
                            memory.admit(e, answer);
                            if (e.kind() == Inbound.Kind.STEER) {
                                desk.busyLane.steerOrQueue(e);
                            } else if (desk.isBusy()) {
                                works.tell(new GatewayEvent.Queued(key, memory.depth()));
                            }
                        },
                        () -> {
                            if (outcome.summarise().isEmpty()) {
                                desk.quietly(() -> answer.closed("Only a command's reply was due."));
                            }
                        });
        outcome.summarise().ifPresent(wanted -> {
            memory.putBack(inbound);
            memory.listen(inbound, answer);
            desk.summaries.begin(wanted, inbound);
        });
        outcome.decision().ifPresent(decision -> desk.busyLane.decide(decision, inbound.source()));
        if (outcome.effects().contains(CommandOutcome.Effect.STOP_BESIDE)) {
            beside(inbound.source())
                    .forEach(other -> works.onLane(
                            other,
                            there -> there.commands.operate(
                                    context -> LaneCommands.stopFor(context, inbound.source()),
                                    new CompletableFuture<>())));
        }
        if (outcome.effects().contains(CommandOutcome.Effect.RESTART)) {
            works.requestRestart();
        }
        desk.next();
    }

    private void replied(Outgoing reply, AnswerListener answer) {
        desk.quietly(() -> answer.replied(reply));
        desk.quietly(() -> answer.closed("Only a command's reply was due."));
        desk.outbox.add(reply);
        desk.next();
    }

    private void hooksAfter(CommandOutcome outcome, Optional<Lane> before) {
        for (Change change : outcome.changes()) {
            if (change instanceof Change.AppendHistory h
                    && h.event().kind() == LaneEvent.Kind.RENEWED
                    && h.event().lane().equals(key)) {
                h.event().to().ifPresent(next -> {
                    desk.finalized(before, next, h.event().reason());
                    works.hook(key, () -> works.hooks.sessionReset(key, next));
                });
            }
        }
    }

    /** A command that a crash cut off runs again. */
    void runAgain(Inbound inbound, int attempt) {
        Optional<Commands.Typed> typed = works.commands.read(inbound.text());
        CommandContext context =
                context(inbound.source(), typed.map(Commands.Typed::arguments).orElse(""));
        CommandOutcome outcome = typed.isEmpty() || attempt > LaneDesk.ATTEMPTS
                ? CommandOutcome.reply(LaneDesk.LOST_RACE)
                : outcome(typed.get(), context);
        finish(inbound, outcome, () -> runAgain(inbound, attempt + 1));
    }

    /** Stores the outcome of an admitted command. */
    void finish(Inbound inbound, CommandOutcome outcome, Runnable again) {
        CommandContext context = context(inbound.source(), "");
        Inbound.State state = outcome.summarise().isPresent() ? Inbound.State.ADMITTED : Inbound.State.DONE;
        Effects effects = effects(outcome, context, inbound.in(state), inbound.attachments());
        List<Precondition> preconditions = new ArrayList<>(effects.preconditions());
        preconditions.add(new Precondition.StillAdmitted(inbound.id()));
        desk.commit(preconditions, effects.changes(), result -> {
            if (result.isCommitted()) {
                memory.remove(inbound);
                took(outcome, effects, inbound, memory.release(inbound).orElse(AnswerListener.NONE));
            } else {
                memory.doubt();
                desk.then(() -> {
                    desk.load();
                    if (memory.waits(inbound)) {
                        again.run();
                    } else {
                        desk.claiming.next();
                    }
                });
            }
        });
    }

    /** Does to the lane what an operator asks; {@code done} is told whether there is such a lane. */
    void operate(Function<CommandContext, Optional<CommandOutcome>> command, CompletableFuture<Boolean> done) {
        operate(command, done, 1);
    }

    private void operate(
            Function<CommandContext, Optional<CommandOutcome>> command, CompletableFuture<Boolean> done, int attempt) {
        desk.load();
        SessionSource source = memory.lane()
                .flatMap(l -> l.entry().origin())
                .orElseGet(
                        () -> SessionSource.builder(Platform.LOCAL, "operator").build());
        CommandContext context = context(source, "");
        Optional<CommandOutcome> outcome = command.apply(context);
        if (outcome.isEmpty() || attempt > LaneDesk.ATTEMPTS) {
            done.complete(false);
            desk.next();
            return;
        }
        Inbound nobody = memory.next(Inbound.Kind.COMMAND, Inbound.State.DONE, source, "", List.of(), Optional.empty());
        Effects effects = effects(outcome.get(), context, nobody, List.of());
        List<Change> changes =
                effects.changes().stream().filter(c -> !isOf(c, nobody)).toList();
        desk.commit(effects.preconditions(), changes, result -> {
            if (result.isCommitted()) {
                took(outcome.get(), effects, nobody, AnswerListener.NONE);
                done.complete(true);
            } else {
                memory.doubt();
                desk.then(() -> operate(command, done, attempt + 1));
            }
        });
    }

    private static boolean isOf(Change change, Inbound inbound) {
        return change instanceof Change.PutInbound put && put.inbound().id().equals(inbound.id());
    }
}
