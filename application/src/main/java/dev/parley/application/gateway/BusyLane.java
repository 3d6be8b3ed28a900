package dev.parley.application.gateway;

import dev.parley.application.port.AgentRun;
import dev.parley.application.port.Received;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What a message does to a lane on which something runs (Q8.10 to Q8.12). */
final class BusyLane {
    private static final Duration ACK_PAUSE = Duration.ofSeconds(30);

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
     * @param effect what happens once it is stored
     */
    record Reaction(Optional<String> ack, Consumer<Inbound> effect) {
        static final Reaction NONE = new Reaction(Optional.empty(), inbound -> {});
    }

    /** Returns what a message does to this lane as it is now; nothing where it is idle. */
    Reaction reaction(Received message) {
        Optional<StopMode> stopping = works.stopping();
        if (stopping.isPresent()) {
            return new Reaction(Optional.of(stopping.get().queuedText()), inbound -> {});
        }
        if (desk.summaries.isUnderWay()) {
            return new Reaction(
                    Optional.of("The conversation is being compressed. Your message is queued; /stop cancels."),
                    inbound -> {});
        }
        TurnRun current = desk.running.current();
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
                        inbound -> desk.running.interrupt(TurnRun.Cause.FOLLOW_UP, inbound.text()));
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
        return works.settings.acknowledgeBusy()
                && lastAck.map(at -> Duration.between(at, works.now()).compareTo(ACK_PAUSE) >= 0)
                        .orElse(true);
    }

    /** Hands an admitted message to the running agent; where it takes none, the message stays and waits (Q8.11). */
    boolean steer(Inbound inbound) {
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
