package dev.parley.domain.reset;

import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * When a session ends by itself, and whether the user is told (R6.1).
 *
 * @param mode what ends it
 * @param atHour the hour of the daily boundary in the gateway's zone, 0 to 23
 * @param idle how long a session may be inactive; positive
 * @param notifyUser whether the user is told of a reset
 * @param notifyExcludePlatforms names of platforms whose users are not told, in lower case
 * @param backgroundProcessMaxAge the age from which a background process no longer keeps a session alive; zero: it
 *     always does
 */
public record ResetPolicy(
        ResetMode mode,
        int atHour,
        Duration idle,
        boolean notifyUser,
        Set<String> notifyExcludePlatforms,
        Duration backgroundProcessMaxAge) {
    /** Both, at 4:00 and after 24 hours, users told except on {@code api_server} and {@code webhook}. */
    public static final ResetPolicy DEFAULT = new ResetPolicy(
            ResetMode.BOTH, 4, Duration.ofDays(1), true, Set.of("api_server", "webhook"), Duration.ofHours(24));

    /** @throws IllegalArgumentException if the hour, the idle time or the maximum age is out of range */
    public ResetPolicy {
        if (atHour < 0 || atHour > 23) {
            throw new IllegalArgumentException("The reset hour must be 0 to 23, not " + atHour);
        }
        if (idle.isNegative() || idle.isZero()) {
            throw new IllegalArgumentException("The idle time must be positive, not " + idle);
        }
        if (backgroundProcessMaxAge.isNegative()) {
            throw new IllegalArgumentException(
                    "The maximum age of background processes cannot be negative: " + backgroundProcessMaxAge);
        }
        Set<String> names = new TreeSet<>();
        for (String name : notifyExcludePlatforms) {
            names.add(name.strip().toLowerCase(Locale.ROOT));
        }
        notifyExcludePlatforms = Collections.unmodifiableSet(names);
    }

    /** This policy with another mode. */
    public ResetPolicy withMode(ResetMode other) {
        return new ResetPolicy(other, atHour, idle, notifyUser, notifyExcludePlatforms, backgroundProcessMaxAge);
    }

    /** This policy with another hour of the daily boundary. */
    public ResetPolicy withAtHour(int other) {
        return new ResetPolicy(mode, other, idle, notifyUser, notifyExcludePlatforms, backgroundProcessMaxAge);
    }

    /** This policy with another idle time. */
    public ResetPolicy withIdle(Duration other) {
        return new ResetPolicy(mode, atHour, other, notifyUser, notifyExcludePlatforms, backgroundProcessMaxAge);
    }

    /** This policy with the user told or not. */
    public ResetPolicy withNotifyUser(boolean other) {
        return new ResetPolicy(mode, atHour, idle, other, notifyExcludePlatforms, backgroundProcessMaxAge);
    }

    /** This policy with other platforms whose users are not told. */
    public ResetPolicy withNotifyExcludePlatforms(Set<String> other) {
        return new ResetPolicy(mode, atHour, idle, notifyUser, other, backgroundProcessMaxAge);
    }

    /** This policy with another age from which background processes no longer count; zero: they always do. */
    public ResetPolicy withBackgroundProcessMaxAge(Duration other) {
        return new ResetPolicy(mode, atHour, idle, notifyUser, notifyExcludePlatforms, other);
    }
}
