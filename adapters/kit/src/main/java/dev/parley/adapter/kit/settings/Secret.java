package dev.parley.adapter.kit.settings;

/**
 * A secret of an account, which is not shown.
 *
 * @param text the secret itself
 */
public record Secret(String text) {
    @Override
    public String toString() {
        return "(secret)";
    }
}
