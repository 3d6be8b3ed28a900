package dev.parley.contracts.level;

import dev.parley.application.port.ParleyException;
import org.jspecify.annotations.Nullable;

/** Says in words what was done and what should have come of it, for contracts. */
public final class Told {
    private Told() {}

    /** What is done in a test. */
    public interface Deed {
        /** Does it. */
        void run();
    }

    /**
     * Does something that must be refused with an exception of this type and one line of text.
     *
     * @param what what is done, as the beginning of a sentence
     * @param with the type
     * @param deed does it
     * @param words what the message must name
     * @return what was thrown
     */
    public static <E extends ParleyException> E refused(String what, Class<E> with, Deed deed, String... words) {
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
        for (String word : words) {
            if (!message.contains(word)) {
                throw new AssertionError(
                        what + " should be refused in words that name \"" + word + "\", and the message was: "
                                + message,
                        thrown);
            }
        }
        return with.cast(thrown);
    }

    private static @Nullable Throwable thrown(Deed deed) {
        try {
            deed.run();
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }
}
