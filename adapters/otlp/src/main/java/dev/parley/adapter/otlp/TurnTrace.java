package dev.parley.adapter.otlp;

import dev.parley.application.port.GatewayEvent;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is known of one turn, until its spans are made. Used by one thread at a time. */
final class TurnTrace {
    /** Of a turn that calls tools without end the first ones are shown. */
    private static final int MOST_TOOLS = 500;

    private Optional<Instant> received = Optional.empty();
    private int messages;
    private boolean resumed;
    private final List<String> said = new ArrayList<>();
    private final List<Tool> tools = new ArrayList<>();
    private final List<Sending> sendings = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private Optional<Turn> ended = Optional.empty();
    private Optional<Outgoing.State> delivery = Optional.empty();

    /**
     * A tool that has answered.
     *
     * @param name its name
     * @param call the call
     * @param from when it was called
     * @param to when it answered
     */
    record Tool(String name, String call, Instant from, Instant to) {}

    /**
     * An attempt to deliver a message.
     *
     * @param platform the platform
     * @param chat the chat
     * @param kind what the message is
     * @param attempt which attempt it was, from 1
     * @param from when it began
     * @param to when its end was told
     * @param error why it failed; absent where it was delivered
     */
    record Sending(
            String platform,
            String chat,
            Outgoing.Kind kind,
            int attempt,
            Instant from,
            Instant to,
            Optional<String> error) {
        static Sending of(Outgoing message, Instant now, Optional<String> error) {
            Instant from = message.delivery().attemptedAt().orElse(now);
            return new Sending(
                    message.platform().name(),
                    message.chatId(),
                    message.kind(),
                    message.attempts(),
                    from,
                    later(from, now),
                    error);
        }
    }

    /** Returns what is known of a turn once its messages have left the queue. */
    static TurnTrace claimed(List<Inbound> inputs, boolean content) {
        TurnTrace trace = new TurnTrace();
        trace.received = inputs.stream().map(Inbound::receivedAt).min(Instant::compareTo);
        trace.messages = inputs.size();
        trace.resumed = inputs.stream().anyMatch(input -> input.kind() == Inbound.Kind.RESUME);
        if (content) {
            inputs.stream().map(Inbound::text).filter(text -> !text.isEmpty()).forEach(trace.said::add);
        }
        return trace;
    }

    void answered(GatewayEvent.ToolAnswered tool) {
        if (tools.size() < MOST_TOOLS) {
            Instant from = tool.calledAt().orElse(tool.answeredAt());
            tools.add(new Tool(tool.tool(), tool.callId(), from, later(from, tool.answeredAt())));
        }
    }

    void tried(Sending sending) {
        sendings.add(sending);
    }

    void settled(Outgoing reply, boolean content) {
        delivery = Optional.of(reply.state());
        if (content) {
            answers.add(reply.text());
        }
    }

    void ended(Turn turn) {
        ended = Optional.of(turn);
    }

    /** Returns the turn once it has ended. */
    Optional<Turn> ended() {
        return ended;
    }

    /** Returns whether the turn has ended and its answer was delivered or given up. */
    boolean isWhole() {
        return ended.isPresent() && delivery.isPresent();
    }

    /** Returns what became of the answer; pending where that is not known. */
    Outgoing.State delivery() {
        return delivery.orElse(Outgoing.State.PENDING);
    }

    /** Returns when the first of its messages was received; absent for a turn whose messages are not known. */
    Optional<Instant> received() {
        return received;
    }

    int messages() {
        return messages;
    }

    boolean resumed() {
        return resumed;
    }

    List<String> said() {
        return said;
    }

    List<String> answers() {
        return answers;
    }

    List<Tool> tools() {
        return tools;
    }

    List<Sending> sendings() {
        return sendings;
    }

    static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
