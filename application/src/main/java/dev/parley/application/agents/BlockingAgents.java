package dev.parley.application.agents;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Agents made of functions that may block: a turn is one call, which returns the answer or throws. An interrupted call is left to
 * its thread's interrupt, and what it still returns is dropped. These agents call no tools and stream nothing. Safe for concurrent
 * use where the functions are.
 */
public final class BlockingAgents implements AgentFactory {
    private final String model;
    private final Executor executor;
    private final InstantSource clock;
    private final Answering answering;
    private final Summarising summarising;

    /** Answers a turn. */
    @FunctionalInterface
    public interface Answering {
        /** Returns the answer; whatever it throws, an {@code Error} too, fails the turn as {@link AgentFailure#thrown} says. */
        AgentAnswer answer(AgentTurn turn) throws Exception;
    }

    /** Summarises a conversation. */
    @FunctionalInterface
    public interface Summarising {
        /** Returns the summary; whatever it throws means that there is none. */
        String summarise(List<Message> history, Optional<String> focus) throws Exception;
    }

    /**
     * Makes agents of two functions.
     *
     * @param model the model's name, for display; its context length is not known
     * @param executor runs the functions, on other threads than the caller's and with one for each turn that may run at a time; not
     *     the executor or the timers of the gateway, unless those grow as needed: functions that block would leave the gateway no
     *     thread to take messages, answers and {@code /stop} with
     * @param clock time
     */
    public BlockingAgents(
            String model, Executor executor, InstantSource clock, Answering answering, Summarising summarising) {
        this.model = model;
        this.executor = executor;
        this.clock = clock;
        this.answering = answering;
        this.summarising = summarising;
    }

    /** All agents of these functions are alike. */
    @Override
    public String signature(AgentSpec spec) {
        return model;
    }

    @Override
    public Agent create(AgentSpec spec) {
        return new Blocking();
    }

    @Override
    public String model(AgentSpec spec) {
        return model;
    }

    @Override
    public long contextLength(AgentSpec spec) {
        return 0;
    }

    private final class Blocking implements Agent {
        @Override
        public AgentRun start(AgentTurn turn, AgentEvents events) {
            return begin(
                    () -> answering.answer(turn),
                    events::answered,
                    events::failed,
                    () -> events.interrupted(AgentAnswer.text("")));
        }

        @Override
        public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
            return begin(
                    () -> summarising.summarise(history, focus),
                    done::summarised,
                    done::failedWith,
                    () -> done.failed("The summary was interrupted."));
        }

        private <T> AgentRun begin(
                Call<T> call, Consumer<T> returned, Consumer<AgentFailure> failed, Runnable interrupted) {
            Run<T> run = new Run<>(clock.instant(), returned, failed, interrupted);
            executor.execute(() -> run.work(call));
            return run;
        }

        @Override
        public void release() {
            // Nothing is held between turns.
        }

        @Override
        public void close() {
            // As above.
        }
    }

    private interface Call<T> {
        T call() throws Exception;
    }

    /** One call; whoever raises {@code ended} first reports how it ended. */
    private final class Run<T> implements AgentRun {
        private final Instant begun;
        private final Consumer<T> returned;
        private final Consumer<AgentFailure> failed;
        private final Runnable interrupted;
        private final AtomicBoolean ended = new AtomicBoolean();
        private @Nullable Thread worker;

        Run(Instant begun, Consumer<T> returned, Consumer<AgentFailure> failed, Runnable interrupted) {
            this.begun = begun;
            this.returned = returned;
            this.failed = failed;
            this.interrupted = interrupted;
        }

        void work(Call<T> call) {
            if (!takesPlaceOn(Thread.currentThread())) {
                return;
            }
            Runnable report;
            try {
                T value = call.call();
                report = () -> returned.accept(value);
            } catch (Throwable e) {
                AgentFailure failure = AgentFailure.thrown(AgentFailure.Kind.MODEL, e, TokenUsage.NONE, 0);
                report = () -> failed.accept(failure);
            } finally {
                letGo();
            }
            if (ended.compareAndSet(false, true)) {
                report.run();
            }
        }

        private synchronized boolean takesPlaceOn(Thread thread) {
            worker = ended.get() ? null : thread;
            return worker != null;
        }

        /** The thread goes back to its pool without an interrupt that was meant for the call. */
        private synchronized void letGo() {
            worker = null;
            Thread.interrupted();
        }

        @Override
        public void interrupt(String reason) {
            if (ended.compareAndSet(false, true)) {
                interruptWorker();
                executor.execute(interrupted);
            }
        }

        private synchronized void interruptWorker() {
            if (worker != null) {
                worker.interrupt();
            }
        }

        @Override
        public boolean steer(String text) {
            return false;
        }

        @Override
        public Instant lastActivity() {
            return begun;
        }

        @Override
        public Optional<String> activity() {
            return Optional.empty();
        }
    }
}
