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
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What happens once a decision is stored, in order. Each kind belongs to one part of the lane, which implements the visitor of its group, so
 * that a new kind has to be carried out to compile.
 */
sealed interface Effect {
    /** Has this effect happen. */
    void carryOut(Parts parts);

    /** The parts of a lane in which effects happen. */
    interface Parts {
        SendersVisitor senders();

        AgentVisitor agent();

        LaneVisitor lane();

        OutwardVisitor outside();
    }

    /** What those are told who wait for something of the lane. */
    sealed interface OnSenders extends Effect {
        void accept(SendersVisitor visitor);

        @Override
        default void carryOut(Parts parts) {
            accept(parts.senders());
        }
    }

    /** Has each of these effects happen. */
    interface SendersVisitor {
        void receive(Receive effect);

        void reply(Reply effect);

        void ask(Ask effect);

        void finish(Finish effect);

        void close(Close effect);

        void waitFor(WaitFor effect);

        void answer(Answer effect);

        void refuse(Refuse effect);
    }

    /** Its platform gets its receipt. */
    record Receive(Receipt receipt) implements OnSenders {
        @Override
        public void accept(SendersVisitor visitor) {
            visitor.receive(this);
        }
    }

    /** Whoever waits for the answer to a message is told a reply of the gateway. */
    record Reply(InboundId to, Outgoing reply) implements OnSenders {
        @Override
        public void accept(SendersVisitor visitor) {
            visitor.reply(this);
        }
    }

    /** Whoever waits for the answers to messages is told what the agent asks. */
    record Ask(List<InboundId> to, Outgoing question) implements OnSenders {
        public Ask {
            to = List.copyOf(to);
        }

        @Override
        public void accept(SendersVisitor visitor) {
            visitor.ask(this);
        }
    }

    /** Whoever waits for the answers to messages is told that they are there, and waits no longer. */
    record Finish(List<InboundId> to, Outgoing answer) implements OnSenders {
        public Finish {
            to = List.copyOf(to);
        }

        @Override
        public void accept(SendersVisitor visitor) {
            visitor.finish(this);
        }
    }

    /** Whoever waits for the answers to messages waits no longer. */
    record Close(List<InboundId> to, String why) implements OnSenders {
        public Close {
            to = List.copyOf(to);
        }

        @Override
        public void accept(SendersVisitor visitor) {
            visitor.close(this);
        }
    }

    /** Whoever waits for the answer to one message waits for that of another. */
    record WaitFor(InboundId from, InboundId to) implements OnSenders {
        @Override
        public void accept(SendersVisitor visitor) {
            visitor.waitFor(this);
        }
    }

    /** An operator's request is answered. */
    record Answer(boolean done) implements OnSenders {
        @Override
        public void accept(SendersVisitor visitor) {
            visitor.answer(this);
        }
    }

    /** An operator's request fails, because the store does not say what is to be done. */
    record Refuse(StorageUnavailable why) implements OnSenders {
        @Override
        public void accept(SendersVisitor visitor) {
            visitor.refuse(this);
        }
    }

    /** What happens to the agent that works for the lane. */
    sealed interface OnAgent extends Effect {
        void accept(AgentVisitor visitor);

        @Override
        default void carryOut(Parts parts) {
            accept(parts.agent());
        }
    }

    /** Has each of these effects happen. */
    interface AgentVisitor {
        void interrupt(Interrupt effect);

        void supersede(Supersede effect);

        void letGo(LetGo effect);

        void steer(Steer effect);

        void clarify(Clarify effect);

        void decide(Decide effect);

        void giveUpTurn(GiveUpTurn effect);
    }

    /** The agent is asked to end. */
    record Interrupt(String reason) implements OnAgent {
        @Override
        public void accept(AgentVisitor visitor) {
            visitor.interrupt(this);
        }
    }

    /** What the agent still reports is discarded; it is asked to end and given time to. */
    record Supersede(String reason) implements OnAgent {
        @Override
        public void accept(AgentVisitor visitor) {
            visitor.supersede(this);
        }
    }

    /** The agent is given back; {@code stored} messages were stored by its run, or it is not known how many. */
    record LetGo(int stored, boolean spoilt) implements OnAgent {
        @Override
        public void accept(AgentVisitor visitor) {
            visitor.letGo(this);
        }
    }

    /** A message is handed to the running agent; where {@code told}, its sender is told what became of it. */
    record Steer(Inbound input, boolean told) implements OnAgent {
        @Override
        public void accept(AgentVisitor visitor) {
            visitor.steer(this);
        }
    }

    /** A message is handed to the agent that asked; {@code stops} is whether it runs after the next start where the agent does not take it. */
    record Clarify(Inbound answer, boolean stops) implements OnAgent {
        @Override
        public void accept(AgentVisitor visitor) {
            visitor.clarify(this);
        }
    }

    /** A decision is handed to the agent that asked. */
    record Decide(AgentQuestion.Decision decision, SessionSource by) implements OnAgent {
        @Override
        public void accept(AgentVisitor visitor) {
            visitor.decide(this);
        }
    }

    /** The running turn is given up, because it does nothing and somebody writes. */
    record GiveUpTurn() implements OnAgent {
        @Override
        public void accept(AgentVisitor visitor) {
            visitor.giveUpTurn(this);
        }
    }

    /** What the lane itself goes on with. */
    sealed interface OnLane extends Effect {
        void accept(LaneVisitor visitor);

        @Override
        default void carryOut(Parts parts) {
            accept(parts.lane());
        }
    }

    /** Has each of these effects happen. */
    interface LaneVisitor {
        void begin(Begin effect);

        void summarise(Summarise effect);

        void deliverAnswer(DeliverAnswer effect);

        void tellQueued(TellQueued effect);

        void reload(Reload effect);
    }

    /** The claimed turn's agent begins. */
    record Begin() implements OnLane {
        @Override
        public void accept(LaneVisitor visitor) {
            visitor.begin(this);
        }
    }

    /** The agent summarises the conversation. */
    record Summarise(CommandOutcome.Summarise wanted, Inbound command) implements OnLane {
        @Override
        public void accept(LaneVisitor visitor) {
            visitor.summarise(this);
        }
    }

    /** A turn's stored answer is delivered; the next turn begins once it was tried. */
    record DeliverAnswer(Outgoing message) implements OnLane {
        @Override
        public void accept(LaneVisitor visitor) {
            visitor.deliverAnswer(this);
        }
    }

    /** The operator is told how many items wait. */
    record TellQueued() implements OnLane {
        @Override
        public void accept(LaneVisitor visitor) {
            visitor.tellQueued(this);
        }
    }

    /** What is known of the lane is read again before it is used. */
    record Reload() implements OnLane {
        @Override
        public void accept(LaneVisitor visitor) {
            visitor.reload(this);
        }
    }

    /** What reaches beyond the lane: its chats, the operator, hooks, kept agents, other lanes, the gateway. */
    sealed interface Outward extends Effect {
        void accept(OutwardVisitor visitor);

        @Override
        default void carryOut(Parts parts) {
            accept(parts.outside());
        }
    }

    /** Has each of these effects happen. */
    interface OutwardVisitor {
        void deliver(Deliver effect);

        void question(Question effect);

        void tell(Tell effect);

        void remember(Remember effect);

        void compressed(Compressed effect);

        void notCompressed(NotCompressed effect);

        void releaseAgent(ReleaseAgent effect);

        void closeAgent(CloseAgent effect);

        void sessionFinalized(SessionFinalized effect);

        void sessionStarted(SessionStarted effect);

        void sessionReset(SessionReset effect);

        void succeeded(Succeeded effect);

        void stopBeside(StopBeside effect);

        void restart(Restart effect);
    }

    /** A stored message is delivered. */
    record Deliver(Outgoing message) implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.deliver(this);
        }
    }

    /** A stored question is delivered, with answers to choose from where there are some. */
    record Question(Outgoing question, List<Asking.Choice> choices) implements Outward {
        public Question {
            choices = List.copyOf(choices);
        }

        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.question(this);
        }
    }

    /** The operator is told. */
    record Tell(GatewayEvent event) implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.tell(this);
        }
    }

    /** Forgets that a session could not be compressed. */
    record Compressed(SessionId session) implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.compressed(this);
        }
    }

    /** Remembers that a session could not be compressed before its next turn. */
    record NotCompressed(SessionId session, Instant at) implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.notCompressed(this);
        }
    }

    /** Remembers that somebody was told of a message that was turned away. */
    record Remember(Optional<PlatformMessage> message) implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.remember(this);
        }
    }

    /** The lane's kept agent lets go of its connections. */
    record ReleaseAgent() implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.releaseAgent(this);
        }
    }

    /** The lane's kept agent is closed, because its session is over. */
    record CloseAgent() implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.closeAgent(this);
        }
    }

    /** The hooks are told that a session is over. */
    record SessionFinalized(SessionId session, SessionId next, String reason) implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.sessionFinalized(this);
        }
    }

    /** The hooks are told that a session begins. */
    record SessionStarted(SessionId session) implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.sessionStarted(this);
        }
    }

    /** The hooks are told that a person began a session anew. */
    record SessionReset(SessionId session) implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.sessionReset(this);
        }
    }

    /** A turn of the lane has succeeded. */
    record Succeeded() implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.succeeded(this);
        }
    }

    /** The tasks of the others in the source's thread are stopped. */
    record StopBeside(SessionSource source) implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.stopBeside(this);
        }
    }

    /** The gateway restarts. */
    record Restart() implements Outward {
        @Override
        public void accept(OutwardVisitor visitor) {
            visitor.restart(this);
        }
    }
}
