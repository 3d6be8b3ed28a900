package dev.parley.application.port;

import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.Platform;
import java.util.Optional;

/**
 * Which lanes a page shows: latest activity first, then greatest key.
 *
 * @param platform only lanes of this platform
 * @param standing only lanes that stand so
 * @param text only lanes whose key or name contains this, without regard to ASCII case
 * @param after where to go on
 * @param limit at most so many
 * @param looks where a text is sought, a store that reads lanes in their order looks at so many at most: the page may then be short, or
 *     empty, and go on behind the last that it looked at
 */
public record LaneQuery(
        Optional<Platform> platform,
        Optional<Stand> standing,
        Optional<String> text,
        Optional<Cursor> after,
        int limit,
        int looks) {
    /** So many lanes are looked at for a page that somebody waits for: some ten milliseconds of work. */
    public static final int FEW_LOOKS = 20_000;

    public LaneQuery {
        limit = Math.max(0, limit);
        looks = Math.max(1, looks);
        text = text.filter(t -> !t.isEmpty());
    }

    /** How a lane stands. */
    public enum Stand {
        /** Neither of the others. */
        OPEN,
        /** Marked to be resumed, and not suspended. */
        RESUME_PENDING,
        /** The next message begins a new session. */
        SUSPENDED;

        /** Returns how the lane stands. */
        public static Stand of(Lane lane) {
            if (lane.entry().isSuspended()) {
                return SUSPENDED;
            }
            return lane.entry().standing() instanceof Standing.ResumePending ? RESUME_PENDING : OPEN;
        }
    }

    /** Returns the first page of all lanes. */
    public static LaneQuery first(int limit) {
        return new LaneQuery(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), limit, Integer.MAX_VALUE);
    }

    /** Returns this for one platform. */
    public LaneQuery on(Platform only) {
        return new LaneQuery(Optional.of(only), standing, text, after, limit, looks);
    }

    /** Returns this for lanes that stand so. */
    public LaneQuery standing(Stand only) {
        return new LaneQuery(platform, Optional.of(only), text, after, limit, looks);
    }

    /** Returns this for lanes that a text is found in. */
    public LaneQuery containing(String sought) {
        return new LaneQuery(platform, standing, Optional.of(sought), after, limit, looks);
    }

    /** Returns this behind a page. */
    public LaneQuery after(Optional<Cursor> place) {
        return new LaneQuery(platform, standing, text, place, limit, looks);
    }

    /** Returns this with so many lanes looked at for a page at most, where a text is sought. */
    public LaneQuery lookingAt(int most) {
        return new LaneQuery(platform, standing, text, after, limit, most);
    }

    /** Returns whether the list has the lane. */
    public boolean matches(Lane lane) {
        return platform.map(p -> lane.entry().platform().filter(p::equals).isPresent())
                        .orElse(true)
                && standing.map(s -> s == Stand.of(lane)).orElse(true)
                && text.map(t -> contains(lane.key().value(), t)
                                || lane.entry()
                                        .displayName()
                                        .filter(name -> contains(name, t))
                                        .isPresent())
                        .orElse(true);
    }

    private static boolean contains(String text, String sought) {
        return lower(text).contains(lower(sought));
    }

    private static String lower(String text) {
        StringBuilder lower = new StringBuilder(text);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                lower.setCharAt(i, (char) (c + ('a' - 'A')));
            }
        }
        return lower.toString();
    }
}
