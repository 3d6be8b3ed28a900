package dev.parley.domain.turn;

/**
 * Names a received message; made by the gateway when it admits it.
 *
 * @param value the id, never blank
 */
public record InboundId(String value) {
    public InboundId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("An inbound id is empty.");
        }
    }
}
