package dev.parley.adapter.openai;

/** A text that is not shown. */
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
