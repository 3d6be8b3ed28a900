package dev.parley.application.agents;

import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentQuestion;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.usage.TokenUsage;
import java.util.List;
import java.util.Optional;

/**
 * What a {@link StreamingAgent} does in a turn beside thinking. Everything is reported in the order of the calls, and nothing once the
 * turn has ended: what an interrupted function still says is dropped. Safe for concurrent use, so that a model may call from its own
 * threads.
 */
public interface StreamingTurn {
    /** Says more of the answer. It is streamed to the chat, and kept for {@link #answer} and for the answer that an interrupt leaves. */
    void say(String text);

    /**
     * Sends a file along with the answer, behind those before it. It is kept for {@link #answer} and for the answer that an interrupt
     * leaves.
     *
     * @param file as {@link dev.parley.application.port.MediaStore#keep} returned it
     */
    void attach(Attachment file);

    /** Tells what the turn does now, for display, such as {@code waiting for the model}. */
    void doing(String activity);

    /**
     * Counts a call of the model that is about to be made, and tells that the turn waits for it.
     *
     * @throws InterruptedException where the turn has ended, so that no model works for nothing
     */
    void callsModel() throws InterruptedException;

    /**
     * Counts what a call of the model used.
     *
     * @param tokens its tokens
     * @param prompt the size of its prompt in tokens
     * @param model the model that answered; absent where it did not say
     */
    void used(TokenUsage tokens, long prompt, Optional<String> model);

    /**
     * Reports that the model asks for tools, along with what was said since the last ones; that is no part of the answer then. Each
     * call is to be answered with {@link #returned}; those that are not are answered at the end of the turn.
     */
    void asksFor(List<ToolCall> calls);

    /** Reports what a tool has returned. */
    void returned(ToolCall call, String result);

    /**
     * Asks the people in the chat whether something may be done, and waits for what they decide. What they allow for the session or
     * always is not asked again for as long as the lane's agent is kept.
     *
     * @param subject what the decision is about, such as the name of a tool
     * @param question the question, as people read it; shortened to a thousand characters
     * @throws InterruptedException where the turn is interrupted
     */
    AgentQuestion.Decision approval(String subject, String question) throws InterruptedException;

    /**
     * Asks the people in the chat what they mean, and waits for the answer.
     *
     * @param choices answers to choose from; empty where any text will do
     * @throws InterruptedException where the turn is interrupted
     */
    String clarification(String question, List<String> choices) throws InterruptedException;

    /** Returns what people said meanwhile, and takes it; always empty unless the agent {@linkplain StreamingAgent#takesSteering takes it}. */
    List<String> saidMeanwhile();

    /**
     * Does as {@link #saidMeanwhile}; where that is nothing, the turn takes nothing more: what comes from now on waits for the next turn.
     * To be called before the turn's end by agents that take what people say meanwhile.
     */
    List<String> saidLast();

    /**
     * Sets what an interrupt runs beside interrupting the thread of the function, such as closing a stream; takes the place of what was
     * set before. Runs at once where the turn has ended already.
     */
    void onInterrupt(Runnable cancel);

    /** Returns an answer of what was said since the last tools and of all files, with all that was counted. */
    AgentAnswer answer(Optional<String> finishReason);
}
