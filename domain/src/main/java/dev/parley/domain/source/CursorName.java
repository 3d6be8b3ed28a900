package dev.parley.domain.source;

import java.util.Comparator;

/**
 * Names a place up to which a platform has been read. A changed account has other names, so it never continues at the place of
 * another one. In order of platform, account and name.
 *
 * @param platform the platform
 * @param account whose messages are read, as the platform names it: a bot's id, a phone number
 * @param name what is read: {@code updates}, {@code sync}, a channel's id
 */
public record CursorName(Platform platform, String account, String name) implements Comparable<CursorName> {
    private static final Comparator<CursorName> ORDER = Comparator.comparing((CursorName each) -> each.platform.name())
            .thenComparing(CursorName::account)
            .thenComparing(CursorName::name);

    public CursorName {
        if (account.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException(
                    "A cursor needs an account and a name: \"" + account + "\", \"" + name + "\".");
        }
    }

    @Override
    public int compareTo(CursorName other) {
        return ORDER.compare(this, other);
    }
}
