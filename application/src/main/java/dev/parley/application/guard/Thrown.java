package dev.parley.application.guard;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ParleyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an operator is told of something that was thrown. A {@link ParleyException} is told by its message, an {@link InvalidRequest} where
 * Parley's own code made it. Everything else is told by its type and place in the code: its message may quote what people wrote, and logs
 * show what is told here.
 */
public final class Thrown {
    private static final int MOST_CAUSES = 8;
    private static final String OURS = "dev.parley.";

    private Thrown() {}

    /**
     * Returns one line: the first message that may be told among what was thrown and its causes; without one, type and place of what was
     * thrown and of its last cause.
     */
    public static String line(Throwable thrown) {
        List<Throwable> chain = chain(thrown);
        for (Throwable each : chain) {
            Optional<String> message =
                    message(each).flatMap(text -> text.lines().findFirst());
            if (message.isPresent()) {
                return message.get().strip();
            }
        }
        Throwable last = chain.get(chain.size() - 1);
        return typeAndPlace(thrown) + (last == thrown ? "" : ", caused by " + typeAndPlace(last));
    }

    /** Returns the type of what was thrown, and where. */
    static String typeAndPlace(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return thrown.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }

    /** Returns a message that may be told. */
    private static Optional<String> message(Throwable thrown) {
        boolean told = thrown instanceof InvalidRequest ? isOurs(thrown) : thrown instanceof ParleyException;
        return told ? Optional.ofNullable(thrown.getMessage()) : Optional.empty();
    }

    private static boolean isOurs(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().startsWith(OURS);
    }

    /** Returns what a log may show in full: stack traces and types of what was thrown and of its causes, without foreign messages. */
    public static Throwable withoutMessages(Throwable thrown) {
        Throwable told = null;
        List<Throwable> chain = chain(thrown);
        for (int i = chain.size() - 1; i >= 0; i--) {
            told = new Copy(chain.get(i), told);
        }
        return told == null ? thrown : told;
    }

    private static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable each = thrown; each != null && chain.size() < MOST_CAUSES; each = each.getCause()) {
            chain.add(each);
        }
        return chain;
    }

    /** Something that was thrown, without a message that is not Parley's. */
    private static final class Copy extends Exception {
        private static final long serialVersionUID = 1L;

        Copy(Throwable thrown, @Nullable Throwable cause) {
            super(
                    thrown.getClass().getName()
                            + message(thrown).map(text -> ": " + text).orElse(""),
                    cause);
            setStackTrace(thrown.getStackTrace());
        }
    }
}
