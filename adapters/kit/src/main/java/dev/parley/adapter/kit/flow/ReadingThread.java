package dev.parley.adapter.kit.flow;

import dev.parley.application.actor.Backoff;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread in which a platform reads its server, for one start. Reading that throws, an {@code Error} too, is told and begins again
 * after a pause: only stopping ends it. Pauses pass by the gateway's timers, and stopping ends them. Safe for concurrent use.
 */
public final class ReadingThread {
    private static final long STOP_MILLIS = 2_000;
    private static final Backoff BEGIN_AGAIN = new Backoff(Duration.ofSeconds(1), 5);

    private final String name;
    private final Timers timers;
    private final Ids ids;
    private final Consumer<Throwable> failed;
    private volatile boolean stopped;
    private volatile boolean woken;
    private volatile CountDownLatch pausing = new CountDownLatch(0);
    private @Nullable Thread thread;

    /**
     * A thread that does not run yet.
     *
     * @param name its name, for thread dumps
     * @param timers end pauses
     * @param ids chance
     * @param failed told in this thread what reading has thrown, before it begins again; throws nothing itself
     */
    public ReadingThread(String name, Timers timers, Ids ids, Consumer<Throwable> failed) {
        this.name = name;
        this.timers = timers;
        this.ids = ids;
        this.failed = failed;
    }

    /** Begins; called once. What is to be read returns where it has ended for good, and may be run again where it throws. */
    public synchronized void start(Runnable reading) {
        Thread made = new Thread(() -> read(reading), name);
        made.setDaemon(true);
        thread = made;
        made.start();
    }

    private void read(Runnable reading) {
        int failures = 0;
        boolean ended = false;
        while (!ended && !isStopped()) {
            try {
                reading.run();
                ended = true;
            } catch (Throwable e) {
                if (!isStopped()) {
                    failed.accept(e);
                    rest(BEGIN_AGAIN.pause(failures++, ids));
                }
            }
        }
    }

    /** Returns whether reading is to end. */
    public boolean isStopped() {
        return stopped;
    }

    /** Ends the pause that the reading thread is in, or its next one. Called from any thread. */
    public void wake() {
        woken = true;
        pausing.countDown();
    }

    /** Waits in the reading thread until a time has passed, it is woken, or reading is to end; returns whether the time has passed. */
    public boolean pause(Duration time) {
        CountDownLatch over = new CountDownLatch(1);
        pausing = over;
        Timers.Timer timer = timers.after(time, over::countDown);
        try {
            if (!isStopped() && !woken) {
                over.await();
            }
            return !isStopped() && !woken;
        } catch (InterruptedException e) {
            // Only stopping interrupts; the loop looks.
            return false;
        } finally {
            woken = false;
            timer.cancel();
        }
    }

    /** Waits in the reading thread until a time has passed or reading is to end: what wakes it ends the next pause, not this one. */
    public void rest(Duration time) {
        CountDownLatch over = new CountDownLatch(1);
        Timers.Timer timer = timers.after(time, over::countDown);
        try {
            if (!isStopped()) {
                over.await();
            }
        } catch (InterruptedException e) {
            // Only stopping interrupts; the loop looks.
        } finally {
            timer.cancel();
        }
    }

    /** Ends reading: interrupts what the thread waits for, and returns when it has ended, after two seconds at the latest. */
    public void stop() {
        stopped = true;
        pausing.countDown();
        Thread running;
        synchronized (this) {
            running = thread;
        }
        if (running == null || running == Thread.currentThread()) {
            return;
        }
        running.interrupt();
        try {
            running.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
