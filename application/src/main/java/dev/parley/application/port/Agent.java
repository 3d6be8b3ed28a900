package dev.parley.application.port;

import dev.parley.domain.transcript.Message;
import java.util.List;
import java.util.Optional;

/** Something that answers. One run at a time; used by one lane. */
public interface Agent extends AutoCloseable {
    /**
     * Begins a turn and returns at once; everything else comes through {@code events}, never within this call, but from another
     * thread perhaps before the caller has the run in hand. Exactly one of answered, failed or interrupted ends the turn.
     */
    AgentRun start(AgentTurn turn, AgentEvents events);

    /**
     * Begins to summarise a conversation and returns at once; the outcome comes through {@code done}, never
     * within this call.
     *
     * @param history the messages to summarise
     * @param focus what the summary should keep above all
     */
    AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done);

    /** Lets go of connections and buffers; what runs in the background for the session stays (A11.8). */
    void release();

    /** Lets go of everything, at the end of a session. Does not end the stored session (D3). */
    @Override
    void close();

    /** Told the outcome of a summary, exactly one, and before that how it comes about. */
    interface SummaryListener {
        /** The agent said more of its summary. Shown to nobody. */
        default void streamed(String delta) {}

        /** The summary; blank where there is nothing to say. */
        void summarised(String summary);

        /** There is no summary. */
        void failed(String why);

        /** There is no summary; the operator is told the cause. */
        default void failedWith(AgentFailure failure) {
            failed(failure.message());
        }
    }
}
