package dev.parley.application.gateway;

import java.util.Optional;

/** How far a gateway has come in its life. Written by its own actor, read from any thread. */
final class Phase {
    private volatile State state = State.NEW;
    private volatile Optional<StopMode> stop = Optional.empty();
    private volatile boolean held;
    private volatile boolean over;

    /** How far. */
    enum State {
        NEW,
        STARTING,
        RUNNING,
        DRAINING,
        STOPPED
    }

    State state() {
        return state;
    }

    boolean is(State wanted) {
        return state == wanted;
    }

    void enter(State next) {
        state = next;
    }

    /** Returns the stop that has begun. */
    Optional<StopMode> stop() {
        return stop;
    }

    void stopping(StopMode mode) {
        stop = Optional.of(mode);
    }

    /** Returns whether an operator holds new turns back. */
    boolean isHeld() {
        return held;
    }

    void hold(boolean value) {
        held = value;
    }

    /** Returns whether no task runs any more. */
    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }
}
