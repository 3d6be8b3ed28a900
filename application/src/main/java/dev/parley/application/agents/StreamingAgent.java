package dev.parley.application.agents;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentTurn;
import dev.parley.domain.transcript.Message;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * A base of agents that stream, use tools and ask: a turn is one call of {@link #answer}, which may block and does everything else
 * through its {@link StreamingTurn}. Interrupts, questions to people, what they say meanwhile and the order of reports are met here.
 *
 * <pre>{@code
 * protected AgentAnswer answer(AgentTurn turn, StreamingTurn now) throws Exception {
 *     now.say("Let me see… ");
 *     if (now.approval("delete", "Delete everything?").approval() == Approval.DENY) {
 *         now.say("Then not.");
 *     } else {
 *         String which = now.clarification("Which ones?", List.of("old", "all"));
 *         now.say(delete(which));
 *     }
 *     return now.answer(Optional.of("stop"));
 * }
 * }</pre>
 */
public abstract class StreamingAgent implements Agent {
    private final Executor executor;
    private final InstantSource clock;
    private final Set<String> approved = ConcurrentHashMap.newKeySet();

    /**
     * An agent that has been approved of nothing.
     *
     * @param executor runs turns and reports: not the gateway's executor, and with a thread for each turn that may run at a time, also
     *     while it waits for people
     * @param clock time
     */
    protected StreamingAgent(Executor executor, InstantSource clock) {
        this.executor = executor;
        this.clock = clock;
    }

    /**
     * Answers a turn. Runs on a thread of the executor, which an interrupt interrupts; what an interrupted call returns or throws is
     * dropped.
     *
     * @return the answer, usually {@link StreamingTurn#answer}
     * @throws Exception fails the turn as {@link AgentFailure#thrown} says, of the kind that {@link #kindOf} returns
     */
    protected abstract AgentAnswer answer(AgentTurn turn, StreamingTurn now) throws Exception;

    /**
     * Summarises a conversation, as {@link #answer} answers; the text of the answer is the summary, and nothing else is told of it.
     *
     * @throws Exception means that there is no summary
     */
    protected abstract AgentAnswer summary(List<Message> history, Optional<String> focus, StreamingTurn now)
            throws Exception;

    /** Returns whether {@link #answer} takes what people say meanwhile; it waits for the next turn unless this is overridden. */
    protected boolean takesSteering() {
        return false;
    }

    /** Returns what kind of failure it is that {@link #answer} threw; the model's unless this is overridden. */
    protected AgentFailure.Kind kindOf(Throwable failure) {
        return AgentFailure.Kind.MODEL;
    }

    @Override
    public final AgentRun start(AgentTurn turn, AgentEvents events) {
        return begin(events, takesSteering(), now -> answer(turn, now));
    }

    @Override
    public final AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
        return begin(new SummaryEvents(done), false, now -> summary(history, focus, now));
    }

    private AgentRun begin(AgentEvents events, boolean steered, StreamingRun.Work work) {
        StreamingRun run = new StreamingRun(executor, clock, approved, events, steered, this::kindOf);
        executor.execute(() -> run.work(work));
        return run;
    }

    /** Does nothing unless overridden: nothing is held between turns. */
    @Override
    public void release() {
        // Nothing is held between turns.
    }

    /** Forgets what was approved. */
    @Override
    public void close() {
        approved.clear();
    }
}
