package dev.parley.application.gateway;

import dev.parley.domain.key.SessionKey;
import java.util.Optional;
import java.util.Set;

/** How far a gateway has come in its life. Written by its own actor, read from any thread. */
final class Phase {
    private volatile State state = State.NEW;
    private volatile Optional<StopMode> stop = Optional.empty();
    private volatile boolean held;
    private volatile Set<SessionKey> cutOff = Set.of();
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

    /** Returns whether messages are taken; a gateway that drains keeps what comes for its next start. */
    boolean takesMessages() {
        return state != State.NEW && state != State.STOPPED && !over;
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

    /** Returns whether a lane has a turn of the process before that is not known as cut off yet: what came since runs behind it. */
    boolean awaitsRecovery(SessionKey lane) {
        return cutOff.contains(lane);
    }

    /** Notes which lanes wait for what the process before left in them to be set right. */
    void awaitRecovery(Set<SessionKey> lanes) {
        cutOff = Set.copyOf(lanes);
    }

    /** Returns whether no task runs any more. */
    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }
}
