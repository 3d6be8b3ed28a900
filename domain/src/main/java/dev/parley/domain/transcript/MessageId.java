package dev.parley.domain.transcript;

/**
 * Names a message. The writer chooses it; it is unique in a store. Messages that were stored without one are known by
 * {@code row-} and their row number.
 *
 * @param value the identifier, never blank
 */
public record MessageId(String value) {
    private static final String ROW = "row-";

    public MessageId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("A message id is empty.");
        }
    }

    /** Returns the id of a message that was stored without one. */
    public static MessageId ofRow(long row) {
        return new MessageId(ROW + row);
    }

    /** Returns the row number of an id made by {@link #ofRow}, or -1 where this is another id. */
    public long row() {
        if (!value.startsWith(ROW)) {
            return -1;
        }
        try {
            long row = Long.parseLong(value.substring(ROW.length()));
            return row >= 0 && equals(ofRow(row)) ? row : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
