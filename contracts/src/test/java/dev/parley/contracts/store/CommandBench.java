package dev.parley.contracts.store;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandRequest;
import dev.parley.application.command.CommandTable;
import dev.parley.application.command.LaneView;
import dev.parley.application.command.Stores;
import dev.parley.application.command.Surroundings;
import dev.parley.application.commands.BuiltInCommands;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.replay.ScriptedAgents;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.store.LaneReader;
import dev.parley.application.store.SessionStore;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageUpdate;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Runs chat commands on a store in memory as a gateway does: decide, store in one batch, then look at what else is wanted. */
final class CommandBench {
    private static final CommandTable COMMANDS = new CommandTable(List.of(), Optional.empty(), BuiltInCommands.all());

    final MemoryStorage storage = new MemoryStorage();
    final VirtualClock clock = new VirtualClock(Instant.parse("2026-03-10T12:00:00Z"));
    final SeededIds ids = new SeededIds(3);
    final KeyRules rules;
    final LaneReader reader;
    final SessionStore store;
    final ScriptedAgents agents;
    GatewaySettings settings = GatewaySettings.DEFAULT;
    Set<SessionSource> admins = Set.of();
    Optional<String> summary = Optional.of("what was said so far");
    Runnable beforeStoring = () -> {};
    CommandOutcome last = CommandOutcome.reply("");
    final List<Message> summarised = new ArrayList<>();
    Optional<String> focus = Optional.empty();
    private long batches;
    private long messages;

    CommandBench(KeyRules rules) {
        this.rules = rules;
        reader = new LaneReader(
                storage,
                rules,
                ResetPolicies.of(ResetPolicy.DEFAULT.withMode(ResetMode.IDLE)),
                ProcessActivity.NONE,
                clock,
                ZoneOffset.UTC);
        store = new SessionStore(storage, rules, reader, clock, ZoneOffset.UTC, ids);
        agents = new ScriptedAgents(clock, new VirtualTimers(clock, new SerialExecutor()));
    }

    /** Runs a command and stores what it wants; returns its reply. */
    String run(SessionSource from, String text) {
        CommandTable.Typed typed = COMMANDS.read(text).orElseThrow();
        String name = typed.name();
        String arguments = typed.arguments();
        ChatCommand command = typed.command().orElseThrow();
        CommandContext context = context(from, name, arguments);
        CommandOutcome outcome = command.flags()
                .flatMap(flags -> flags.refusal(name, command.usage(), arguments))
                .orElseGet(() -> command.run(context(from, name, arguments)));
        if (outcome.summarise().isPresent()) {
            CommandOutcome.Summarise wanted = outcome.summarise().get();
            summarised.clear();
            summarised.addAll(wanted.history());
            focus = wanted.focus();
            beforeStoring.run();
            context = context(from, name, arguments);
            outcome = summary.isPresent()
                    ? wanted.then().apply(context, summary.get())
                    : wanted.otherwise().apply(context, "the model is not there.");
        }
        last = outcome;
        List<Precondition> preconditions = new ArrayList<>(outcome.preconditions());
        preconditions.add(new Precondition.LaneEpoch(context.lane(), context.epoch()));
        CommitResult result = commit(preconditions, outcome.changes());
        if (!result.isCommitted()) {
            throw new AssertionError("The command \"" + text + "\" could not be stored: " + result);
        }
        return outcome.reply();
    }

    CommandContext context(SessionSource from, String name, String arguments) {
        SessionKey key = rules.keyOf(from);
        TurnQueue queue = storage.queue();
        return new CommandContext(
                new CommandRequest(from, name, arguments, List.of(), admins.contains(from), clock.instant()),
                new LaneView(
                        key,
                        storage.lanes().find(key),
                        Optional.empty(),
                        false,
                        queue.admitted(key).size(),
                        List.of()),
                new Stores(storage, reader),
                new Surroundings(
                        ZoneOffset.UTC,
                        rules,
                        ids,
                        agents,
                        settings.chat(),
                        List.of(from.platform()),
                        CommandTable.help(BuiltInCommands.all()),
                        false));
    }

    CommitResult commit(List<Precondition> preconditions, List<Change> changes) {
        return storage.ledger().commit(new Batch(new BatchId("bench", ++batches), preconditions, changes));
    }

    void commit(Change... changes) {
        commit(List.of(), List.of(changes));
    }

    /** One turn: the user's message and the answer, in the session that the message belongs to. */
    SessionId turn(SessionSource from, String text) {
        clock.move(Duration.ofSeconds(1));
        SessionId session = store.getOrCreateSession(from).sessionId();
        say(session, Role.USER, text);
        say(session, Role.ASSISTANT, "answer to " + text);
        return session;
    }

    /** Begins the lane anew, as {@code /new} does. */
    void renew(SessionSource from) {
        clock.move(Duration.ofSeconds(1));
        store.resetSession(rules.keyOf(from), Optional.empty());
    }

    void say(SessionId session, Role role, String text) {
        store.appendToTranscript(
                session,
                Message.builder(new MessageId("b" + ++messages), role, Content.text(text), clock.instant())
                        .build(),
                false);
    }

    /** Usage of a session as whatever once counted it has stored it. */
    void use(SessionSource from, SessionId session, TokenUsage tokens, long lastPrompt) {
        commit(
                new Change.AddUsage(session, new UsageUpdate(tokens, 1, Optional.empty(), Billing.NONE, false)),
                new Change.TouchLane(
                        rules.keyOf(from),
                        session,
                        clock.instant(),
                        tokens,
                        0.0,
                        Optional.of(lastPrompt),
                        Optional.empty()));
    }

    SessionEntry entry(SessionSource from) {
        return storage.lanes().find(rules.keyOf(from)).map(Lane::entry).orElseThrow();
    }

    SessionId current(SessionSource from) {
        return entry(from).sessionId();
    }

    List<String> texts(SessionId session) {
        return storage.transcripts().load(session).stream()
                .map(StoredMessage::message)
                .map(m -> m.content().plainText())
                .toList();
    }
}
