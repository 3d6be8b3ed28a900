package dev.parley.domain.source;

/** A source dictionary cannot be read; the message says in one line which key is wrong and why. */
public final class MalformedSourceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    MalformedSourceException(String message) {
        super(message);
    }
}
