package dev.parley.domain.title;

/** A title has more characters than it may; it is refused, not cut. */
public final class TitleTooLong extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final int length;

    TitleTooLong(int length, int most) {
        super("Title too long (" + length + " chars, max " + most + ")");
        this.length = length;
    }

    /** Returns how many code points the cleaned title has. */
    public int length() {
        return length;
    }
}
