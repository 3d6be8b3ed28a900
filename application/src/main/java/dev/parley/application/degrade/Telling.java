package dev.parley.application.degrade;

import dev.parley.application.actor.SerialTasks;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.StrippedFailure;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * What a degrading storage tells, and runs once it is whole: one thing after the other, in order, on the thread that comes first. To be
 * used outside of all locks. Causes are told without the messages of foreign exceptions. Safe for concurrent use.
 */
final class Telling {
    private final GatewayEvents events;
    private final BooleanSupplier isWhole;
    private final SerialTasks outside = new SerialTasks(Runnable::run, Telling::uncaught);
    private final Queue<Runnable> waitingForWhole = new ConcurrentLinkedQueue<>();

    /** Tells {@code events}, which throw nothing. */
    Telling(GatewayEvents events, BooleanSupplier isWhole) {
        this.events = events;
        this.isWhole = isWhole;
    }

    void tell(GatewayEvent event) {
        outside.execute(() -> events.on(withoutTexts(event)));
    }

    private static GatewayEvent withoutTexts(GatewayEvent event) {
        return event instanceof GatewayEvent.Trouble trouble
                ? new GatewayEvent.Trouble(
                        trouble.lane(), trouble.what(), trouble.cause().map(StrippedFailure::of))
                : event;
    }

    /** Tells what is wrong where no exception says so. */
    void trouble(String what) {
        tell(new GatewayEvent.Trouble(Optional.empty(), what, Optional.empty()));
    }

    void trouble(String what, Throwable cause) {
        tell(new GatewayEvent.Trouble(Optional.empty(), what, Optional.of(cause)));
    }

    /**
     * Runs a task at once where the storage is whole, else once it is. One that comes while storage is healed is not missed: it is looked
     * again once it is put by.
     */
    void whenWhole(Runnable task) {
        waitingForWhole.add(task);
        if (isWhole.getAsBoolean() && waitingForWhole.remove(task)) {
            task.run();
        }
    }

    /** The storage is whole: runs the tasks that waited for that, behind what was told before. */
    void isWholeNow() {
        outside.execute(() -> {
            for (Runnable task = waitingForWhole.poll(); task != null; task = waitingForWhole.poll()) {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    trouble("a task that waited for the storage to be whole failed: " + StrippedFailure.told(e), e);
                }
            }
        });
    }

    private static void uncaught(Throwable e) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
}
