package dev.parley.persistence.sqlite;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** Starts the first thread, which is the writer's, and keeps the work of those behind until the test runs it. */
public final class HeldThreads implements ThreadFactory {
    private final List<Runnable> held = new ArrayList<>();
    private boolean writerMade;

    @Override
    public synchronized Thread newThread(Runnable task) {
        if (!writerMade) {
            writerMade = true;
            return new Thread(task);
        }
        return new Thread() {
            @Override
            public synchronized void start() {
                held.add(task);
            }
        };
    }

    /** Returns how many threads were to run. */
    public synchronized int held() {
        return held.size();
    }

    /** Runs what was held back, on this thread. */
    public void run() {
        List<Runnable> tasks;
        synchronized (this) {
            tasks = List.copyOf(held);
            held.clear();
        }
        tasks.forEach(Runnable::run);
    }
}
