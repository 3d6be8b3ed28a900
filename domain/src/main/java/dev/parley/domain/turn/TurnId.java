package dev.parley.domain.turn;

/**
 * Names a turn.
 *
 * @param value the id, never blank
 */
public record TurnId(String value) {
    public TurnId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("A turn id is empty.");
        }
    }
}
