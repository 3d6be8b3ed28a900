package dev.parley.bootstrap.process;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Sends processes what Java cannot. */
public final class Signals {
    private Signals() {}

    /** Sends a signal to a process, by the name that shells give it; does nothing where the process has ended. */
    public static void send(String signal, long process) {
        try {
            new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a signal was sent.", e);
        }
    }
}
