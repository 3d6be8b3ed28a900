package dev.parley.application.port;

import org.jspecify.annotations.Nullable;

/**
 * Stands for an exception of foreign code where it is told or logged: its type, its place, its trace and its causes, without their
 * messages, since they may quote what people wrote. Messages that name nothing but code or are Parley's own are kept: those of a
 * {@link LinkageError} and of a {@link ParleyException}.
 */
public final class StrippedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_CAUSES = 8;

    private StrippedFailure(Throwable thrown, @Nullable Throwable cause) {
        super(told(thrown), cause);
        setStackTrace(thrown.getStackTrace());
    }

    /** Returns what stands for an exception; of a long or endless chain of causes the first few. */
    public static Throwable of(Throwable thrown) {
        return of(thrown, 0);
    }

    private static Throwable of(Throwable thrown, int depth) {
        Throwable cause = thrown.getCause();
        if (cause == null && (thrown instanceof LinkageError || thrown instanceof ParleyException)) {
            return thrown;
        }
        return new StrippedFailure(thrown, cause == null || depth == MOST_CAUSES ? null : of(cause, depth + 1));
    }

    /** Returns an exception on one line: its type and its place in the code, or its message where that is kept. */
    public static String told(Throwable thrown) {
        if (thrown instanceof ParleyException || thrown instanceof StrippedFailure) {
            return String.valueOf(thrown.getMessage());
        }
        StackTraceElement[] trace = thrown.getStackTrace();
        return thrown.getClass().getName()
                + (trace.length == 0 ? "" : " at " + trace[0])
                + (thrown instanceof LinkageError ? " (" + thrown.getMessage() + ")" : "");
    }
}
