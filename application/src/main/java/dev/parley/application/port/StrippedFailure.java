package dev.parley.application.port;

import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stands for what was thrown where an operator or a log is told of it: its type, its place, its trace and its causes, without the
 * messages of foreign code, since they may quote what people wrote. Messages that name nothing but code or are Parley's own are kept:
 * those of a {@link LinkageError} and of a {@link ParleyException}, of an {@link InvalidRequest} where Parley's own code made it.
 */
public final class StrippedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_CAUSES = 8;
    private static final String OURS = "dev.parley.";

    private StrippedFailure(Throwable thrown, @Nullable Throwable cause) {
        super(told(thrown), cause);
        setStackTrace(thrown.getStackTrace());
    }

    /** Returns what stands for something that was thrown; of a long or endless chain of causes the first few. */
    public static Throwable of(Throwable thrown) {
        return of(thrown, 0);
    }

    private static Throwable of(Throwable thrown, int depth) {
        Throwable cause = thrown.getCause();
        if (cause == null && (thrown instanceof LinkageError || message(thrown).isPresent())) {
            return thrown;
        }
        return new StrippedFailure(thrown, cause == null || depth == MOST_CAUSES ? null : of(cause, depth + 1));
    }

    /** Returns what was thrown by its message, where that is kept, else by its type and its place in the code. */
    public static String told(Throwable thrown) {
        return message(thrown).orElseGet(() -> {
            StackTraceElement[] trace = thrown.getStackTrace();
            return thrown.getClass().getName()
                    + (trace.length == 0 ? "" : " at " + trace[0])
                    + (thrown instanceof LinkageError ? " (" + thrown.getMessage() + ")" : "");
        });
    }

    /**
     * Returns one line: the first message that is kept among what was thrown and its causes; without one, type and place of what was thrown
     * and of its last cause.
     */
    public static String line(Throwable thrown) {
        return chain(thrown)
                .flatMap(each -> message(each).stream())
                .flatMap(message -> message.lines().limit(1))
                .findFirst()
                .orElseGet(() -> {
                    Throwable last = chain(thrown).reduce(thrown, (first, second) -> second);
                    return told(thrown) + (last == thrown ? "" : ", caused by " + told(last));
                })
                .strip();
    }

    private static Stream<Throwable> chain(Throwable thrown) {
        return Stream.<@Nullable Throwable>iterate(thrown, each -> each == null ? null : each.getCause())
                .limit(MOST_CAUSES)
                .flatMap(Stream::ofNullable);
    }

    /** Returns a message that is kept. */
    private static Optional<String> message(Throwable thrown) {
        boolean kept = thrown instanceof StrippedFailure
                || (thrown instanceof InvalidRequest ? isOurs(thrown) : thrown instanceof ParleyException);
        return kept ? Optional.ofNullable(thrown.getMessage()) : Optional.empty();
    }

    private static boolean isOurs(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().startsWith(OURS);
    }
}
