package dev.parley.application.ability;

import java.util.Optional;

/** A platform that knows more of its state than whether it is able to send. */
public interface Diagnosing {
    /**
     * Returns what is wrong with the platform now, and what the operator can do about it; absent where nothing is. Returns at once: it
     * tells what was last seen and asks no server. Holds no secret.
     */
    Optional<Ailment> ailment();

    /**
     * What is wrong.
     *
     * @param what one line
     * @param advice what the operator can do, one line; empty where nothing but waiting helps
     */
    record Ailment(String what, String advice) {}
}
