package dev.parley.bootstrap.wiring;

import dev.parley.application.port.StrippedFailure;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes everything that was opened, in reverse, also after a start that failed half way. */
public final class Closer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Closer.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Adds something to be closed; returns it. */
    public synchronized <T extends AutoCloseable> T add(T resource) {
        open.push(resource);
        return resource;
    }

    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            AutoCloseable next = open.pop();
            try {
                next.close();
            } catch (Exception e) {
                LOG.warn("{} could not be closed", next.getClass().getSimpleName(), StrippedFailure.of(e));
            }
        }
    }
}
