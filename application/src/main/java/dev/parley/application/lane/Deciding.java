package dev.parley.application.lane;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** What the parts of a lane's actor ask of it: its state, and to decide. Used by the actor's own tasks only. */
interface Deciding {
    /** Decides on what is known of the lane now. */
    @FunctionalInterface
    interface Decision {
        /**
         * Returns the decision on a state; {@code attempt} counts from 1, and after {@link #ATTEMPTS} the decision is to be one that
         * cannot lose.
         */
        LaneStep on(LaneState state, int attempt);
    }

    /** How often the same is decided before it is given up. */
    int ATTEMPTS = 3;

    /** Returns what is known of the lane. */
    LaneState state();

    /** Changes what is known of the lane without anything being stored. */
    void become(LaneState next);

    /** Reads what is stored of the lane, where it is not known. */
    void load();

    /** Decides, commits and applies; decides again where the commit loses a race. The last thing a step does. */
    void decide(Decision decision);

    /**
     * Asks a plug-in something on another thread, with a deadline; the lane takes no task meanwhile. The last thing a step does.
     *
     * @param failed what the operator is told where the call throws or is late
     * @param otherwise what {@code next} is given then
     * @param next goes on with the answer, as a step of the lane
     */
    <T> void ask(String failed, Supplier<T> call, T otherwise, Consumer<? super T> next);

    /** Asks a plug-in for what a decision is to know. */
    @FunctionalInterface
    interface Asking<T> {
        /**
         * Returns what asks on a state; it may be asked on another thread. What the store throws there is thrown by what it returns.
         * {@code attempt} counts as that of {@link Decision#on}.
         */
        Supplier<Supplier<T>> on(LaneState state, int attempt);
    }

    /** Decides on what a plug-in has answered. */
    @FunctionalInterface
    interface Answered<T> {
        /** Returns the decision on a state. */
        LaneStep on(LaneState state, T answer);
    }

    /**
     * Asks a plug-in as {@link #ask} does, decides on its answer, commits and applies. Asks and decides again where the store was not
     * there and where the commit loses a race. The last thing a step does.
     */
    <T> void decideAsking(String failed, Asking<T> asking, T otherwise, Answered<T> decision);

    /** Puts a step behind the current task, before what comes in next. */
    void afterwards(Runnable step);

    /** Runs a task behind the others; may be called from any thread. */
    void postpone(Runnable task);

    /** Tells the operator what went wrong. */
    void trouble(String what, Throwable cause);
}
