package dev.parley.bootstrap.config;

/**
 * Something wrong with a configuration.
 *
 * @param severity whether it stops the start
 * @param where file and line, or the environment variable
 * @param message what is wrong and what to do
 */
public record ConfigProblem(Severity severity, String where, String message) {
    /** Whether a problem stops the start. */
    public enum Severity {
        /** It stops the start. */
        ERROR,
        /** The value was coerced or ignored, and the start continues. */
        WARNING
    }

    /** Returns the problem as one line. */
    public String text() {
        return where + ": " + message;
    }
}
