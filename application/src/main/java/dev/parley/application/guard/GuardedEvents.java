package dev.parley.application.guard;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;

/**
 * A listener whose failures go to the thread's handler of uncaught exceptions, since there is nobody else to tell.
 *
 * @param listener the listener
 */
public record GuardedEvents(GatewayEvents listener) implements GatewayEvents {
    @Override
    public void on(GatewayEvent event) {
        try {
            listener.on(event);
        } catch (Throwable e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
