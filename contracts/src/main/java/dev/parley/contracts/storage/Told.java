package dev.parley.contracts.storage;

import dev.parley.application.port.ParleyException;

/** Says in words what was done and what should have come of it. */
final class Told {
    private Told() {}

    /** What is done in a test. */
    interface Deed {
        void run();
    }

    /**
     * Does something that must be refused with an exception of this type and one line of text.
     *
     * @param what what is done, as the beginning of a sentence
     */
    static ParleyException refused(String what, Class<? extends ParleyException> with, Deed deed) {
        Throwable thrown = thrown(deed);
        if (thrown == null) {
            throw new AssertionError(what + " should be refused with " + with.getSimpleName() + ", and was accepted.");
        }
        if (!with.isInstance(thrown)) {
            throw new AssertionError(
                    what + " should be refused with " + with.getSimpleName() + ", and threw " + thrown + ".", thrown);
        }
        String message = thrown.getMessage();
        if (message == null || message.isBlank() || message.contains("\n")) {
            throw new AssertionError(
                    what + " should be refused in one line that says why, and the message was: " + message, thrown);
        }
        return with.cast(thrown);
    }

    private static @org.jspecify.annotations.Nullable Throwable thrown(Deed deed) {
        try {
            deed.run();
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }
}
