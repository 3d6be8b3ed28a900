package dev.parley.application.lane;

import dev.parley.application.ability.Asking;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import java.util.List;
import java.util.Optional;

/** What happens once a decision is stored, in order. */
sealed interface Effect {
    // ------------------------------------------------------------------ whoever sent a message

    /** Its platform gets its receipt. */
    record Receive(Receipt receipt) implements Effect {}

    /** Whoever waits for the answer to a message is told a reply of the gateway. */
    record Reply(InboundId to, Outgoing reply) implements Effect {}

    /** Whoever waits for the answers to messages is told what the agent asks. */
    record Ask(List<InboundId> to, Outgoing question) implements Effect {
        public Ask {
            to = List.copyOf(to);
        }
    }

    /** Whoever waits for the answers to messages is told that they are there, and waits no longer. */
    record Finish(List<InboundId> to, Outgoing answer) implements Effect {
        public Finish {
            to = List.copyOf(to);
        }
    }

    /** Whoever waits for the answers to messages waits no longer. */
    record Close(List<InboundId> to, String why) implements Effect {
        public Close {
            to = List.copyOf(to);
        }
    }

    /** Whoever waits for the answer to one message waits for that of another. */
    record WaitFor(InboundId from, InboundId to) implements Effect {}

    // ------------------------------------------------------------------ the chats and the operator

    /** The operator is told how many items wait. */
    record TellQueued() implements Effect {}

    /** A stored question is delivered, with answers to choose from where there are some. */
    record Put(Outgoing question, List<Asking.Choice> choices) implements Effect {
        public Put {
            choices = List.copyOf(choices);
        }
    }

    /** A stored message is delivered. */
    record Deliver(Outgoing message) implements Effect {}

    /** A turn's stored answer is delivered; the next turn begins once it was tried. */
    record DeliverAnswer(Outgoing message) implements Effect {}

    /** The operator is told. */
    record Tell(GatewayEvent event) implements Effect {}

    // ------------------------------------------------------------------ the agent

    /** The claimed turn's agent begins. */
    record Begin() implements Effect {}

    /** The agent is asked to end. */
    record Interrupt(String reason) implements Effect {}

    /** What the agent still reports is discarded; it is asked to end and given time to. */
    record Supersede(String reason) implements Effect {}

    /** The agent is given back; {@code stored} messages were stored by its run, or it is not known how many. */
    record LetGo(int stored, boolean spoilt) implements Effect {}

    /** The lane's kept agent lets go of its connections. */
    record ReleaseAgent() implements Effect {}

    /** The lane's kept agent is closed, because its session is over. */
    record CloseAgent() implements Effect {}

    /** A message is handed to the running agent; where {@code told}, its sender is told what became of it. */
    record Steer(Inbound input, boolean told) implements Effect {}

    /** A message is handed to the agent that asked. */
    record Clarify(Inbound answer) implements Effect {}

    /** A decision is handed to the agent that asked. */
    record Decide(AgentQuestion.Decision decision, SessionSource by) implements Effect {}

    /** The agent summarises the conversation. */
    record Summarise(CommandOutcome.Summarise wanted, Inbound command) implements Effect {}

    /** The running turn is given up, because it does nothing and somebody writes. */
    record GiveUpTurn() implements Effect {}

    // ------------------------------------------------------------------ beyond the lane

    /** The hooks are told that a session is over. */
    record SessionFinalized(SessionId session, SessionId next, String reason) implements Effect {}

    /** The hooks are told that a session begins. */
    record SessionStarted(SessionId session) implements Effect {}

    /** The hooks are told that a person began a session anew. */
    record SessionReset(SessionId session) implements Effect {}

    /** A turn of the lane has succeeded. */
    record Succeeded() implements Effect {}

    /** The tasks of the others in the source's thread are stopped. */
    record StopBeside(SessionSource source) implements Effect {}

    /** The gateway restarts. */
    record Restart() implements Effect {}

    /** What is known of the lane is read again before it is used. */
    record Reload() implements Effect {}

    /** An operator's request is answered. */
    record Answer(boolean done) implements Effect {}

    /** An operator's request fails, because the store does not say what is to be done. */
    record Refuse(StorageUnavailable why) implements Effect {}

    /** Remembers that somebody was told of a message that was turned away. */
    record Remember(Optional<PlatformMessage> message) implements Effect {}
}
