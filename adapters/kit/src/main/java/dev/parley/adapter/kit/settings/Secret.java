package dev.parley.adapter.kit.settings;

/**
 * A secret whose {@code toString} hides it.
 *
 * @param text the secret itself
 */
public record Secret(String text) {
    @Override
    public String toString() {
        return "(secret)";
    }
}
