package dev.parley.domain.turn;

/**
 * Names one run of a turn: who holds the claim. Everything a run stores stands on its claim, so what a superseded run
 * reports is discarded (Q8.34).
 *
 * @param value the id, never blank
 */
public record RunId(String value) {
    public RunId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("A run id is empty.");
        }
    }
}
