package dev.parley.bootstrap.json;

/** A text is not JSON. */
public final class MalformedJson extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says in one line why. */
    public MalformedJson(String message) {
        super(message);
    }
}
