package dev.parley.testing.memory;

import java.util.ArrayDeque;
import java.util.Deque;

/** How to take back what a batch has done so far, newest first. */
final class UndoLog {
    private final Deque<Runnable> steps = new ArrayDeque<>();

    void add(Runnable step) {
        steps.push(step);
    }

    void rollBack() {
        while (!steps.isEmpty()) {
            steps.pop().run();
        }
    }

    void forget() {
        steps.clear();
    }
}
