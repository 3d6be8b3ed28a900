package dev.parley.adapter.http.server;

import dev.parley.application.view.TimeSpan;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.text.OneLine;
import io.javalin.http.Context;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The parameters of an address; those that cannot be are answered with 400 and what they may be. */
final class Queries {
    /** So many rows a list has at most. */
    static final int MOST_ROWS = 1_000;

    private Queries() {}

    static Optional<String> text(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name)).filter(text -> !text.isEmpty());
    }

    static List<String> list(Context ctx, String name) {
        return text(ctx, name).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    static boolean flag(Context ctx, String name) {
        String text = ctx.queryParam(name);
        if (text == null) {
            return false;
        }
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "", "true", "1", "yes" -> true;
            case "false", "0", "no" -> false;
            default ->
                throw new Rejected(400, "'" + name + "' must be true or false, not " + OneLine.quoted(text) + ".");
        };
    }

    static int number(Context ctx, String name, int usual, int least, int most) {
        Optional<String> text = text(ctx, name);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with numbers out of range.
        }
        throw new Rejected(
                400,
                "'" + name + "' must be a whole number from " + least + " to " + most + ", not "
                        + OneLine.quoted(text.get()) + ".");
    }

    static TimeSpan span(Context ctx, ZoneId zone) {
        return TimeSpan.of("'from'", text(ctx, "from"), "'to'", text(ctx, "to"), zone);
    }

    static SessionKey key(Context ctx) {
        String key = text(ctx, "key").orElseThrow(() -> new Rejected(400, "'key' is missing: which lane?"));
        try {
            return SessionKey.of(key);
        } catch (IllegalArgumentException e) {
            throw new Rejected(400, String.valueOf(e.getMessage()));
        }
    }
}
