package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.LookupFailed;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.adapter.slack.api.SlackError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Reads what was written in conversations. Where the app may not, it says so once and reads nothing. Blocks while it asks. */
final class History {
    private static final String PAGE = "200";
    private static final int MOST_PAGES = 1_000;

    private final SlackApi api;
    private final int most;
    private final Consumer<String> warnings;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    History(SlackApi api, int most, Consumer<String> warnings) {
        this.api = api;
        this.most = most;
        this.warnings = warnings;
    }

    /** Returns the conversations that the bot is in, as Slack describes them. */
    List<JsonNode> conversations() throws LookupFailed {
        Map<String, String> fields =
                Map.of("types", "im,mpim,public_channel,private_channel", "exclude_archived", "true", "limit", PAGE);
        return pages("users.conversations", "channels", fields, Integer.MAX_VALUE);
    }

    /**
     * Returns what was written in a conversation behind a time, oldest first: in it, in these threads, and in threads that have begun
     * since.
     */
    List<JsonNode> since(String channel, Timestamp oldest, Set<String> threads) throws LookupFailed {
        TreeMap<Timestamp, JsonNode> found = new TreeMap<>();
        Set<String> roots = new LinkedHashSet<>(threads);
        Map<String, String> fields = Map.of("channel", channel, "oldest", oldest.text(), "limit", PAGE);
        List<JsonNode> read = pages("conversations.history", "messages", fields, most);
        if (read.size() >= most) {
            warnings.accept("More was written in " + channel + " while nobody read it than is read afterwards, " + most
                    + " messages; some are left out. platforms.slack.backfill_limit raises this.");
        }
        for (JsonNode message : read) {
            Timestamp.of(message.path("ts").asText()).ifPresent(ts -> found.put(ts, message));
            if (message.path("reply_count").asInt() > 0) {
                roots.add(message.path("ts").asText());
            }
        }
        for (String root : roots) {
            for (JsonNode message : thread(channel, root, oldest)) {
                Timestamp.of(message.path("ts").asText()).ifPresent(ts -> found.put(ts, message));
            }
        }
        return List.copyOf(found.tailMap(oldest, false).values());
    }

    private List<JsonNode> thread(String channel, String root, Timestamp oldest) throws LookupFailed {
        return pages(
                "conversations.replies",
                "messages",
                Map.of("channel", channel, "ts", root, "oldest", oldest.text(), "limit", PAGE),
                most);
    }

    /** Returns the beginning of a thread, oldest first, as far as one page has it. */
    List<JsonNode> thread(String channel, String root) throws LookupFailed {
        return pages("conversations.replies", "messages", Map.of("channel", channel, "ts", root, "limit", PAGE), 1);
    }

    private List<JsonNode> pages(String method, String inside, Map<String, String> fields, int enough)
            throws LookupFailed {
        List<JsonNode> all = new ArrayList<>();
        Optional<String> next = Optional.empty();
        for (int i = 0; i < MOST_PAGES; i++) {
            Map<String, String> asked = new LinkedHashMap<>(fields);
            next.ifPresent(cursor -> asked.put("cursor", cursor));
            JsonNode page;
            try {
                page = api.get(method, asked);
            } catch (SlackError e) {
                if (e.isPassing()) {
                    throw new LookupFailed(e, e.retryAfter());
                }
                if (!e.is("thread_not_found") && !e.is("channel_not_found") && warned.add(e.getMessage())) {
                    warnings.accept(e.getMessage()
                            + "; what is written while the gateway is away cannot be read afterwards where this is so."
                            + " Give the app the scopes that the guide names.");
                }
                return all;
            } catch (ApiFailure e) {
                throw new LookupFailed(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new LookupFailed(e);
            }
            page.path(inside).forEach(all::add);
            next = Optional.of(
                            page.path("response_metadata").path("next_cursor").asText())
                    .filter(cursor -> !cursor.isEmpty());
            if (next.isEmpty() || all.size() >= enough) {
                break;
            }
        }
        return all;
    }
}
