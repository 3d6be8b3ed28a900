package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.discord.api.DiscordApi;
import dev.parley.adapter.discord.api.DiscordError;
import dev.parley.adapter.discord.api.Route;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.LookupFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Reads what was written in channels. Where the bot may not, it says so once and reads nothing. Blocks while it asks. */
final class History {
    private static final int PAGE = 100;
    private static final int CONTEXT = 50;
    private static final int UNKNOWN_CHANNEL = 10_003;

    private final DiscordApi api;
    private final int most;
    private final Consumer<String> warnings;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    History(DiscordApi api, int most, Consumer<String> warnings) {
        this.api = api;
        this.most = most;
        this.warnings = warnings;
    }

    /** Returns what was written in a channel behind an id, oldest first. */
    List<JsonNode> since(String channel, Snowflake after) throws LookupFailed {
        TreeMap<Snowflake, JsonNode> found = new TreeMap<>();
        Snowflake from = after;
        while (found.size() < most) {
            List<JsonNode> page = page(channel, "after=" + from.text() + "&limit=" + PAGE);
            page.forEach(each -> Snowflake.of(each.path("id").asText()).ifPresent(id -> found.put(id, each)));
            if (page.size() < PAGE || found.isEmpty() || found.lastKey().compareTo(from) <= 0) {
                return List.copyOf(found.values());
            }
            from = found.lastKey();
        }
        warnings.accept("More was written in channel " + channel + " while nobody read it than is read afterwards, "
                + most + " messages; some are left out. platforms.discord.backfill_limit raises this.");
        return List.copyOf(found.values());
    }

    /** Returns what was written last before a message, oldest first. */
    List<JsonNode> before(String channel, String message) throws LookupFailed {
        TreeMap<Snowflake, JsonNode> found = new TreeMap<>();
        page(channel, "before=" + message + "&limit=" + CONTEXT)
                .forEach(each -> Snowflake.of(each.path("id").asText()).ifPresent(id -> found.put(id, each)));
        return List.copyOf(found.values());
    }

    private List<JsonNode> page(String channel, String query) throws LookupFailed {
        try {
            List<JsonNode> all = new ArrayList<>();
            api.get(Route.read(channel, query)).forEach(all::add);
            return all;
        } catch (DiscordError e) {
            if (e.isPassing()) {
                throw new LookupFailed(e, e.retryAfter());
            }
            if (!e.is(UNKNOWN_CHANNEL) && warned.add(String.valueOf(e.getMessage()))) {
                warnings.accept(e.getMessage()
                        + "; what is written while the gateway is away cannot be read afterwards where this is so."
                        + " Give the bot the permission to read the history.");
            }
            return List.of();
        } catch (ApiFailure e) {
            throw new LookupFailed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LookupFailed(e);
        }
    }

    /** Returns who wrote a message; absent where it does not say. */
    static Optional<String> author(JsonNode message) {
        return Chat.text(message.path("author"), "id");
    }
}
