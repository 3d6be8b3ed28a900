package dev.parley.application.gateway;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.queue.FollowUps;
import dev.parley.application.queue.FollowUps.Item;
import dev.parley.application.store.Access;
import dev.parley.application.store.LaneFacts;
import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.Transition;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.context.ContextPrompt;
import dev.parley.domain.context.PromptSettings;
import dev.parley.domain.context.Redaction;
import dev.parley.domain.context.SenderPrefix;
import dev.parley.domain.context.SessionContext;
import dev.parley.domain.context.SystemNotes;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetNotice;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ReplayCleaning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageUpdate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Everything that happens on one lane while something does: admission, commands, turns, answers. Lives only as long as the lane is
 * busy; what it holds in memory is what the store says, read when it is first needed.
 */
final class LaneDesk extends Desk {
    private static final int ATTEMPTS = 3;
    private static final Duration ACK_PAUSE = Duration.ofSeconds(30);
    private static final String BUSY_REPLY =
            "The agent is running. Wait for its answer, or stop it with /stop, and try again.";
    private static final String BROKEN = "Something went wrong inside the gateway. Please try again.";
    private static final String KEPT = "The gateway stops; the message is kept and runs after the next start.";
    private static final String LOST_RACE =
            "This could not be done because the conversation changed meanwhile. Please try again.";

    private final SessionKey key;
    private final Outbox outbox = new Outbox(this);
    private final Consumer<LaneDesk> forget;
    private final TreeMap<Long, Inbound> waiting = new TreeMap<>();
    private final Map<InboundId, AnswerListener> listeners = new LinkedHashMap<>();
    private Optional<Lane> lane = Optional.empty();
    private boolean loaded;
    private long lastOrdinal;
    private volatile @Nullable TurnRun run;
    private @Nullable SummaryRun summary;
    private Optional<Instant> lastAck = Optional.empty();
    private int faults;

    LaneDesk(Workings works, SessionKey key, Consumer<LaneDesk> forget) {
        super(works);
        this.key = key;
        this.forget = forget;
    }

    SessionKey key() {
        return key;
    }

    @Override
    Optional<SessionKey> lane() {
        return Optional.of(key);
    }

    @Override
    boolean isIdle() {
        return run == null
                && summary == null
                && outbox.isEmpty()
                && listeners.isEmpty()
                && (waiting.isEmpty() || works.stopping().isPresent());
    }

    @Override
    void forgotten() {
        forget.accept(this);
    }

    /** A task failed for good: the running turn ends honestly, so that the lane goes on. */
    @Override
    void faulted(RuntimeException failure) {
        TurnRun current = run;
        faults++;
        if (faults > ATTEMPTS) {
            works.tell(new GatewayEvent.Trouble(
                    Optional.of(key),
                    "The lane is given up until the next message or start; what it was asked stays in the queue.",
                    Optional.of(failure)));
            faults = 0;
            waiting.clear();
            listeners.clear();
            if (current != null) {
                supersede(current, "Failed");
            }
            endBusy();
            return;
        }
        loaded = false;
        if (current == null) {
            return;
        }
        if (!current.claimed) {
            run = null;
            giveUp(current.item, BROKEN, "failed");
        } else if (current.isActive()) {
            fail(current, BROKEN, TokenUsage.NONE, 0);
        } else {
            supersede(current, "Failed");
            then(this::next);
        }
    }

    private void load() {
        if (loaded) {
            return;
        }
        lane = works.storage.lanes().find(key);
        waiting.clear();
        TurnRun current = run;
        for (Inbound inbound : works.storage.queue().admitted(key)) {
            if (current == null || current.steered.stream().noneMatch(s -> s.id().equals(inbound.id()))) {
                waiting.put(inbound.ordinal(), inbound);
            }
        }
        lastOrdinal = Math.max(lastOrdinal, works.storage.queue().lastOrdinal(key));
        loaded = true;
    }

    // ------------------------------------------------------------------ admission

    /** Takes a message: a command takes effect, anything else waits for its turn. */
    void admit(Received message, AnswerListener answer, CompletableFuture<Receipt> receipt) {
        try {
            load();
            Optional<Commands.Typed> typed = works.commands.read(message.text());
            if (typed.isPresent() && (typed.get().command().isPresent() || !isBusy())) {
                command(message, typed.get(), answer, receipt);
            } else {
                plain(message, answer, receipt);
            }
        } catch (StorageUnavailable | StorageCorrupt e) {
            refuse(receipt, answer, e);
        } catch (RuntimeException e) {
            refuse(receipt, answer, e);
            throw e;
        }
    }

    private void refuse(CompletableFuture<Receipt> receipt, AnswerListener answer, RuntimeException e) {
        loaded = false;
        String why = e instanceof ParleyException
                ? String.valueOf(e.getMessage())
                : "Something went wrong inside the gateway; try again.";
        works.tell(new GatewayEvent.Trouble(Optional.of(key), "A message could not be stored.", Optional.of(e)));
        receipt.complete(new Receipt.Unavailable(why));
        quietly(() -> answer.closed(why));
    }

    /** Returns whether a turn or a summary is under way, its delivery included. */
    private boolean isBusy() {
        return run != null || summary != null;
    }

    private Optional<PlatformMessage> named(Received message) {
        return message.messageId()
                .map(id -> new PlatformMessage(
                        message.source().platform(), message.source().chatId(), id));
    }

    private Inbound inbound(Received message, Inbound.Kind kind, Inbound.State state, String text) {
        return new Inbound(
                new InboundId(works.ids.unique("in")),
                key,
                lastOrdinal + 1,
                kind,
                message.source(),
                text,
                message.attachments(),
                works.now(),
                named(message),
                state,
                Optional.empty());
    }

    private void plain(Received message, AnswerListener answer, CompletableFuture<Receipt> receipt) {
        Inbound inbound = inbound(message, Inbound.Kind.MESSAGE, Inbound.State.ADMITTED, message.text());
        Optional<StopMode> stopping = works.stopping();
        if (!isBusy() && waiting.isEmpty() && stopping.isEmpty() && !works.mayBegin(this)) {
            turnedAway(
                    message,
                    inbound,
                    "Active session limit reached (" + works.busy.size() + "/"
                            + works.settings.maxConcurrentSessions().orElse(0)
                            + "). Please try again in a moment.",
                    "active session limit",
                    answer,
                    receipt);
            return;
        }
        if (isBusy() && pendingMessages() >= works.settings.maxPending()) {
            turnedAway(
                    message,
                    inbound,
                    "Too many messages are waiting (" + pendingMessages()
                            + "); this one was not taken. Please send it again after the next answer.",
                    "too many waiting",
                    answer,
                    receipt);
            return;
        }
        Reaction reaction = reaction(message);
        Optional<Outgoing> ack = reaction.ack()
                .filter(text -> mayAcknowledge(stopping.isPresent()))
                .map(text -> works.outgoing(key, message.source(), text, Outgoing.Kind.ACK, Optional.empty()));
        List<Change> changes = new ArrayList<>(List.of(new Change.PutInbound(inbound)));
        ack.ifPresent(a -> changes.add(new Change.PutOutgoing(a)));
        if (!store(message, receipt, answer, List.of(), changes)) {
            if (!isBusy()) {
                endBusy();
            }
            return;
        }
        admitted(inbound, stopping.isPresent() ? AnswerListener.NONE : answer);
        receipt.complete(new Receipt.Admitted(inbound.id(), key));
        if (isBusy() || stopping.isPresent()) {
            works.tell(new GatewayEvent.Queued(key, depth()));
        }
        ack.ifPresent(a -> {
            lastAck = Optional.of(works.now());
            outbox.add(a);
            quietly(() -> answer.replied(a));
        });
        if (stopping.isPresent()) {
            quietly(() -> answer.closed(KEPT));
        }
        reaction.effect().accept(inbound);
        then(this::next);
    }

    private void admitted(Inbound inbound, AnswerListener answer) {
        lastOrdinal = inbound.ordinal();
        waiting.put(inbound.ordinal(), inbound);
        if (answer != AnswerListener.NONE) {
            listeners.put(inbound.id(), answer);
        }
    }

    /** Stores what a message brings, together with its platform id; says what became of it otherwise. */
    private boolean store(
            Received message,
            CompletableFuture<Receipt> receipt,
            AnswerListener answer,
            List<Precondition> preconditions,
            List<Change> changes) {
        List<Precondition> all = new ArrayList<>();
        Optional<PlatformMessage> name = named(message);
        name.ifPresent(n -> all.add(new Precondition.NotReceived(n)));
        all.addAll(preconditions);
        CommitResult result = works.storage.ledger().commit(batch(all, changes));
        if (result instanceof CommitResult.Conflict conflict) {
            if (conflict.failed() instanceof Precondition.NotReceived n) {
                duplicate(n.message(), receipt, answer);
            } else {
                loaded = false;
            }
            return false;
        }
        return true;
    }

    private void duplicate(PlatformMessage name, CompletableFuture<Receipt> receipt, AnswerListener answer) {
        Optional<Inbound> before = works.storage.queue().received(name);
        receipt.complete(
                before.isPresent()
                        ? new Receipt.Duplicate(before.get().id(), before.get().lane())
                        : new Receipt.Unavailable("The message seems to be known but cannot be found; try again."));
        quietly(() -> answer.closed("This message was received before."));
    }

    private void turnedAway(
            Received message,
            Inbound inbound,
            String text,
            String why,
            AnswerListener answer,
            CompletableFuture<Receipt> receipt) {
        Inbound dropped = inbound.in(Inbound.State.DROPPED);
        Outgoing reply = works.outgoing(key, message.source(), text, Outgoing.Kind.NOTICE, Optional.empty());
        if (!store(
                message,
                receipt,
                answer,
                List.of(),
                List.of(new Change.PutInbound(dropped), new Change.PutOutgoing(reply)))) {
            return;
        }
        lastOrdinal = dropped.ordinal();
        receipt.complete(new Receipt.Admitted(dropped.id(), key));
        works.tell(new GatewayEvent.Dropped(key, why));
        quietly(() -> answer.replied(reply));
        quietly(() -> answer.closed(why));
        outbox.add(reply);
    }

    /**
     * What a message does to a busy lane.
     *
     * @param ack what is answered at once
     * @param effect what happens once it is stored
     */
    private record Reaction(Optional<String> ack, Consumer<Inbound> effect) {
        static final Reaction NONE = new Reaction(Optional.empty(), inbound -> {});
    }

    private Reaction reaction(Received message) {
        Optional<StopMode> stopping = works.stopping();
        if (stopping.isPresent()) {
            return new Reaction(Optional.of(stopping.get().queuedText()), inbound -> {});
        }
        if (summary != null) {
            return new Reaction(
                    Optional.of("The conversation is being compressed. Your message is queued; /stop cancels."),
                    inbound -> {});
        }
        TurnRun current = run;
        if (current == null || !current.isActive()) {
            return Reaction.NONE;
        }
        if (message.attachments().stream().anyMatch(Attachment::isPhoto)) {
            return Reaction.NONE;
        }
        return switch (works.settings.busyMode(message.attachments().isEmpty())) {
            case INTERRUPT ->
                new Reaction(
                        Optional.of("Interrupting the running task for your message."),
                        inbound -> interrupt(TurnRun.Cause.FOLLOW_UP, inbound.text()));
            case QUEUE -> new Reaction(Optional.of("Queued for the next turn."), inbound -> {});
            case STEER -> steering(current, message.text());
        };
    }

    private Reaction steering(TurnRun current, String text) {
        AgentRun agentRun = current.agentRun;
        if (text.isBlank() || agentRun == null) {
            return new Reaction(Optional.of("Queued for the next turn."), inbound -> {});
        }
        return new Reaction(Optional.empty(), inbound -> {
            boolean acknowledge = mayAcknowledge(false);
            String told = steer(inbound) ? "Passed on to the running task." : "Queued for the next turn.";
            if (acknowledge) {
                acknowledge(inbound.source(), told);
            }
        });
    }

    private void acknowledge(SessionSource to, String text) {
        Outgoing ack = works.outgoing(key, to, text, Outgoing.Kind.ACK, Optional.empty());
        lastAck = Optional.of(works.now());
        then(() -> commit(List.of(), List.of(new Change.PutOutgoing(ack)), stored -> outbox.add(ack)));
    }

    private boolean mayAcknowledge(boolean stopping) {
        if (stopping) {
            return true;
        }
        return works.settings.acknowledgeBusy()
                && lastAck.map(at -> Duration.between(at, works.now()).compareTo(ACK_PAUSE) >= 0)
                        .orElse(true);
    }

    /** Hands an admitted message to the running agent; where it takes none, the message stays and waits (Q8.11). */
    private boolean steer(Inbound inbound) {
        TurnRun current = run;
        if (current == null || !current.isActive() || current.agentRun == null) {
            return false;
        }
        if (!current.agentRun.steer(inbound.text())) {
            return false;
        }
        waiting.remove(inbound.ordinal());
        current.steered.add(inbound.as(Inbound.Kind.STEER));
        return true;
    }

    private List<Item> items() {
        return FollowUps.items(List.copyOf(waiting.values()), merging(), source -> works.rules.participantOf(source));
    }

    private FollowUps.Merging merging() {
        return works.settings.busyMode(true) == BusyMode.QUEUE
                ? new FollowUps.Merging(Optional.of(works.settings.textDebounce()), works.settings.textDebounceLimit())
                : FollowUps.Merging.ALL;
    }

    private long pendingMessages() {
        return waiting.values().stream()
                .filter(i -> i.kind() == Inbound.Kind.MESSAGE || i.kind() == Inbound.Kind.STEER)
                .count();
    }

    /** Returns how many turns wait (Q8.21). */
    int depth() {
        return items().size();
    }

    // ------------------------------------------------------------------ commands

    private void command(
            Received message, Commands.Typed typed, AnswerListener answer, CompletableFuture<Receipt> receipt) {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            load();
            CommandContext context = context(message.source(), typed.arguments());
            CommandOutcome outcome = outcome(typed, context);
            Inbound.State state = outcome.summarise().isPresent() ? Inbound.State.ADMITTED : Inbound.State.DONE;
            Inbound inbound = inbound(message, Inbound.Kind.COMMAND, state, message.text());
            Effects effects = effects(outcome, context, inbound, message.attachments());
            if (store(message, receipt, answer, effects.preconditions(), effects.changes())) {
                lastOrdinal = inbound.ordinal();
                receipt.complete(new Receipt.Admitted(inbound.id(), key));
                took(outcome, effects, inbound, answer);
                return;
            }
            if (receipt.isDone()) {
                return;
            }
        }
        Inbound inbound = inbound(message, Inbound.Kind.COMMAND, Inbound.State.DONE, message.text());
        Outgoing reply = works.outgoing(key, message.source(), LOST_RACE, Outgoing.Kind.REPLY, Optional.empty());
        if (store(
                message,
                receipt,
                answer,
                List.of(),
                List.of(new Change.PutInbound(inbound), new Change.PutOutgoing(reply)))) {
            lastOrdinal = inbound.ordinal();
            receipt.complete(new Receipt.Admitted(inbound.id(), key));
            replied(reply, answer);
        }
    }

    private CommandOutcome outcome(Commands.Typed typed, CommandContext context) {
        if (typed.command().isEmpty()) {
            return CommandOutcome.reply("Unknown command /" + typed.name() + ". /help lists the commands.");
        }
        ChatCommand command = typed.command().get();
        boolean agentRuns = summary != null || (run != null && run.isActive());
        if (agentRuns && command.when() == ChatCommand.When.IDLE) {
            return CommandOutcome.reply(BUSY_REPLY);
        }
        try {
            return command.run(context);
        } catch (StorageUnavailable e) {
            return CommandOutcome.reply("Not available now: " + e.getMessage());
        }
    }

    private CommandContext context(SessionSource source, String arguments) {
        return new CommandContext(
                key,
                source,
                lane,
                arguments,
                works.isAdmin(source),
                works.now(),
                works.zone,
                works.storage,
                works.reader,
                running(),
                summary != null,
                works.stopping().isPresent(),
                depth(),
                works.settings,
                works.rules,
                works.ids,
                works.agents,
                works.connected(),
                works.commands.all());
    }

    Optional<RunningTurn> running() {
        TurnRun current = run;
        if (current == null || !current.isActive()) {
            return Optional.empty();
        }
        AgentRun agentRun = current.agentRun;
        return Optional.of(new RunningTurn(
                current.turn.id(),
                current.session(),
                current.turn.startedAt(),
                agentRun != null,
                agentRun == null ? Optional.empty() : agentRun.activity()));
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
        TurnRun current = run;
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
            current.steered.forEach(part -> changes.add(new Change.PutInbound(part.in(Inbound.State.DROPPED))));
        }
        if (clears) {
            dropped.addAll(waiting.values());
            dropped.removeIf(i -> i.id().equals(inbound.id()));
            dropped.forEach(i -> changes.add(new Change.PutInbound(i.in(Inbound.State.DROPPED))));
        }
        changes.addAll(outcome.changes());
        Optional<Inbound> enqueued = outcome.enqueue()
                .map(e -> new Inbound(
                        new InboundId(works.ids.unique("in")),
                        key,
                        Math.max(lastOrdinal, inbound.ordinal()) + 1,
                        e.kind(),
                        inbound.source(),
                        e.text(),
                        e.keepAttachments() ? attachments : List.of(),
                        works.now(),
                        Optional.empty(),
                        Inbound.State.ADMITTED,
                        Optional.empty()));
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
        Optional<Lane> before = lane;
        if (effects.lane().isPresent()) {
            lane = effects.lane();
        } else if (outcome.changes().stream()
                .anyMatch(c -> c instanceof Change.TouchLane || c instanceof Change.RemoveLane)) {
            loaded = false;
        }
        works.tellHistory(effects.told());
        TurnRun current = run;
        if (effects.dropsTurn() && current != null) {
            supersede(current, "Stop requested");
        }
        SummaryRun summing = summary;
        if (summing != null && outcome.effects().contains(CommandOutcome.Effect.DROP_TURN)) {
            summing.cancel();
            summary = null;
            endBusy();
        }
        for (Inbound gone : effects.dropped()) {
            waiting.remove(gone.ordinal());
            works.tell(new GatewayEvent.Dropped(key, "queue cleared"));
            AnswerListener waited = listeners.remove(gone.id());
            if (waited != null) {
                quietly(() -> waited.closed("The queue was cleared."));
            }
        }
        if (outcome.effects().contains(CommandOutcome.Effect.RELEASE_AGENT)) {
            works.cache.release(key);
        }
        if (outcome.effects().contains(CommandOutcome.Effect.CLOSE_AGENT)) {
            works.cache.close(key);
        }
        hooksAfter(outcome, before);
        effects.reply().ifPresent(reply -> {
            outbox.add(reply);
            quietly(() -> answer.replied(reply));
        });
        effects.enqueued()
                .ifPresentOrElse(
                        e -> {
                            admitted(e, answer);
                            if (isBusy()) {
                                works.tell(new GatewayEvent.Queued(key, depth()));
                            }
                        },
                        () -> {
                            if (outcome.summarise().isEmpty()) {
                                quietly(() -> answer.closed("Only a command's reply was due."));
                            }
                        });
        outcome.summarise().ifPresent(wanted -> {
            waiting.put(inbound.ordinal(), inbound);
            listeners.put(inbound.id(), answer);
            summarise(wanted, inbound);
        });
        if (outcome.effects().contains(CommandOutcome.Effect.RESTART)) {
            works.requestRestart();
        }
        then(this::next);
    }

    private void replied(Outgoing reply, AnswerListener answer) {
        quietly(() -> answer.replied(reply));
        quietly(() -> answer.closed("Only a command's reply was due."));
        outbox.add(reply);
        then(this::next);
    }

    private void hooksAfter(CommandOutcome outcome, Optional<Lane> before) {
        for (Change change : outcome.changes()) {
            if (change instanceof Change.AppendHistory h
                    && h.event().kind() == LaneEvent.Kind.RENEWED
                    && h.event().lane().equals(key)) {
                h.event().to().ifPresent(next -> {
                    finalized(before, next, h.event().reason());
                    works.hook(key, () -> works.hooks.sessionReset(key, next));
                });
            }
        }
    }

    /** Tells the hooks that a session is over, unless the expiry watcher has (W10.9). */
    private void finalized(Optional<Lane> before, SessionId next, String reason) {
        before.map(Lane::entry)
                .filter(old -> !old.expiryFinalized())
                .ifPresent(old -> works.hook(
                        key, () -> works.hooks.sessionFinalized(key, old.sessionId(), Optional.of(next), reason)));
    }

    /** A command that a crash cut off runs again. */
    private void runAgain(Inbound inbound, int attempt) {
        Optional<Commands.Typed> typed = works.commands.read(inbound.text());
        CommandContext context =
                context(inbound.source(), typed.map(Commands.Typed::arguments).orElse(""));
        CommandOutcome outcome =
                typed.isEmpty() || attempt > ATTEMPTS ? CommandOutcome.reply(LOST_RACE) : outcome(typed.get(), context);
        finishCommand(inbound, outcome, () -> runAgain(inbound, attempt + 1));
    }

    /** Stores the outcome of an admitted command. */
    private void finishCommand(Inbound inbound, CommandOutcome outcome, Runnable again) {
        CommandContext context = context(inbound.source(), "");
        Inbound.State state = outcome.summarise().isPresent() ? Inbound.State.ADMITTED : Inbound.State.DONE;
        Effects effects = effects(outcome, context, inbound.in(state), inbound.attachments());
        List<Precondition> preconditions = new ArrayList<>(effects.preconditions());
        preconditions.add(new Precondition.StillAdmitted(inbound.id()));
        commit(preconditions, effects.changes(), result -> {
            if (result.isCommitted()) {
                waiting.remove(inbound.ordinal());
                AnswerListener answer = listeners.remove(inbound.id());
                took(outcome, effects, inbound, answer == null ? AnswerListener.NONE : answer);
            } else {
                loaded = false;
                then(() -> {
                    load();
                    if (waiting.containsKey(inbound.ordinal())) {
                        again.run();
                    } else {
                        next();
                    }
                });
            }
        });
    }

    // ------------------------------------------------------------------ summaries

    /** An agent that summarises the lane's conversation for a command. */
    private final class SummaryRun {
        private final Agent agent;
        private @Nullable AgentRun agentRun;
        private volatile boolean over;

        SummaryRun(Agent agent) {
            this.agent = agent;
        }

        void cancel() {
            over = true;
            AgentRun running = agentRun;
            if (running != null) {
                running.interrupt("Stop requested");
            }
            works.cache.putBack(agent, -1, true);
        }
    }

    private void summarise(CommandOutcome.Summarise wanted, Inbound inbound) {
        works.busy.put(key, this);
        Agent agent;
        try {
            SessionEntry entry = lane.orElseThrow().entry();
            agent = works.cache.take(
                    new AgentSpec(
                            key,
                            entry.sessionId(),
                            inbound.source(),
                            prompt(entry, inbound.source()),
                            entry.modelOverride()),
                    -1);
        } catch (RuntimeException e) {
            endBusy();
            summarised(inbound, wanted.otherwise(), String.valueOf(e.getMessage()), 1);
            return;
        }
        SummaryRun mine = new SummaryRun(agent);
        summary = mine;
        mine.agentRun = agent.summarise(wanted.history(), wanted.focus(), new Agent.SummaryListener() {
            @Override
            public void summarised(String text) {
                post(() -> ended(mine, inbound, wanted.then(), text));
            }

            @Override
            public void failed(String why) {
                post(() -> ended(mine, inbound, wanted.otherwise(), why));
            }
        });
    }

    private void ended(
            SummaryRun mine, Inbound inbound, BiFunction<CommandContext, String, CommandOutcome> then, String text) {
        if (summary != mine || mine.over) {
            return;
        }
        mine.over = true;
        summary = null;
        works.cache.putBack(mine.agent, -1, false);
        endBusy();
        summarised(inbound, then, text, 1);
    }

    private void summarised(
            Inbound inbound, BiFunction<CommandContext, String, CommandOutcome> then, String text, int attempt) {
        load();
        CommandContext context = context(inbound.source(), "");
        CommandOutcome outcome = attempt > ATTEMPTS ? CommandOutcome.reply(LOST_RACE) : then.apply(context, text);
        finishCommand(inbound, outcome, () -> summarised(inbound, then, text, attempt + 1));
    }

    // ------------------------------------------------------------------ claiming

    /** Begins the next turn where the lane is free. */
    void next() {
        if (isBusy()) {
            return;
        }
        load();
        List<Item> items = items();
        if (items.isEmpty()) {
            works.busy.remove(key, this);
            works.changed();
            return;
        }
        works.busy.put(key, this);
        if (works.stopping().isPresent()) {
            endBusy();
            return;
        }
        Item item = items.get(0);
        switch (item.kind()) {
            case COMMAND -> runAgain(item.last(), 1);
            case RESUME -> resume(item);
            default -> claim(item, item.last().source(), 1);
        }
    }

    private void endBusy() {
        works.busy.remove(key, this);
        works.changed();
    }

    private void resume(Item item) {
        Optional<Standing.ResumePending> mark = lane.flatMap(l -> l.entry().toBeResumed());
        Optional<SessionSource> origin = lane.flatMap(l -> l.entry().origin());
        boolean fresh = mark.filter(m -> SystemNotes.isFresh(
                        m.markedAt().or(() -> lane.map(l -> l.entry().updatedAt())),
                        works.now(),
                        works.settings.freshness()))
                .isPresent();
        if (!fresh || origin.isEmpty()) {
            commit(List.of(), List.of(new Change.PutInbound(item.last().in(Inbound.State.DROPPED))), stored -> {
                waiting.remove(item.last().ordinal());
                then(this::next);
            });
            return;
        }
        claim(item, origin.get(), 1);
    }

    /** Claims a turn: claim, decision, session, lane, history and the user's message in one batch (rule 2). */
    private void claim(Item item, SessionSource source, int attempt) {
        LaneFacts facts = works.reader.read(key, source, lane, false, false);
        SessionId fresh = SessionId.begunAt(facts.now(), works.zone, works.ids.sessionSuffix());
        Access access = SessionTransitions.access(facts, fresh, true);
        SessionEntry entry = access.entry();
        TurnId turnId = new TurnId(works.ids.unique("t"));
        // Nobody said anything in a turn that resumes, so nobody is named (P7.32).
        boolean shared = item.kind() != Inbound.Kind.RESUME && works.rules.isShared(source);
        String text = SenderPrefix.apply(source, shared, spoken(item));
        Message input = Message.builder(newMessage(), Role.USER, Content.text(text), facts.now())
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
                .map(part -> listeners.get(part.id()))
                .filter(Objects::nonNull)
                .toList();
        TurnRun claimed = new TurnRun(
                turn, item, waited, source, afterReset.map(Beginning.AfterReset::reason), input, entry.toBeResumed());
        run = claimed;
        commit(preconditions, changes, result -> {
            if (!result.isCommitted()) {
                run = null;
                loaded = false;
                then(() -> claimAgain(item, attempt));
                return;
            }
            claimed.claimed = true;
            faults = 0;
            lane = access.transition().after();
            item.parts().forEach(part -> {
                waiting.remove(part.ordinal());
                listeners.remove(part.id());
            });
            works.tell(new GatewayEvent.Decided(key, entry.sessionId(), access.decision()));
            works.tellHistory(changes);
            access.transition().left().filter(old -> access.begins()).ifPresent(old -> {
                works.cache.close(key);
                finalized(
                        access.transition().before(),
                        entry.sessionId(),
                        access.decision().text());
            });
            if (access.begins()) {
                works.hook(key, () -> works.hooks.sessionStarted(key, entry.sessionId()));
            }
            notice.ifPresent(outbox::add);
            then(() -> begin(claimed));
        });
    }

    private void claimAgain(Item item, int attempt) {
        load();
        boolean allThere = item.parts().stream().allMatch(part -> waiting.containsKey(part.ordinal()));
        if (!allThere) {
            next();
        } else if (attempt < ATTEMPTS) {
            claim(
                    item,
                    item.kind() == Inbound.Kind.RESUME
                            ? lane.flatMap(l -> l.entry().origin())
                                    .orElse(item.last().source())
                            : item.last().source(),
                    attempt + 1);
        } else {
            giveUp(item, LOST_RACE, "lost three races");
        }
    }

    /** Takes an item out of the queue with an honest answer. */
    private void giveUp(Item item, String text, String why) {
        Outgoing reply = works.outgoing(key, item.last().source(), text, Outgoing.Kind.NOTICE, Optional.empty());
        List<Change> changes = new ArrayList<>();
        item.parts().forEach(part -> changes.add(new Change.PutInbound(part.in(Inbound.State.DROPPED))));
        changes.add(new Change.PutOutgoing(reply));
        commit(List.of(), changes, stored -> {
            item.parts().forEach(part -> {
                waiting.remove(part.ordinal());
                AnswerListener waited = listeners.remove(part.id());
                if (waited != null) {
                    quietly(() -> waited.replied(reply));
                    quietly(() -> waited.closed(why));
                }
            });
            works.tell(new GatewayEvent.Dropped(key, why));
            outbox.add(reply);
            then(this::next);
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

    // ------------------------------------------------------------------ running

    private String prompt(SessionEntry entry, SessionSource source) {
        SessionContext context = SessionContext.of(
                        source, works.rules, works.connected(), works.settings.homeChannels())
                .withSession(key, entry.sessionId().value(), entry.createdAt(), entry.updatedAt());
        Redaction redaction = works.settings.redactIds() ? Redaction.on(works.safeForRedaction()) : Redaction.off();
        return ContextPrompt.render(
                context, PromptSettings.DEFAULT.withRedaction(redaction).withHome(works.settings.home()));
    }

    private void begin(TurnRun current) {
        if (run != current || current.superseded || current.phase != TurnRun.Phase.STARTING) {
            return;
        }
        SessionEntry entry = lane.orElseThrow().entry();
        List<StoredMessage> stored = works.storage.transcripts().load(current.session());
        List<Message> before = stored.stream()
                .map(StoredMessage::message)
                .filter(m -> !m.id().equals(current.input.id()))
                .toList();
        Instant now = works.now();
        List<Message> history = ReplayCleaning.replay(before, now);
        boolean toolTail =
                !history.isEmpty() && history.get(history.size() - 1).role().equals(Role.TOOL);
        List<SystemNotes.Note> notes = SystemNotes.of(new SystemNotes.Facts(
                now,
                works.settings.freshness(),
                current.mark,
                SystemNotes.transcriptClock(before),
                toolTail,
                current.text().isBlank(),
                current.autoReset,
                !before.isEmpty(),
                !before.isEmpty() || works.hasAnySessions()));
        String prompt = prompt(entry, current.source);
        Message given = notes.isEmpty()
                ? current.input
                : current.input.toBuilder()
                        .content(Content.text(SystemNotes.before(notes, current.text())))
                        .build();
        AgentTurn turn = new AgentTurn(
                current.turn.id(), current.session(), prompt, history, given, List.of(), current.source.userName());
        try {
            Agent agent = works.cache.take(
                    new AgentSpec(key, current.session(), current.source, prompt, entry.modelOverride()),
                    before.size());
            current.agent.set(agent);
            current.messages = before.size();
            works.tell(new GatewayEvent.TurnStarted(
                    key,
                    current.session(),
                    current.turn.id(),
                    current.text(),
                    notes.stream().map(n -> n.kind().text()).toList(),
                    counted(history)));
            current.phase = TurnRun.Phase.RUNNING;
            current.agentRun = agent.start(turn, new Reports(current));
            watch(current);
        } catch (RuntimeException e) {
            works.tell(new GatewayEvent.Trouble(Optional.of(key), "The agent could not begin.", Optional.of(e)));
            fail(
                    current,
                    e instanceof ParleyException ? String.valueOf(e.getMessage()) : "The agent could not begin.",
                    TokenUsage.NONE,
                    0);
        }
    }

    private static int counted(List<Message> history) {
        return (int) history.stream()
                .filter(m -> m.role().equals(Role.USER)
                        || m.role().equals(Role.ASSISTANT)
                        || m.role().equals(Role.TOOL))
                .count();
    }

    /** What an agent reports, brought to this desk; reports of a superseded run are discarded (Q8.34). */
    private final class Reports implements AgentEvents {
        private final TurnRun mine;

        Reports(TurnRun mine) {
            this.mine = mine;
        }

        private void report(Runnable report) {
            if (mine.superseded) {
                return;
            }
            post(() -> {
                if (run == mine && !mine.superseded && mine.phase == TurnRun.Phase.RUNNING) {
                    mine.lastEvent = works.now();
                    report.run();
                }
            });
        }

        private void end(Runnable report) {
            if (mine.superseded) {
                letGo(mine);
                return;
            }
            report(report);
        }

        @Override
        public void streamed(String delta) {
            if (!mine.listeners.isEmpty()) {
                report(() -> mine.listeners.forEach(l -> quietly(() -> l.streamed(mine.turn.id(), delta))));
            }
        }

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            report(() -> {
                List<Message> rows = new ArrayList<>();
                rows.add(Message.builder(newMessage(), Role.ASSISTANT, content, works.now())
                        .toolCalls(ToolCalls.of(calls))
                        .reasoning(reasoning)
                        .finishReason("tool_calls")
                        .build());
                keep(mine, rows, List.of());
            });
        }

        @Override
        public void toolAnswered(String callId, String tool, Content result) {
            report(() -> {
                List<Message> rows = new ArrayList<>();
                rows.add(Message.builder(newMessage(), Role.TOOL, result, works.now())
                        .toolCallId(callId)
                        .toolName(tool)
                        .build());
                List<Change> done = new ArrayList<>();
                for (Inbound steer : mine.steered) {
                    rows.add(Message.builder(newMessage(), Role.USER, Content.text(steer.text()), works.now())
                            .platformMessageId(steer.platformMessage()
                                    .map(PlatformMessage::messageId)
                                    .orElse(null))
                            .build());
                    done.add(new Change.PutInbound(
                            steer.claimedBy(mine.turn.id()).in(Inbound.State.DONE)));
                }
                keep(mine, rows, done);
            });
        }

        @Override
        public void answered(AgentAnswer answer) {
            end(() -> LaneDesk.this.answered(mine, answer));
        }

        @Override
        public void failed(AgentFailure failure) {
            end(() -> LaneDesk.this.failed(mine, failure));
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            end(() -> LaneDesk.this.interrupted(mine, partial));
        }
    }

    private MessageId newMessage() {
        return new MessageId(works.ids.unique("m"));
    }

    private List<Precondition> claimedBy(TurnRun current) {
        return List.of(new Precondition.TurnClaimed(current.turn.id(), current.turn.run()));
    }

    /** Stores messages of a running turn as they come. */
    private void keep(TurnRun current, List<Message> rows, List<Change> more) {
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.AppendMessages(current.session(), rows));
        changes.addAll(more);
        List<Inbound> steered = List.copyOf(current.steered);
        commit(claimedBy(current), changes, result -> {
            if (!result.isCommitted()) {
                lost(current);
                return;
            }
            rows.forEach(row -> current.stored.add(row.id()));
            if (!more.isEmpty()) {
                current.steered.removeAll(steered);
                steered.forEach(s -> {
                    AnswerListener waited = listeners.remove(s.id());
                    if (waited != null) {
                        quietly(() -> waited.closed("Passed on to the running task."));
                    }
                });
            }
        });
    }

    /** The claim is not ours any more: somebody else ended the turn. */
    private void lost(TurnRun current) {
        loaded = false;
        supersede(current, "Superseded");
        then(this::next);
    }

    private void supersede(TurnRun current, String reason) {
        current.superseded = true;
        current.stopTimers();
        AgentRun agentRun = current.agentRun;
        if (agentRun != null) {
            agentRun.interrupt(reason);
            works.timers.after(works.settings.interruptGrace(), () -> letGo(current));
        } else {
            letGo(current);
        }
        current.listeners.forEach(l -> quietly(() -> l.closed("The turn was stopped.")));
        if (run == current) {
            run = null;
            endBusy();
        }
    }

    /** Gives back the agent of a run that has ended, once. */
    private void letGo(TurnRun current) {
        Agent agent = current.agent.getAndSet(null);
        if (agent != null) {
            boolean spoilt = current.superseded || current.interrupted.isPresent();
            works.cache.putBack(agent, current.messages < 0 ? -1 : current.messages + current.stored.size(), spoilt);
        }
    }

    // ------------------------------------------------------------------ interrupting

    /** Asks the running agent to end soon; its turn ends as what the cause makes of it. Returns false where none runs. */
    boolean interrupt(TurnRun.Cause cause, String reason) {
        TurnRun current = run;
        if (current == null || !current.isActive()) {
            return false;
        }
        AgentRun agentRun = current.agentRun;
        if (agentRun == null) {
            return false;
        }
        if (current.interrupted.isEmpty() || cause == TurnRun.Cause.DRAIN || cause == TurnRun.Cause.TIMEOUT) {
            current.interrupted = Optional.of(cause);
        }
        agentRun.interrupt(reason);
        return true;
    }

    private void watch(TurnRun current) {
        Duration limit = works.settings.turnTimeout();
        if (limit.isZero() || limit.isNegative()) {
            return;
        }
        Duration left = limit.minus(Duration.between(lastActivity(current), works.now()));
        current.watch = works.timers.after(
                left.isNegative() ? Duration.ZERO : left,
                () -> post(() -> {
                    if (run != current || current.phase != TurnRun.Phase.RUNNING) {
                        return;
                    }
                    if (Duration.between(lastActivity(current), works.now()).compareTo(limit) < 0) {
                        watch(current);
                        return;
                    }
                    interrupt(TurnRun.Cause.TIMEOUT, "Execution timed out (inactivity)");
                    current.grace = works.timers.after(
                            works.settings.interruptGrace(),
                            () -> post(() -> {
                                if (run == current && current.phase == TurnRun.Phase.RUNNING) {
                                    timedOut(current, TokenUsage.NONE, 0);
                                }
                            }));
                }));
    }

    private static Instant lastActivity(TurnRun current) {
        AgentRun agentRun = current.agentRun;
        Instant reported = agentRun == null ? current.lastEvent : agentRun.lastActivity();
        return reported.isAfter(current.lastEvent) ? reported : current.lastEvent;
    }

    private void timedOut(TurnRun current, TokenUsage tokens, long calls) {
        fail(
                current,
                "The agent did nothing for "
                        + works.settings.turnTimeout().toMinutes()
                        + " minutes, so the task was stopped. Please try again.",
                tokens,
                calls);
    }

    // ------------------------------------------------------------------ ending

    /** How a turn ends: what is stored besides, and what is said. */
    private static final class End {
        final Turn.State state;
        final List<Change> changes = new ArrayList<>();
        Optional<String> reply = Optional.empty();
        String answer = "";
        String closed = "";
        boolean real;
        boolean closesAgent;
        Optional<Lane> lane = Optional.empty();
        List<Precondition> preconditions = List.of();

        End(Turn.State state) {
            this.state = state;
        }

        void moves(Transition transition) {
            preconditions = transition.preconditions();
            changes.addAll(transition.changes());
            lane = transition.after();
        }
    }

    private void answered(TurnRun current, AgentAnswer answer) {
        boolean real = !answer.content().isBlank();
        if (current.interrupted.filter(c -> c == TurnRun.Cause.TIMEOUT).isPresent() && !real) {
            timedOut(current, answer.tokens(), answer.apiCalls());
            return;
        }
        End end = new End(real ? Turn.State.COMPLETED : Turn.State.FAILED);
        end.real = real;
        SessionId before = current.session();
        SessionId session = before;
        Optional<SessionId> continued = answer.continuedAs().filter(id -> !id.equals(before));
        if (continued.isPresent()
                && lane.filter(l -> l.entry().sessionId().equals(before)).isPresent()) {
            continues(current, end, continued.get());
            current.messages = -1;
            session = continued.get();
        }
        if (real) {
            Message said = row(answer);
            current.stored.add(said.id());
            end.changes.add(new Change.AppendMessages(session, List.of(said)));
            end.reply = Optional.of(answer.content().plainText());
            end.answer = answer.content().plainText();
        } else {
            end.reply = Optional.of(
                    answer.apiCalls() == 0
                            ? "Your message was not processed. Please send it again."
                            : "The agent gave no answer. Please try again, perhaps in other words.");
            end.closed = "no answer";
        }
        usage(
                end,
                current,
                session,
                answer.tokens(),
                answer.apiCalls(),
                answer.model(),
                answer.billing(),
                Optional.of(answer.lastPromptTokens()));
        end(current, end);
    }

    private Message row(AgentAnswer answer) {
        return Message.builder(newMessage(), Role.ASSISTANT, answer.content(), works.now())
                .reasoning(answer.reasoning())
                .finishReason(answer.finishReason().orElse(null))
                .tokenCount(
                        answer.tokens().output() > 0
                                ? (int) Math.min(
                                        Integer.MAX_VALUE, answer.tokens().output())
                                : null)
                .build();
    }

    /** The agent compressed the conversation and goes on in another session (O4.24). */
    private void continues(TurnRun current, End end, SessionId next) {
        Instant now = works.now();
        Lane before = lane.orElseThrow();
        Optional<Session> old = works.storage.sessions().find(current.session());
        Session.Builder child = SessionTransitions.sessionOf(before.entry().continuedAs(next)).toBuilder();
        old.ifPresent(s -> child.parent(s.id()).model(s.model().orElse(null)));
        end.changes.add(
                new Change.EditSession(current.session(), new SessionEdit.End(Ending.of(now, Ending.COMPRESSION))));
        end.changes.add(new Change.CreateSession(child.startedAt(now).build()));
        end.moves(SessionTransitions.continueAs(before, next, now));
    }

    private void usage(
            End end,
            TurnRun current,
            SessionId session,
            TokenUsage tokens,
            long calls,
            Optional<String> model,
            Billing billing,
            Optional<Long> lastPrompt) {
        Instant now = works.now();
        end.changes.add(new Change.AddUsage(session, new UsageUpdate(tokens, calls, model, billing, false)));
        Optional<Standing.ResumePending> clears = end.real ? current.mark : Optional.empty();
        end.changes.add(new Change.TouchLane(
                key, session, now, tokens, billing.estimatedCostUsd().orElse(0.0), lastPrompt, clears));
        boolean clearing = clears.isPresent()
                && lane.filter(l -> l.entry().toBeResumed().equals(clears)).isPresent();
        if (clearing) {
            end.changes.add(new Change.AppendHistory(new LaneEvent(
                    key,
                    now,
                    LaneEvent.Kind.CLEARED,
                    Optional.of(session),
                    Optional.of(session),
                    clears.flatMap(Standing.ResumePending::reason)
                            .map(ResumeReason::text)
                            .orElse(""),
                    Map.of())));
        }
    }

    private void failed(TurnRun current, AgentFailure failure) {
        if (current.interrupted.filter(c -> c == TurnRun.Cause.TIMEOUT).isPresent()) {
            timedOut(current, failure.tokens(), failure.apiCalls());
            return;
        }
        switch (failure.kind()) {
            case CONTEXT_TOO_LARGE -> {
                End end = new End(Turn.State.FAILED);
                end.changes.add(
                        new Change.HideMessages(current.session(), current.stored, StoredMessage.State.REWOUND));
                end.reply =
                        Optional.of("The conversation is too large for the model, so this message was not added to it."
                                + " Use /compress to shorten it or /reset to begin anew.");
                end.closed = failure.message();
                usage(
                        end,
                        current,
                        current.session(),
                        failure.tokens(),
                        failure.apiCalls(),
                        Optional.empty(),
                        Billing.NONE,
                        Optional.of(0L));
                end(current, end);
            }
            case COMPRESSION_EXHAUSTED -> exhausted(current, failure);
            default -> fail(current, failure.message(), failure.tokens(), failure.apiCalls());
        }
    }

    private void fail(TurnRun current, String message, TokenUsage tokens, long calls) {
        End end = new End(Turn.State.FAILED);
        end.reply = Optional.of("Sorry, that did not work: " + message);
        end.closed = message;
        usage(end, current, current.session(), tokens, calls, Optional.empty(), Billing.NONE, Optional.of(0L));
        end(current, end);
    }

    /** The conversation cannot be made small enough: a new session begins (O4.26). */
    private void exhausted(TurnRun current, AgentFailure failure) {
        End end = new End(Turn.State.FAILED);
        end.closed = failure.message();
        end.closesAgent = true;
        end.reply = Optional.of(
                "The conversation is too large for the model and could not be compressed any further. The session"
                        + " was reset automatically; /resume goes back to it.");
        usage(
                end,
                current,
                current.session(),
                failure.tokens(),
                failure.apiCalls(),
                Optional.empty(),
                Billing.NONE,
                Optional.of(0L));
        lane.filter(l -> l.entry().sessionId().equals(current.session())).ifPresent(before -> {
            Instant now = works.now();
            SessionId id = SessionId.begunAt(now, works.zone, works.ids.sessionSuffix());
            end.moves(SessionTransitions.renew(
                    before, id, now, "compression_exhausted", Optional.empty(), Optional.empty()));
        });
        end(current, end);
    }

    private void interrupted(TurnRun current, AgentAnswer partial) {
        TurnRun.Cause cause = current.interrupted.orElse(TurnRun.Cause.OPERATOR);
        if (cause == TurnRun.Cause.TIMEOUT) {
            timedOut(current, partial.tokens(), partial.apiCalls());
            return;
        }
        End end = new End(Turn.State.INTERRUPTED);
        boolean said = !partial.content().isBlank();
        if (said) {
            Message row = row(partial);
            current.stored.add(row.id());
            end.changes.add(new Change.AppendMessages(current.session(), List.of(row)));
        }
        boolean suppressed = cause == TurnRun.Cause.DRAIN || (cause == TurnRun.Cause.FOLLOW_UP && !waiting.isEmpty());
        end.closed = suppressed ? "interrupted" : "interrupted by the operator";
        if (!suppressed) {
            end.reply = Optional.of(
                    said
                            ? partial.content().plainText() + "\n\n(interrupted)"
                            : partial.apiCalls() == 0
                                    ? "Interrupted before processing started. Please send it again if it is still wanted."
                                    : "Interrupted.");
        }
        usage(
                end,
                current,
                current.session(),
                partial.tokens(),
                partial.apiCalls(),
                partial.model(),
                partial.billing(),
                Optional.of(partial.lastPromptTokens()));
        end(current, end);
    }

    /** Stores the end of a turn in one batch, delivers what it says, then goes on with the next. */
    private void end(TurnRun current, End end) {
        current.phase = TurnRun.Phase.ENDING;
        current.stopTimers();
        Instant now = works.now();
        List<Precondition> preconditions = new ArrayList<>(claimedBy(current));
        preconditions.addAll(end.preconditions);
        List<Change> changes = new ArrayList<>(end.changes);
        changes.add(new Change.PutTurn(current.turn.ended(end.state, now)));
        current.item
                .parts()
                .forEach(part -> changes.add(
                        new Change.PutInbound(part.claimedBy(current.turn.id()).in(Inbound.State.DONE))));
        List<Inbound> late = new ArrayList<>();
        for (Inbound steer : current.steered) {
            Inbound message = steer.as(Inbound.Kind.MESSAGE);
            late.add(message);
            changes.add(new Change.PutInbound(message));
        }
        Optional<Outgoing> reply = end.reply.map(
                text -> works.outgoing(key, current.source, text, Outgoing.Kind.REPLY, Optional.of(current.turn.id())));
        reply.ifPresent(r -> changes.add(new Change.PutOutgoing(r)));
        commit(preconditions, changes, result -> {
            if (result instanceof CommitResult.Conflict c && c.failed() instanceof Precondition.LaneEpoch) {
                loaded = false;
                current.phase = TurnRun.Phase.RUNNING;
                then(() -> {
                    load();
                    fail(current, LOST_RACE, TokenUsage.NONE, 0);
                });
                return;
            }
            letGo(current);
            if (!result.isCommitted()) {
                lost(current);
                return;
            }
            late.forEach(message -> waiting.put(message.ordinal(), message));
            applied(changes, end.lane);
            works.tellHistory(changes);
            if (end.closesAgent) {
                works.cache.close(key);
            }
            if (end.real) {
                works.succeeded(key);
            }
            for (AnswerListener listener : current.listeners) {
                if (end.real) {
                    quietly(() -> listener.finished(current.turn.id(), end.answer));
                } else {
                    reply.ifPresent(r -> quietly(() -> listener.replied(r)));
                    quietly(() -> listener.closed(end.closed));
                }
            }
            if (reply.isPresent()) {
                outbox.add(reply.get(), () -> free(current));
            } else {
                free(current);
            }
        });
    }

    private void applied(List<Change> changes, Optional<Lane> put) {
        if (put.isPresent()) {
            lane = put;
        }
        for (Change change : changes) {
            if (change instanceof Change.TouchLane touch) {
                lane = lane.map(l -> new Lane(touch.applyTo(l.entry()), l.epoch()));
            }
        }
    }

    /** The lane is free for its next turn. */
    private void free(TurnRun current) {
        if (run == current) {
            run = null;
            then(this::next);
        }
    }

    // ------------------------------------------------------------------ from outside the lane

    /** Takes over messages that were stored before and not delivered. */
    void deliver(List<Outgoing> messages) {
        messages.forEach(outbox::add);
    }

    /** Looks for work and for deliveries that have become possible. */
    void wake() {
        outbox.poke();
        then(this::next);
    }

    /** Looks for work that somebody else has stored. */
    void refresh() {
        loaded = false;
        then(this::next);
    }

    /** Admits a turn that resumes what was cut off, unless one waits or the lane is running. */
    void admitResume(BooleanSupplier wanted) {
        load();
        boolean there = waiting.values().stream().anyMatch(i -> i.kind() == Inbound.Kind.RESUME);
        Optional<SessionSource> origin = lane.flatMap(l -> l.entry().origin());
        if (isBusy()
                || there
                || origin.isEmpty()
                || lane.flatMap(l -> l.entry().toBeResumed()).isEmpty()
                || !wanted.getAsBoolean()) {
            then(this::next);
            return;
        }
        Inbound inbound = new Inbound(
                new InboundId(works.ids.unique("in")),
                key,
                lastOrdinal + 1,
                Inbound.Kind.RESUME,
                origin.get(),
                "",
                List.of(),
                works.now(),
                Optional.empty(),
                Inbound.State.ADMITTED,
                Optional.empty());
        commit(List.of(), List.of(new Change.PutInbound(inbound)), stored -> {
            lastOrdinal = inbound.ordinal();
            waiting.put(inbound.ordinal(), inbound);
            then(this::next);
        });
    }

    /** Tells the people of this lane that the gateway stops, if their turn is running (P7.37). */
    void banner(StopMode mode) {
        TurnRun current = run;
        if (current == null || !current.isActive() || current.agentRun == null) {
            return;
        }
        if (works.settings.mutedRestartNotices().contains(current.source.platform())) {
            return;
        }
        Outgoing banner = works.outgoing(key, current.source, mode.banner(), Outgoing.Kind.BANNER, Optional.empty());
        commit(List.of(), List.of(new Change.PutOutgoing(banner)), stored -> outbox.add(banner));
    }

    /** The gateway stops: whoever waits for an answer to a waiting message waits no longer. */
    void dismiss() {
        listeners.values().forEach(l -> quietly(() -> l.closed(KEPT)));
        listeners.clear();
    }

    /** Runs a task of somebody else while nothing of the lane runs, and forgets what is known of the lane; else does nothing. */
    void whileIdle(Runnable task) {
        if (isBusy() || !waiting.isEmpty()) {
            return;
        }
        loaded = false;
        task.run();
    }

    /** Tells the people of a lane something about the gateway. */
    void notice(String text) {
        load();
        lane.flatMap(l -> l.entry().origin()).ifPresent(origin -> {
            Outgoing notice = works.outgoing(key, origin, text, Outgoing.Kind.NOTICE, Optional.empty());
            commit(List.of(), List.of(new Change.PutOutgoing(notice)), stored -> outbox.add(notice));
        });
    }

    /** Returns where the running turn's people are; may lag behind. */
    Optional<SessionSource> shownSource() {
        TurnRun current = run;
        return current == null ? Optional.empty() : Optional.of(current.source);
    }

    /** The drain has timed out: a turn that is still running is marked, then its agent interrupted (P7.40, P7.42). */
    void cutOff(StopMode mode) {
        TurnRun current = run;
        if (current == null || !current.isActive() || current.agentRun == null || lane.isEmpty()) {
            return;
        }
        Lane before = lane.get();
        boolean same = before.entry().sessionId().equals(current.session());
        if (before.entry().isSuspended() || !same) {
            interrupt(TurnRun.Cause.DRAIN, mode.interruptText());
            return;
        }
        Transition marking = SessionTransitions.markToBeResumed(before, mode.resumeReason(), works.now());
        List<Precondition> preconditions = new ArrayList<>(claimedBy(current));
        preconditions.addAll(marking.preconditions());
        commit(preconditions, marking.changes(), result -> {
            if (!result.isCommitted()) {
                lost(current);
                return;
            }
            lane = marking.after();
            works.tellHistory(marking.changes());
            interrupt(TurnRun.Cause.DRAIN, mode.interruptText());
        });
    }

    /** The stop waits no longer: a turn whose agent does not react ends without it. */
    void abandon() {
        SummaryRun summing = summary;
        if (summing != null) {
            summing.cancel();
            summary = null;
            endBusy();
        }
        TurnRun current = run;
        if (current == null || !current.isActive() || current.agentRun == null) {
            return;
        }
        current.interrupted = Optional.of(TurnRun.Cause.DRAIN);
        End end = new End(Turn.State.INTERRUPTED);
        end.closed = "the gateway stops";
        end(current, end);
    }

    /** Returns whether nothing is being delivered that could be. */
    boolean isQuiet() {
        return outbox.isQuiet();
    }

    /** Does to the lane what an operator asks; {@code done} is told whether there is such a lane. */
    void operate(Function<CommandContext, Optional<CommandOutcome>> command, CompletableFuture<Boolean> done) {
        operate(command, done, 1);
    }

    private void operate(
            Function<CommandContext, Optional<CommandOutcome>> command, CompletableFuture<Boolean> done, int attempt) {
        load();
        SessionSource source = lane.flatMap(l -> l.entry().origin())
                .orElseGet(
                        () -> SessionSource.builder(Platform.LOCAL, "operator").build());
        CommandContext context = context(source, "");
        Optional<CommandOutcome> outcome = command.apply(context);
        if (outcome.isEmpty() || attempt > ATTEMPTS) {
            done.complete(false);
            then(this::next);
            return;
        }
        Inbound nobody = new Inbound(
                new InboundId(works.ids.unique("in")),
                key,
                lastOrdinal + 1,
                Inbound.Kind.COMMAND,
                source,
                "",
                List.of(),
                works.now(),
                Optional.empty(),
                Inbound.State.DONE,
                Optional.empty());
        Effects effects = effects(outcome.get(), context, nobody, List.of());
        List<Change> changes =
                effects.changes().stream().filter(c -> !isOf(c, nobody)).toList();
        commit(effects.preconditions(), changes, result -> {
            if (result.isCommitted()) {
                took(outcome.get(), effects, nobody, AnswerListener.NONE);
                done.complete(true);
            } else {
                loaded = false;
                then(() -> operate(command, done, attempt + 1));
            }
        });
    }

    private static boolean isOf(Change change, Inbound inbound) {
        return change instanceof Change.PutInbound put && put.inbound().id().equals(inbound.id());
    }

    private void quietly(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            works.tell(
                    new GatewayEvent.Trouble(Optional.of(key), "Whoever waits for an answer failed.", Optional.of(e)));
        }
    }
}
