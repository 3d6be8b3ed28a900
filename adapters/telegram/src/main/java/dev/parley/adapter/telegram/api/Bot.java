package dev.parley.adapter.telegram.api;

import java.util.Locale;

/**
 * The account that the token belongs to.
 *
 * @param id its id
 * @param name its user name, without the {@code @}
 */
public record Bot(String id, String name) {
    /** Returns whether a user name, with or without the {@code @}, is this bot's. */
    public boolean isCalled(String userName) {
        String plain = userName.startsWith("@") ? userName.substring(1) : userName;
        return !name.isEmpty() && plain.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT));
    }
}
