package dev.parley.application.gateway;

import dev.parley.application.command.RunningTurn;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Received;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a message does to a lane on which something runs (Q8.10 to Q8.12). A turn that resumes after a restart is not disturbed:
 * messages of its lane wait, and nothing is said (P7.27).
 */
final class BusyLane {
    static final String PASSED_ON = "Passed on to the running task.";
    private static final String COMPRESSING =
            "The conversation is being compressed. Your message is queued; /stop cancels.";
    private static final int STALE_AFTER = 10;
    private static final Duration STALE_AT_LEAST = Duration.ofHours(2);
    private static final Duration ACK_PAUSE = Duration.ofSeconds(30);
    private static final String QUEUED = "Queued for the next turn.";

    /** How many questions of one run one decision answers at most. */
    private static final int MOST_QUESTIONS = 100;

    private final Workings works;
    private final SessionKey key;
    private final LaneDesk desk;
    private final LaneMemory memory;
    private Optional<Instant> lastAck = Optional.empty();

    BusyLane(LaneDesk desk) {
        this.works = desk.works;
        this.key = desk.key();
        this.desk = desk;
        this.memory = desk.memory;
    }

    /**
     * What a message does to a busy lane.
     *
     * @param ack what is answered at once
     * @param effect what happens once it is stored; true where the message has reached the agent and does not wait
     */
    record Reaction(Optional<String> ack, Predicate<Inbound> effect) {
        static final Reaction NONE = new Reaction(Optional.empty(), inbound -> false);

        /** The message waits, and its sender is told so. */
        static Reaction told(String text) {
            return new Reaction(Optional.of(text), inbound -> false);
        }
    }

    /** Returns what a message does to this lane as it is now; nothing where it is idle. */
    Reaction reaction(Received message) {
        Optional<StopMode> stopping = works.stopping();
        if (stopping.isPresent()) {
            return Reaction.told(stopping.get().queuedText());
        }
        if (works.isHeld() && !isAnswer(message)) {
            return Reaction.told(Holding.QUEUED);
        }
        if (desk.summaries.isUnderWay()) {
            return Reaction.told(COMPRESSING);
        }
        TurnRun current = desk.running.current();
        if (current == null || !current.isActive()) {
            return Reaction.NONE;
        }
        if (isAnswer(message)) {
            return new Reaction(Optional.empty(), this::clarify);
        }
        if (isStale(current)) {
            return new Reaction(Optional.empty(), inbound -> {
                desk.then(() -> desk.ending.evict(current));
                return false;
            });
        }
        if (current.item.kind() == Inbound.Kind.RESUME
                || message.attachments().stream().anyMatch(Attachment::isPhoto)) {
            return Reaction.NONE;
        }
        return switch (works.settings.busy().mode(message.attachments().isEmpty())) {
            case INTERRUPT -> isOneThought(current, message) ? Reaction.NONE : interrupting(current);
            case QUEUE -> Reaction.told(QUEUED);
            case STEER -> steering(current, message.text());
        };
    }

    private Reaction interrupting(TurnRun current) {
        AgentRun agentRun = current.agentRun;
        Optional<AgentRun.Engagement> engaged = agentRun == null ? Optional.empty() : agentRun.engagement();
        if (engaged.isPresent()) {
            return Reaction.told(
                    switch (engaged.get()) {
                        case DELEGATING ->
                            "The task has others working for it. Your message is queued; /stop ends the task.";
                        case COMPRESSING -> COMPRESSING;
                    });
        }
        return new Reaction(Optional.of("Interrupting the running task for your message."), inbound -> {
            desk.running.interrupt(TurnRun.Cause.FOLLOW_UP, inbound.text());
            return false;
        });
    }

    /** Returns whether a turn is given up because somebody writes: it does nothing, or has run for far too long (Q8.9). */
    private boolean isStale(TurnRun current) {
        Duration limit = works.settings.turns().timeout();
        TurnWatch watch = current.watch;
        if (watch == null || limit.isZero() || limit.isNegative()) {
            return false;
        }
        Duration most = limit.multipliedBy(STALE_AFTER);
        Instant now = works.now();
        return watch.idle(now).compareTo(limit) >= 0
                || Duration.between(current.turn.startedAt(), now)
                                .compareTo(most.compareTo(STALE_AT_LEAST) < 0 ? STALE_AT_LEAST : most)
                        > 0;
    }

    // ------------------------------------------------------------------ questions of the agent

    /** Returns the command that a bare word is while the agent waits for an approval (Q8.11). */
    Optional<Commands.Typed> approval(Received message) {
        if (!message.attachments().isEmpty()
                || asked(AgentQuestion.Kind.APPROVAL).isEmpty()) {
            return Optional.empty();
        }
        return switch (message.text().strip().toLowerCase(Locale.ROOT)) {
            case "yes", "approve" -> works.commands.read("/approve");
            case "session" -> works.commands.read("/approve session");
            case "always" -> works.commands.read("/approve always");
            case "no", "deny" -> works.commands.read("/deny");
            default -> Optional.empty();
        };
    }

    /** Returns whether a message is what the agent waits for: then it is no follow-up (Q8.1). */
    boolean isAnswer(Received message) {
        return message.attachments().isEmpty()
                && !message.text().isBlank()
                && asked(AgentQuestion.Kind.CLARIFICATION).isPresent();
    }

    private Optional<AgentQuestion> asked(AgentQuestion.Kind kind) {
        return desk.running.shown().flatMap(RunningTurn::question).filter(q -> q.kind() == kind);
    }

    /** Hands an admitted message to the agent that asked; where it waits no longer, the message stays and waits. */
    private boolean clarify(Inbound inbound) {
        TurnRun current = desk.running.current();
        AgentRun agentRun = current == null ? null : current.agentRun;
        if (current == null || agentRun == null || !current.isActive() || !agentRun.clarify(inbound.text())) {
            return false;
        }
        current.question = Optional.empty();
        memory.remove(inbound);
        current.answers.add(inbound.as(Inbound.Kind.STEER));
        return true;
    }

    /** Hands a decision to the agent that asked; whoever decided is told where it waits no longer. */
    void decide(AgentQuestion.Decision decision, SessionSource by) {
        TurnRun current = desk.running.current();
        AgentRun agentRun = current == null ? null : current.agentRun;
        if (current != null && agentRun != null && current.isActive() && take(agentRun, decision)) {
            current.question = Optional.empty();
            for (int more = 1; decision.all() && more < MOST_QUESTIONS && take(agentRun, decision); more++) {}
            return;
        }
        acknowledge(by, "It was too late: the task waits for it no longer.");
    }

    private static boolean take(AgentRun agentRun, AgentQuestion.Decision decision) {
        boolean reasoned = decision.approval() == AgentQuestion.Approval.DENY
                && decision.reason().isPresent();
        return reasoned ? agentRun.deny(decision.reason().get()) : agentRun.approve(decision.approval());
    }

    /** Telegram cuts long texts up: what follows at once belongs to what was said, and waits instead of interrupting (Q8.11). */
    private boolean isOneThought(TurnRun current, Received message) {
        Duration since = Duration.between(current.turn.startedAt(), works.now());
        return message.source().platform().equals(Platform.TELEGRAM)
                && message.attachments().isEmpty()
                && !works.settings.busy().followUpWindow().isZero()
                && since.compareTo(works.settings.busy().followUpWindow()) <= 0;
    }

    private Reaction steering(TurnRun current, String text) {
        AgentRun agentRun = current.agentRun;
        if (text.isBlank() || agentRun == null) {
            return Reaction.told(QUEUED);
        }
        return new Reaction(Optional.empty(), inbound -> {
            boolean acknowledge = mayAcknowledge(false);
            boolean steered = steer(inbound);
            if (acknowledge) {
                acknowledge(inbound.source(), steered ? PASSED_ON : QUEUED);
            }
            return steered;
        });
    }

    private void acknowledge(SessionSource to, String text) {
        Outgoing ack = works.outgoing(key, to, text, Outgoing.Kind.ACK, Optional.empty());
        acknowledged();
        desk.then(() -> desk.commit(List.of(), List.of(new Change.PutOutgoing(ack)), stored -> desk.outbox.add(ack)));
    }

    /** An acknowledgement was stored. */
    void acknowledged() {
        lastAck = Optional.of(works.now());
    }

    /** Returns whether an acknowledgement is due; while the gateway stops each message gets one. */
    boolean mayAcknowledge(boolean stopping) {
        if (stopping) {
            return true;
        }
        return works.settings.busy().acknowledge()
                && lastAck.map(at -> Duration.between(at, works.now()).compareTo(ACK_PAUSE) >= 0)
                        .orElse(true);
    }

    /** Hands a message that was meant for the running agent to it, and tells its sender what became of it (Z12.13). */
    void steerOrQueue(Inbound inbound) {
        boolean passed = steer(inbound);
        if (!passed) {
            works.tell(new GatewayEvent.Queued(key, memory.depth()));
        }
        acknowledge(inbound.source(), passed ? PASSED_ON : QUEUED);
    }

    /** Hands an admitted message to the running agent; where it takes none, the message stays and waits (Q8.11). */
    private boolean steer(Inbound inbound) {
        TurnRun current = desk.running.current();
        if (current == null || !current.isActive() || current.agentRun == null) {
            return false;
        }
        if (!current.agentRun.steer(inbound.text())) {
            return false;
        }
        memory.remove(inbound);
        current.steered.add(inbound.as(Inbound.Kind.STEER));
        return true;
    }
}
