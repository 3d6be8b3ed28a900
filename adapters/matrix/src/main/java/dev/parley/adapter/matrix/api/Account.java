package dev.parley.adapter.matrix.api;

import java.util.Locale;

/**
 * The account that the token belongs to.
 *
 * @param userId its id, such as {@code @parley:example.org}
 */
public record Account(String userId) {
    /** Returns whether a user id, in any case, is this account's. */
    public boolean is(String user) {
        return userId.toLowerCase(Locale.ROOT).equals(user.toLowerCase(Locale.ROOT));
    }

    /** Returns the part of the id before the server. */
    public String localpart() {
        int colon = userId.indexOf(':');
        return userId.substring(userId.startsWith("@") ? 1 : 0, colon < 0 ? userId.length() : colon);
    }

    /** Returns the server's name. */
    public String server() {
        return userId.substring(userId.indexOf(':') + 1);
    }
}
