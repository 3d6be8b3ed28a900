package dev.parley.domain.turn;

/**
 * Names one life of a gateway: one start of one node, never used again.
 *
 * @param value the id, never blank
 */
public record LifeId(String value) {
    public LifeId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("The id of a life is empty.");
        }
    }
}
