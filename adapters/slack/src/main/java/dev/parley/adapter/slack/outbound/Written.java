package dev.parley.adapter.slack.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.adapter.slack.api.Bot;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.adapter.slack.api.SlackError;
import dev.parley.domain.source.Address;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Looks for what the app has written: each call reads the history anew. Safe for concurrent use; blocks until Slack has answered. */
final class Written {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int MOST_PAGES = 10;
    private static final String MARKED = "parley_";

    private final SlackApi api;
    private final Calls calls;

    Written(SlackApi api, Calls calls) {
        this.api = api;
        this.calls = calls;
    }

    /** Returns the marked messages that were written since a time, as far as ten pages have them; none where the app may not look. */
    Map<Mark, String> marked(Address where, String oldest) {
        Map<Mark, String> found = new LinkedHashMap<>();
        for (JsonNode each : since(where, oldest)) {
            if (each.path("metadata").path("event_type").asText().startsWith(MARKED)) {
                found.putIfAbsent(Mark.of(each), each.path("ts").asText());
            }
        }
        return found;
    }

    /** Returns how often the app has shown a file of this name since a time; 0 where it may not look. */
    long files(Address where, String oldest, String name) {
        Bot bot = calls.run("auth.test", slack -> slack.me(PATIENCE));
        return since(where, oldest).stream()
                .filter(each -> bot.wrote(
                        each.path("user").asText(), each.path("bot_id").asText()))
                .filter(each -> {
                    boolean named = false;
                    for (JsonNode file : each.path("files")) {
                        named |= file.path("name").asText().equals(name);
                    }
                    return named;
                })
                .count();
    }

    private List<JsonNode> since(Address where, String oldest) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("channel", where.chatId());
        fields.put("oldest", oldest);
        fields.put("limit", "200");
        fields.put("include_all_metadata", "true");
        where.threadId().ifPresent(thread -> fields.put("ts", thread));
        String method = where.threadId().isPresent() ? "conversations.replies" : "conversations.history";
        List<JsonNode> found = new ArrayList<>();
        try {
            for (int i = 0; i < MOST_PAGES; i++) {
                JsonNode page = api.get(method, fields);
                page.path("messages").forEach(found::add);
                String cursor =
                        page.path("response_metadata").path("next_cursor").asText();
                if (cursor.isEmpty()) {
                    break;
                }
                fields.put("cursor", cursor);
            }
            return found;
        } catch (SlackError e) {
            if (e.isPassing()) {
                throw calls.failed(method, e);
            }
            // The app may not look: better twice than never.
            return found;
        } catch (ApiFailure e) {
            throw OutcomeUnknown.of(e);
        } catch (InterruptedException e) {
            throw OutcomeUnknown.of(e);
        }
    }
}
