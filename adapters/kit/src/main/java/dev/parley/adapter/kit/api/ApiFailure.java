package dev.parley.adapter.kit.api;

import java.io.IOException;

/**
 * A call of a platform's API had no answer. What matters to a sender is whether the platform may have carried it out all the same.
 * Messages hold no secret of the account.
 */
public abstract sealed class ApiFailure extends IOException permits ApiFailure.NotSent, ApiFailure.Unknown {
    private static final long serialVersionUID = 1L;

    private ApiFailure(String message, Throwable cause) {
        super(message);
        // The cause's message may hold an address with a token in it; its kind and its stack help as much.
        addSuppressed(new Cause(cause));
    }

    /** The request did not leave this machine: sending it again cannot double anything. */
    public static final class NotSent extends ApiFailure {
        private static final long serialVersionUID = 1L;

        NotSent(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The request may have arrived and may have been carried out. */
    public static final class Unknown extends ApiFailure {
        private static final long serialVersionUID = 1L;

        Unknown(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** A foreign exception by its kind and stack, without its words. */
    private static final class Cause extends Exception {
        private static final long serialVersionUID = 1L;

        Cause(Throwable original) {
            super(original.getClass().getName());
            setStackTrace(original.getStackTrace());
        }
    }
}
