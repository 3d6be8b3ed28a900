package dev.parley.application.gateway;

import dev.parley.application.command.RunningTurn;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.ParleyException;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.context.ContextPrompt;
import dev.parley.domain.context.PromptSettings;
import dev.parley.domain.context.Redaction;
import dev.parley.domain.context.SessionContext;
import dev.parley.domain.context.SystemNotes;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ReplayCleaning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs a claimed turn: starts its agent, stores what it reports as it comes, watches and interrupts it. */
final class Running {
    private static final String WITHOUT_CONTEXT =
            "The storage cannot be read for now, so I go on without what was said here before. It is not lost and will be back.";

    private final Workings works;
    private final SessionKey key;
    private final LaneDesk desk;
    private final LaneMemory memory;
    private volatile @Nullable TurnRun run;

    Running(LaneDesk desk) {
        this.works = desk.works;
        this.key = desk.key();
        this.desk = desk;
        this.memory = desk.memory;
    }

    /** Returns the lane's turn; null while there is none. Read from any thread. */
    @Nullable
    TurnRun current() {
        return run;
    }

    /** Returns the lane's turn as commands see it; absent where its end has come. */
    Optional<RunningTurn> shown() {
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
                current.question,
                agentRun == null ? Optional.empty() : agentRun.activity()));
    }

    /** The lane has a turn, before its claim is stored. */
    void claim(TurnRun claimed) {
        run = claimed;
    }

    /** The lane has no turn. */
    void clear() {
        run = null;
    }

    /** Returns the context prompt of a session for a sender (X9). */
    String prompt(SessionEntry entry, SessionSource source) {
        SessionContext context = SessionContext.of(
                        source,
                        works.rules,
                        works.connected(),
                        works.settings.delivery().homeChannels())
                .withSession(key, entry.sessionId().value(), entry.createdAt(), entry.updatedAt());
        Redaction redaction =
                works.settings.chat().redactIds() ? Redaction.on(works.safeForRedaction()) : Redaction.off();
        return ContextPrompt.render(
                context,
                PromptSettings.DEFAULT
                        .withRedaction(redaction)
                        .withHome(works.settings.chat().home()));
    }

    /** Begins a claimed turn; where what was said before cannot be read for now, its people are told first (rule 9). */
    void beginKnowingly(TurnRun current) {
        if (!works.mustTellOfMissingContext(key, current.session())) {
            begin(current);
            return;
        }
        Outgoing notice = works.outgoing(
                key, current.source, WITHOUT_CONTEXT, Outgoing.Kind.NOTICE, Optional.of(current.turn.id()));
        desk.commit(List.of(), List.of(new Change.PutOutgoing(notice)), stored -> {
            desk.outbox.add(notice);
            desk.then(() -> begin(current));
        });
    }

    /** Calls the agent of a claimed turn. */
    private void begin(TurnRun current) {
        if (run != current || current.superseded || current.phase != TurnRun.Phase.STARTING) {
            return;
        }
        SessionEntry entry = memory.lane().orElseThrow().entry();
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
                works.settings.recovery().freshness(),
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
                current.turn.id(),
                current.session(),
                prompt,
                history,
                given,
                injected(current),
                current.source.userName());
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
            TurnWatch watch = new TurnWatch(desk, current);
            current.watch = watch;
            watch.begin();
        } catch (RuntimeException e) {
            works.tell(new GatewayEvent.Trouble(Optional.of(key), "The agent could not begin.", Optional.of(e)));
            desk.ending.fail(
                    current,
                    e instanceof ParleyException ? String.valueOf(e.getMessage()) : "The agent could not begin.",
                    TokenUsage.NONE,
                    0);
        }
    }

    /** Returns what the hooks put before the input of this run alone (storage 7.8). */
    private List<Message> injected(TurnRun current) {
        try {
            return List.copyOf(works.hooks.beforeRun(key, current.session(), current.input));
        } catch (RuntimeException e) {
            works.tell(new GatewayEvent.Trouble(
                    Optional.of(key),
                    "A hook failed; the turn runs without what it would have added.",
                    Optional.of(e)));
            return List.of();
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
            desk.post(() -> {
                if (run == mine && !mine.superseded && mine.phase == TurnRun.Phase.RUNNING) {
                    mine.lastEvent = works.now();
                    mine.question = Optional.empty();
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
                report(() -> mine.listeners.forEach(l -> desk.quietly(() -> l.streamed(mine.turn.id(), delta))));
            }
        }

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            report(() -> {
                List<Message> rows = new ArrayList<>();
                rows.add(Message.builder(desk.newMessage(), Role.ASSISTANT, content, works.now())
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
                rows.add(Message.builder(desk.newMessage(), Role.TOOL, result, works.now())
                        .toolCallId(callId)
                        .toolName(tool)
                        .build());
                List<Inbound> taken = mine.taken();
                rows.addAll(rows(taken));
                keep(mine, rows, done(mine, taken));
            });
        }

        @Override
        public void asked(AgentQuestion question) {
            report(() -> ask(mine, question));
        }

        @Override
        public void answered(AgentAnswer answer) {
            end(() -> desk.ending.answered(mine, answer));
        }

        @Override
        public void failed(AgentFailure failure) {
            end(() -> desk.ending.failed(mine, failure));
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            end(() -> desk.ending.interrupted(mine, partial));
        }
    }

    /** Returns what must hold of everything that a run stores (rule 4). */
    List<Precondition> claimedBy(TurnRun current) {
        return List.of(new Precondition.TurnClaimed(current.turn.id(), current.turn.run()));
    }

    /** Returns what people have said to a running agent as messages of its session. */
    List<Message> rows(List<Inbound> said) {
        return said.stream()
                .map(s -> Message.builder(desk.newMessage(), Role.USER, Content.text(s.text()), works.now())
                        .platformMessageId(s.platformMessage()
                                .map(PlatformMessage::messageId)
                                .orElse(null))
                        .build())
                .toList();
    }

    /** Returns the changes by which those messages wait no more. */
    static List<Change> done(TurnRun current, List<Inbound> said) {
        return said.stream()
                .<Change>map(s ->
                        new Change.PutInbound(s.claimedBy(current.turn.id()).in(Inbound.State.DONE)))
                .toList();
    }

    /** Asks the turn's people what its agent wants to know. */
    private void ask(TurnRun current, AgentQuestion question) {
        String how = switch (question.kind()) {
            case APPROVAL -> "\nAnswer yes, session, always or no.";
            case CLARIFICATION -> "";
        };
        Outgoing asked = works.outgoing(
                key, current.source, question.text() + how, Outgoing.Kind.NOTICE, Optional.of(current.turn.id()));
        desk.commit(claimedBy(current), List.of(new Change.PutOutgoing(asked)), result -> {
            if (!result.isCommitted()) {
                lost(current);
                return;
            }
            current.question = Optional.of(question);
            current.listeners.forEach(l -> desk.quietly(() -> l.asked(asked)));
            desk.outbox.add(asked);
        });
    }

    /** Stores messages of a running turn as they come. */
    private void keep(TurnRun current, List<Message> rows, List<Change> more) {
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.AppendMessages(current.session(), rows));
        changes.addAll(more);
        List<Inbound> taken = current.taken();
        desk.commit(claimedBy(current), changes, result -> {
            if (!result.isCommitted()) {
                lost(current);
                return;
            }
            rows.forEach(row -> current.stored.add(row.id()));
            if (!more.isEmpty()) {
                current.steered.removeAll(taken);
                current.answers.removeAll(taken);
                taken.forEach(s -> {
                    memory.release(s).ifPresent(waited -> desk.quietly(() -> waited.closed(BusyLane.PASSED_ON)));
                });
            }
        });
    }

    /** The claim is not ours any more: somebody else ended the turn. */
    void lost(TurnRun current) {
        memory.doubt();
        supersede(current, "Superseded");
        desk.next();
    }

    /** Ends a run without its agent: whatever it still reports is discarded, and the agent is given time to stop. */
    void supersede(TurnRun current, String reason) {
        current.superseded = true;
        current.stopWatching();
        AgentRun agentRun = current.agentRun;
        if (agentRun != null) {
            agentRun.interrupt(reason);
            works.timers.after(works.settings.turns().grace(), () -> letGo(current));
        } else {
            letGo(current);
        }
        current.listeners.forEach(l -> desk.quietly(() -> l.closed("The turn was stopped.")));
        if (run == current) {
            run = null;
            desk.endBusy();
        }
    }

    /** Gives back the agent of a run that has ended, once. */
    void letGo(TurnRun current) {
        Agent agent = current.agent.getAndSet(null);
        if (agent != null) {
            boolean spoilt = current.superseded || current.interrupted.isPresent();
            works.cache.putBack(agent, current.messages < 0 ? -1 : current.messages + current.stored.size(), spoilt);
        }
    }

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
}
