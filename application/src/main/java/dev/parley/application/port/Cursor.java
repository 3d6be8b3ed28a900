package dev.parley.application.port;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/**
 * A place in a list: that of the last row of a page. Good for the list it comes from, for as long as the store is there; not for
 * people to read.
 *
 * @param at the row's time
 * @param id tells rows of one time apart
 */
public record Cursor(Instant at, String id) {
    /** Returns the text form, which goes into addresses as it is. */
    public String text() {
        String plain = at.getEpochSecond() + "." + at.getNano() + ":" + id;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads the text form.
     *
     * @throws InvalidRequest where it is none
     */
    public static Cursor parse(String text) {
        try {
            String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            int point = plain.indexOf('.');
            int colon = plain.indexOf(':', point + 1);
            if (point > 0 && colon > 0) {
                long second = Long.parseLong(plain.substring(0, point));
                int nano = Integer.parseInt(plain.substring(point + 1, colon));
                return new Cursor(Instant.ofEpochSecond(second, nano), plain.substring(colon + 1));
            }
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException unreadable) {
            throw new InvalidRequest(REFUSED);
        }
        throw new InvalidRequest(REFUSED);
    }

    private static final String REFUSED =
            "The place to go on from cannot be read; give the one of the page before, or begin without.";
}
