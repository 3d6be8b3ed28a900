package dev.parley.adapter.openai;

/** A secret text whose {@code toString} hides it. */
final class Secret {
    private final String text;

    Secret(String text) {
        this.text = text;
    }

    String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
