package dev.parley.adapter.discord.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.discord.api.Bot;
import dev.parley.adapter.discord.api.Route;
import dev.parley.adapter.discord.inbound.Snowflake;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.media.SentFile;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/**
 * What the bot has written, looked for in the channels themselves. A preview is told from what is whole by a flag that people do not see.
 * Safe for concurrent use; blocks while it looks.
 */
final class Written {
    /** Links in it show no pictures, which nobody misses in what is not whole yet. */
    static final int PREVIEW = 1 << 2;

    /** Discord's clock and ours differ; so much earlier a message of ours is looked for. */
    static final Duration APART = Duration.ofSeconds(5);

    private static final int MOST_PAGES = 10;
    private static final int PAGE = 100;

    private final Calls calls;
    private volatile Optional<Bot> bot = Optional.empty();

    Written(Calls calls) {
        this.calls = calls;
    }

    /** Notes who the bot is. */
    void by(Bot who) {
        bot = Optional.of(who);
    }

    static String id(JsonNode message) {
        return message.path("id").asText();
    }

    static boolean isPreview(JsonNode message) {
        return (message.path("flags").asInt() & PREVIEW) != 0;
    }

    /** Returns whether a message of the bot's answers what an outgoing one answers; one that refers to nothing may. */
    static boolean answers(JsonNode shown, Outgoing message) {
        String to = shown.path("message_reference")
                .path("message_id")
                .asText(shown.path("interaction_metadata").path("id").asText());
        return to.isEmpty() || message.replyTo().filter(to::equals).isPresent();
    }

    /** Returns what recognises a piece of a message. */
    static Predicate<JsonNode> is(Outgoing message, int number, Piece piece) {
        return shown -> {
            boolean refers = number > 0 || answers(shown, message);
            return refers
                    && (piece instanceof Piece.Words words
                            ? shown.path("content")
                                    .asText()
                                    .strip()
                                    .equals(words.text().strip())
                            : shown.path("attachments")
                                    .path(0)
                                    .path("filename")
                                    .asText()
                                    .equals(new SentFile(((Piece.Enclosed) piece).attachment()).name()));
        };
    }

    /** Returns behind which message one of ours is looked for: behind the part before it, or what it answers, or when it was stored. */
    static Snowflake from(Outgoing message) {
        return message.delivery().parts().stream()
                .flatMap(part -> part.messageIds().stream())
                .flatMap(id -> Snowflake.of(id).stream())
                .max(Snowflake::compareTo)
                .or(() -> message.replyTo().flatMap(Snowflake::of))
                .orElse(Snowflake.of(message.createdAt().minus(APART)));
    }

    /** Returns what the bot has written behind an id, oldest first, as far as ten pages have it. */
    List<JsonNode> own(String channel, Snowflake after) {
        TreeMap<Snowflake, JsonNode> found = new TreeMap<>();
        Snowflake from = after;
        for (int i = 0; i < MOST_PAGES; i++) {
            JsonNode page = page(channel, "after=" + from.text() + "&limit=" + PAGE);
            page.forEach(each -> Snowflake.of(id(each)).ifPresent(id -> found.put(id, each)));
            if (page.size() < PAGE || found.lastKey().compareTo(from) <= 0) {
                break;
            }
            from = found.lastKey();
        }
        return found.values().stream().filter(this::isOwn).toList();
    }

    private boolean isOwn(JsonNode message) {
        return bot.map(Bot::id)
                .filter(message.path("author").path("id").asText()::equals)
                .isPresent();
    }

    /** Returns a page of what was written; nothing where the bot may not look: better twice than never. */
    private JsonNode page(String channel, String query) {
        return calls.runOr(Json.array(), api -> api.get(Route.read(channel, query)));
    }

    /** Returns the ids of the previews among what was written last. */
    List<String> latestPreviews(String channel) {
        return StreamSupport.stream(page(channel, "limit=" + PAGE / 2).spliterator(), false)
                .filter(each -> isOwn(each) && isPreview(each))
                .map(Written::id)
                .toList();
    }
}
