package dev.parley.adapter.matrix.inbound;

/** Something that an event refers to could not be looked up now; the cause says why. */
final class LookupFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LookupFailed(Exception cause) {
        super(cause.getMessage(), cause);
    }
}
