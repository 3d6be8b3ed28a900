package dev.parley.domain.turn;

/**
 * Names an outgoing message; sent along so that a platform that can tell repeated sends apart does.
 *
 * @param value the id, never blank
 */
public record OutgoingId(String value) {
    public OutgoingId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("An outgoing id is empty.");
        }
    }
}
