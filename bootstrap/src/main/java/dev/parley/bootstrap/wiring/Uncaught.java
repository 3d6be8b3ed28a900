package dev.parley.bootstrap.wiring;

import dev.parley.application.port.StrippedFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes to the log what no one caught, so that no thread ends, and no listener fails, without a word. */
public final class Uncaught implements Thread.UncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger("parley");

    private Uncaught() {}

    /** Makes this the handler of all threads that have none of their own. */
    public static void install() {
        Thread.setDefaultUncaughtExceptionHandler(new Uncaught());
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        try {
            LOG.error(
                    "{} failed in a way nobody expected; please report it with these lines",
                    thread.getName(),
                    StrippedFailure.of(failure));
        } catch (Throwable e) {
            // Where even the log fails, the last word is the system's.
            StrippedFailure.of(failure).printStackTrace(System.err);
        }
    }
}
