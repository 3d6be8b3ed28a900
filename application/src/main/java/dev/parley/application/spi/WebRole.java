package dev.parley.application.spi;

/** Who asks over the web, from the least to the most. */
public enum WebRole {
    /** Somebody without a token. */
    NOBODY,
    /** Somebody who may look. */
    READER,
    /** The owner of the home. */
    OPERATOR;

    /** Returns whether this may do what is for {@code least} and above. */
    public boolean reaches(WebRole least) {
        return compareTo(least) >= 0;
    }
}
